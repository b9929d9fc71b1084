/** A server that does not answer, or answers late: the page says so, and goes on by itself. */
import assert from "node:assert/strict";
import { open, testPage } from "./browser.ts";
import { life } from "./life.ts";

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
