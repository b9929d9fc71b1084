/** What was begun when a session ended in the middle of an exchange. */
import assert from "node:assert/strict";
import type { Turn } from "../../src/editor/editor.ts";
import { nextSteps } from "../../src/detect/open/questions.ts";
import { sentencesOf } from "../../src/detect/text/sentences.ts";
import { talk } from "../support/talk.ts";

const ASK = "Please move the uploads out of the server file.";
const DONE = "The uploads live in `uploads.ts` now.";

/** With a call as the last thing. */
function atWork(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  const call = {
    id: "1",
    name: "Read",
    input: {},
    filePath: "/p/server.ts",
    failed: false,
  } as const;
  return last === undefined
    ? []
    : [...turns, { ...last, uuid: "call", role: "assistant", text: "", tools: [call] }];
}

Deno.test("nextSteps() begins with the request whose work was cut off", () => {
  for (
    const said of [
      "I see the handler. Let me move it now.",
      "The routes stay where they are. I'll update the imports first:",
      "Great! Now let me run the tests.",
    ]
  ) assert.deepEqual(nextSteps(talk(ASK, said), []), [ASK], said);
  assert.deepEqual(nextSteps(atWork(talk(ASK, "The handler is long.")), []), [ASK]);
});

Deno.test("nextSteps() takes an exchange that came to its end for none that was cut off", () => {
  for (
    const said of [
      DONE,
      `${DONE} Let me know if anything breaks.`,
      `${DONE} I'll keep that in mind.`,
      `I'll update the imports. ${DONE}`,
      "I'll wait for your answer.",
    ]
  ) assert.deepEqual(nextSteps(talk(ASK, said), []), [], said);
});

Deno.test("nextSteps() tells what a yes or a go on was cut off from", () => {
  const begun = "I'll create the module.";
  assert.deepEqual(
    nextSteps(talk(ASK, `${DONE} Shall I write the migration, too?`, "yes", begun), []),
    ["Shall I write the migration, too? → yes"],
  );
  assert.deepEqual(nextSteps(talk(ASK, "The handler is long.", "continue", begun), []), [ASK]);
  assert.deepEqual(nextSteps(talk(ASK, DONE, "/exit"), []), []);
  assert.deepEqual(nextSteps(talk(ASK, DONE, "/ship to a new branch", begun), []), [
    "/ship to a new branch",
  ]);
});

Deno.test("nextSteps() tells a log that was cut off by what went wrong in it", () => {
  const begun = "I'll look at the build.";
  const log = "5:39:35 PM: Build of the shop\n5:39:36 PM: TypeError: rows is undefined";
  assert.deepEqual(nextSteps(talk(ASK, DONE, log, begun), []), [
    "5:39:36 PM: TypeError: rows is undefined",
  ]);
  assert.deepEqual(nextSteps(talk(ASK, DONE, "5:39:35 PM: Build of the shop", begun), []), []);
});

/** With one more call as the last thing. */
function endingWith(turns: readonly Turn[], call: Record<string, unknown>): readonly Turn[] {
  const last = turns.at(-1);
  const tool = { id: "1", ...call } as unknown as Turn["tools"][number];
  return last === undefined
    ? []
    : [...turns, { ...last, uuid: "call", role: "assistant", text: "", tools: [tool] }];
}

Deno.test("nextSteps() takes a commit, and a word to the team, for an end though nothing was said of it", () => {
  const turns = talk(ASK, "Both parts are there, and the tests pass.");
  const commit = { name: "Bash", command: 'git add . && git commit -m "Move the uploads"' };
  assert.deepEqual(nextSteps(endingWith(turns, commit), []), []);
  assert.deepEqual(nextSteps(endingWith(turns, { ...commit, failed: false }), []), []);
  assert.deepEqual(nextSteps(endingWith(turns, { ...commit, failed: true }), []), [ASK]);
  assert.deepEqual(nextSteps(endingWith(turns, { name: "SendMessage", failed: false }), []), []);
  // What comes behind the commit is not done.
  const asked = "Please move the uploads out of the server file and open a pull request for it.";
  const both = talk(asked, "Both parts are there.");
  assert.deepEqual(nextSteps(endingWith(both, commit), []), [asked]);
  const said = talk(ASK, "Both parts are there. Let me commit and push.");
  assert.deepEqual(nextSteps(endingWith(said, commit), []), [ASK]);
});

Deno.test("nextSteps() tells the chore that was cut off, and not the request before it", () => {
  const begun = "Let me look at the changes first.";
  for (const chore of ["commit this", "ok, push", "committe das", "закоммить", "提交一下"]) {
    assert.deepEqual(nextSteps(talk(ASK, DONE, chore, begun), []), [chore], chore);
  }
});

Deno.test("nextSteps() takes what the agent did for Sage at a stop for no work that was cut off", () => {
  const done = talk(ASK, DONE);
  const forSage = (name: string): Turn => ({
    uuid: "for-sage",
    role: "assistant",
    at: "",
    text: "",
    tools: [{ id: "1", name, failed: false }],
    toSage: true,
  });
  for (
    const name of ["mcp__sage__sage_autosave_check", "mcp__plugin_sage_sage__sage_autosave_check"]
  ) {
    assert.deepEqual(nextSteps([...done, forSage(name)], []), []);
  }
  assert.deepEqual(nextSteps([...done, { ...forSage(""), tools: [] }], []), []);
  // It went on with the work all the same, and did not come to an end.
  assert.deepEqual(nextSteps([...done, forSage("Bash")], []), [ASK]);
});

Deno.test("nextSteps() tells the plan that a session ended with, unless it was approved or carried out", () => {
  const title = "# Plan: Uploads in a module of their own";
  const ended = (failed: boolean | undefined, ...after: readonly Turn[]): readonly Turn[] => {
    const call = {
      id: "1",
      name: "ExitPlanMode",
      items: [{ text: title, status: "" }],
      ...(failed === undefined ? {} : { failed }),
    };
    const [asked, answered] = talk(ASK, "The handler is long.");
    return [asked, answered, { ...answered, uuid: "plan", text: "", tools: [call] }, ...after]
      .filter((turn) => turn !== undefined) as Turn[];
  };
  const plan = ["Plan: Uploads in a module of their own"];
  assert.deepEqual(nextSteps(ended(true), []), plan);
  assert.deepEqual(nextSteps(ended(undefined), []), plan);
  const [, waits] = talk("", "I'll wait for your feedback on the plan.");
  const waiting = ended(true, ...waits ? [waits] : []);
  assert.deepEqual(nextSteps(waiting, []), plan);
  assert.equal(sentencesOf(waiting).some(({ text }) => text.includes("feedback")), false);
  assert.deepEqual(nextSteps(ended(false), []).includes(plan[0] ?? ""), false);
  const edit = { id: "2", name: "Edit", filePath: "/p/uploads.ts", failed: false };
  const made = { ...talk("", DONE)[1], uuid: "made", tools: [edit] } as Turn;
  assert.deepEqual(nextSteps(ended(true, made), []).includes(plan[0] ?? ""), false);
});
