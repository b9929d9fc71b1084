/** What a person types on the page is kept: while it is saved, where it cannot be, and when they go elsewhere. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { sage } from "../support/sage.ts";
import { filesIn } from "../support/temp_store.ts";
import { read } from "../support/world.ts";
import { accessible, open, testPage } from "./browser.ts";
import { life } from "./life.ts";
import { serveProcess } from "./server.ts";
import { until } from "../support/within.ts";

type Opened = Awaited<ReturnType<typeof open>>;

/** Saves, by a key, and has that wait until it is let through; what was asked for meanwhile. */
async function heldSave(page: Page, path: string, method: string) {
  const { promise: isLet, resolve: letThrough } = Promise.withResolvers<void>();
  let saves = 0;
  await page.route(path, async (route) => {
    if (route.request().method() === method) {
      saves++;
      await isLet;
    }
    await route.continue();
  });
  const asked = page.waitForRequest((request) => request.method() === method);
  await page.keyboard.press("Control+Enter");
  await asked;
  return { letThrough, saves: () => saves };
}

async function editWeather({ page, go }: Opened): Promise<void> {
  await go("knowledge/weather");
  await page.click("button >> text=Edit");
  await page.fill("textarea", "It rains in March.");
}

/** At once, as an editor does: half a note is another note. */
async function replace(file: string, words: string, others: string): Promise<void> {
  await Deno.writeTextFile(`${file}~`, read(file).replace(words, others));
  await Deno.rename(`${file}~`, file);
}

async function writeFilter({ page, go }: Opened): Promise<void> {
  await go("knowledge");
  await page.click("button >> text=New note");
  await page.fill("input[type=text]", "Filter");
  await page.fill("textarea", "It is changed in March.");
}

testPage("of a text that is pasted into the search, what search reads is looked for", async () => {
  await using opened = await open({ fill: life });
  const { page, wrong, go } = opened;
  await go("search");
  await page.focus("input[type=search]");
  await page.keyboard.insertText("gateway reload ".repeat(7000));
  await page.waitForSelector("[data-item] >> text=The gateway");
  assert.deepEqual(wrong, []);
});

testPage(
  "who goes on typing while an edit is saved keeps every letter, and saves it too",
  async () => {
    await using opened = await open({ fill: life, holds: true });
    const { page, server, wrong } = opened;
    const file = `${server.cwd}/.sage/knowledge/weather.md`;
    await editWeather(opened);
    const held = await heldSave(page, "**/api/v1/knowledge/weather", "PATCH");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type(" It snows in May.");
    held.letThrough();
    await page.waitForSelector("[role=alert] >> text=/^Saved, except/");
    assert.equal(held.saves(), 1, "saved again while it was saved");
    assert.equal(await page.inputValue("textarea"), "It rains in March. It snows in May.");
    assert.match(read(file), /^It rains in March\.$/m);
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("article >> text=It rains in March. It snows in May.");
    assert.equal(await page.locator("button >> text=Go on editing").count(), 0);
    assert.match(read(file), /^It rains in March\. It snows in May\.$/m);
    assert.deepEqual(wrong, []);
  },
);

testPage(
  "somebody else's words between a save and the next are shown, not written over",
  async () => {
    await using opened = await open({ fill: life, holds: true });
    const { page, server } = opened;
    const file = `${server.cwd}/.sage/knowledge/weather.md`;
    await editWeather(opened);
    const held = await heldSave(page, "**/api/v1/knowledge/weather", "PATCH");
    await page.keyboard.type(" It snows in May.");
    let written: Promise<void> | undefined;
    await page.route("**/api/v1/knowledge/weather", async (route) => {
      if (route.request().method() !== "GET") return await route.fallback();
      await (written ??= replace(file, "in March", "in April, by hand"));
      await route.continue();
    });
    held.letThrough();
    await page.waitForSelector(".conflict >> text=in April, by hand");
    assert.equal(await page.inputValue("textarea"), "It rains in March. It snows in May.");
    assert.match(read(file), /in April, by hand/);
  },
);

testPage("who takes both texts goes on in them, by keyboard", async () => {
  await using opened = await open({ fill: life });
  const { page, server } = opened;
  const file = `${server.cwd}/.sage/knowledge/weather.md`;
  await editWeather(opened);
  await replace(file, "It rains.", "It snows.");
  await page.keyboard.press("Control+Enter");
  await page.focus(".conflict button >> text=Put both into the text");
  await page.keyboard.press("Enter");
  await page.waitForSelector("textarea:focus");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("article h2:focus");
  assert.match(read(file), /It snows\.\n\nIt rains in March\./);
});

testPage(
  "who goes on typing while a new note is saved keeps every letter, and stays where they are",
  async () => {
    await using opened = await open({ holds: true });
    const { page, server, wrong } = opened;
    const file = `${server.cwd}/.sage/knowledge/filter.md`;
    await writeFilter(opened);
    const held = await heldSave(page, "**/api/v1/knowledge", "POST");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type(" By hand.");
    held.letThrough();
    await page.waitForSelector("[role=alert] >> text=/^Saved, except/");
    assert.equal(held.saves(), 1, "saved again while it was saved");
    assert.equal(await page.inputValue("textarea"), "It is changed in March. By hand.");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("article >> text=It is changed in March. By hand.");
    assert.match(read(file), /^It is changed in March\. By hand\.$/m);
    assert.deepEqual(wrong, []);
  },
);

testPage(
  "what is changed of a new note while it is saved is for that note, not another",
  async () => {
    await using opened = await open({ holds: true });
    const { page, server, wrong } = opened;
    const folder = `${server.cwd}/.sage/knowledge`;
    await writeFilter(opened);
    const held = await heldSave(page, "**/api/v1/knowledge", "POST");
    await page.fill("form.edit input", "The filter");
    held.letThrough();
    await page.waitForSelector("[role=alert] >> text=/^Saved, except/");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("article h2 >> text=The filter");
    assert.deepEqual(filesIn(folder).filter((name) => !name.includes("/")), ["filter.md"]);
    assert.match(read(`${folder}/filter.md`), /^# The filter\n\nIt is changed in March\.$/m);
    assert.deepEqual(wrong, []);
  },
);

testPage("what somebody else writes into a new note while it is typed on is shown", async () => {
  await using opened = await open({ holds: true });
  const { page, server } = opened;
  const file = `${server.cwd}/.sage/knowledge/filter.md`;
  await writeFilter(opened);
  const held = await heldSave(page, "**/api/v1/knowledge", "POST");
  await page.keyboard.type(" By hand.");
  held.letThrough();
  await page.waitForSelector("[role=alert] >> text=/^Saved, except/");
  await replace(file, "in March", "in April");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".conflict >> text=in April");
  assert.equal(await page.inputValue("textarea"), "It is changed in March. By hand.");
  // Not by the button that would save a text that was not looked at.
  const refused = page.waitForResponse((response) => response.status() === 412);
  await page.click("button >> text=/^Save$/");
  await refused;
  assert.match(read(file), /in April/);
  // While one is under way no other is begun.
  await until("the choice", async () => {
    await page.click("button >> text=Save mine", { timeout: 1000 }).catch(() => {});
    return await page.locator("article p >> text=It is changed in March. By hand.").isVisible();
  });
});

testPage("who left a form while it was saved is not called back to it", async () => {
  await using opened = await open({ holds: true });
  const { page, server, wrong, go } = opened;
  await writeFilter(opened);
  const held = await heldSave(page, "**/api/v1/knowledge", "POST");
  await go("todos");
  held.letThrough();
  await page.waitForResponse("**/api/v1/todos?*");
  assert.match(read(`${server.cwd}/.sage/knowledge/filter.md`), /in March/);
  assert.match(page.url(), /#\/todos$/);
  await go("knowledge");
  await page.waitForSelector("button >> text=New note");
  assert.deepEqual(wrong, []);
});

testPage("who calls off a new note while it is saved can save the next at once", async () => {
  await using opened = await open({ holds: true });
  const { page, server, wrong } = opened;
  await writeFilter(opened);
  const held = await heldSave(page, "**/api/v1/knowledge", "POST");
  await page.click("button >> text=Cancel");
  await page.click("button >> text=New note");
  await page.fill("input[type=text]", "Gateway");
  await page.fill("textarea", "It listens on 8443.");
  await page.click("button >> text=/^Save$/");
  await until("the second save", () => Promise.resolve(held.saves() === 2));
  held.letThrough();
  await page.waitForSelector("article >> text=It listens on 8443.");
  const folder = `${server.cwd}/.sage/knowledge`;
  assert.match(read(`${folder}/gateway.md`), /^It listens on 8443\.$/m);
  assert.match(read(`${folder}/filter.md`), /^It is changed in March\.$/m);
  assert.deepEqual(wrong, []);
});

/** A new note that was saved while somebody typed on. */
async function typeOn(opened: Opened): Promise<void> {
  const { page } = opened;
  await writeFilter(opened);
  const held = await heldSave(page, "**/api/v1/knowledge", "POST");
  await page.keyboard.type(" By hand.");
  held.letThrough();
  await page.waitForSelector("[role=alert] >> text=/^Saved, except/");
}

testPage("a form that was emptied and left says nothing of the next note", async () => {
  await using opened = await open({ holds: true });
  const { page, server, wrong, go } = opened;
  await typeOn(opened);
  await page.fill("input[type=text]", "");
  await page.fill("textarea", "");
  await go("todos");
  await go("knowledge");
  await page.click("button >> text=New note");
  assert.equal(await page.locator("[role=alert]").count(), 0);
  await page.fill("input[type=text]", "Gateway");
  await page.fill("textarea", "It listens on 8443.");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("article >> text=It listens on 8443.");
  assert.match(read(`${server.cwd}/.sage/knowledge/filter.md`), /^It is changed in March\.$/m);
  assert.deepEqual(wrong, []);
});

testPage("what is typed on for a new note that was removed meanwhile can be saved", async () => {
  await using opened = await open({ holds: true });
  const { page, server } = opened;
  await typeOn(opened);
  await sage(["knowledge", "rm", "filter", "--yes"], server);
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("[role=alert] >> text=No note");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("article >> text=It is changed in March. By hand.");
});

testPage(
  "what was typed into a note that is gone meanwhile is still there",
  async () => {
    await using opened = await open({ fill: life });
    const { page, server, go } = opened;
    await editWeather(opened);
    await go("todos");
    await sage(["knowledge", "rm", "weather", "--yes"], server);
    await go("knowledge/weather");
    await page.waitForSelector("textarea");
    assert.equal(await page.inputValue("textarea"), "It rains in March.");
    await page.click("button >> text=Save");
    await page.waitForSelector("[role=alert] >> text=No note");
    assert.equal(await page.inputValue("textarea"), "It rains in March.");
    await page.click("button >> text=Cancel");
    await page.waitForSelector("a >> text=Back");
  },
);

testPage("what was typed into a note that is gone meanwhile can be a new one", async () => {
  await using opened = await open({ fill: life, holds: true });
  const { page, server } = opened;
  await editWeather(opened);
  await sage(["knowledge", "rm", "weather", "--yes"], server);
  await page.click("button >> text=Save");
  await page.waitForSelector("[role=alert] >> text=No note");
  await page.click("button >> text=Save as a new note");
  await page.waitForSelector("article >> text=It rains in March.");
  assert.match(read(`${server.cwd}/.sage/knowledge/weather.md`), /^It rains in March\.$/m);
});

testPage("a page that holds words nobody saved asks before it goes", async () => {
  await using opened = await open({ fill: life });
  const { page, wrong, go } = opened;
  const asks = async (): Promise<boolean> => {
    const before = wrong.length;
    await page.evaluate(
      "dispatchEvent(globalThis.left = new Event('beforeunload', { cancelable: true }))",
    );
    assert.equal(wrong.length, before);
    return await page.evaluate("globalThis.left.defaultPrevented");
  };
  assert.equal(await asks(), false);
  await go("todos");
  await page.fill("form.add input", "Measure");
  assert.equal(await asks(), true, "a task");
  await page.fill("form.add input", "");
  assert.equal(await asks(), false);
  await go("knowledge");
  await page.click("button >> text=New note");
  await page.fill("textarea", "Words");
  assert.equal(await asks(), true, "a new note");
  await page.fill("textarea", "");
  assert.equal(await asks(), false);
  await go("knowledge/weather");
  await page.click("button >> text=Edit");
  assert.equal(await asks(), false);
  await page.fill("form.edit[aria-label='Edit Weather'] textarea", "It never rains.");
  await go("health");
  assert.equal(await asks(), true, "an edit");
});

/** As after a tab was discarded: what stood in it is gone, but for what the browser keeps of its session. */
async function loadAgain({ page }: Opened): Promise<void> {
  page.removeAllListeners("dialog");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.waitForSelector("nav");
}

const BACK = "[aria-label='Brought back']";
const KEPT = "Object.keys(sessionStorage)";

testPage("what was typed is there when the tab was loaded again, until it is saved", async () => {
  await using opened = await open({ fill: life });
  const { page, server, wrong, go } = opened;
  await go("todos");
  await page.fill("form.add input", "Measure the cache");
  await editWeather(opened);
  await writeFilter(opened);
  await go("knowledge/weather");
  await loadAgain(opened);
  // Where one was, one is again.
  assert.equal(
    await page.inputValue("form[aria-label='Edit Weather'] textarea"),
    "It rains in March.",
  );
  assert.equal(await page.locator(`${BACK} a`).count(), 3);
  await accessible(page, "brought back");
  await page.click("form[aria-label='Edit Weather'] >> text=/^Save$/");
  await page.waitForSelector("article >> text=It rains in March.");
  assert.match(read(`${server.cwd}/.sage/knowledge/weather.md`), /^It rains in March\.$/m);
  await page.click(`${BACK} a >> text=your new note “Filter”`);
  assert.equal(await page.inputValue("textarea"), "It is changed in March.");
  await page.click("form[aria-label='A new note'] >> text=/^Save$/");
  await page.waitForSelector("article >> text=It is changed in March.");
  await page.click(`${BACK} a >> text=your new todo`);
  assert.equal(await page.inputValue("form.add input"), "Measure the cache");
  await page.click("button >> text=Add");
  await page.waitForSelector(".title >> text=Measure the cache");
  await page.waitForSelector(BACK, { state: "detached" });
  assert.deepEqual(await page.evaluate(KEPT), []);
  assert.deepEqual(wrong, []);
});

testPage("what came back is thrown away, and what is cancelled does not come back", async () => {
  await using opened = await open({ fill: life });
  const { page, wrong, go } = opened;
  await editWeather(opened);
  await loadAgain(opened);
  await page.click("[aria-label='Throw away your edit of “Weather”']");
  await page.waitForSelector(".prose >> text=It rains.");
  assert.equal(await page.locator("form").count(), 0);
  await editWeather(opened);
  await page.click("button >> text=Cancel");
  await writeFilter(opened);
  await page.click("button >> text=Cancel");
  assert.deepEqual(await page.evaluate(KEPT), []);
  await loadAgain(opened);
  await go("todos");
  assert.equal(await page.locator(BACK).count(), 0);
  assert.deepEqual(wrong, []);
});

testPage("what is private is not kept, nor is what is typed in a tab that was closed", async () => {
  await using opened = await open({ fill: life });
  const { context, page, server, go } = opened;
  await go("knowledge/weather");
  await page.click("button >> text=Edit");
  await page.fill("textarea", "It rains. <private>On Kestrel.</private> And in May.");
  assert.doesNotMatch(await page.evaluate("JSON.stringify(sessionStorage)"), /Kestrel/);
  await loadAgain(opened);
  assert.equal(await page.inputValue("textarea"), "It rains.  And in May.");
  const other = await context.newPage();
  await other.goto(`${server.url}/#/knowledge/weather`);
  await other.waitForSelector(".prose >> text=It rains.");
  assert.equal(await other.locator(BACK).count(), 0);
});

testPage("what came back for a note that was changed meanwhile waits for the choice", async () => {
  await using opened = await open({ fill: life });
  const { page, server } = opened;
  const file = `${server.cwd}/.sage/knowledge/weather.md`;
  await editWeather(opened);
  await loadAgain(opened);
  await replace(file, "It rains.", "It rains in April, by hand.");
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector(".conflict >> text=in April, by hand");
  assert.match(read(file), /in April, by hand/);
  // Loaded once more, it is no other choice.
  await loadAgain(opened);
  await page.click("button >> text=/^Save$/");
  await page.click(".conflict button >> text=Save mine");
  await page.waitForSelector("article p >> text=It rains in March.");
  assert.deepEqual(await page.evaluate(KEPT), []);
});

testPage("an edit whose save was not answered before the tab went is no conflict", async () => {
  await using opened = await open({ fill: life });
  const { page, server } = opened;
  await editWeather(opened);
  await replace(`${server.cwd}/.sage/knowledge/weather.md`, "It rains.", "It rains in March.");
  await loadAgain(opened);
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("article p >> text=It rains in March.");
  assert.equal(await page.locator(BACK).count(), 0);
});

testPage(
  "what was typed for one project stays in sight, and is not seen in another on the same port",
  async () => {
    await using opened = await open({ fill: life });
    const { page, server } = opened;
    const idle = await opened.context.newPage();
    await idle.goto(`${server.url}/#/todos`);
    await idle.waitForSelector("nav");
    await editWeather(opened);
    await writeFilter(opened);
    server.kill("SIGTERM");
    await server.ended();
    const cwd = `${server.home}/other`;
    await Deno.mkdir(`${cwd}/.git`, { recursive: true });
    await sage(["init"], { home: server.home, cwd });
    const args = ["--port", new URL(server.url).port, "--open"];
    {
      await using other = await serveProcess({ home: server.home, cwd, args });
      const tab = await opened.context.newPage();
      await tab.goto(other.open ?? "");
      // Where nothing was typed.
      await idle.waitForSelector("h1 >> text=other");
      await page.waitForSelector("text=this page belongs to other notes");
      assert.equal(await page.inputValue("textarea"), "It is changed in March.");
      await page.click("form[aria-label='A new note'] >> text=/^Save$/");
      await page.waitForSelector("form [role=alert] >> text=this page belongs to other notes");
      assert.deepEqual(filesIn(`${cwd}/.sage`).filter((path) => path.includes("knowledge/")), []);
      await loadAgain(opened);
      await page.waitForSelector("h1 >> text=other");
      assert.doesNotMatch(await page.textContent("body") ?? "", /Filter|Weather/);
      await page.click("button >> text=New note");
      assert.equal(await page.inputValue("textarea"), "");
    }
    await using again = await serveProcess({ home: server.home, cwd: server.cwd, args });
    const tab = await opened.context.newPage();
    await tab.goto(again.open ?? "");
    await page.waitForSelector(`${BACK} >> text=your edit of “Weather”`);
    await page.waitForSelector(`${BACK} >> text=your new note “Filter”`);
  },
);

testPage("what was searched for and asked is there for who comes back", async () => {
  await using opened = await open({ fill: life });
  const { page, wrong, go } = opened;
  await page.fill("input[type=search]", "which port");
  await page.click("[data-item] >> text=The gateway");
  await page.click("[data-graph]");
  await page.waitForSelector("nav.picture a.centre");
  await page.goBack();
  await page.waitForSelector("article >> text=port 8443");
  assert.equal(await page.inputValue("input[type=search]"), "which port");
  // Who wants to look for something else types it in its place.
  await go("todos");
  await page.keyboard.press("/");
  await page.waitForSelector("input[type=search]:focus");
  await page.keyboard.type("rain");
  assert.equal(await page.inputValue("input[type=search]"), "rain");
  await go("graph");
  const field = "[aria-label='Start from a note, or ask']";
  await page.fill(field, "type:knowledge limit:mnay");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert]");
  assert.equal(await page.inputValue(field), "type:knowledge limit:mnay");
  assert.deepEqual(wrong.filter((text) => !text.includes("400")), []);
});
