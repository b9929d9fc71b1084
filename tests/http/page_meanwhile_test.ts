/** What happens to a note while a person edits it on the page, and what of that they are asked. */
import assert from "node:assert/strict";
import { FIXED_KINDS, seeded } from "../support/secrets.ts";
import { sage } from "../support/sage.ts";
import { read } from "../support/world.ts";
import { open, type Opened, testPage } from "./browser.ts";
import { life } from "./life.ts";

/** Returns the note's file. */
async function editWeather({ page, server, go }: Opened): Promise<string> {
  await go("knowledge/weather");
  await page.click("button >> text=Edit");
  await page.fill("textarea", "It rains in March.");
  return `${server.cwd}/.sage/knowledge/weather.md`;
}

const tag = (server: Opened["server"]) =>
  sage(["knowledge", "edit", "weather", "--set", "tags=sky"], server);

testPage("an edit of a note that only got tags meanwhile is saved", async () => {
  await using opened = await open({ fill: life });
  const { page, server } = opened;
  const file = await editWeather(opened);
  await tag(server);
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("article p >> text=It rains in March.");
  assert.match(read(file), /sky/);
  assert.match(read(file), /^It rains in March\.$/m);
});

testPage("so is one that was brought back after the page was loaded again", async () => {
  await using opened = await open({ fill: life });
  const { page, server } = opened;
  const file = await editWeather(opened);
  page.removeAllListeners("dialog");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.waitForSelector("textarea");
  await tag(server);
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("article p >> text=It rains in March.");
  assert.match(read(file), /sky/);
});

testPage("an edit of a note that was archived meanwhile is saved, and that is said", async () => {
  await using opened = await open({ fill: life });
  const { page, server } = opened;
  const file = await editWeather(opened);
  await sage(["knowledge", "archive", "weather"], server);
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("article p >> text=It rains in March.");
  await page.waitForSelector("article [role=status] >> text=It was archived meanwhile");
  assert.match(read(file), /^status: archived$/m);
  await page.click("article button >> text=/^Restore$/");
  await page.waitForSelector("article button >> text=Archive");
  assert.equal(await page.locator("text=It was archived meanwhile").count(), 0);
  assert.match(read(file), /^status: active$/m);
});

testPage("a note that was both changed and archived meanwhile says both", async () => {
  await using opened = await open({ fill: life });
  const { page, server } = opened;
  const file = await editWeather(opened);
  await Deno.writeTextFile(`${file}~`, read(file).replace("It rains.", "It snows."));
  await Deno.rename(`${file}~`, file);
  await sage(["knowledge", "archive", "weather"], server);
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector(".conflict h2 >> text=It was changed and archived while you wrote.");
  await page.waitForSelector(".conflict >> text=It snows.");
});

testPage(
  "the choices for a new note stand until another text is typed, and name the note",
  async () => {
    await using opened = await open({ fill: life });
    const { page, server, go } = opened;
    await go("knowledge");
    await page.click("button >> text=New note");
    await page.fill("input[type=text]", "Weather");
    await page.fill("textarea", "It never rains.");
    const save = "form.edit button >> text=/^Save$/";
    await page.click(save);
    await page.waitForSelector("button >> text=Replace “Weather”; its history keeps it");
    const secret = FIXED_KINDS[0]?.make(seeded(1)) ?? { text: "" };
    await page.fill("textarea", `It never rains.\n\n${secret.text}`);
    await page.click(save);
    await page.waitForSelector(
      "[role=alert] >> text=/looks like a secret: .+ \\(content, line \\d/",
    );
    assert.equal(await page.locator("button >> text=Replace").count(), 0);
    await page.fill("input[type=text]", "Climate");
    await page.fill("textarea", "It never rains.");
    await page.click(save);
    await page.waitForSelector("article >> text=It never rains.");
    assert.match(read(`${server.cwd}/.sage/knowledge/climate.md`), /^It never rains\.$/m);
  },
);

testPage("an edit of a note that was removed and came back is saved into it", async () => {
  await using opened = await open({ fill: life });
  const { page } = opened;
  const file = await editWeather(opened);
  const text = read(file);
  await Deno.remove(file);
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("button >> text=Save as a new note");
  await Deno.writeTextFile(`${file}~`, text);
  await Deno.rename(`${file}~`, file);
  await page.waitForSelector("form.edit button >> text=/^Save$/");
  assert.equal(await page.locator("[role=alert]").count(), 0);
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("article p >> text=It rains in March.");
  assert.match(read(file), /^It rains in March\.$/m);
});

testPage("it is too before the page heard that it came back", async () => {
  await using opened = await open({ fill: life, holds: true });
  const { page } = opened;
  const file = await editWeather(opened);
  const text = read(file);
  await Deno.remove(file);
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("button >> text=Save as a new note");
  await page.route("**/api/v1/knowledge/weather", async (route) => {
    if (route.request().method() === "GET") return;
    await route.continue();
  });
  await Deno.writeTextFile(`${file}~`, text);
  await Deno.rename(`${file}~`, file);
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.click("button >> text=Save as a new note");
  assert.equal((await saved).status(), 200);
  assert.match(read(file), /^It rains in March\.$/m);
});

testPage("of a note that was saved anew nothing says that it is gone", async () => {
  await using opened = await open({ fill: life, holds: true });
  const { page, server } = opened;
  await editWeather(opened);
  await sage(["knowledge", "rm", "weather", "--yes"], server);
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("[role=alert] >> text=No note");
  // The pane beside the form has heard it too.
  await page.waitForSelector("a[data-item] >> text=Weather", { state: "detached" });
  const { promise: isLet, resolve: letThrough } = Promise.withResolvers<void>();
  await page.route("**/api/v1/knowledge/weather", async (route) => {
    if (route.request().method() === "GET") await isLet;
    await route.continue();
  });
  await page.click("button >> text=Save as a new note");
  await page.waitForSelector("form.edit", { state: "detached" });
  await page.waitForSelector("text=Waiting for the server …");
  assert.equal(await page.locator("text=No note").count(), 0);
  letThrough();
  await page.waitForSelector("article p >> text=It rains in March.");
});

testPage("what is typed while a removed note is saved anew is an edit of the new one", async () => {
  await using opened = await open({ fill: life, holds: true });
  const { page, server } = opened;
  const file = await editWeather(opened);
  await sage(["knowledge", "rm", "weather", "--yes"], server);
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("[role=alert] >> text=No note");
  const { promise: isLet, resolve: letThrough } = Promise.withResolvers<void>();
  await page.route("**/api/v1/knowledge", async (route) => {
    await isLet;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await page.click("button >> text=Save as a new note");
  await asked;
  await page.fill("textarea", "It rains in March and in May.");
  letThrough();
  await page.click("button >> text=Go on editing");
  await page.click("button >> text=/^Save$/");
  await page.waitForSelector("article p >> text=It rains in March and in May.");
  assert.match(read(file), /^It rains in March and in May\.$/m);
});

testPage("a note that cannot be parsed is shown as it is, and offers no edit", async () => {
  await using opened = await open({
    async fill(home, cwd) {
      await life(home, cwd);
      const file = `${cwd}/.sage/knowledge/weather.md`;
      const both = "<<<<<<< HEAD\nIt rains.\n=======\nIt snows.\n>>>>>>> other\n";
      await Deno.writeTextFile(file, read(file).replace("It rains.\n", both));
    },
  });
  const { page, wrong, go } = opened;
  await go("knowledge/weather");
  await page.waitForSelector("article >> text=Its file cannot be parsed");
  const shown = await page.textContent("article pre.plain");
  assert.match(shown ?? "", /^<<<<<<< HEAD\nIt rains\.\n=======\nIt snows\.\n>>>>>>> other$/m);
  await page.keyboard.press("e");
  assert.equal(await page.locator("textarea").count(), 0);
  assert.equal(await page.locator("article button >> text=/Edit|Archive/").count(), 0);
  await page.click("article a >> text=where, and why");
  await page.waitForSelector("text=between git's marks");
  assert.deepEqual(wrong, []);
});
