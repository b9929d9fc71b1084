/** That questions wait is told when a session starts: one line, within the budget, once a day. */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/base/text/tokens.ts";
import { orientSession } from "../../src/hook/orient_session.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { decline, listInbox, listQuestions, putOff } from "../../src/memory/question/question.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { prepareOrientation } from "../../src/memory/session/orientation/prepare.ts";
import { startPrepared } from "../../src/memory/session/orientation/start_prepared.ts";
import { questionNews } from "../../src/memory/question/news.ts";
import { markAnnounced, readAnnounced } from "../../src/memory/question/announced.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { writeState } from "../../src/store/state.ts";
import { tempDir } from "../support/temp_store.ts";
import { timeZone } from "../support/time_zone.ts";
import {
  AGENT,
  byHand,
  DAY,
  hookInput,
  knowledge,
  MINUTE,
  noSessions,
  OTHER,
  PERSON,
  put,
  type World,
  world,
} from "../support/world.ts";

const LINE =
  /^- One question waits for the person \(sage inbox\): "Should I remember this preference in the/m;

async function asked(on: World, title = "Tabs"): Promise<void> {
  const content = `The user prefers ${title.toLowerCase()} to spaces.`;
  assert.equal((await saveKnowledge(on.memory, { title, content }, AGENT)).kind, "proposed");
}

/** The line of now, told. */
function tell(on: World): string {
  const { line, ids } = questionNews(on.memory);
  markAnnounced(on.memory.fs, on.memory.places.stateDir, on.memory.now(), ids);
  return line;
}

Deno.test("a question about one project is announced there only, one for all projects in each", async () => {
  using on = await world();
  await asked(on);
  const cwd = tempDir();
  put(`${cwd}/.sage/project.yaml`, "id: kestrel\n");
  const elsewhere = await on.open({ cwd });
  assert.equal(questionNews(elsewhere).line, "");
  assert.match(tell(on), LINE);
  assert.deepEqual(listInbox(elsewhere, false), { items: [], elsewhere: 1 });
  const everywhere = { title: "Ports", content: "They begin at 8000.", scope: "user" } as const;
  await saveKnowledge(on.memory, everywhere, AGENT);
  assert.match(questionNews(elsewhere).line, /One question waits .*"Should I remember \\?"Ports/);
  const titles = (isAll: boolean) => listInbox(elsewhere, isAll).items.map(({ title }) => title);
  assert.deepEqual([titles(false), titles(true).toSorted()], [["Ports"], ["Ports", "Tabs"]]);
});

Deno.test("a preference that the person is asked about is not told as the last decision as well", async () => {
  using on = await world();
  const preference = "Please use tabs for indentation in all files of ours.";
  const front = { id: "s", type: "session", session: "old", ended: "2026-01-13T10:00:00Z" };
  const at = { created: "2026-01-13T09:00:00Z", updated: "2026-01-13T10:00:00Z" };
  const body = `## Summary\n\nThe importer streams.\n\n## Decisions\n\n- ${preference}`;
  byHand(`${on.cwd}/.sage`, "sessions/s.md", { ...front, ...at }, body);
  await refreshAll(on.memory);
  const text = async () => (await orient(on.memory, OTHER, "startup"))?.text ?? "";
  assert.match(await text(), /- Decided: "Please use tabs/);
  await asked(on, preference);
  assert.match(await text(), /One question waits .*Please use tabs/);
  assert.doesNotMatch(await text(), /- Decided/);
});

Deno.test("a question that was announced on three days is not announced any more", async () => {
  using on = await world();
  await asked(on);
  for (let day = 0; day < 3; day++) {
    assert.match(tell(on), LINE);
    on.later(DAY);
  }
  assert.equal(tell(on), "");
  assert.equal(listQuestions(on.memory).length, 1);
  await asked(on, "Emoji");
  assert.match(tell(on), /One question waits.*Emoji/);
});

Deno.test("the days are kept of the 500 questions that were announced last", async () => {
  using on = await world();
  const { fs, places } = on.memory;
  const mark = (ids: readonly string[]) => markAnnounced(fs, places.stateDir, on.memory.now(), ids);
  mark(["first", "second"]);
  on.later(DAY);
  mark(["first"]);
  mark(Array.from({ length: 499 }, (_, i) => `q${i}`));
  const { days } = readAnnounced(fs, places.stateDir, on.memory.now());
  assert.deepEqual([Object.keys(days).length, days["first"], days["second"]], [500, 2, undefined]);
});

Deno.test("a day is the person's: a question is not told again in their afternoon", async () => {
  using _ = timeZone("Pacific/Honolulu");
  using on = await world();
  // 13:30 there, and midnight of UTC half an hour away.
  on.later(9 * 60 * MINUTE);
  await asked(on);
  assert.match(tell(on), LINE);
  on.later(60 * MINUTE);
  assert.equal(tell(on), "");
  assert.equal(questionNews(on.memory).until, Date.parse("2026-01-14T10:00:00Z"));
  on.later(12 * 60 * MINUTE);
  assert.match(tell(on), LINE);
});

Deno.test("a question is told once a day until it is answered, a new one at once", async () => {
  using on = await world();
  assert.equal(tell(on), "");
  await asked(on);
  assert.match(tell(on), LINE);
  assert.equal(tell(on), "");
  await asked(on, "Emoji");
  assert.match(
    tell(on),
    /"Should I remember this preference in the project's notes: \\"Emoji\\"\?"|Emoji/,
  );
  assert.equal(tell(on), "");
  on.later(DAY);
  assert.match(tell(on), /^- 2 questions wait for the person \(sage inbox\), the first: /);
  for (const question of listQuestions(on.memory)) decline(on.memory, question);
  on.later(DAY);
  assert.equal(tell(on), "");
});

Deno.test("new questions are announced the next day, even if an older one was put off for longer", async () => {
  using on = await world();
  await asked(on);
  await asked(on, "Emoji");
  const [first] = listQuestions(on.memory);
  putOff(on.memory, first ?? assert.fail());
  assert.equal(new Date(questionNews(on.memory).until).toISOString(), "2026-01-14T00:00:00.000Z");
});

Deno.test("a question that was put off is not announced for a week", async () => {
  using on = await world();
  await asked(on);
  const [question] = listQuestions(on.memory);
  assert.ok(question !== undefined);
  putOff(on.memory, question);
  for (let day = 0; day < 7; day++) {
    assert.equal(tell(on), "");
    on.later(DAY);
  }
  assert.match(tell(on), LINE);
});

Deno.test("a session's start announces a question within the budget, and the next one that day does not", async () => {
  using on = await world();
  await asked(on);
  const start = async (session: string): Promise<string> => {
    const input = hookInput(on, { source: "startup", sessionId: session });
    const env = (name: string): string | undefined => on.env[name];
    return (await orientSession(input, env)).context ?? "";
  };
  const first = await start(OTHER);
  assert.match(first, LINE);
  assert.ok(estimateTokens(first) <= 200, first);
  assert.doesNotMatch(await start("33333333-0000-4000-8000-000000000003"), LINE);
});

Deno.test("a session's start with more to say also announces a question once a day", async () => {
  using on = await world();
  await addTodo(on.memory, { content: "Mend the importer" }, PERSON);
  await asked(on);
  const start = async (sessionId: string): Promise<string> => {
    const input = hookInput(on, { source: "startup", sessionId });
    return (await orientSession(input, (name) => on.env[name])).context ?? "";
  };
  const first = await start(OTHER);
  assert.match(first, LINE);
  assert.match(first, /Mend the importer/);
  assert.doesNotMatch(await start("33333333-0000-4000-8000-000000000003"), LINE);
});

Deno.test("a prepared orientation announces questions once, and is prepared anew for the next day", async () => {
  using on = await world({ hook: true });
  writeState(on.memory.fs, on.memory.places.stateDir, "seen/orientation.json", { count: 9 });
  await knowledge(on.memory, "Locks", "An index lock holds for one worktree.");
  await asked(on);
  const start = (): string | undefined => {
    const input = hookInput(on, { source: "startup", sessionId: OTHER });
    const started = startPrepared(
      input,
      (name) => on.env[name],
      on.memory.places.stateDir,
      on.memory.now(),
    );
    noSessions(on);
    return started?.text;
  };
  noSessions(on);
  await prepareOrientation(on.memory, on.cwd);
  assert.match(start() ?? "", LINE);
  assert.equal(start(), undefined, "it would be told twice");
  await prepareOrientation(on.memory, on.cwd);
  assert.equal(start(), "");
  on.later(DAY);
  assert.equal(start(), undefined, "it is to be told again");
  await prepareOrientation(on.memory, on.cwd);
  assert.match(start() ?? "", LINE);
});
