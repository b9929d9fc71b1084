/** The page in a real Chromium, against the built program: every view, by keyboard, under attack. */
import assert from "node:assert/strict";
import { sage } from "../support/sage.ts";
import { until } from "../support/within.ts";
import { accessible, open, type Opened, OVERFLOW, testPage } from "./browser.ts";
import { life } from "./life.ts";

const VIEWS = [
  ...["search", "timeline", "knowledge", "todos", "graph", "inbox", "health", "trash"],
  ...["contradictions", "stale", "archived"],
];

testPage(
  "the address opens the page once, and without its cookie there is nothing",
  async () => {
    await using opened = await open();
    const { context, page, server, wrong } = opened;
    assert.equal(new URL(page.url()).pathname, "/");
    assert.equal(new URL(page.url()).search, "", "the code stays in the address");
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, "Strict"]);
    assert.equal(await page.evaluate("document.cookie"), "");
    assert.deepEqual(wrong, []);
    for (const address of [server.open ?? "", server.url]) {
      const response = await fetch(address, { redirect: "manual" });
      assert.equal(response.status, 401);
      await response.body?.cancel();
    }
  },
);

for (const scheme of ["light", "dark"] as const) {
  for (
    const [what, fill] of [["an empty store", undefined], ["some of everything", life]] as const
  ) {
    testPage(`every view of ${what} is whole and accessible, ${scheme}`, async () => {
      const width = scheme === "light" ? 1200 : 390;
      await using opened = await open({ scheme, width, ...(fill === undefined ? {} : { fill }) });
      const { page, wrong, go } = opened;
      for (const view of VIEWS) {
        await go(view);
        assert.match(await page.title(), new RegExp(view, "i"));
        assert.ok(((await page.textContent("main")) ?? "").length > 10, `${view} is empty`);
        await accessible(page, view);
        const overflow = await page.evaluate(OVERFLOW);
        assert.equal(overflow, 0, `${view} is wider than the window`);
      }
      if (fill !== undefined) {
        for (const view of ["graph/deploy-order", "graph/rollback/the-gateway"]) {
          await go(view);
          await page.waitForSelector("nav.picture a.centre");
          await accessible(page, view);
          assert.equal(await page.evaluate(OVERFLOW), 0, view);
        }
        await go("knowledge/cache-limit");
        await page.waitForSelector("pre.changes");
        await accessible(page, "a note");
        await page.click("text=Edit");
        await accessible(page, "an edit");
      }
      assert.deepEqual(wrong, []);
    });
  }
}

testPage("by keyboard alone: search, open, back, another view", async () => {
  await using opened = await open({ fill: life });
  const { page, wrong } = opened;
  // The field has the focus already: the key that leads to it is no word in it.
  await page.keyboard.press("/");
  await page.keyboard.type("reload without dropping");
  assert.equal(await page.inputValue("input[type=search]"), "reload without dropping");
  await page.waitForSelector("li:first-child .snippet >> text=reloads without dropping");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForSelector("article >> text=port 8443");
  await page.keyboard.press("Escape");
  await page.waitForSelector("article", { state: "detached" });
  await page.keyboard.press("4");
  await page.waitForSelector("text=Rotate the certificate");
  await page.keyboard.press("/");
  await page.waitForSelector("input[type=search]:focus");
  await page.keyboard.type("queue 4");
  assert.equal(await page.inputValue("input[type=search]"), "queue 4");
  await page.check("text=scores");
  await page.waitForSelector("code >> text=/logistic|words|meaning/");
  assert.deepEqual(wrong, []);
});

testPage("keys are named where they work, and e edits at once", async () => {
  let add = (_title: string): Promise<unknown> => assert.fail();
  await using opened = await open({
    fill: async (home, cwd) => {
      add = (title) => sage(["knowledge", "add", title, "-m", "It grows."], { home, cwd });
      await life(home, cwd);
    },
  });
  const { page, wrong, go } = opened;
  const seen = () => page.locator("nav kbd").first().isVisible();
  await page.waitForSelector("input[type=search]:focus");
  assert.deepEqual([await seen(), await page.isVisible(".typing")], [false, true]);
  await page.keyboard.press("Escape");
  assert.deepEqual([await seen(), await page.isVisible(".typing")], [true, false]);
  await go("search/the-gateway");
  await page.waitForSelector("h2:focus");
  await page.keyboard.press("e");
  await page.waitForSelector("textarea:focus");
  assert.deepEqual([await seen(), await page.isVisible(".typing")], [false, false]);
  assert.deepEqual(wrong, []);
  // Once: who is done with it is not put back there when the note could not be had for a while.
  await page.click("text=Cancel");
  const note = "**/api/v1/knowledge/*";
  await page.route(note, (route) => route.abort());
  await add("Oak");
  await page.waitForSelector("text=The server does not answer");
  await page.unroute(note);
  await add("Elm");
  await page.waitForSelector("textarea, button[data-edit]");
  await page.evaluate("new Promise((done) => setTimeout(done))");
  assert.equal(await page.locator("textarea").count(), 0);
});

testPage("a link to a removed note says how that comes back", async () => {
  await using opened = await open({
    fill: async (home, cwd) => {
      const add = (title: string, text: string) =>
        sage(["knowledge", "add", title, "-m", text], { home, cwd });
      await add("Oak", "It grows.");
      await add("Forest", "Of [[Oak]].");
      await sage(["knowledge", "rm", "oak"], { home, cwd });
    },
  });
  const { page, go } = opened;
  await go("search/forest");
  await page.click("article >> text=Oak");
  await page.waitForSelector(
    "text=/removed on .* sage knowledge restore [0-9a-f]{8} brings it back/",
  );
  await go("graph");
  await page.click("text=Links that lead to no note: 1");
  await page.waitForSelector("li >> text=/Oak in Forest · in the trash since/");
});

testPage("the timeline says what a checkpoint changed in the thinking", async () => {
  await using opened = await open({
    fill: async (home, cwd) => {
      await life(home, cwd);
      const second = "NATS holds the mails now, because Redis lost 3 of 1,000 on failover.";
      await sage(["checkpoint", "save", "-m", second], { home, cwd });
    },
  });
  const { page, wrong, go } = opened;
  await go("timeline");
  await page.click("[data-item] >> text=NATS holds the mails");
  await page.waitForSelector(".diff >> text=/new: NATS holds the mails/");
  await page.waitForSelector(".diff >> text=/no more: We chose Redis/");
  assert.deepEqual(wrong, []);
});

testPage("a task is added, begun and done, and its file says so", async () => {
  await using opened = await open();
  const { page, server, wrong, go } = opened;
  await go("todos");
  await page.fill("input[type=text]", "Measure the cache");
  await page.keyboard.press("Enter");
  await page.click("text=Start");
  await page.waitForSelector("text=in progress");
  await page.click("text=Done");
  await page.waitForSelector("text=Nothing is open.");
  const entries = await Array.fromAsync(Deno.readDir(`${server.cwd}/.sage/todos`));
  const name = entries.find(({ isFile }) => isFile)?.name;
  assert.match(await Deno.readTextFile(`${server.cwd}/.sage/todos/${name}`), /status: done/);
  assert.deepEqual(wrong, []);
});

testPage("what another process writes appears by itself", async () => {
  await using opened = await open();
  const { page, server, go } = opened;
  await go("knowledge");
  await page.waitForSelector("text=Nothing is known yet.");
  await life(server.home, server.cwd);
  await page.waitForSelector("text=The gateway");
});

testPage("an edit that lost a race keeps both, and the person chooses", async () => {
  await using opened = await open({ fill: life });
  const { page, server, go } = opened;
  const path = `${server.cwd}/.sage/knowledge/the-gateway.md`;
  await go("knowledge/the-gateway");
  await page.click("text=Edit");
  await page.fill("textarea", "Mine: the gateway is on 9443.");
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace("port 8443", "port 7443, by hand"));
  await page.click("text=Save");
  await page.waitForSelector("text=It was changed while you wrote");
  await page.waitForSelector(".conflict >> text=port 7443, by hand");
  await accessible(page, "a conflict");
  assert.match(await Deno.readTextFile(path), /7443, by hand/, "theirs stands until one chooses");
  await page.click("text=Save mine");
  await page.waitForSelector("article >> text=Mine: the gateway is on 9443.");
  assert.match(await Deno.readTextFile(path), /Mine: the gateway/);
  await page.waitForSelector("details[open] >> text=-- port 7443, by hand");
});

testPage("a hostile note loads, runs and hides nothing", async () => {
  await using opened = await open({
    fill: async (home) => {
      await Deno.mkdir(`${home}/.sage/knowledge`, { recursive: true });
      await Deno.writeTextFile(`${home}/.sage/knowledge/hostile.md`, HOSTILE);
    },
  });
  const { page, wrong, go } = opened;
  for (const view of ["search/hostile", "knowledge/hostile", "knowledge", "search"]) {
    await go(view);
    await page.waitForTimeout(300);
    const found: Found = await page.evaluate(LOOK);
    assert.deepEqual([found.ran, found.loads, found.hidden], [false, 0, false], view);
    assert.ok(found.links.every((link) => link?.startsWith("#/")), found.links.join());
  }
  assert.deepEqual(wrong, []);
});

interface Found {
  readonly ran: boolean;
  readonly loads: number;
  readonly links: readonly (string | null)[];
  readonly hidden: boolean;
}

/** In the page: whether anything of the note ran, what could load, and what cannot be seen. */
const LOOK = String.raw`({
  ran: "hit" in globalThis,
  loads: document.querySelectorAll("main :is(img, iframe, script, object, svg, style)").length,
  links: [...document.querySelectorAll("main a")].map((link) => link.getAttribute("href")),
  hidden: /[\u202a-\u202e\u2066-\u2069\u200b\u0000-\u0008]/.test(document.body.innerText),
})`;

const HOSTILE = `---
id: hostile
type: knowledge
created: 2026-01-13T14:30:00Z
updated: 2026-01-13T14:30:00Z
status: active
tags: ["<img src=x onerror=globalThis.hit=1>"]
keywords: ["<script>globalThis.hit=1</script>"]
---

# <img src=x onerror=globalThis.hit=1> \u202egnp.exe\u200b

<script>globalThis.hit=1</script><svg onload="globalThis.hit=1"></svg>

![x](http://127.0.0.1:1/x.png) [click](javascript:globalThis.hit=1) <https://evil.example>

<iframe src="http://127.0.0.1:1/"></iframe> \u0007\u001b]0;title\u0007 <style>body{display:none}</style>

\`\`\`html
</script></style><script>globalThis.hit=1</script>
\`\`\`
`;

const WAITS: Readonly<Record<string, (opened: Opened) => Promise<unknown>>> = {
  "for what stands in it": ({ page }) => page.waitForSelector("text=what nobody wrote"),
  "for its title": ({ page }) => until("crash", async () => await page.title() === "none such"),
};

for (const [what, wait] of Object.entries(WAITS)) {
  let runs = 0;
  testPage(
    `a page that the system took down is opened once more by who waits ${what}`,
    async () => {
      await using opened = await open();
      runs++;
      if (runs === 1) {
        const session = await opened.context.newCDPSession(opened.page);
        void session.send("Page.crash").catch(() => {});
        await wait(opened);
      }
      assert.equal(runs, 2);
    },
  );
}
