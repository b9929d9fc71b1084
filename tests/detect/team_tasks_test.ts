/** The list of tasks of a team of agents: others bring them further, and it ends with the team. */
import assert from "node:assert/strict";
import { nextSteps } from "../../src/detect/open/questions.ts";
import { taskState } from "../../src/detect/summary/work.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { exchanged } from "../support/exchanged.ts";
import { tempDir } from "../support/temp_store.ts";
import { type ToolCall, TranscriptBuilder } from "../support/transcript.ts";

function create(id: string, subject: string): ToolCall {
  const result = `Task #${id} created successfully: ${subject}`;
  return { name: "TaskCreate", input: { subject }, result, details: { task: { id, subject } } };
}

const BEGUN = [create("1", "Move the uploads"), create("2", "Move the avatars")];
const SEEN = {
  name: "TaskList",
  result: "#1 [completed] Move the uploads\n#2 [in_progress] Move the avatars\n#3 [pending] Other",
  details: {
    tasks: [
      { id: "1", subject: "Move the uploads", status: "completed" },
      { id: "2", subject: "Move the avatars", status: "in_progress" },
      { id: "3", subject: "Other work of the team", status: "pending" },
    ],
  },
};
const ENDED = { name: "TeamDelete", result: '{"success": true}', isError: false };

const stateAfter = (...calls: readonly ToolCall[]) =>
  taskState(
    readTranscript(
      new TranscriptBuilder().user("move all of it").assistant("", calls).write(tempDir()),
    ).turns,
  );

Deno.test("taskState() takes from a list of the team how the own tasks stand", () => {
  assert.deepEqual(stateAfter(...BEGUN, SEEN), [
    { text: "Move the uploads", status: "completed" },
    { text: "Move the avatars", status: "in_progress" },
  ]);
  assert.deepEqual(stateAfter(SEEN), [], "what others do is theirs to tell");
});

Deno.test("taskState() keeps what was done of a team that ended, and nothing as still to do", () => {
  assert.deepEqual(stateAfter(...BEGUN, SEEN, ENDED), [
    { text: "Move the uploads", status: "completed" },
  ]);
  assert.equal(stateAfter(...BEGUN, SEEN, { ...ENDED, isError: true }).length, 2);
});

Deno.test("nextSteps() takes a task for done whose checks were told to pass, though that is no report", () => {
  const task = { text: "Check the build and the tests", status: "in_progress" };
  const call = { id: "1", name: "TaskUpdate", items: [task], failed: false };
  const [ask, begun, , end] = exchanged(
    "move the uploads into a module",
    ["", "/p/uploads.ts"],
    "",
    "The build is green and the tests pass.",
  );
  const turns = [ask, { ...begun, tools: [...(begun?.tools ?? []), call] }, end] as Turn[];
  assert.deepEqual(nextSteps(turns, [task]), []);
});
