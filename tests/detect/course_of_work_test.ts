/** What only goes on with the work settles nothing, leaves nothing open, and is not what comes next. */
import assert from "node:assert/strict";
import { extractCheckpoint } from "../../src/detect/checkpoint/extract.ts";
import { fill, type Material } from "../../src/detect/checkpoint/fill.ts";
import { rankSentences } from "../../src/detect/checkpoint/rank_sentences.ts";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { nextSteps, openQuestions } from "../../src/detect/open/questions.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { sentencesOf } from "../../src/detect/text/sentences.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { exchanged } from "../support/exchanged.ts";
import { talk } from "../support/talk.ts";
import { tempDir } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const decided = (turns: readonly Turn[]): string[] => findDecisions(turns).map(({ text }) => text);

/** What a checkpoint of the turns is filled with; `said` stands where a way was taken. */
function material(turns: readonly Turn[], said = ""): Material {
  const salient = rankSentences(sentencesOf(turns)).map((one) => ({
    ...one,
    rankScore: one.score,
    isDecided: one.sentence.text === said,
    isLaidOut: false,
    concludes: 0,
  }));
  return {
    turns,
    decisions: [],
    open: [],
    salient,
    thesis: [],
    cwd: undefined,
    redact: undefined,
  };
}

/** What somebody answered to a question of the agent's tool. */
function answered(question: string, answer: string): string[] {
  const [ask, reply] = exchanged("look at the list of todos", "");
  const tool = { id: "q", name: "AskUserQuestion", question, answer, failed: false };
  return decided([ask, { ...reply, tools: [tool] }] as Turn[]);
}

Deno.test("findDecisions() takes no answer for a decision that only says how the session goes on", () => {
  for (
    const [question, answer] of [
      ["What would you like to do with this todo?", "Work on it now"],
      ["This is a small change. How would you like to proceed?", "Skip the design"],
      ["More questions about invitations, or move to the next area?", "Next area"],
      ["Should a share be instant or accepted?", "what are the disadvantages of instant?"],
    ] as const
  ) {
    assert.deepEqual(answered(question, answer), [], answer);
  }
  const kept = ["Should a share be instant or accepted?", "Accepted"] as const;
  assert.deepEqual(answered(...kept), [kept.join(" → ")]);
});

Deno.test("findDecisions() takes no question for a rule that was written without its mark", () => {
  for (
    const asked of [
      "does the cli support another provider instead of the old one, or does that require a change in the core or upstream",
      "should the export always send the prompt.",
      "ok and should the index be the entry point, and not the manifest, when the name of a consumer changes",
    ]
  ) {
    assert.deepEqual(
      decided(talk("read the notes", "I have read them.", asked, "Yes.")),
      [],
      asked,
    );
  }
  const rule = "the export should always send the prompt.";
  assert.deepEqual(decided(talk("read the notes", "I have read them.", rule, "Yes.")), [rule]);
});

Deno.test("findDecisions() takes no way of working for a decision, whatever its reason", () => {
  const said =
    "I'll stick with the package rather than the wrapper for this check, because it has the flags.";
  const [ask, reply] = exchanged("is the address passed on?", said);
  const [, last] = exchanged("x", "The address is passed on.");
  assert.deepEqual(decided([ask, reply, last] as Turn[]), []);
});

Deno.test("findDecisions() takes a solution of a fault for no decision, in Russian too", () => {
  const ask = "почему не стартует контейнер";
  assert.deepEqual(decided(talk(ask, "## Решение\n\n- Удалена зависимость от curl и grep")), []);
  assert.deepEqual(decided(talk(ask, "## Принятые решения\n\n- Образ собирается без curl")), [
    "Образ собирается без curl",
  ]);
});

Deno.test("openQuestions() knows a remark between two calls for no open matter once there was an answer", () => {
  const [ask, remark] = exchanged("check the pipeline", "Only the deploy job is still pending.");
  const [, answer, next, end] = exchanged("x", "All jobs passed.", "update the readme", "Updated.");
  assert.deepEqual(openQuestions([ask, remark, answer, next, end] as Turn[]), []);
  assert.deepEqual(openQuestions([ask, remark, next, end] as Turn[]), [
    "Only the deploy job is still pending.",
  ]);
});

Deno.test("openQuestions() keeps the offer to finish the work if it was the last word", () => {
  const ask = "widen the dialog";
  const offer = "Should I commit with `--no-verify`, although other tests fail?";
  assert.deepEqual(openQuestions(talk(ask, `The dialog is wider. ${offer}`)), [offer]);
  const answered = talk(ask, `The dialog is wider. ${offer}`, "no, leave it", "It stays as it is.");
  assert.deepEqual(openQuestions(answered), []);
  assert.deepEqual(openQuestions(talk(ask, "It is wider. Should I widen the other one?")), []);
});

Deno.test("nextSteps() leaves out a list that the agent went on without", () => {
  const tasks = [{ text: "Run the checks", status: "in_progress" }];
  const list = [{ id: "1", name: "TodoWrite", input: {}, items: tasks, failed: false }];
  const [ask, reply, ...rest] = exchanged(
    "move the avatars",
    "The avatars have a table of their own.",
    "and the banners",
    ["The banners are beside them.", "banners.ts"],
  );
  const turns = [ask, { ...reply, tools: list }, ...rest] as Turn[];
  assert.deepEqual(nextSteps(turns, tasks), []);
  assert.deepEqual(nextSteps(turns.slice(0, 2), tasks), ["Run the checks"]);
  const talked = turns.with(3, { ...turns[3], tools: [] } as Turn);
  assert.deepEqual(nextSteps(talked, tasks), ["Run the checks"], "nothing was done since");
});

Deno.test("fill() tells no order for a decision because it stands where a way was taken", () => {
  const said = "Read the guide again first.";
  const turns = exchanged(
    "what is missing in our client?",
    "The sessions are missing.",
    said,
    "It is there.",
  );
  const fixed = { title: "", coreQuestion: "", thesis: "", nextStep: undefined };
  const told = fill(fixed, material(turns, said), 500);
  assert.deepEqual(told.decisions, []);
  assert.match(told.reasoningTrace, /Read the guide/, "it is quoted");
});

Deno.test("readTranscript() tells the lead of a team of agents from the reports of the others", () => {
  const message = (from: string, text: string): string =>
    `<teammate-message teammate_id="${from}" color="blue">\n${text}\n</teammate-message>`;
  const { turns } = readTranscript(
    new TranscriptBuilder()
      .user(message("team-lead", "Remove the unused imports."))
      .assistant("They are gone.")
      .user(message("checks", '{"type":"idle_notification","idleReason":"available"}'))
      .assistant("I wait.")
      .user(
        `${message("system", '{"type":"teammate_terminated"}')}\n\n${
          message("checks", "All checks pass.")
        }`,
      )
      .assistant("Good.")
      .user(message("team-lead", '{"type":"task_assignment","taskId":"3"}'))
      .assistant("That was done already.")
      .user("and the tests?")
      .assistant("They pass.")
      .write(tempDir()),
  );
  const prompts = turns.filter(({ role }) => role === "user").map(({ text }) => text);
  assert.equal(prompts.length, 2);
  assert.match(prompts[0] ?? "", /Remove the unused imports\./);
  assert.equal(prompts[1], "and the tests?");
});

Deno.test("nextSteps() and extractCheckpoint() leave out what is offered only for the case that it is wanted", () => {
  for (
    const [result, offer] of [
      [
        "The list of guests is sorted by `room` now, which saves 40 ms.",
        "If you like, next I can add the totals.",
      ],
      ["客人列表现在按 `room` 排序，快了 40 毫秒。", "如果你愿意，我下一步可以加上合计。"],
      ["宿泊者の一覧を `room` で並べ替えました。", "必要なら次のステップで合計も追加します。"],
      [
        "Список гостей теперь сортируется по `room`, это быстрее на 40 мс.",
        "Если хотите, следующим шагом могу добавить итоги.",
      ],
      [
        "A lista de hóspedes agora é ordenada por `room`, o que poupa 40 ms.",
        "Se quiser, o próximo passo é que eu adicione os totais.",
      ],
    ] as const
  ) {
    const turns = exchanged("sort the list of guests by their room", [
      `${result}\n\n${offer}`,
      "list.ts",
    ]);
    assert.deepEqual(nextSteps(turns, []), [], offer);
    const { thesis } = extractCheckpoint(turns, { effortMin: 0 }) ?? { thesis: "" };
    assert.ok(!thesis.includes(offer), thesis);
  }
  const step = "The next step is to add the totals to the list of guests.";
  const turns = exchanged("sort the list of guests", [
    `It is sorted by room.\n\n${step}`,
    "list.ts",
  ]);
  assert.deepEqual(nextSteps(turns, []), [step]);
});

Deno.test("an announcement is neither the result, nor done, nor evidence", () => {
  const cause = "The page was empty since `render()` ran before the rows of `orders` had arrived.";
  const begun = "I'll help you to get the page of orders working on `list.ts`.";
  const turns = exchanged(
    "the page of orders is empty, what is wrong",
    cause,
    "make it wait for the rows then",
    [begun, "list.ts"],
  );
  const { thesis = "", keyEvidence = [], reasoningTrace = "" } =
    extractCheckpoint(turns, { effortMin: 0 }) ?? {};
  assert.equal(thesis, cause);
  assert.ok(![...keyEvidence, reasoningTrace].some((one) => one.includes(begun)));
  assert.deepEqual(summarizeSession(turns)?.done, ["Changed: list.ts"]);
});

Deno.test("fill() quotes no request that the checkpoint begins with, also where that is cut", () => {
  const order =
    "Make one overview of the orders that covers `orders.ts`, `lines.ts`, `totals.ts` and " +
    "the sheet of the accountant, with one column for each month and one for the year before.";
  const turns = exchanged(order, "The overview has 12 columns now.");
  const fixed = {
    title: "",
    coreQuestion: `${order.slice(0, 140)}… — then: where are the totals`,
    thesis: "",
    nextStep: undefined,
  };
  const told = fill(fixed, material(turns), 500);
  assert.ok(![...told.keyEvidence, told.reasoningTrace].some((one) => one.includes("overview of")));
});

Deno.test("openQuestions() closes a list of questions that the next prompt goes through by number", () => {
  const questions = "## Questions\n\n1. **Who uses it**: Who sees the list of guests?\n" +
    "   - The desk, or the kitchen too?\n\n2. **Size**: How many guests are on one page?";
  const ask = "make a list of guests, ask whatever you need";
  const rest = ["The list has 20 guests a page.", "list.ts"] as const;
  assert.deepEqual(openQuestions(exchanged(ask, questions, "1. the desk 2. 20", rest)), []);
  const bare = questions.replaceAll(/\d\. /g, "- ");
  assert.notDeepEqual(
    openQuestions(exchanged(ask, bare, "1. add a header 2. add a footer", rest)),
    [],
    "orders with numbers answer nothing that had none",
  );
  assert.notDeepEqual(
    openQuestions(exchanged(ask, questions, "later, first the header", rest)),
    [],
  );
});

Deno.test("openQuestions() takes what one can still open for no open question", () => {
  const said =
    "The card of a guest links to `detail.html`, so you can still open it from the list.";
  assert.deepEqual(openQuestions(exchanged("remove the old menu of the list", said)), []);
});

Deno.test("findDecisions() takes neither a linter's word nor advice of the agent for a decision", () => {
  for (
    const said of [
      "The linter says we should use `unknown` instead of `any`, because `any` checks nothing.",
      "ESLint warns that we use a map instead of a set, so that every key has a value.",
      "Der Linter sagt, dass wir `unknown` statt `any` nehmen, weil `any` nichts prüft.",
      "Линтер говорит, что мы используем `unknown` вместо `any`, потому что `any` ничего не проверяет.",
      "Use a prepared statement instead of string concatenation, because names come from outside.",
    ]
  ) {
    assert.deepEqual(decided(exchanged("look at the loader", said)), [], said);
  }
  const made = "We use a set instead of a map, because the keys have no values.";
  assert.deepEqual(decided(exchanged("look at the loader", made)), [made]);
  const listed = "Use a set instead of a map, because the keys have no values.";
  assert.deepEqual(decided(exchanged("look at the loader", `## Decisions\n\n- ${listed}`)), [
    listed,
  ]);
  const off =
    "we turn that rule off instead of fixing it, because eslint complains about every file";
  assert.deepEqual(decided(exchanged(off, "It is off.")), [off]);
});

Deno.test("findDecisions() takes nothing for decided below a heading of decisions that are needed", () => {
  const ask = "review the list of books";
  const ways = "- Keep the guard as it is in the list\n- Return zero books with a note";
  for (
    const heading of [
      "## Decision needed",
      "**decision_needed**",
      "## Decisions required",
      "### Decisions to make",
      "## Entscheidungen offen",
      "## Décisions à prendre",
      "## Decisiones pendientes",
      "## Decisioni da prendere",
      "## Decisão condicional",
      "### Decision handlers (approve and reject)",
      "**Decision flow**",
      "## 2. Decision matrix",
    ]
  ) {
    assert.deepEqual(decided(talk(ask, `I read it.\n\n${heading}\n\n${ways}`)), [], heading);
  }
  const made = decided(talk(ask, `I read it.\n\n## Decisions\n\n${ways}`));
  assert.equal(made.length, 2);
});

Deno.test("openQuestions() tells a question of a list without the remark behind it, until somebody replies", () => {
  const list =
    "## Open questions\n\n1. Keep the seating plan as Sass? It costs a step of the build.\n" +
    "2. Cards for guests on one page, or on several?";
  const ask = "look at the seating plan, what would you change?";
  const asked = [
    "Keep the seating plan as Sass?",
    "Cards for guests on one page, or on several?",
  ];
  assert.deepEqual(openQuestions(exchanged(ask, list)), asked);
  const rest = ["The cards are on one page.", "cards.ts"] as const;
  assert.deepEqual(openQuestions(exchanged(ask, list, "sass is fine, one page", rest)), []);
  const footer = ["The footer is dark now.", "footer.ts"] as const;
  assert.deepEqual(openQuestions(exchanged(ask, list, "fix the footer first", footer)), asked);
});

Deno.test("openQuestions() takes what was once raised as an open question for none", () => {
  const said = "I raised the order of the tables as an open question and built it all the same.";
  assert.deepEqual(openQuestions(exchanged("build the seating plan", [said, "plan.ts"])), []);
});
