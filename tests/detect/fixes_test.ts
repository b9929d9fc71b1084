/** What failed and what mended it: told where the calls and somebody's words say so, and else not at all. */
import assert from "node:assert/strict";
import { fixesIn } from "../../src/detect/checkpoint/fixes.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { tempDir } from "../support/temp_store.ts";
import { type ToolCall, TranscriptBuilder } from "../support/transcript.ts";

const passes = (command: string, result = "12 passed"): ToolCall => ({
  name: "Bash",
  input: { command },
  result,
});
const fails = (command: string, error: string): ToolCall => ({
  name: "Bash",
  input: { command },
  result: `Exit code 1\n${error}`,
  isError: true,
});
const edits = (file: string): ToolCall => ({
  name: "Edit",
  input: { file_path: `/p/${file}` },
  result: "ok",
});

const SCREENS = "npx screens shoot";
const NO_FONT = "Error: font 'Inter' is not available in this container";

/** Each is a prompt, or what the agent says with the calls that follow it. */
function turnsOf(...parts: (string | [string, ...ToolCall[]])[]) {
  const builder = new TranscriptBuilder({ cwd: "/p" });
  for (const part of parts) {
    if (typeof part === "string") builder.user(part);
    else builder.assistant(part[0], part.slice(1) as ToolCall[]);
  }
  return readTranscript(builder.write(tempDir())).turns;
}

Deno.test("fixesIn() tells what was run in between, or another way to run it", () => {
  assert.deepEqual(
    fixesIn(turnsOf(
      "shoot the screens",
      ["", fails(SCREENS, NO_FONT)],
      ["The font is missing.", passes("apk add font-inter", "OK: 1 package"), passes(SCREENS)],
      ["All shot."],
    )),
    [`Mended: \`${SCREENS}\` (${NO_FONT}) → \`apk add font-inter\``],
  );
  assert.deepEqual(
    fixesIn(turnsOf(
      "shoot the screens",
      ["", fails(SCREENS, NO_FONT), passes(`FONTS=/usr/share/inter ${SCREENS}`)],
      ["All shot."],
    )),
    [`Mended: \`${SCREENS}\` (${NO_FONT}) → \`FONTS=/usr/share/inter ${SCREENS}\``],
  );
});

Deno.test("fixesIn() tells the person's words, where they come back in what was done", () => {
  const said = "thats the slim image, take the one with fonts-extra";
  const mended = (prompt: string) =>
    fixesIn(turnsOf(
      "shoot the screens",
      ["", fails(SCREENS, NO_FONT)],
      ["It does not find the font."],
      prompt,
      ["", edits("Dockerfile"), passes(SCREENS)],
      ["It runs on fonts-extra now."],
    ));
  assert.deepEqual(mended(said), [`Mended: \`${SCREENS}\` (${NO_FONT}) → ${said}`]);
  assert.deepEqual(mended("please fix it, it should not come back"), []);
  assert.deepEqual(mended("does it need fonts-extra?"), []);
  assert.deepEqual(mended("the screens still fail, fonts-extra or not"), []);
});

Deno.test("fixesIn() takes no pass behind a pipe, and no cause of something else, for what mended it", () => {
  const piped = `${SCREENS} | head -3`;
  const told = (...parts: [string, ...ToolCall[]][]): string[] =>
    fixesIn(turnsOf("shoot the screens", ["", fails(SCREENS, NO_FONT)], ...parts));
  assert.deepEqual(told(["", passes(piped, "12 screens")], ["They are shot."]), []);
  const other = "The upload failed because the token of the bucket had expired.";
  assert.deepEqual(told(["", edits("a.json"), passes(SCREENS)], [`All are shot. ${other}`]), []);
});

Deno.test("fixesIn() tells why it failed, as the agent says when it passes", () => {
  const cause = "The screens failed because the manifest still named the old font.";
  assert.deepEqual(
    fixesIn(turnsOf(
      "shoot the screens",
      ["", fails(SCREENS, NO_FONT)],
      ["", edits("manifest.json"), passes(SCREENS)],
      [`All 12 are shot. ${cause}`],
    )),
    [`Mended: \`${SCREENS}\` (${NO_FONT}) → ${cause}`],
  );
});

Deno.test("fixesIn() gives the last of several failures the cause that is told at the end", () => {
  const cause = "The proxy broke it because the key was fetched without it.";
  assert.deepEqual(
    fixesIn(turnsOf(
      "shoot the screens",
      ["", fails(SCREENS, NO_FONT), edits("a.json"), fails(SCREENS, "Error: timed out at proxy")],
      ["", edits("b.json"), passes(SCREENS)],
      [cause],
    )),
    [`Mended: \`${SCREENS}\` (Error: timed out at proxy) → ${cause}`],
  );
});

Deno.test("fixesIn() tells what the agent saw before the edit that helped, where another had not", () => {
  const saw = "It reads what was copied before, and that was not.";
  const tried = (times: number) =>
    fixesIn(turnsOf(
      "shoot the screens",
      ...Array.from({ length: times }, (): [string, ...ToolCall[]] => [
        "Let me change the path.",
        edits("manifest.json"),
        fails(SCREENS, NO_FONT),
      ]),
      [saw, edits("manifest.json"), passes(SCREENS)],
      ["All 12 are shot."],
    ));
  assert.deepEqual(tried(2), [`Mended: \`${SCREENS}\` (${NO_FONT}) → ${saw}`]);
  // What is right at the second try is a slip of one's own.
  assert.deepEqual(tried(1), []);
});

Deno.test("fixesIn() tells how the thing is that failed, as the agent says before it mends it", () => {
  const mended = (said: string, file = "Dockerfile") =>
    fixesIn(turnsOf(
      "shoot the screens",
      ["", edits("manifest.json"), fails(SCREENS, NO_FONT)],
      [said],
      ["", edits(file), passes(SCREENS)],
      ["All 12 are shot."],
    )).map((one) => one.split(" → ")[1]);
  const saw = "The container reads fonts.conf, which is not copied into it.";
  assert.deepEqual(mended(saw), [saw]);
  for (
    const far of [
      "There are two more places that still call the font by its old name.",
      "Good progress: only one of the twelve screens is left to do.",
      "That leaves one error about a font, which is in the header.",
    ]
  ) {
    assert.deepEqual(mended(far), []);
  }
  // A test that is changed behind the code follows it.
  assert.deepEqual(
    mended("The expectation in the spec has to follow as well.", "shoot_spec.rb"),
    [],
  );
  // In the file that was just changed only what speaks of the error.
  const error = "Inter is called Inter Variable since version 4 of the package.";
  assert.deepEqual(mended(error, "manifest.json"), [error]);
  const slip = "The list of screens has one comma too few in it.";
  assert.deepEqual(mended(slip, "manifest.json"), []);
  for (
    const said of [
      "I forgot to copy the fonts into the container.",
      "Now the same for the other container with the fonts.",
      "The path of the fonts has a typo in the manifest.",
      "Maybe the container does not read the fonts at all.",
      "The tests still want the old name of the font.",
      "The font is missing.",
    ]
  ) assert.deepEqual(mended(said), [], said);
});

Deno.test("fixesIn() reads why it failed behind a colon, and no list of what did", () => {
  const mended = (said: string) =>
    fixesIn(turnsOf(
      "shoot the screens",
      ["", fails(SCREENS, NO_FONT), edits("a.json"), passes(SCREENS)],
      [said],
    )).map((one) => one.split(" → ")[1]);
  const cause = "The first run failed: the manifest still named the old font.";
  assert.deepEqual(mended(cause), [cause]);
  assert.deepEqual(mended("Two screens failed: start and login."), []);
  assert.deepEqual(mended("One screen failed: `font 'Inter' is not available in this one`."), []);
});

Deno.test("fixesIn() is silent where nothing says what it was", () => {
  const again = turnsOf(
    "shoot the screens",
    ["", fails(SCREENS, "Error: connect timed out")],
    ["The network."],
    "vpn dropped, back now",
    ["", passes(SCREENS)],
    ["All shot."],
  );
  assert.deepEqual(fixesIn(again), []);
  const never = turnsOf(
    "shoot the screens",
    ["", fails(SCREENS, NO_FONT), passes("apk add font-inter", "OK"), fails(SCREENS, NO_FONT)],
    ["It still fails."],
  );
  assert.deepEqual(fixesIn(never), []);
  const test = "node --test queue.test.js";
  const written = turnsOf(
    "write the test first, then a queue with a limit of hundred entries",
    ["Red, as it should be.", edits("queue.test.js"), fails(test, "AssertionError: 0 !== 100")],
    ["Still red.", edits("queue.test.js"), fails(test, "AssertionError: 0 !== 100")],
    "now the ring buffer",
    ["A ring buffer then.", edits("queue.js"), passes(test)],
    ["The ring buffer is in."],
  );
  assert.deepEqual(fixesIn(written), []);
  const looked = turnsOf(
    "where is it",
    ["", fails("grep -rn inter src", "error: src not found"), passes("grep -rn inter src lib")],
    ["There."],
  );
  assert.deepEqual(fixesIn(looked), []);
  const part = turnsOf(
    "run the tests",
    ["", fails("npm test", "Error: 3 failed"), passes("npm test -- login")],
    ["The login tests pass."],
  );
  assert.deepEqual(fixesIn(part), []);
});

Deno.test("fixesIn() takes nothing for the remedy that changed nothing of what failed", () => {
  const mended = (...parts: [string, ...ToolCall[]][]): string[] =>
    fixesIn(turnsOf("shoot the screens", ...parts));
  const failed = `npm install screens && ${SCREENS}`;
  // What passes is a part of what failed: what helped was done before.
  assert.deepEqual(mended(["", fails(failed, NO_FONT), passes(SCREENS)], ["All shot."]), []);
  const forced = "npm install --force screens";
  assert.deepEqual(
    mended(
      ["", fails(failed, NO_FONT), passes("npm cache clean"), passes("make fonts")],
      ["", passes(forced), passes(SCREENS)],
      ["All shot."],
    ),
    [`Mended: \`${failed}\` (${NO_FONT}) → \`${forced}\``],
  );
  // Of a script nobody knows what failed, and two that begin alike are not the same.
  const script = (last: string): string => `. ./env.sh\nbuild=$(cat build.id)\n${last}`;
  assert.deepEqual(
    mended(
      ["", fails(script(SCREENS), NO_FONT), passes("apk add font-inter")],
      ["", passes(script("npm run upload"))],
      ["All shot."],
    ),
    [],
  );
});

Deno.test("fixesIn() takes neither more of a check, nor a word that it fails, for the cause", () => {
  const part = 'npm test -- --grep "till"';
  const mended = (...parts: (string | [string, ...ToolCall[]])[]): string[] =>
    fixesIn(turnsOf("run the tests", ...parts));
  const timeout = "Error: Timeout of 2000ms exceeded in the drawer";
  assert.deepEqual(mended(["", fails(part, timeout)], ["", passes("npm test")], ["All pass."]), []);
  const only = "The drawer's code is valid, but one test of the till failed in the end.";
  const later = [only, edits("till.ts"), passes(part)] as [string, ...ToolCall[]];
  assert.deepEqual(mended(["", fails(part, timeout)], later, ["All pass."]), []);
  const seen = "[Image 1] there is no drawer at all even though the till has one";
  assert.deepEqual(
    mended(["", fails(part, timeout)], ["It times out."], seen, [
      "The drawer of the till is there now.",
      edits("till.ts"),
      passes(part),
    ]),
    [],
  );
});

Deno.test("fixesIn() takes no error that is said again, and nothing of a file's name, for the cause", () => {
  const mended = (between: string, answer: string): string[] =>
    fixesIn(turnsOf(
      "shoot the screens",
      ["", fails(`${SCREENS} docs/upload-guide.md`, NO_FONT)],
      [between, edits("Dockerfile"), passes(`${SCREENS} docs/upload-guide.md`)],
      [answer],
    )).map((one) => one.split(" → ")[1] ?? "");
  const again = "The font 'Inter' is not available in this container, it says right here.";
  assert.deepEqual(mended(again, "All shot."), []);
  const other = "The upload cannot go on while the guide waits, because nobody can wake it.";
  assert.deepEqual(mended("", `All are shot. ${other}`), []);
});

Deno.test("fixesIn() gives no password away, and takes what a person did for no remedy of the agent", () => {
  const secret = turnsOf(
    "load the dump",
    ["", fails("psql -f dump.sql", "FATAL: role denied"), passes("PGPASSWORD=x psql -f dump.sql")],
    ["Loaded."],
  );
  assert.deepEqual(fixesIn(secret), []);
  const load = "curl -H 'Authorization: x' https://db/dump";
  const given = turnsOf(
    "load the dump",
    [
      "",
      fails(load, "curl: could not resolve host"),
      passes("resolvectl flush-caches"),
      passes(load),
    ],
    ["Loaded."],
  );
  assert.deepEqual(fixesIn(given), []);
  const later = turnsOf(
    "start it",
    ["", fails("docker compose up", "bash: docker: command not found")],
    ["Docker is not installed."],
    "done",
    ["", passes("docker compose up -d db")],
    ["It runs."],
  );
  assert.deepEqual(fixesIn(later), []);
});

Deno.test("summarizeSession() tells what was mended beside what was done, and pushes nothing out", () => {
  const turns = turnsOf(
    "shoot the screens",
    ["", fails(SCREENS, NO_FONT), passes("apk add font-inter", "OK"), passes(SCREENS)],
    ["All shot."],
    ...Array.from({ length: 12 }, (_, i): [string, [string, ...ToolCall[]]] => [
      `now page ${i} of the tour`,
      [`Page ${i} of the tour has its own frame now.`, edits(`page${i}.html`)],
    ]).flat(),
  );
  const { done = [] } = summarizeSession(turns, { cwd: "/p" }) ?? {};
  const without = summarizeSession(turns.slice(4), { cwd: "/p" })?.done ?? [];
  assert.deepEqual(done, [
    ...without,
    `Mended: \`${SCREENS}\` (${NO_FONT}) → \`apk add font-inter\``,
  ]);
});

Deno.test("fixesIn() tells the last three of a day", () => {
  const runs = Array.from({ length: 40 }, (_, i): [string, ...ToolCall[]] => [
    "",
    fails(`make part-${i}`, NO_FONT),
    passes(`apk add font-${i}`, "OK"),
    passes(`make part-${i}`),
  ]);
  const told = fixesIn(turnsOf("build all of it", ...runs, ["All is built."]));
  assert.deepEqual(told.map((one) => one.split(" → ")[1]), [
    "`apk add font-37`",
    "`apk add font-38`",
    "`apk add font-39`",
  ]);
});
