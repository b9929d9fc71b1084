/** What is still next behind a commit, a push, the checks and thanks, and what is not. */
import assert from "node:assert/strict";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { tempDir } from "../support/temp_store.ts";
import { type ToolCall, TranscriptBuilder } from "../support/transcript.ts";

const ran = (command: string, result = "ok"): ToolCall[] => [
  { name: "Bash", input: { command }, result },
];
const EDIT: ToolCall[] = [{ name: "Edit", input: { file_path: "/p/src/label.ts" }, result: "ok" }];
const COMMIT = ran("git add -A && git commit -m 'print it'", "[main 4f1c2aa] print it");

/** A prompt, what was done for it, and what was said. */
type Exchanged = readonly [prompt: string, did: readonly ToolCall[], said: string];

function nextAfter(step: string, ...behind: readonly Exchanged[]): readonly string[] | undefined {
  const talk = new TranscriptBuilder({ cwd: "/p" }).user("Print the checksum on the labels.")
    .assistant("", EDIT).assistant(`The labels are printed with their checksum now. ${step}`);
  for (const [prompt, did, said] of behind) {
    talk.user(prompt);
    if (did.length > 0) talk.assistant("", did);
    talk.assistant(said);
  }
  const { turns } = readTranscript(talk.write(tempDir()));
  return summarizeSession(turns, { cwd: "/p" })?.next;
}

const STEP = "Next step: measure the contrast on the thermal printer.";

Deno.test("summarizeSession() keeps the step that an agent named behind a commit, a push, checks and thanks", () => {
  const behind: readonly (readonly Exchanged[])[] = [
    [["ok commit", [], "Done."]],
    [["ok commit", COMMIT, "Committed as 4f1c2aa."]],
    [["ok", COMMIT, "Committed as 4f1c2aa."]],
    [
      ["ok commit", COMMIT, "Committed."],
      ["push", ran("git push"), "Pushed."],
      ["thanks", [], "You're welcome."],
    ],
    [
      ["run the tests", ran("npm test", "52 passed"), "All 52 tests pass."],
      ["commit and push", [...COMMIT, ...ran("git push")], "Pushed."],
    ],
    [["thanks", [], "You're welcome."], ["bye", [], "Bye!"]],
    [["merci, committe", COMMIT, "C'est fait."]],
  ];
  for (const one of behind) {
    assert.deepEqual(
      nextAfter(STEP, ...one),
      ["measure the contrast on the thermal printer."],
      one.map(([prompt]) => prompt).join(),
    );
  }
});

Deno.test("summarizeSession() drops a step that was gone on with, or done, behind a commit too", () => {
  const measured = ran("python contrast.py", "4.1");
  const behind: readonly (readonly Exchanged[])[] = [
    [["ok", measured, "It is 4.1."]],
    [["ok commit", COMMIT, "Committed."], ["go on", measured, "It is 4.1."]],
    [["commit and go on", [...COMMIT, ...measured], "It is 4.1."]],
    [["measure it", measured, "The contrast on the thermal printer is 4.1."], [
      "ok commit",
      COMMIT,
      "Committed.",
    ]],
    [["Rename the module to press.", EDIT, "Renamed."], [
      "Make the font of the address bigger.",
      EDIT,
      "It is bigger now.",
    ]],
  ];
  for (const one of behind) {
    assert.deepEqual(nextAfter(STEP, ...one), [], one.map(([prompt]) => prompt).join());
  }
  const both = ran("git commit -am 'print it' && git push", "[main 4f1c2aa] print it");
  assert.deepEqual(nextAfter("Next step: commit and push it.", ["ok", both, "Done."]), []);
  const opened = ran("gh pr create", "https://github.com/p/p/pull/3");
  assert.deepEqual(nextAfter("Next step: open a pull request.", ["yes", opened, "It is."]), []);
});
