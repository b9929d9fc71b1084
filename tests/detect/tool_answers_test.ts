/**
 * Answers to the question tool of an agent: who takes an option has chosen, and who asks back, weighs, gives the
 * choice back or lets the agent go on has not.
 */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { exchanged } from "../support/exchanged.ts";
import { talk } from "../support/talk.ts";

/** What is told as decided of one question, its options and the answer. */
function answered(
  question: string,
  answer: string,
  options: readonly string[] = [],
  notes = "",
): string[] {
  const [ask, reply] = exchanged("plan the notes of the shop", "");
  const tool = {
    id: "q",
    name: "AskUserQuestion",
    question,
    options,
    answer,
    notes,
    failed: false,
  };
  return findDecisions([ask, { ...reply, tools: [tool] }] as Turn[]).map(({ text }) => text);
}

const ASKED = "Should each note be a file of its own, or a row of one table?";
const OPTIONS = ["A file each: easy to read", "One table: easy to query", "You decide"];

Deno.test("findDecisions() takes an option for a choice, whatever words it has", () => {
  for (const answer of ["A file each", "One table"]) {
    assert.deepEqual(answered(ASKED, answer, OPTIONS), [`${ASKED} → ${answer}`]);
  }
  const asked = "Which events should write a note?";
  const options = ["Not sure yet: none for now", "Upload", "Rename, move"];
  assert.deepEqual(answered(asked, "Upload, Rename, move", options), [
    `${asked} → Upload, Rename, move`,
  ]);
  const depends = "It depends on the size";
  assert.deepEqual(answered("When is a note split?", depends, [depends, "Never"]), [
    `When is a note split? → ${depends}`,
  ]);
});

Deno.test("findDecisions() takes a choice that was given back for none, as an option too", () => {
  for (
    const answer of [
      "You decide",
      "up to you",
      "No preference",
      "not sure yet",
      "I don't know",
      "Claude's discretion",
      "Entscheide du",
      "egal",
      "comme tu veux",
      "lo que prefieras",
      "scegli tu",
      "tanto faz",
      "на твоё усмотрение",
      "你决定吧",
      "お任せします",
    ]
  ) {
    assert.deepEqual(answered(ASKED, answer, [...OPTIONS, answer]), [], answer);
  }
});

Deno.test("findDecisions() takes no answer for a decision that asks back or is not decided", () => {
  for (
    const answer of [
      "what are the trade-offs of each one?",
      "I think I need some more examples for both ways",
      "leaning towards the table, but I need more details first",
      "could you please explain both and compare them for me.",
      "it depends on how hard the table would be",
      "hmm, that would depend on how notes are found",
      "my first thought is the table, trying to figure out if search needs it",
      "I like the files, but worry about having too many of them.",
      "The table sounds great but I am guessing that it adds a lot of work.",
      "On the one hand I want it simple, on the other hand it has to be quick",
      "How would the files be listed? I need a comparison of the usual steps.",
      "ok, but this makes me wonder about the old notes. They are rows already.",
      "ich tendiere zur Tabelle, aber ich bräuchte mehr Details",
      "kommt drauf an, wie viele es werden",
      "ça dépend du nombre de notes",
      "depende de cuántas sean",
      "dipende da quante sono",
      "depende de quantas são",
      "склоняюсь к таблице, но нужно больше деталей",
      "取决于有多少条",
      "もう少し詳しく教えてください",
    ]
  ) {
    assert.deepEqual(answered(ASKED, answer, OPTIONS), [], answer);
  }
});

Deno.test("findDecisions() keeps what somebody types beside the options, and how they end", () => {
  for (
    const answer of [
      "until there is a search, a file each and nothing else",
      "how would a row show its date? seems like the files are the way to go",
      "not sure about the table. let's go with the files",
      "both, files for people and rows for the index",
      "we want to know when a note fails, so a row each",
    ]
  ) {
    assert.deepEqual(answered(ASKED, answer, OPTIONS), [`${ASKED} → ${answer}`]);
  }
});

Deno.test("findDecisions() keeps the question and what leads to it, not the background behind it", () => {
  const asked = "A note may grow. When is it split?";
  for (
    const whole of [
      asked,
      `${asked} The index reads a note whole, and a long one costs time at every start.`,
      `The index reads ${"each note from its first line to its last, ".repeat(4)}always. ${asked}`,
    ]
  ) {
    assert.deepEqual(answered(whole, "Never", ["Never"]), [`${asked} → Never`], whole);
  }
  const statement = "Long notes have to be split somewhere.";
  assert.deepEqual(answered(statement, "By heading", ["By heading"]), [
    `${statement} → By heading`,
  ]);
});

Deno.test("findDecisions() tells what was written beside an option, and takes none that comes back", () => {
  assert.deepEqual(answered(ASKED, "One table", OPTIONS, "with a column for the day"), [
    `${ASKED} → One table — with a column for the day`,
  ]);
  assert.deepEqual(answered(ASKED, "One table", OPTIONS, "what about the old ones?"), [
    `${ASKED} → One table`,
  ]);
  for (
    const option of [
      "Not quite - let me rephrase",
      "Close, but not quite",
      "Revise first",
      "I still want to clarify something",
      "Investigate further before deciding",
      "Needs changes",
      "Noch nicht ganz",
    ]
  ) {
    assert.deepEqual(answered(ASKED, option, [...OPTIONS, option]), [], option);
    assert.deepEqual(answered(ASKED, option, [...OPTIONS, option], "a row for each line"), [
      `${ASKED} → a row for each line`,
    ]);
  }
  for (const option of ["Revise the schema", "Rewrite the reader", "Make the text smaller"]) {
    assert.deepEqual(answered(ASKED, option, [option]), [`${ASKED} → ${option}`]);
  }
});

Deno.test("findDecisions() takes an answer for no decision that is about the course of the work", () => {
  for (
    const [question, answer, ...options] of [
      ["Which areas do you want to discuss for the notes?", "Storage, Search", "Storage", "Search"],
      ["That covers storage and search. Ready to create the plan?", "Create the plan"],
      ["There is no changelog in the shop. What should I update?", "There is one in docs/"],
      ["Can you reproduce the slow search reliably?", "not really, maybe note it for later"],
      ["Which shop are you testing with?", "the one on staging"],
      ["The agent for keys is asleep. Commit without signing?", "No, I'll wake it"],
      ["Can I remove this stale folder of the last run?", "Yes, remove it"],
      ["This rewrites nine commits that were not pushed. Proceed?", "Yes, rewrite"],
      ["Want me to plan the search, or was the analysis enough?", "Plan the search"],
      ["Would you like me to generate mockups of the list?", "Yes, generate mockups"],
      ["Welche Bereiche möchtest du besprechen?", "Suche, Ablage"],
      ["Soll ich das committen?", "Ja"],
    ] as const
  ) {
    assert.deepEqual(answered(question, answer, options), [], question);
  }
  for (
    const [question, answer] of [
      ["Should opening a note require a login?", "Yes, always a login"],
      ["Should I keep the old table, or remove it?", "Remove it after the release"],
      ["Can a note have several owners?", "Yes, several owners"],
      ["Can I remove the old table?", "No, keep it until the release"],
      ["Should the list check permissions on every call?", "Yes, on every call"],
      ["What should I do when a note has no date?", "Use the date of the file"],
    ] as const
  ) {
    assert.deepEqual(answered(question, answer), [`${question} → ${answer}`]);
  }
});

Deno.test("findDecisions() takes a yes to an offer to go ahead for no decision, however long", () => {
  const offer = "The list loads twice. Want me to go ahead and fix it?";
  const said = "yeah please go ahead, and feel free to start the shop to see that it loads once";
  assert.deepEqual(
    findDecisions(talk("why is the list slow", offer, said, "The list loads once now.")),
    [],
  );
});

Deno.test("findDecisions() takes an order to go ahead for no decision, where neither says with what", () => {
  for (
    const [offer, said] of [
      ["The list has no totals yet. Want it added?", "yes please add it"],
      [
        "Want me plan the list, or is the analysis enough for now?",
        "make a plan and start with it",
      ],
      ["Go ahead with a fix, and if so which way?", "go with the fix"],
      ["Which fix do you want: (a) read the list by pages, or (b) by day?", "go with the fix"],
      ["Here's what I found and what I'd recommend for #12.\n\nThe list is read twice.", "do it"],
    ] as const
  ) {
    const found = findDecisions(talk("why is the list slow", offer, said, "Done."));
    assert.deepEqual(found, [], said);
  }
  const named = "go with the plan of 2019";
  assert.deepEqual(
    findDecisions(talk("why?", "Should I go with the plan of 2019 or of 2020?", named, "Done."))
      .map(({ text }) => text),
    [`Should I go with the plan of 2019 or of 2020? → ${named}`],
  );
});

Deno.test("findDecisions() takes what was typed behind a command for no answer", () => {
  const [ask, offer, reply] = talk(
    "is the list done?",
    "It is. Next would be a push, or run `/deep-look all` on it, whichever you prefer?",
    "deep-look all",
    "It found nothing.",
  );
  const told = (command: Partial<Turn>): number =>
    findDecisions([ask, offer, { ...reply, ...command }] as Turn[]).length;
  assert.equal(told({}), 1);
  assert.equal(told({ runsCommand: true }), 0);
});

Deno.test("findDecisions() takes no way to go on with the work for a decision", () => {
  const menu = "The plan is written. How should it be carried out?\n\n" +
    "1. **Subagent-Driven (this session)** - an agent for each task\n" +
    "2. **Parallel Session (separate)** - in a new one\n\nWhich approach?";
  const decided = (answer: string): string[] =>
    findDecisions(talk("plan the notes of the shop", answer, "1 please", "Both tasks are done."))
      .map(({ text }) => text);
  assert.deepEqual(decided(menu), []);
  const ways = menu.replace("Subagent-Driven (this session)", "A file for each note");
  assert.match(decided(ways).join(), /A file for each note/);
});
