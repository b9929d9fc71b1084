/** Who reads on the page keeps their place: in a list, in a search, in a note. */
import assert from "node:assert/strict";
import { put } from "../support/world.ts";
import { sage } from "../support/sage.ts";
import { accessible, open, testPage } from "./browser.ts";
import { life } from "./life.ts";
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
  const at = document.querySelector(one)?.getBoundingClientRect();
  return at !== undefined && at.top >= 0 && at.bottom <= innerHeight;
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

testPage("a todo is opened, with what was said beside it and what may become of it", async () => {
  await using opened = await open({
    fill: async (home, cwd) => {
      const add = (...args: string[]) => sage(["todo", "add", ...args], { home, cwd });
      await add("Rotate the certificate", "--due", "2026-01-02");
      await add("Ask Ole", "--due", "2999-01-02");
      put(
        `${cwd}/.sage/todos/slots.md`,
        "---\nid: slots\ntype: todo\npriority: low\nstatus: pending\n---\n\n# Slots\n\nThree of them hold xmin.\n",
      );
    },
  });
  const { page, wrong, go } = opened;
  await go("todos");
  await page.waitForSelector(".task >> text=overdue since 2026-01-02");
  await page.waitForSelector(".task >> text=/^due 2999-01-02$/");
  await page.focus(".task:has-text('Slots')");
  await page.keyboard.press("Enter");
  await page.waitForSelector("article h2:focus >> text=Slots");
  await page.waitForSelector("article >> text=Three of them hold xmin.");
  await page.click("article >> text=Start");
  await page.waitForSelector("article >> text=Block");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".task:focus >> text=Slots");
  // The title is all that there is.
  await page.click(".task >> text=Ask Ole");
  await page.waitForSelector("article h2:focus >> text=Ask Ole");
  assert.equal(await page.locator("article h2").count(), 1);
  await page.click("article >> text=Done");
  await page.waitForSelector(".task >> text=Ask Ole", { state: "detached" });
  await accessible(page, "an open todo");
  assert.deepEqual(wrong, []);
});

testPage("what was searched for is there when the page is loaded again", async () => {
  await using opened = await open({ fill: notes(3) });
  const { page, wrong } = opened;
  await page.keyboard.type("holds <private>Kestrel</private> 2");
  await page.click("li a >> text=Lock 2");
  await page.waitForSelector("article h2 >> text=Lock 2");
  await page.reload();
  await page.waitForSelector("article h2 >> text=Lock 2");
  await page.waitForSelector("[role=status] >> text=/^\\d+ of/");
  const typed = await page.inputValue("input[type=search]");
  assert.match(typed, /^holds .*2$/);
  assert.doesNotMatch(typed, /Kestrel/);
  assert.deepEqual(wrong, []);
});

testPage("moments are those of where the person is, and a day is that day everywhere", async () => {
  await using opened = await open({
    zone: "Asia/Tokyo",
    fill(_, cwd) {
      const note = (name: string, created: string) =>
        put(
          `${cwd}/.sage/checkpoints/${name}.md`,
          `---\nid: ${name}\ntype: checkpoint\ncreated: ${created}\nupdated: ${created}\n---\n\n# ${name}\n\n## Thesis\n\nIt holds.\n`,
        );
      note("evening", "2026-01-13T23:30:00Z");
      note("day", "2026-01-12");
      return Promise.resolve();
    },
  });
  const { page, wrong, go } = opened;
  await go("timeline");
  await page.waitForSelector("section:has(h2:text-is('2026-01-14')) >> text=evening");
  await page.waitForSelector("section:has(h2:text-is('2026-01-12')) >> text=day");
  await page.click("li a >> text=evening");
  await page.waitForSelector("article time >> text=2026-01-14 08:30");
  assert.deepEqual(wrong, []);
});

testPage("what search found is read with its warnings, and edited beside the results", async () => {
  await using opened = await open({ fill: life });
  const { page, server, wrong } = opened;
  await page.keyboard.type("cache holds");
  await page.click("li a >> text=Cache limit");
  await page.waitForSelector("article >> text=Stale: src/limits.ts changed");
  await page.waitForSelector("pre.changes .added >> text=+The cache holds 150 MB.");
  await page.keyboard.press("e");
  await page.waitForSelector("textarea:focus");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("The cache holds 160 MB.");
  await sage(["knowledge", "rm", "cache-limit"], server);
  await page.waitForSelector("li a >> text=Cache limit", { state: "detached" });
  assert.equal(await page.inputValue("textarea"), "The cache holds 160 MB.");
  await sage(["knowledge", "restore", "cache-limit"], server);
  await page.waitForSelector("li a >> text=Cache limit");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".prose >> text=The cache holds 160 MB.");
  await page.waitForSelector("li .snippet >> text=160 MB");
  assert.match(page.url(), /#\/search\/cache-limit$/);
  // While it was gone, it was asked for.
  assert.deepEqual(wrong.filter((text) => !text.includes("404")), []);
});

testPage(
  "a session and its checkpoint are one block of a search, unless scores are asked for",
  async () => {
    const session = "session: 11111111-0000-4000-8000-000000000001";
    await using opened = await open({
      fill(_, cwd) {
        for (
          const [kind, place, title, said] of [
            ["checkpoint", "checkpoints", "Slots", "Three replication slots hold back the vacuum."],
            ["session", "sessions", "The vacuum", "We looked at replication slots and the vacuum."],
            ["knowledge", "knowledge", "Vacuum", "The vacuum waits for replication slots."],
          ]
        ) {
          put(
            `${cwd}/.sage/${place}/${kind}-1.md`,
            `---\nid: ${kind}-1\ntype: ${kind}\ncreated: 2026-01-01T00:00:00Z\n${
              kind === "knowledge" ? "" : `${session}\n`
            }---\n\n# ${title}\n\n${said}\n`,
          );
        }
        return Promise.resolve();
      },
    });
    const { page, wrong, go } = opened;
    await go("search");
    await page.fill("input[type=search]", "replication slots vacuum");
    await page.waitForSelector("[role=status] >> text=/^3 of 3/");
    const more = page.locator(".list > li.more");
    assert.equal(await more.count(), 1);
    assert.match(await more.innerText(), /^also (session|checkpoint)\s+(The vacuum|Slots)\s/);
    assert.equal(await more.locator(".snippet").count(), 0);
    // It is opened like any other line.
    await page.keyboard.press("Escape");
    const place = await page.evaluate(
      "[...document.querySelectorAll('.list > li')].findIndex((line) => line.matches('.more'))",
    );
    for (let i = 0; i <= Number(place); i++) await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForSelector("article h2:focus >> text=/^(The vacuum|Slots)$/");
    await accessible(page, "a block of a search");
    await page.click("text=scores");
    await page.waitForSelector(".list > li:nth-child(3) code");
    assert.equal(await more.count(), 0);
    assert.deepEqual(wrong, []);
  },
);

testPage(
  "a picture of the links is as high as its frame, while its labels can be read",
  async () => {
    await using opened = await open({ fill: life });
    const { page, wrong, go } = opened;
    await page.setViewportSize({ width: 1280, height: 120 });
    await go("graph/the-gateway");
    await page.waitForSelector("nav.picture a.centre");
    const [whole = 0, shown = 0, frame = 0] = await page.evaluate<number[]>(`[
    document.querySelector("nav.picture svg").viewBox.baseVal.height,
    document.querySelector("nav.picture svg").clientHeight,
    document.querySelector("nav.picture").clientHeight,
  ]`);
    assert.ok(whole > frame + 10, `the picture's ${whole} pixels fit into ${frame}`);
    assert.ok(shown <= Math.max(frame, whole * 0.75) + 1, `${shown} of ${whole} in ${frame}`);
    assert.deepEqual(wrong, []);
  },
);
