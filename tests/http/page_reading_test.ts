/** Who reads on the page keeps their place: in a list, in a search, in a note. */
import assert from "node:assert/strict";
import { put } from "../support/world.ts";
import { open, testPage } from "./browser.ts";
import { until } from "../support/within.ts";

/** So many notes, the last the newest. */
function notes(many: number): (home: string, cwd: string) => Promise<void> {
  return (_, cwd) => {
    for (let i = 0; i < many; i++) {
      const at = new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString().replace(".000", "");
      put(
        `${cwd}/.sage/knowledge/lock-${i}.md`,
        `---\nid: lock-${i}\ntype: knowledge\ncreated: ${at}\n---\n\n# Lock ${i}\n\nIt holds ${i}.\n`,
      );
    }
    return Promise.resolve();
  };
}

/** In the page: whether the line of the open note is in sight, and the note beside it. */
const SEEN = `["[data-item][aria-current=true]", "article h2"].every((one) => {
  const { top, bottom } = document.querySelector(one).getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
})`;

testPage("a note that is opened far down a list stands beside its line", async () => {
  await using opened = await open({ fill: notes(80) });
  const { page, wrong, go } = opened;
  await go("knowledge");
  await page.locator("a[data-item]", { hasText: "Lock 20" }).click();
  await page.waitForSelector("article h2:focus >> text=Lock 20");
  assert.equal(await page.evaluate(SEEN), true);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForSelector("article h2:focus >> text=Lock 19");
  assert.equal(await page.evaluate(SEEN), true);
  // By its address, too: what is around it is what one goes on with.
  await page.reload();
  await page.waitForSelector("article h2 >> text=Lock 19");
  await until("its line", async () => await page.evaluate(SEEN) === true);
  assert.deepEqual(wrong, []);
});
