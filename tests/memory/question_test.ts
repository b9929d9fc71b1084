/** What only a person decides waits as a question; nothing is written until they say yes. */
import assert from "node:assert/strict";
import { removeNote } from "../../src/memory/removal/remove.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { editKnowledge } from "../../src/memory/knowledge/edit.ts";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { acceptQuestion } from "../../src/memory/question/accept.ts";
import { askAboutPreferences } from "../../src/memory/question/preferences.ts";
import {
  askPerson,
  decline,
  findQuestion,
  listQuestions,
} from "../../src/memory/question/question.ts";
import { questionNews } from "../../src/memory/question/news.ts";
import { approvalNeeded } from "../../src/memory/question/approval.ts";
import type { Turn } from "../../src/editor/editor.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { recordTrust } from "../../src/store/trust.ts";
import { tempDir } from "../support/temp_store.ts";
import {
  AGENT,
  knowledge,
  MINUTE,
  OTHER,
  PERSON,
  placesOf,
  put,
  read,
  SESSION,
  type World,
  world,
} from "../support/world.ts";

const TABS = { title: "Tabs", content: "The user prefers tabs to spaces in Makefiles." };

async function ask(on: World, input: Parameters<typeof saveKnowledge>[1] = TABS): Promise<string> {
  const outcome = await saveKnowledge(on.memory, input, AGENT);
  assert.equal(outcome.kind, "proposed", JSON.stringify(outcome));
  return outcome.kind === "proposed" ? outcome.id : "";
}

Deno.test("whyAsk() asks for tastes and for every project, not for decisions, nor a person", () => {
  const why = (content: string, more = {}) =>
    approvalNeeded({ title: "T", content, ...more }, AGENT);
  for (
    const taste of [
      "The user prefers tabs.",
      "I like small commits.",
      "We strongly prefer Deno.",
      "User dislikes emoji.",
    ]
  ) assert.equal(why(taste), "preference", taste);
  assert.equal(why("The parser prefers the longest match."), undefined);
  assert.equal(why("We prefer Deno because it compiles.", { subject: "decision" }), undefined);
  assert.equal(why("Anything", { subject: "preference" }), "preference");
  assert.equal(why("Anything", { scope: "user" }), "every_project");
  assert.equal(
    approvalNeeded({ title: "T", content: "I like tabs.", scope: "user" }, PERSON),
    undefined,
  );
});

Deno.test("a question holds the text and the difference, is asked once, and writes no note", async () => {
  using on = await world();
  await knowledge(on.memory, "Tabs", "Spaces everywhere.");
  const id = await ask(on, { ...TABS, subject: "preference" });
  assert.equal(await ask(on, { ...TABS, subject: "preference" }), id);
  const [question, ...others] = listQuestions(on.memory);
  assert.deepEqual(others, []);
  assert.equal(
    question?.question,
    `Should I remember this preference in the project's notes: "Tabs"?`,
  );
  assert.match(question?.diff ?? "", /^-Spaces everywhere\.\n\+The user prefers tabs/m);
  assert.match(read(`${on.cwd}/.sage/knowledge/tabs.md`), /Spaces everywhere/);
  assert.equal((await listKnowledge(on.memory)).length, 1);
});

Deno.test("an accepted question is saved where it was asked, as the agent's, in the scope that was asked for", async () => {
  using on = await world();
  const id = await ask(on, { ...TABS, scope: "user" });
  const elsewhere = await on.open({ cwd: tempDir() });
  const accepted = await acceptQuestion(elsewhere, findQuestion(elsewhere, id.slice(0, 5)));
  assert.equal(accepted.outcome.kind, "saved", JSON.stringify(accepted.outcome));
  const text = read(`${on.home}/.sage/knowledge/tabs.md`);
  assert.match(text, /by: agent/);
  assert.match(text, new RegExp(`session: ${SESSION}`));
  assert.doesNotMatch(text, /\nproject:/);
  assert.doesNotMatch(text, /pinned/, "only a preference holds for any prompt");
  assert.deepEqual(listQuestions(on.memory), []);
});

Deno.test("an accepted question is saved in the checkout where it was asked, not in the one at hand", async () => {
  using on = await world();
  const other = tempDir();
  for (const dir of [on.cwd, other]) put(`${dir}/.sage/project.yaml`, "id: kestrel\n");
  recordTrust(on.memory.fs, on.memory.places.stateDir, `${other}/.sage`, "own");
  const asking = await on.open();
  assert.equal((await saveKnowledge(asking, TABS, AGENT)).kind, "proposed");
  const elsewhere = await on.open({ cwd: other });
  assert.equal(elsewhere.places.projectId, asking.places.projectId);
  const [question = assert.fail()] = listQuestions(elsewhere);
  assert.equal((await acceptQuestion(elsewhere, question)).outcome.kind, "saved");
  assert.match(read(`${on.cwd}/.sage/knowledge/tabs.md`), /prefers tabs/);
});

Deno.test("three characters find a question if they are unambiguous, and declining needs the whole id", async () => {
  using on = await world();
  const id = await ask(on);
  const folder = `${on.home}/.sage/state/questions`;
  const other = `${id.slice(0, 3)}${id[3] === "0" ? "1" : "0"}0000`;
  const find = (typed: string, isWhole = false): string =>
    findQuestion(on.memory, typed, { isWhole }).id;
  assert.deepEqual([id.slice(0, 3), ` ${id.toUpperCase()} `].map((typed) => find(typed)), [id, id]);
  for (const typed of ["", id.slice(0, 1), id.slice(0, 2)]) {
    assert.throws(() => find(typed), /No question is called/);
  }
  assert.equal(find(id, true), id);
  assert.throws(() => find(id.slice(0, 7), true), {
    message: `"${id.slice(0, 7)}" is only a prefix of a question's id`,
    hint: `repeat with the whole id: ${id}`,
  });
  put(`${folder}/${other}.json`, read(`${folder}/${id}.json`).replace(id, other));
  assert.throws(() => find(id.slice(0, 3)), {
    code: "ambiguous",
    message: `"${id.slice(0, 3)}" matches 2 questions`,
    hint: `repeat with the whole id: ${listQuestions(on.memory).map((one) => one.id).join(", ")}`,
  });
});

Deno.test("a declined question leaves none of its words, and is not asked again", async () => {
  using on = await world();
  const id = await ask(on);
  decline(on.memory, findQuestion(on.memory, id));
  assert.deepEqual(placesOf(on, "spaces in makefiles"), []);
  const again = await saveKnowledge(on.memory, TABS, AGENT);
  assert.match(again.kind === "excluded" ? again.reason : again.kind, /said no on 2026-01-13/);
  assert.throws(() => findQuestion(on.memory, id), /No question is called/);
});

Deno.test("a question keeps waiting where its answer meets a conflict, a missing project or a limit", async () => {
  using on = await world();
  const id = await ask(on, { ...TABS, subject: "preference" });
  await knowledge(on.memory, "Tabs", "Spaces everywhere.");
  const question = findQuestion(on.memory, id);
  assert.equal((await acceptQuestion(on.memory, question)).outcome.kind, "conflict");
  assert.equal(listQuestions(on.memory).length, 1);
  const gone = { ...question, project: { name: "gone", dir: `${on.home}/gone` } };
  await assert.rejects(acceptQuestion(on.memory, gone), /Its project is gone/);
  const updated = await acceptQuestion(on.memory, question, { onConflict: "update" });
  assert.equal(updated.outcome.kind, "updated");
  assert.deepEqual(listQuestions(on.memory), []);
});

Deno.test("accepting a question does not replace a text that the person changed since", async () => {
  using on = await world();
  const { id: tabs, path } = await knowledge(on.memory, "Tabs", "Spaces everywhere.");
  const ready = { ...TABS, subject: "preference", id: tabs } as const;
  const id = await ask(on, ready);
  await editKnowledge(
    on.memory,
    tabs,
    { patch: { kind: "append", text: "Tabs in YAML." } },
    PERSON,
  );
  const question = findQuestion(on.memory, id);
  const { outcome } = await acceptQuestion(on.memory, question);
  assert.ok(outcome.kind === "conflict", outcome.kind);
  assert.match(outcome.diff, /^-Tabs in YAML\./m);
  assert.match(read(path), /Tabs in YAML\./);
  assert.equal(listQuestions(on.memory).length, 1);
  const both = await acceptQuestion(on.memory, question, { onConflict: "keep_both" });
  assert.ok(both.kind === "save" && both.outcome.kind === "saved");
  assert.match(read(both.outcome.path), /id: tabs\n +relation: alternative\n/);
  assert.match(read(path), /Tabs in YAML\./);

  const again = findQuestion(on.memory, await ask(on, { ...ready, content: "Tabs, always." }));
  const replaced = await acceptQuestion(on.memory, again);
  assert.equal(replaced.outcome.kind, "updated");
  assert.match(read(path), /Tabs, always\./);
});

Deno.test("an accepted question is saved where the project's folder was moved to", async () => {
  using on = await world();
  put(`${on.cwd}/.sage/project.yaml`, "id: kestrel\n");
  const id = await ask({ ...on, memory: await on.open() }, { ...TABS, subject: "preference" });
  const there = `${on.home}/moved`;
  await Deno.rename(on.cwd, there);
  const elsewhere = await on.open({ cwd: on.home });
  const question = findQuestion(elsewhere, id);
  await assert.rejects(acceptQuestion(elsewhere, question), /Its project is gone/);
  const { outcome } = await acceptQuestion(await on.open({ cwd: there }), question);
  assert.equal(outcome.kind, "saved", JSON.stringify(outcome));
});

Deno.test("forgetting a note that has its project's name leaves the project's questions", async () => {
  using on = await world();
  put(`${on.cwd}/.sage/project.yaml`, "id: kestrel\nname: kestrel\n");
  const memory = await on.open();
  const id = await ask({ ...on, memory }, { ...TABS, subject: "preference" });
  const { id: note } = await knowledge(memory, "Kestrel", "A bird of prey.");
  assert.equal((await forget(memory, note)).kind, "forgotten");
  assert.equal(findQuestion(memory, id).id, id);
});

Deno.test("accepting a question that keeps both saves it also if the other note is gone", async () => {
  for (const onConflict of ["keep_both", "contradicts"] as const) {
    using on = await world();
    const { id: tabs } = await knowledge(on.memory, "Tabs", "Spaces everywhere.");
    const id = await ask(on, { ...TABS, subject: "preference", id: tabs });
    await removeNote(on.memory, tabs);
    const question = findQuestion(on.memory, id);
    assert.equal((await acceptQuestion(on.memory, question)).outcome.kind, "none");
    const { outcome } = await acceptQuestion(on.memory, question, { onConflict });
    assert.equal(outcome.kind, "saved");
  }
});

Deno.test("a damaged question is ignored, and hides neither other questions nor notes", async () => {
  using on = await world();
  const id = await ask(on);
  await knowledge(on.memory, "Lazy parser", "The parser is lazy.");
  const folder = `${on.home}/.sage/state/questions`;
  const { act: _, ...noAct } = findQuestion(on.memory, id);
  const noText = { ...findQuestion(on.memory, id), text: 7 };
  const damaged = ["5", "null", '"x"', "[]", "{}", '{"id":"0000000a","asked":5}'];
  for (const text of [...damaged, JSON.stringify(noAct), JSON.stringify(noText)]) {
    put(`${folder}/0000000a.json`, text);
    assert.deepEqual(listQuestions(on.memory).map((one) => one.id), [id], text);
    assert.equal((await listKnowledge(on.memory)).length, 1);
  }
});

Deno.test("forgetting a note leaves questions that share only words of its title", async () => {
  using on = await world();
  await knowledge(on.memory, "Tab", "The bar pays it at the end of the week.");
  const id = await ask(on);
  assert.equal((await forget(on.memory, "tab")).kind, "forgotten");
  assert.equal(findQuestion(on.memory, id).title, "Tabs");
});

Deno.test("forgetting a note deletes questions that would save its sentences again", async () => {
  using on = await world();
  const content = "Ships wait outside the harbour until the pilot boards them at noon. " +
    `The crane lifts forty tons, and its brake is tested every spring. ${TABS.content}`;
  await knowledge(on.memory, "Harbour", content);
  await ask(on);
  assert.equal((await forget(on.memory, "harbour")).kind, "forgotten");
  assert.deepEqual(placesOf(on, "spaces in makefiles"), []);
});

Deno.test("a question holds no secret and no private text, and forgetting deletes it", async () => {
  using on = await world();
  const secret = { ...TABS, content: "The user prefers ghp_16C7e42F292c6912E7710c838347Ae178B4a." };
  assert.equal((await saveKnowledge(on.memory, secret, AGENT)).kind, "refused");
  await ask(on, { ...TABS, content: "The user prefers tabs. <private>and vodka</private>" });
  assert.deepEqual(placesOf(on, "vodka"), []);
  await knowledge(on.memory, "Tabs", "Spaces.");
  assert.equal((await forget(on.memory, "tabs")).kind, "forgotten");
  assert.deepEqual(listQuestions(on.memory), []);
});

Deno.test("a session may ask no more than it may write", async () => {
  using on = await world();
  // One that is asked again is the same question.
  for (let i = 0; i < 25; i++) {
    await ask(on, { title: "Taste 0", content: "The user prefers number 0." });
  }
  const kinds = new Set<string>();
  for (let i = 0; i < 25; i++) {
    const input = { title: `Taste ${i}`, content: `The user prefers number ${i}.` };
    kinds.add((await saveKnowledge(on.memory, input, AGENT)).kind);
  }
  assert.deepEqual([...kinds], ["proposed", "over_cap"]);
  const [first = assert.fail(), ...others] = listQuestions(on.memory);
  assert.equal(others.length, 19);
  // What the person says yes to is theirs, however much the session has written.
  assert.equal((await acceptQuestion(on.memory, first)).outcome.kind, "saved");
});

const WANTED = "please never mock the database in tests, it hid a broken migration in June";

function spoke(...prompts: string[]): Turn[] {
  return prompts.flatMap((text, n): Turn[] => [
    { uuid: `u${n}`, role: "user", at: "2026-01-13T10:00:00Z", text, tools: [] },
    {
      uuid: `a${n}`,
      role: "assistant",
      at: "2026-01-13T10:01:00Z",
      text: "Understood.",
      tools: [],
    },
  ]);
}

Deno.test("askAboutPreferences() puts a person's own words before them, once, and every session is told of a yes", async () => {
  using on = await world();
  const said = spoke("fix the limiter please", WANTED, "please never mock the database in tests!");
  assert.equal(await askAboutPreferences(on.memory, SESSION, said), 1);
  assert.equal(await askAboutPreferences(on.memory, OTHER, said), 0);
  const [question] = listQuestions(on.memory);
  assert.match(
    question?.question ?? "",
    /Should I remember this preference in the project's notes: "please never mock/,
  );
  if (question === undefined) return;
  await acceptQuestion(on.memory, question);
  await refreshAll(on.memory);
  assert.match(
    (await orient(on.memory, OTHER, "startup"))?.text ?? "",
    /Pinned: "please never mock/,
  );
  assert.equal(await askAboutPreferences(on.memory, OTHER, said), 0);
});

Deno.test("askAboutPreferences() does not take a passage that is to be checked for the person's words", async () => {
  using on = await world();
  const rule = "From now on always answer every letter by hand.";
  const ask = (said: string) => askAboutPreferences(on.memory, SESSION, spoke(said));
  assert.equal(await ask(`Read this paragraph: ${rule} Is it too dry?`), 0);
  assert.equal(await ask(rule), 1);
});

Deno.test("a waiting question of one project is not taken for another project's, and one for all projects is", async () => {
  using on = await world();
  const elsewhere = await on.open({ cwd: tempDir() });
  const ask = (memory: Memory, text: string) => askAboutPreferences(memory, SESSION, spoke(text));
  assert.equal(await ask(on.memory, WANTED), 1);
  assert.equal(await ask(elsewhere, WANTED), 1);
  const everywhere = "From now on answer in German, in all my projects.";
  assert.equal(await ask(on.memory, everywhere), 1);
  assert.equal(await ask(elsewhere, everywhere), 0);
});

Deno.test("a waiting question belongs to all checkouts of its project, and to the folder where it was moved", async () => {
  using on = await world();
  const other = tempDir();
  for (const dir of [on.cwd, other]) put(`${dir}/.sage/project.yaml`, "id: kestrel\n");
  recordTrust(on.memory.fs, on.memory.places.stateDir, `${other}/.sage`, "own");
  const ask = async (dir: string) =>
    await askAboutPreferences(await on.open({ cwd: dir }), SESSION, spoke(WANTED));
  assert.equal(await ask(on.cwd), 1);
  assert.equal(await ask(other), 0, "another checkout");
  assert.equal(questionNews(await on.open({ cwd: other })).line, "", "told in its own folder only");
  const there = `${on.home}/moved`;
  await Deno.rename(on.cwd, there);
  assert.equal(await ask(there), 0, "the same, moved");
  assert.match(questionNews(await on.open({ cwd: there })).line, /never mock the database/);
});

Deno.test("the oldest of fifty unanswered questions that Sage raised by itself makes room for a new one", async () => {
  using on = await world();
  const sage = { by: "sage", session: SESSION, explicit: false } as const;
  for (let n = 0; n < 50; n++) {
    const title = `from now on ${n}`;
    const input = { title, content: title };
    const wish = {
      why: "preference",
      question: `${title}?`,
      title,
      text: title,
      diff: "",
    } as const;
    const asked = askPerson(on.memory, { ...wish, act: { kind: "save", input } }, sage);
    assert.equal(asked.kind, "proposed");
    on.later(MINUTE);
  }
  await ask(on);
  const titles = listQuestions(on.memory).map(({ title }) => title);
  assert.deepEqual([titles.length, titles[0], titles.at(-1)], [50, "from now on 1", TABS.title]);
});

Deno.test("no question of an agent makes room for another", async () => {
  using on = await world();
  const wish = (n: number) => {
    const title = `Taste ${n}`;
    const act = { kind: "save", input: { title, content: title } } as const;
    return { why: "preference", question: `${title}?`, title, text: title, diff: "", act } as const;
  };
  for (let n = 0; n < 50; n++) {
    assert.equal(askPerson(on.memory, wish(n), AGENT).kind, "proposed");
    on.later(MINUTE);
  }
  const asked = askPerson(on.memory, wish(50), AGENT);
  assert.deepEqual(asked, { kind: "full", waiting: 50 });
  assert.equal(listQuestions(on.memory)[0]?.title, "Taste 0");
});

Deno.test("a question for all projects is asked once, and its answer holds in each", async () => {
  using on = await world();
  const said = spoke("From now on answer in German, in all my projects.");
  assert.equal(await askAboutPreferences(on.memory, SESSION, said), 1);
  const [question] = listQuestions(on.memory);
  assert.match(question?.question ?? "", /this preference in every project of yours: "From now on/);
  if (question === undefined) return;
  const accepted = await acceptQuestion(on.memory, question);
  assert.equal(accepted.outcome.kind, "saved", JSON.stringify(accepted.outcome));
  const elsewhere = await on.open({ cwd: tempDir() });
  await refreshAll(elsewhere);
  const told = await orient(elsewhere, OTHER, "startup");
  assert.match(told?.text ?? "", /Pinned: "From now on answer in German/);
});

Deno.test("askAboutPreferences() keeps no secret and nothing forgotten waiting", async () => {
  using on = await world();
  const forgotten = "Always answer in short sentences in this project.";
  await knowledge(on.memory, "Tone", forgotten);
  assert.equal((await forget(on.memory, "tone")).kind, "forgotten");
  const said = spoke(
    "From now on always deploy with the key ghp_16C7e42F292c6912E7710c838347Ae178B4a, please.",
    "I always want small commits, and the password is Xk39!fQz71 for staging from now on.",
    forgotten,
    "Never commit to main without asking me.",
  );
  assert.equal(await askAboutPreferences(on.memory, SESSION, said), 1);
  assert.deepEqual(
    listQuestions(on.memory).map(({ text }) => text),
    ["Never commit to main without asking me."],
  );
});
