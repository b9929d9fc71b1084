/** What a person does on the page: walks the graph, answers the inbox, decides, compares, brings back. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { sage } from "../support/sage.ts";
import { put, read } from "../support/world.ts";
import { accessible, open, OVERFLOW, testPage } from "./browser.ts";
import { askElsewhere, life } from "./life.ts";
import { until } from "../support/within.ts";
import { serveProcess } from "./server.ts";

/** In the page: the name of the note in the picture that has the focus. */
const FOCUSED = "document.activeElement?.getAttribute('aria-label') ?? ''";

testPage("the graph is walked by keyboard, from a note to its neighbours", async () => {
  await using opened = await open({ fill: life });
  const { page, wrong, go } = opened;
  await go("search/deploy-order");
  await page.waitForSelector("article >> text=Migrations");
  await page.keyboard.press("g");
  await page.waitForSelector("nav.picture a.centre[aria-label^='Deploy order']");
  assert.equal(await page.locator("nav.picture a").count(), 3);
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
    await page.focus("nav.picture a.centre");
    await page.keyboard.press(key);
    if (String(await page.evaluate(FOCUSED)).startsWith("The gateway")) break;
  }
  assert.match(String(await page.evaluate(FOCUSED)), /^The gateway/);
  await page.keyboard.press("Enter");
  await page.waitForSelector("nav.picture a.centre[aria-label^='The gateway']:focus");
  assert.match(page.url(), /#\/graph\/the-gateway$/);
  await page.waitForSelector(".list >> text=← link from it");
  await page.check("text=two links away");
  await page.waitForSelector("nav.picture a[aria-label^='Rollback']");
  await page.fill("[aria-label='Path to']", "rollback");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".way li:nth-child(3) >> text=Rollback");
  assert.deepEqual(wrong, []);
});

testPage(
  "Esc leads from a note's graph back to the note, wherever one walked meanwhile",
  async () => {
    await using opened = await open({ fill: life });
    const { page, wrong, go } = opened;
    await go("knowledge/deploy-order");
    await page.waitForSelector("article >> text=Migrations");
    await page.keyboard.press("g");
    await page.click(".list a >> text=The gateway");
    await page.waitForSelector("nav.picture a.centre[aria-label^='The gateway']");
    await page.keyboard.press("Escape");
    await page.waitForSelector("article >> text=Migrations");
    assert.match(page.url(), /#\/knowledge\/deploy-order$/);
    // Who did not come from a note goes to all of them.
    await go("graph");
    await page.click(".list a >> text=The gateway");
    await page.waitForSelector("nav.picture a.centre[aria-label^='The gateway']");
    await page.keyboard.press("Escape");
    await until("the whole graph", () => Promise.resolve(page.url().endsWith("#/graph")));
    assert.deepEqual(wrong, []);
  },
);

testPage("the menu says that something is wrong, until it is right", async () => {
  const broken = "/.sage/knowledge/broken.md";
  await using opened = await open({
    fill: (_, cwd) => Promise.resolve(put(`${cwd}${broken}`, "---\nid: [\n---\n\nIt rains.\n")),
  });
  const { page, server, go } = opened;
  await go("search");
  await page.waitForSelector("nav a[href='#/health'] [aria-label='needs attention']");
  put(`${server.cwd}${broken}`, "---\nid: broken\n---\n\nIt rains.\n");
  await page.waitForSelector("nav a[href='#/health'] .count", { state: "detached" });
  await go("health");
  await page.waitForSelector("li >> text=/· project · yours · 1 note$/");
});

testPage("a checkpoint further back than the timeline reaches says what it changed", async () => {
  await using opened = await open({
    fill(_, cwd) {
      for (let i = 0; i < 104; i++) {
        const at = new Date(Date.UTC(2026, 0, 1, i)).toISOString();
        put(
          `${cwd}/.sage/checkpoints/lock-${i}.md`,
          `---\nid: lock-${i}\ntype: checkpoint\ncreated: ${at}\n---\n\n# Lock ${i}\n\n` +
            `## Thesis\n\nLock ${i} is held.\n`,
        );
      }
      return Promise.resolve();
    },
  });
  const { page, wrong, go } = opened;
  await go("timeline/lock-2");
  await page.waitForSelector("[aria-label='What changed'] >> text=Lock 2 is held.");
  assert.equal(await page.inputValue("[aria-label='What changed'] select"), "lock-1");
  await page.selectOption("[aria-label='What changed'] select", "lock-103");
  await page.waitForSelector("[aria-label='What changed'] >> text=Lock 103 is held.");
  // One that nobody gave a confidence is not unsure.
  assert.equal(await page.textContent(".list li:first-child .snippet"), "manual");
  assert.deepEqual(wrong, []);
});

testPage("the graph takes a query, and shows what nothing links", async () => {
  await using opened = await open({ fill: life });
  const { page, wrong, go } = opened;
  await go("graph");
  await page.click("text=Links that lead to no note: 1");
  await page.waitForSelector("text=no-such-note");
  await page.fill("[aria-label='Start from a note, or ask']", "type:checkpoint");
  await page.keyboard.press("Enter");
  await page.waitForSelector("main >> text=/^1 note$/");
  await page.fill("[aria-label='Start from a note, or ask']", "nobody here");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert] >> text=No note");
  assert.equal(wrong.filter((text) => !text.includes("404")).length, 0, wrong.join());
});

testPage(
  "a list that was cut says so, and a search shows more when asked",
  async () => {
    await using opened = await open({
      fill(_, cwd) {
        for (let i = 0; i < 201; i++) {
          const [kind, place] = i < 14 ? ["knowledge", "knowledge"] : ["checkpoint", "checkpoints"];
          const head = `---\nid: lock-${i}\ntype: ${kind}\ncreated: 2026-01-01T00:00:00Z\n---\n`;
          put(
            `${cwd}/.sage/${place}/lock-${i}.md`,
            `${head}\n# Lock ${i}\n\nA reader holds lock ${i}.\n`,
          );
        }
        return Promise.resolve();
      },
    });
    const { page, wrong, go } = opened;
    await page.waitForSelector("header h1 >> text=· project");
    await go("timeline");
    await page.waitForSelector("li:nth-child(100)");
    assert.equal(await page.locator(".list li").count(), 100);
    // Who asks by keyboard goes on where the list ended.
    await page.focus("button:text-is('More')");
    await page.keyboard.press("Enter");
    await page.waitForSelector("li:nth-child(101)");
    await page.keyboard.press("j");
    assert.match(String(await page.evaluate("document.activeElement.textContent")), /^Lock/);
    assert.equal(await page.locator("li:nth-child(101) a:focus").count(), 1);
    assert.equal(await page.locator(".list li").count(), 187);
    assert.equal(await page.locator("button:text-is('More')").count(), 0);
    await go("search");
    await page.fill("input[type=search]", "which reader holds a lock");
    await page.waitForSelector("[role=status] >> text=/^10 of/");
    await page.click("button >> text=More");
    await page.waitForSelector("li:nth-child(11)");
    assert.equal(await page.locator("button >> text=More").count(), 0);
    assert.deepEqual(wrong, []);
  },
);

testPage(
  "a question is accepted, put off or dropped with one key, and its text is shown",
  async () => {
    await using opened = await open({ fill: life });
    const { page, server, go } = opened;
    await go("inbox");
    await page.waitForSelector("header .count >> text=2");
    await page.waitForSelector("article pre >> text=+The user prefers tabs.");
    const styled = page.locator("article", { hasText: "Style" });
    await styled.focus();
    await page.keyboard.press("a");
    // A note about the same stands already: a yes has to say what becomes of it.
    await page.click("text=Replace it; its history keeps it");
    await page.waitForSelector("header .count >> text=1");
    assert.match(read(`${server.cwd}/.sage/knowledge/style.md`), /prefers tabs/);
    assert.match(
      await page.getAttribute("[role=status]:has-text('Kept:') a", "href") ?? "",
      /^#\/knowledge\/style$/,
    );
    await page.locator("article").focus();
    await page.keyboard.press("l");
    await page.waitForSelector("article >> text=/put off until 20/");
    assert.equal(await page.locator("text=Kept:").count(), 0);
    await page.locator("article").focus();
    await page.keyboard.press("d");
    await page.waitForSelector("text=Nothing waits for you.");
    const { stdout } = await sage(["inbox", "--json"], { home: server.home, cwd: server.cwd });
    assert.equal(JSON.parse(stdout).total, 0);
  },
);

testPage("many tabs are answered, and each hears what happens", async () => {
  await using opened = await open({ fill: life });
  const { context, page, server, wrong, go } = opened;
  await go("knowledge");
  const others = [];
  // More than a browser has connections.
  for (let n = 0; n < 7; n++) {
    const other = await context.newPage();
    await other.goto(`${server.url}/#/knowledge`);
    await other.waitForSelector("text=The gateway");
    others.push(other);
  }
  const add = (title: string) =>
    sage(["knowledge", "add", "-", "--title", title], { ...server, stdin: `${title} alone.` });
  await add("Heron");
  for (const tab of [page, ...others]) await tab.waitForSelector("text=Heron");
  // The one that listened goes, and something happens before another one does.
  await page.close();
  await add("Pelican");
  for (const tab of others) await tab.waitForSelector("text=Pelican");
  assert.deepEqual(wrong, []);
});

testPage(
  "a tab that is looked at hears what happens, though the one that listens is frozen",
  async () => {
    await using opened = await open({ fill: life });
    const { context, page, server, wrong, go } = opened;
    await go("knowledge");
    await page.click("button >> text=New note");
    await page.fill("textarea", "Half a word");
    const other = await context.newPage();
    await other.goto(`${server.url}/#/knowledge`);
    await other.waitForSelector("text=The gateway");
    const add = (title: string) =>
      sage(["knowledge", "add", "-", "--title", title], { ...server, stdin: `${title} alone.` });
    const lookAt = (tab: Page) =>
      tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await lookAt(page);
    await add("Heron");
    for (const tab of [page, other]) await tab.waitForSelector("text=Heron");
    // A browser freezes what is hidden, and here nothing is: the page stands still in the debugger.
    const freezer = await context.newCDPSession(page);
    await freezer.send("Debugger.enable");
    const isFrozen = new Promise((resolve) => freezer.once("Debugger.paused", resolve));
    const thawed = page.evaluate("debugger");
    await isFrozen;
    await add("Pelican");
    await lookAt(other);
    await other.waitForSelector("text=Pelican");
    await add("Ibis");
    await other.waitForSelector("text=Ibis");
    await freezer.send("Debugger.resume");
    await thawed;
    await lookAt(page);
    for (const title of ["Pelican", "Ibis"]) await page.waitForSelector(`text=${title}`);
    assert.equal(await page.inputValue("textarea"), "Half a word");
    assert.deepEqual(wrong, []);
  },
);

testPage(
  "a tab of a server that ended hears the next one, once that is opened",
  async () => {
    await using opened = await open();
    const { context, page, server, go } = opened;
    await go("knowledge");
    server.kill("SIGTERM");
    await page.waitForSelector("text=Not connected");
    await server.ended();
    const { home, cwd, url } = server;
    const args = ["--port", new URL(url).port, "--open"];
    await using next = await serveProcess({ home, cwd, args });
    // It was refused, for its cookie is of the server before.
    await page.waitForResponse((response) => response.status() === 401);
    const other = await context.newPage();
    await other.goto(next.open ?? "");
    await other.goto(`${url}/#/knowledge`);
    await page.waitForSelector("text=Not connected", { state: "detached" });
    await sage(["knowledge", "add", "-", "--title", "Heron"], { home, cwd, stdin: "It flies." });
    for (const tab of [page, other]) await tab.waitForSelector("text=Heron");
  },
);

testPage(
  "of many tabs one asks for a server that is gone, ever later, while it is looked at",
  async () => {
    await using opened = await open();
    const { context, page, server } = opened;
    await context.clock.install();
    const tabs = [page, await context.newPage(), await context.newPage()];
    let tries = 0;
    for (const tab of tabs) {
      await tab.goto(`${server.url}/#/health`);
      await tab.reload();
      await tab.waitForSelector("text=Findings");
    }
    server.kill("SIGTERM");
    await server.ended();
    for (const tab of tabs) await tab.waitForSelector("text=Not connected");
    const { home, cwd, url } = server;
    // It knows none of them.
    const args = ["--port", new URL(url).port];
    await using _ = await serveProcess({ home, cwd, args });
    context.on("request", () => tries++);
    // 3, 6, 12, 24, 48 seconds.
    for (let second = 0; second < 90; second++) {
      await Promise.all(tabs.map((tab) => tab.clock.runFor(1000)));
    }
    assert.ok(tries > 0 && tries <= 6, `${tries} times`);
    const see = (tab: Page, state: string) =>
      tab.evaluate(`
      Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    `);
    for (const tab of tabs) await see(tab, "hidden");
    const before = tries;
    await Promise.all(tabs.map((tab) => tab.clock.runFor(3_600_000)));
    assert.equal(tries, before, "nobody looks");
    const [first, second] = tabs;
    if (first === undefined || second === undefined) return;
    await see(first, "visible");
    await until("who looks", () => tries === before + 1);
    await second.keyboard.press("j");
    await until("who does something", () => tries === before + 2);
  },
);

testPage("a question that another process asks appears by itself", async () => {
  await using opened = await open();
  const { page, server, go } = opened;
  await go("inbox");
  await page.waitForSelector("text=Nothing waits for you.");
  await life(server.home, server.cwd);
  await page.waitForSelector("article >> text=At most five lines.");
});

testPage("questions of other projects are a press away", async () => {
  await using opened = await open({ fill: askElsewhere });
  const { page, go } = opened;
  await go("inbox");
  await page.waitForSelector("text=Nothing waits for you.");
  assert.equal(await page.locator("header .count").count(), 0);
  await page.click("button >> text=1 question of other projects");
  await page.waitForSelector("article >> text=Tabs in Go.");
});

testPage("of two statements a person says which holds", async () => {
  await using opened = await open({
    async fill(home, cwd) {
      await life(home, cwd);
      const note = (id: string, text: string, front = "") =>
        put(
          `${cwd}/.sage/knowledge/${id}.md`,
          `---\nid: ${id}\ntype: knowledge\ncreated: 2026-01-01T00:00:00Z\n${front}---\n\n# ${id}\n\n${text}\n`,
        );
      note("port", "It listens on 8080.");
      note("door", "It listens on 9090.", "sources:\n  - {id: port, relation: contradicts}\n");
    },
  });
  const { page, server, wrong, go } = opened;
  await go("contradictions");
  const holds = page.locator(".pair:has-text('8080') button").first();
  await holds.focus();
  await holds.press("Enter");
  // The keyboard is at what is left to decide.
  await page.waitForSelector(".pair a:focus >> text=Interval");
  const sides = page.locator(".pair article");
  assert.match(await sides.nth(0).textContent() ?? "", /earlier.*every 30 s/s);
  assert.match(await sides.nth(1).textContent() ?? "", /later.*every 5 min/s);
  await sides.nth(1).locator("button").click();
  await page.waitForSelector("text=Nothing contradicts anything else.");
  assert.match(read(`${server.cwd}/.sage/knowledge/interval.md`), /status: archived/);
  await go("archived/interval");
  await page.click("text=Restore");
  await page.waitForSelector("button >> text=Archive");
  assert.match(read(`${server.cwd}/.sage/knowledge/interval.md`), /status: active/);
  assert.deepEqual(wrong, []);
});

testPage("a note and a task are removed, not by two clicks at one place", async () => {
  await using opened = await open({ fill: life });
  const { page, server, wrong, go } = opened;
  const there = (path: string): Promise<boolean> =>
    Deno.stat(`${server.cwd}/.sage/${path}`).then(() => true, () => false);
  await go("knowledge/weather");
  await page.dblclick("button >> text=Remove");
  await page.waitForSelector("button >> text=/^Remove$/");
  assert.ok(await there("knowledge/weather.md"));
  await page.click("button >> text=/^Remove$/");
  await accessible(page, "asked");
  await page.click("button >> text=Remove; it stays in the trash for 30 days");
  await page.waitForSelector("[data-item] >> text=Weather", { state: "detached" });
  assert.match(page.url(), /#\/knowledge$/);
  await until("the keyboard is in the list", async () => await page.evaluate(AT) !== "");
  assert.equal(await there("knowledge/weather.md"), false);
  await go("todos");
  await page.click("text=Rotate the certificate >> .. >> button >> text=/^Remove$/");
  await page.click("button >> text=Remove; it stays in the trash for 30 days");
  await page.waitForSelector("text=Nothing is open.");
  const { code } = await sage(["todo", "restore", "rotate-the-certificate"], server);
  assert.equal(code, 0);
  await page.waitForSelector("text=Rotate the certificate");
  await go("knowledge/no-such-note");
  await page.waitForSelector("[role=alert] >> text=No note");
  await page.click("text=Back");
  assert.deepEqual(wrong.filter((text) => !text.includes("404")), []);
});

testPage(
  "what was removed comes back from the trash, by keyboard, with what it said last",
  async () => {
    await using opened = await open({ fill: life });
    const { page, server, wrong, go } = opened;
    await sage(["knowledge", "rm", "weather", "--yes"], server);
    await sage(["todo", "rm", "rotate-the-certificate", "--yes"], server);
    await go("trash");
    await page.waitForSelector("li >> text=Weather");
    await accessible(page, "the trash");
    await page.keyboard.press("j");
    await until(
      "the one that was removed last",
      async () => await page.evaluate(FOCUSED) === "Restore: Rotate the certificate",
    );
    await page.keyboard.press("Enter");
    await until(
      "the next one",
      async () => await page.evaluate(FOCUSED) === "Restore: Weather",
    );
    await page.waitForSelector("[role=status] a >> text=Rotate the certificate");
    // Another took its id meanwhile: nothing is lost, and it is said.
    const path = `${server.cwd}/.sage/knowledge/weather.md`;
    put(path, "---\nid: weather\ntype: knowledge\n---\n\n# Weather\n\nIt snows.\n");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=alert] >> text=another note has its id");
    assert.match(read(path), /It snows/);
    await sage(["knowledge", "rm", "weather", "--yes"], server);
    await page.waitForSelector("li >> text=Weather");
    assert.equal(await page.locator("li >> text=Weather").count(), 1, "one, the last");
    await page.click("button >> text=Restore");
    await page.click("[role=status] a >> text=Weather");
    await page.waitForSelector("article >> text=It snows");
    assert.deepEqual(wrong.filter((text) => !text.includes("409")), []);
  },
);

testPage(
  "a note is written on the page, and what is known of it is the person's to decide",
  async () => {
    await using opened = await open({ fill: life, width: 390 });
    const { page, server, wrong, go } = opened;
    const write = async (title: string, text: string): Promise<void> => {
      await page.fill("input[type=text]", title);
      await page.fill("textarea", text);
    };
    await go("knowledge");
    await page.click("button >> text=New note");
    await write("Lüftung", "Der Filter wird im März gewechselt.");
    await accessible(page, "a new note");
    await go("todos");
    await go("knowledge");
    assert.equal(await page.inputValue("textarea"), "Der Filter wird im März gewechselt.");
    await page.click("button >> text=Save");
    await page.waitForSelector("article >> text=Der Filter wird im März gewechselt.");
    const { stdout } = await sage(["knowledge", "list"], server);
    assert.match(stdout, /Lüftung/);
    await go("knowledge");
    await page.click("button >> text=New note");
    await write("Weather", "It never rains.");
    await page.click("button >> text=Save");
    await page.click("button >> text=Keep both, as a contradiction");
    await page.waitForSelector("article >> text=It never rains.");
    await go("contradictions");
    await page.waitForSelector("article >> text=It rains.");
    await go("knowledge");
    await page.waitForSelector("button >> text=New note");
    assert.deepEqual(wrong.filter((text) => !text.includes("409")), []);
  },
);

testPage("what was typed waits for who looks something up meanwhile", async () => {
  await using opened = await open({ fill: life });
  const { page, wrong, go } = opened;
  await go("knowledge/weather");
  await page.click("text=Edit");
  await page.fill("textarea", "It rains, but not on");
  await go("todos");
  await go("knowledge/weather");
  await page.click("button >> text=Go on editing");
  assert.equal(await page.inputValue("textarea"), "It rains, but not on");
  await page.click("text=Cancel");
  await page.click("button >> text=Edit");
  assert.equal(await page.inputValue("textarea"), "It rains.");
  assert.deepEqual(wrong, []);
});

testPage(
  "who types the next task while one is saved loses no letter of either",
  async () => {
    await using opened = await open({ holds: true });
    const { page, wrong, go } = opened;
    await go("todos");
    await page.route("**/api/v1/todos", async (route) => {
      if (route.request().method() === "POST") await page.waitForTimeout(300);
      await route.continue();
    });
    await page.fill("form.add input", "Measure the cache");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Write the test");
    await page.waitForSelector(".title >> text=Measure the cache");
    assert.equal(await page.inputValue("form.add input"), "Write the test");
    await go("search");
    await go("todos");
    assert.equal(await page.inputValue("form.add input"), "Write the test");
    await page.route("**/api/v1/todos", (route) => route.abort());
    await page.focus("form.add input");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=alert] >> text=/does not answer/");
    assert.equal(await page.inputValue("form.add input"), "Write the test");
    assert.deepEqual(wrong.filter((text) => !text.includes("ERR_")), []);
  },
);

testPage("what cannot be shown says why where the note would be", async () => {
  await using opened = await open({ fill: life });
  const { page, go } = opened;
  await go("knowledge/never-was");
  const [list, reason] = await page.evaluate<[number, number]>(
    "['.list', '[role=alert]'].map((of) => document.querySelector(of).getBoundingClientRect().top)",
  );
  assert.ok(reason < list + 100, `${reason} beside ${list}`);
});

testPage("a long word, a table and tasks have their place on a telephone", async () => {
  const word = "Donaudampfschifffahrtsgesellschaftskapitänsmützenverordnung";
  const path = (cwd: string): string => `${cwd}/.sage/knowledge/mütze.md`;
  const text = `---\nid: mutze\ntype: knowledge\n---\n# ${word}\n\nVor der Tabelle:\n` +
    "| Größe | Wo |\n| --- | :-: |\n| 58 | [[weather\\|Wetter]] |\n\n- [x] erledigt\n- [ ] offen\n  1. darunter\n\n" +
    "| keine Tabelle, *aber* [dort](https://a.example/b) oder https://c.example\n\n" +
    `${"> ".repeat(40)}tief\n\n${
      Array.from({ length: 20 }, (_, i) => `${"  ".repeat(i)}- a`).join("\n")
    }\n`;
  await using opened = await open({
    width: 390,
    fill: async (home, cwd) => {
      await life(home, cwd);
      await Deno.writeTextFile(path(cwd), text);
    },
  });
  const { page, server, go } = opened;
  await go("knowledge/mutze");
  await page.waitForSelector("th >> text=Größe");
  await page.waitForSelector("td:nth-child(2) a[href='#/search/weather'] >> text=Wetter");
  await page.waitForSelector("li >> text=☑ erledigt");
  await page.waitForSelector("li:has-text('☐ offen') ol >> text=darunter");
  await page.waitForSelector(
    "p >> text=| keine Tabelle, aber dort (https://a.example/b) oder https://c.example",
  );
  assert.equal(await page.locator(".prose a:not([href^='#/'])").count(), 0);
  await accessible(page, "a table");
  assert.equal(await page.evaluate(OVERFLOW), 0, "the note is wider than the window");
  await page.click("button >> text=Edit");
  const colors =
    "[...document.querySelectorAll('textarea, body')].map((e) => getComputedStyle(e).color)";
  const [ink, typed] = await page.evaluate(colors) as string[];
  assert.equal(typed, ink, "what is typed looks as if it could not be changed");
  await page.fill("textarea", "Meins.");
  await Deno.writeTextFile(path(server.cwd), `${text}\nNeu.\n`);
  await page.click("text=Save");
  await page.waitForSelector(".conflict");
  assert.equal(await page.evaluate(OVERFLOW), 0, "the conflict is wider than the window");
});

/** Whether the first character of an element stands to the right of its last. */
const FIRST_IS_RIGHT = `((where) => {
  const text = document.querySelector(where).firstChild;
  const range = document.createRange();
  const left = (i) => {
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    return range.getBoundingClientRect().left;
  };
  return left(0) > left(text.length - 1);
})`;

testPage("words from the right begin at the right, in a list, a note and a field", async () => {
  const title = "نحن نستخدم SQLite";
  await using opened = await open({
    fill: async (_, cwd) => {
      put(
        `${cwd}/.sage/knowledge/store.md`,
        `---\nid: store\ntype: knowledge\nkeywords: [queue]\n---\n# ${title}\n\n${title}\n`,
      );
      await Promise.resolve();
    },
  });
  const { page, go } = opened;
  await go("knowledge/store");
  for (const where of [".title", "article h2", ".prose p"]) {
    await page.waitForSelector(where);
    assert.ok(await page.evaluate(`${FIRST_IS_RIGHT}("${where}")`), where);
  }
  // It has no subject, and nothing stands for one.
  await page.waitForSelector("li a >> text=/^queue$/");
  await page.click("button >> text=Edit");
  const bidi = "getComputedStyle(document.querySelector('textarea')).unicodeBidi";
  assert.equal(await page.evaluate(bidi), "plaintext");
});

testPage("versions show what each changed, and one comes back", async () => {
  await using opened = await open({ fill: life });
  const { page, server, wrong, go } = opened;
  await go("stale/cache-limit");
  await page.waitForSelector("article >> text=Stale: src/limits.ts changed");
  await page.waitForSelector("pre.changes .removed >> text=-The cache holds 200 MB.");
  await page.waitForSelector("pre.changes .added >> text=+The cache holds 150 MB.");
  // Only at the beginning: a minute that ends in 1 reads the same.
  await page.click("summary >> text=/^1 ·/");
  await page.click("[aria-label='Restore version 1']");
  await page.waitForSelector(".prose >> text=The cache holds 200 MB.");
  // It stands at the note's begin, far above where that was asked for.
  await page.waitForSelector("[role=status] >> text=Version 1 is restored");
  await page.waitForSelector("article h2:focus");
  assert.match(read(`${server.cwd}/.sage/knowledge/cache-limit.md`), /holds 200 MB/);
  assert.deepEqual(wrong, []);
});

testPage("any two checkpoints are compared by their reasoning", async () => {
  await using opened = await open({
    async fill(home, cwd) {
      await life(home, cwd);
      for (const text of ["NATS holds the mails now, since Redis lost 3.", "Kafka it is."]) {
        await sage(["checkpoint", "save", "-m", text], { home, cwd });
      }
    },
  });
  const { page, wrong, go } = opened;
  await go("timeline");
  await page.click("[data-item] >> text=Kafka it is");
  await page.waitForSelector(".diff >> text=/no more: NATS/");
  const options = page.locator(".diff select option");
  assert.equal(await options.count(), 2);
  const first = await options.filter({ hasText: "We chose Redis" }).getAttribute("value");
  await page.selectOption(".diff select", first);
  await page.waitForSelector(".diff >> text=/no more: We chose Redis/");
  assert.match(page.url(), new RegExp(`/${encodeURIComponent(first ?? "")}$`));
  assert.deepEqual(wrong, []);
});

testPage("health shows findings, receipts and what was spent", async () => {
  await using opened = await open({ fill: life });
  const { page, wrong, go } = opened;
  await go("health");
  await page.waitForSelector(".findings >> text=Claude Code does not know Sage");
  await page.waitForSelector("[aria-label='Tokens by session'] >> text=22222222");
  await page.waitForSelector(".log >> text=/agent asked · search_notes: .* tokens/");
  await page.waitForSelector("text=/Capture: /");
  assert.deepEqual(wrong, []);
});

testPage(
  "a hostile note and a hostile question are text in every new view",
  async () => {
    await using opened = await open({
      async fill(home, cwd) {
        await life(home, cwd);
        const evil = "<img src=http://127.0.0.1:1/x onerror=globalThis.hit=1> \u202egnp";
        const args = ["knowledge", "add", "-", "--title", evil, "--scope", "user"];
        const body = `[[javascript:globalThis.hit=1|${evil}]] [[deploy-order]] <svg onload=hit=1>`;
        const env = { CLAUDE_CODE_SESSION_ID: "22222222-0000-4000-8000-000000000002" };
        await sage(args, { home, cwd, env, stdin: body });
        await sage(args.slice(0, -2), { home, cwd, stdin: body });
      },
    });
    const { page, wrong, go } = opened;
    const id: string = await page.evaluate(
      "fetch('/api/v1/knowledge?limit=1').then((r) => r.json()).then((a) => a.items[0].id)",
    );
    assert.match(id, /img-src/);
    for (const view of ["inbox", `graph/${id}`, "graph", `knowledge/${id}`, "health"]) {
      await go(view);
      await page.waitForTimeout(300);
      const [ran, loads, links, hidden] = await page.evaluate<[boolean, number, string[], boolean]>(
        String.raw`[
        "hit" in globalThis,
        document.querySelectorAll("main :is(img, iframe, script, object, style, foreignObject)").length,
        [...document.querySelectorAll("main a")].map((link) => link.getAttribute("href")),
        /[\u202a-\u202e\u2066-\u2069\u200b\u0000-\u0008]/.test(document.body.innerText),
      ]`,
      );
      assert.deepEqual([ran, loads, hidden], [false, 0, false], view);
      assert.deepEqual(links.filter((link) => !link.startsWith("#/")), [], view);
    }
    assert.deepEqual(wrong, []);
  },
);

/** In the page: the words of the line, task or question that has the focus. */
const AT = "document.activeElement?.closest('[data-item]')?.textContent ?? ''";

/** Whether the page hears of the removal before it is answered, or after. */
for (const isToldFirst of [true, false]) {
  const when = isToldFirst ? "before" : "after";
  testPage(
    `who removes the open note goes on with the next, told of it ${when} the answer`,
    async () => {
      await using opened = await open({ fill: life, holds: true });
      const { page, server, wrong, go } = opened;
      await go("knowledge");
      const titles = await page.locator("[data-item] .title").allTextContents();
      const at = titles.indexOf("Weather");
      const next = titles[at + 1] ?? "";
      assert.ok(at > 0 && next !== "", "neither the first nor the last");
      const isListed = () => page.locator("[data-item] >> text=Weather").count();
      const isAnswered = () => Promise.resolve(page.url().endsWith("#/knowledge"));
      await page.route("**/api/v1/notes/weather", async (route) => {
        if (route.request().method() !== "DELETE" || !isToldFirst) return await route.fallback();
        await sage(["knowledge", "rm", "weather", "--yes"], server);
        await until("the shorter list", async () => await isListed() === 0);
        await route.fulfill({ json: {} });
      });
      await go("knowledge/weather");
      await page.focus("button >> text=/^Remove$/");
      await page.keyboard.press("Enter");
      await page.focus("button >> text=Remove; it stays in the trash for 30 days");
      await page.route("**/api/v1/knowledge?*", async (route) => {
        if (!isToldFirst) await until("the answer", isAnswered);
        await route.fallback();
      });
      await page.keyboard.press("Enter");
      await until("the list alone", isAnswered);
      await until("the shorter list", async () => await isListed() === 0);
      await until(
        "the next line",
        async () => (await page.evaluate<string>(AT)).startsWith(next),
      );
      assert.deepEqual(
        wrong.filter((text) => !text.includes("404")),
        [],
      );
    },
  );
}

testPage("the keyboard goes on where it was, in a list and where an item has gone", async () => {
  await using opened = await open({
    async fill(home, cwd) {
      await life(home, cwd);
      for (const task of ["Second", "Third"]) await sage(["todo", "add", task], { home, cwd });
    },
  });
  const { page, wrong, go } = opened;
  const at = (text: string) =>
    until(text, async () => String(await page.evaluate(AT)).includes(text));
  await go("knowledge");
  for (let i = 0; i < 4; i++) await page.keyboard.press("j");
  await at("Cache limit");
  await page.keyboard.press("Enter");
  await page.waitForSelector("article h2:focus >> text=Cache limit");
  await page.keyboard.press("Escape");
  await at("Cache limit");
  await page.keyboard.press("Enter");
  await page.waitForSelector("article h2:focus >> text=Cache limit");
  await page.keyboard.press("j");
  await at("Weather");
  await page.click("button >> text=New note");
  await page.click("button >> text=Cancel");
  await page.waitForSelector("button:focus >> text=New note");
  await go("todos");
  await page.focus("[aria-label='Done: Third']");
  await page.keyboard.press("j");
  await at("Second");
  await page.focus("[aria-label='Done: Third']");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".title >> text=Third", { state: "detached" });
  await at("Second");
  await page.check("text=finished too");
  await page.keyboard.press("6");
  await page.waitForSelector("article >> text=At most five lines.");
  await page.keyboard.press("j");
  let drops = 0;
  page.on("request", (request) => request.url().endsWith("/drop") && drops++);
  for (const left of [1, 0]) {
    await page.keyboard.down("d");
    await until("an answer", async () => await page.locator("article").count() === left);
    // Held a little too long, it is no answer to the next.
    await page.keyboard.down("d");
    await page.keyboard.up("d");
    assert.equal(drops, 2 - left);
  }
  assert.deepEqual(wrong, []);
});

testPage("who leaves a note on a telephone is where they were in the list", async () => {
  await using opened = await open({
    width: 360,
    fill(_, cwd) {
      for (let i = 10; i < 90; i++) {
        const head = `---\nid: lock-${i}\ntype: knowledge\ncreated: 2026-01-01T00:00:${
          i % 60
        }Z\n---\n`;
        put(`${cwd}/.sage/knowledge/lock-${i}.md`, `${head}\n# Lock ${i}\n\nIt holds.\n`);
      }
      return Promise.resolve();
    },
  });
  const { page, wrong, go } = opened;
  await go("knowledge");
  const line = page.locator("[data-item]", { hasText: "Lock 30" });
  await line.click();
  const back = page.locator("article >> text=Back");
  const box = await back.boundingBox();
  assert.ok(box !== null && box.height >= 24, "too small for a finger");
  await back.click();
  await until("its line", () =>
    line.evaluate((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return top >= 0 && bottom <= 800 && line.ownerDocument.activeElement === line;
    }));
  await go("graph");
  await page.click("summary >> text=/no link leads to or from: 80/");
  await page.waitForSelector("details[open] >> text=50 of 80");
  assert.deepEqual(wrong, []);
});

testPage("what is typed into on a telephone has letters that it does not zoom in on", async () => {
  await using opened = await open({ fill: life, width: 360 });
  const { page, go } = opened;
  const sizes =
    `[...document.querySelectorAll("input[type=search], input[type=text], textarea, select")]
    .map((field) => parseFloat(getComputedStyle(field).fontSize))`;
  for (const view of ["search", "todos", "graph/the-gateway", "knowledge"]) {
    await go(view);
    if (view === "knowledge") await page.click("button >> text=New note");
    const found: number[] = await page.evaluate(sizes);
    assert.ok(found.length > 0 && found.every((size) => size >= 16), `${view}: ${found}`);
  }
});

/** In the page: how far the hint in an empty field stands out from it, as WCAG counts it. */
const HINT_CONTRAST = `(() => {
  const field = document.querySelector("input[placeholder]");
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const { backgroundColor } = getComputedStyle(field);
  const [a, b] = [getComputedStyle(field, "::placeholder").color, backgroundColor].map(light);
  return Math.max(a, b) / Math.min(a, b);
})()`;

for (const scheme of ["light", "dark"] as const) {
  testPage(`the hint in an empty field can be read, ${scheme}`, async () => {
    await using opened = await open({ scheme });
    await opened.go("todos");
    const contrast: number = await opened.page.evaluate(HINT_CONTRAST);
    assert.ok(contrast >= 4.5, String(contrast));
  });
}

testPage("who clicks twice means it once, and for the note that they see", async () => {
  await using opened = await open({
    async fill(home, cwd) {
      await life(home, cwd);
      for (const task of ["Second", "Third"]) await sage(["todo", "add", task], { home, cwd });
    },
  });
  const { page, wrong, go } = opened;
  await go("knowledge/weather");
  await page.dblclick("button >> text=Archive");
  await page.waitForSelector("button >> text=Restore");
  assert.equal(await page.locator("[role=alert]").count(), 0);
  await go("search/the-gateway");
  await page.click("button >> text=/^Remove$/");
  await page.waitForSelector("button >> text=it stays in the trash");
  await page.click("[data-item] >> text=Deploy order");
  await page.waitForSelector("article h2 >> text=Deploy order");
  assert.equal(await page.locator("button >> text=it stays in the trash").count(), 0);
  // The second click comes when the next task stands there already.
  await go("todos");
  const tasks = page.locator(".task");
  const { x, y } = await page.locator("text=Done").first().boundingBox() ?? { x: 0, y: 0 };
  const click = async (clickCount: number): Promise<void> => {
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
  };
  await click(1);
  await until("the next task", async () => await tasks.count() === 2);
  await click(2);
  await page.fill("[aria-label='A new todo']", "Fourth");
  await page.keyboard.press("Enter");
  await until("another task", async () => await tasks.count() === 3);
  await click(1);
  await until("one less", async () => await tasks.count() === 2);
  assert.deepEqual(wrong, []);
});

testPage("ages grow while a page is open, and one is one", async () => {
  await using opened = await open({
    async fill(home, cwd) {
      await sage(["knowledge", "add", "-", "--title", "Weather"], {
        home,
        cwd,
        stdin: "It rains.",
      });
    },
  });
  const { page, server, wrong, go } = opened;
  await page.clock.install();
  await page.goto(`${server.url}/#/knowledge`);
  await page.reload();
  await page.waitForSelector("[data-item] time >> text=now");
  await page.clock.fastForward("03:00:00");
  await page.waitForSelector("[data-item] time >> text=3 h");
  await go("health");
  await page.waitForSelector("li >> text=/· 1 note$/");
  assert.deepEqual(wrong, []);
});
