/** A server that does not answer, or answers late: the page says so, and goes on by itself. */
import assert from "node:assert/strict";
import { open, testPage } from "./browser.ts";
import { life } from "./life.ts";
import { until } from "../support/within.ts";

testPage("while the server does not answer, what is saved and what is opened says so", async () => {
  await using opened = await open({ fill: life });
  const { page, server, wrong, go } = opened;
  await go("knowledge/weather");
  await page.click("button >> text=Edit");
  await page.fill("textarea", "It rains in March.");
  server.kill("SIGSTOP");
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("form.edit >> text=Saving …");
  server.kill("SIGCONT");
  await page.waitForSelector("article >> text=It rains in March.");
  await page.waitForSelector("text=Saving …", { state: "detached" });
  server.kill("SIGSTOP");
  await page.click("button >> text=Archive");
  await page.waitForSelector("article >> text=Waiting for the server …");
  await page.click("[data-item] >> text=The gateway");
  await page.waitForSelector(".detail:has([data-close]) >> text=Waiting for the server …");
  server.kill("SIGCONT");
  await page.waitForSelector("article >> text=port 8443");
  await page.waitForSelector("text=Waiting for the server …", { state: "detached" });
  assert.deepEqual(wrong, []);
});

testPage("a search on a slow line says that it searches, also above an older answer", async () => {
  await using opened = await open({ fill: life, holds: true });
  const { page, wrong, go } = opened;
  await go("search");
  let { promise: isLet, resolve: letThrough } = Promise.withResolvers<void>();
  await page.route("**/api/v1/search?*", async (route) => {
    await isLet;
    // Of a query that was typed on, nobody waits for the answer.
    await route.continue().catch(() => {});
  });
  const searching = "[aria-label=Search] >> text=Searching …";
  await page.fill("input[type=search]", "gateway");
  await page.waitForSelector(searching);
  letThrough();
  await page.waitForSelector("[data-item] >> text=The gateway");
  assert.equal(await page.locator(searching).count(), 0);
  ({ promise: isLet, resolve: letThrough } = Promise.withResolvers<void>());
  await page.fill("input[type=search]", "rain");
  await page.waitForSelector(searching);
  await page.waitForSelector("[data-item] >> text=The gateway");
  letThrough();
  await page.waitForSelector("[data-item] >> text=Weather");
  assert.equal(await page.locator(searching).count(), 0);
  assert.deepEqual(wrong, []);
});

testPage("a view that got no answer asks again by itself when the line is back", async () => {
  await using opened = await open({ fill: life, holds: true });
  const { page, go } = opened;
  await go("knowledge");
  await page.route("**/api/**", (route) => route.abort());
  await page.click("[data-item] >> text=Weather");
  await page.waitForSelector(".detail >> text=The server does not answer.");
  await page.waitForSelector("header >> text=Not connected");
  await page.unroute("**/api/**");
  await page.waitForSelector("article >> text=It rains.");
  await page.waitForSelector("header >> text=Not connected", { state: "detached" });
});

testPage("a long text is kept while it is typed, and not at each letter", async () => {
  await using opened = await open({ fill: life });
  const { page, wrong, go } = opened;
  await go("knowledge/weather");
  await page.click("button >> text=Edit");
  await page.evaluate(`{
    globalThis.writes = 0;
    const setItem = Storage.prototype.setItem;
    Storage.prototype.setItem = function (...of) { globalThis.writes++; setItem.apply(this, of); };
    const field = document.querySelector("textarea");
    for (let i = 0; i < 50; i++) {
      field.value += "x";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }`);
  const kept = async () => await page.evaluate("JSON.stringify(sessionStorage)");
  await until("the last letter", async () => String(await kept()).includes("x".repeat(50)));
  const writes = Number(await page.evaluate("globalThis.writes"));
  assert.ok(writes < 10, `${writes} writes of 50 letters`);
  // What is saved is not written afterwards.
  await page.keyboard.type("y");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("article h2");
  await new Promise((done) => setTimeout(done, 700));
  assert.doesNotMatch(String(await kept()), /xxx/);
  assert.deepEqual(wrong, []);
});

testPage("a tab that goes while it asks does not disconnect the others", async () => {
  await using opened = await open();
  const { context, page, server, wrong } = opened;
  const other = await context.newPage();
  await other.goto(`${server.url}/#/knowledge`);
  await other.waitForSelector("text=Nothing is known yet.");
  // As it says when its last request is cut off.
  await page.evaluate("new BroadcastChannel('sage').postMessage('off')");
  await page.waitForTimeout(500);
  for (const tab of [page, other]) {
    await tab.waitForSelector("header >> text=Not connected", { state: "detached" });
  }
  assert.deepEqual(wrong, []);
});
