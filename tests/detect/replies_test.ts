/** Decisions made in passing: a few words that say nothing without what they reply to. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { exchanged } from "../support/exchanged.ts";

function decided(...said: string[]): string[] {
  return findDecisions(exchanged("how do we go on from here?", ...said, "Done.")).map((one) =>
    one.text
  );
}

const CALIBRATED =
  "Isotonic brings the error down, because it makes ties. Platt scaling keeps the order.";
const WAYS =
  "Two ways remain:\n\n1. **Smaller batches** — two minutes of work, less throughput.\n" +
  "2. **No consumer** — frees all locks at once, and the queue grows.\n\nI would take the first.";
const WHICH =
  "The first hides the problem, the second takes two days. Which do you want in the list?";

const SETTLED: readonly (readonly [answer: string, reply: string, told: string])[] = [
  [
    CALIBRATED,
    "no wait ties are bad for the list. platt",
    "Platt scaling keeps the order. → no wait ties are bad for the list. platt",
  ],
  [WAYS, "1. go", "Smaller batches — 1. go"],
  [WHICH, "both actually. the second by december", "both actually. the second by december"],
  [
    "The config refuses DEBUG now.",
    "no keep it but make it a warning",
    "no keep it but make it a warning",
  ],
  [
    "The split would save 72 seconds.",
    "so scrap the split. no core-types package. what takes so long then",
    "scrap the split. no core-types package.",
  ],
  [
    "Ich empfehle JSON, weil es lesbar bleibt.",
    "json dann. mit version drin",
    "Ich empfehle JSON, weil es lesbar bleibt. → json dann. mit version drin",
  ],
  [
    "Ausstellen musst du sie ab 2028.",
    "gut dann lassen wir das bis 2027 liegen.",
    "gut dann lassen wir das bis 2027 liegen.",
  ],
  [
    "The dialog has no focus trap. I'd go with Radix: three more dialogs are designed already.",
    "ok do it",
    "I'd go with Radix: three more dialogs are designed already. → ok do it",
  ],
  [
    "LightGBM is as good and takes 50 s.",
    "agree. stay with lightgbm",
    "stay with lightgbm",
  ],
  [
    "38 words is thin. I'd raise the stack of the task from 128 to 256 words.",
    "yes do that too. the bench runs overnight",
    "I'd raise the stack of the task from 128 to 256 words. → yes do that too.",
  ],
  [
    "Class weights leave the AUC as it is and ruin the calibration.",
    "agreed, no class weights",
    "Class weights leave the AUC as it is and ruin the calibration. → agreed, no class weights",
  ],
  [
    "Isotonic is better: 0.021 against 0.034.",
    "take isotonic. what about the weights?",
    "Isotonic is better: 0.021 against 0.034. → take isotonic.",
  ],
  [
    "Itch has a switch for it, or export without threads.",
    "without threads then, simplest",
    "Itch has a switch for it, or export without threads. → without threads then, simplest",
  ],
  [
    "Both do deposits. Stripe holds a card for 7 days.",
    "stripe then because we want to go to germany later",
    "Stripe holds a card for 7 days. → stripe then because we want to go to germany later",
  ],
  [
    "It polls every 2 seconds, in batches.",
    "make it 500ms. 2s is too slow for the checkout page",
    "It polls every 2 seconds, in batches. → make it 500ms. 2s is too slow for the checkout page",
  ],
  [
    "bf16 removes the loss scaler and a clip at 0.5 bounds the step. I'd also skip updates above 10.",
    "bf16 yes. clip 0.5 yes. warmup 2000 ok. skip thing no, that hides problems",
    "bf16 yes. clip 0.5 yes. warmup 2000 ok. skip thing no, that hides problems",
  ],
  [
    "The deposit goes through Stripe.",
    "wait so should it be charged or held, people show up when it is charged, yeah lets do charged with refund until 24h before",
    "wait so should it be charged or held, people show up when it is charged → yeah lets do charged with refund until 24h before",
  ],
];

for (const [answer, reply, told] of SETTLED) {
  Deno.test(`findDecisions() takes "${reply}" with what it replies to`, () => {
    assert.deepEqual(decided(answer, reply), [told]);
  });
}

/** Who asks which of two, and takes one when they know more. */
const CHOSEN: readonly (readonly [asked: string, reply: string])[] = [
  ["fly.io or our own k8s?", "fly.io"],
  ["per line or on the sum?", "per line then, same as the old system"],
  ["uuid v4, v7 or bigserial?", "uuid v7 then, because it sorts by time"],
  ["¿ZPL directo o PDF?", "ok ZPL"],
  ["usamos django-q o un cron simple?", "vale, cron simple"],
  [
    "I wonder whether random folds are right or we split by time",
    "yes go with the time split, last two months as test",
  ],
  ["pg-boss, BullMQ or Temporal?", "pg-boss it is"],
  ["an interval of 10s vs 30s?", "30 then, with +4 dBm"],
  ["a second sheet, or one file per month?", "one file per month, zipped"],
];

for (const [asked, reply] of CHOSEN) {
  Deno.test(`findDecisions() takes "${reply}" with the question it answers`, () => {
    const found = findDecisions(exchanged(asked, "The one is quicker.", reply, "Done."));
    assert.deepEqual(found.map(({ text }) => text), [`${asked} → ${reply}`]);
  });
}

Deno.test("findDecisions() takes one of what was laid open behind what it is taken for", () => {
  const asked = "pg-boss, BullMQ or Temporal?";
  const reply = "2s is fine. go with pg-boss. retries later";
  const found = findDecisions(exchanged(asked, "It polls every 2 s.", reply, "Done."));
  assert.deepEqual(found.map(({ text }) => text), [`${asked} → go with pg-boss. retries later`]);
});

const NOT_CHOSEN: readonly (readonly [asked: string, reply: string])[] = [
  ["is it the cache or the database?", "cache, I think"],
  ["is it the cache or the database?", "the database logs say nothing"],
  ["which one, docker or podman?", "docker: command not found"],
  ["is it slow in firefox or chrome?", "firefox crashes, chrome is fine"],
  ["red or green?", "red again"],
  ["is that a bug or a feature?", "bug, like I said"],
  ["do we page, or load all rows at once?", "we load all rows today"],
];

for (const [asked, reply] of NOT_CHOSEN) {
  Deno.test(`findDecisions() takes "${reply}" for no choice of one`, () => {
    assert.deepEqual(findDecisions(exchanged(asked, "It may be either.", reply, "Done.")), []);
  });
}

const NOTHING = [
  "no idea what you mean by that",
  "no, it is fine as it is",
  "nope CI fails: 'The engine \"node\" is incompatible with this module'",
  "nope, the build breaks on arm64 since the upgrade",
  "both of them?",
  "both are equally bad on my data",
  "all of them fail with the same error",
  "what scaling?",
  "what scaling",
  "platt?",
  "make it 3 columns",
  "weird then",
  "a commit then",
  "that's shipping, not billing",
  "thats fine, not shipped yet",
  "it crashed or hung, i am not sure, yeah lets see what happens",
];

Deno.test("findDecisions() takes a plain no to what was asked to be done, and a yes that says it back", () => {
  const word = "should I switch to word? my colleagues never have this";
  const told = (answer: string, reply: string) =>
    findDecisions(exchanged(word, answer, reply, "Good.")).map(({ text }) => text);
  for (const reply of ["haha yes no.", "nah", "yeah no ok forget it, separate thing", "nee"]) {
    assert.deepEqual(told("I wouldn't in the third chapter.", reply), [`${word} → ${reply}`]);
  }
  assert.deepEqual(told("You can. Do you have a licence?", "no"), [], "it answers the agent");
  assert.deepEqual(told("I wouldn't in the third chapter.", "no idea, tell me more"), []);
  for (
    const asked of ["can you fix the login?", "how do we fix the login?", "should it work now?"]
  ) {
    const found = findDecisions(
      exchanged(asked, "It is fixed; all tests pass.", "nope.", "Sorry."),
    );
    assert.deepEqual(found, [], "it says that it is not");
  }
  const refuse = "I'd refuse the file with the line number rather than lose data.";
  assert.deepEqual(decided(refuse, "yes refuse. message in german pls"), [
    `${refuse} → yes refuse.`,
  ]);
  assert.deepEqual(decided(refuse, "yes the file is there"), []);
});

Deno.test("findDecisions() tells what others want that the person turned down to them", () => {
  const wants = 'marta says "let\'s partition the table while we are at it". opinion?';
  const told = (reply: string) =>
    findDecisions(exchanged(wants, "I'd do the bigint first.", reply, "Good."))
      .map(({ text }) => text);
  for (const reply of ["agree, i'll tell her no, not now", "yeah told her no"]) {
    assert.deepEqual(told(reply), [`${wants} → ${reply}`]);
  }
  for (const reply of ["tell me no more than the line", "told you no one uses it"]) {
    assert.deepEqual(told(reply), [], reply);
  }
});

Deno.test("findDecisions() hears what is skipped or forgotten for good", () => {
  assert.deepEqual(decided("It kills the process.", "ok skip xiaomi, its 2% of users"), [
    "skip xiaomi, its 2% of users",
  ]);
  assert.deepEqual(decided("loom gives up after 40 minutes.", "forget loom then. shuttle?"), [
    "forget loom then.",
  ]);
  for (const moment of ["skip the tests, its late", "skip it, its fine", "forget about it then"]) {
    assert.deepEqual(decided("It kills the process.", moment), [], moment);
  }
});

Deno.test("findDecisions() hears what is to be gone from a place, and no fault that is to go", () => {
  const why = "its the last place that uses it";
  const keep = "Should I keep the old library for the fields?";
  assert.deepEqual(decided(keep, `no get rid of mui in settings completely, ${why}`).length, 1);
  for (const said of ["no get rid of that error first", "nah get rid of the warnings in the log"]) {
    assert.deepEqual(decided(keep, said), [], said);
  }
});

Deno.test("findDecisions() takes nobody who goes to ask or wants to see more for somebody who chose", () => {
  const asked = "I don't know whether finance wants the local or the UTC date.";
  assert.deepEqual(decided(asked, "hm ask finance. then we will see"), []);
  const tools = ["Show me the text first", "Yes, post it"].map((answer) => ({
    id: answer,
    name: "AskUserQuestion",
    question: "Post the review now?",
    answer,
    failed: false,
  }));
  for (const tool of tools) {
    const [prompt, reply] = exchanged("review it", "Five findings.");
    const turns = [prompt, { ...reply, tools: [tool] }] as ReturnType<typeof exchanged>;
    const told = findDecisions(turns).map(({ text }) => text);
    const isChosen = tool.answer.startsWith("Yes");
    assert.deepEqual(told, isChosen ? ["Post the review now? → Yes, post it"] : []);
  }
});

Deno.test("findDecisions() takes a yes to what was made for no choice, and a correction for one", () => {
  const told = ([question, answer]: readonly [string, string]): string[] => {
    const [prompt, reply] = exchanged("write the spec of the cache", "Here it is.");
    const tool = { id: "1", name: "AskUserQuestion", question, answer, failed: false };
    const turns = [prompt, { ...reply, tools: [tool] }] as ReturnType<typeof exchanged>;
    return findDecisions(turns).map(({ text }) => text);
  };
  const goesOn = [
    ["Does the spec of the cache look right?", "Looks good, create the PR"],
    ["Is this plan ok? Any changes?", "No changes"],
    ["The tests pass. Shall I proceed with the merge?", "Yes, proceed (Recommended)"],
    ["スペックの内容で問題ないですか? 修正があれば指定してください。", "問題なし、PR 作成へ"],
    ["这个方案可以吗？", "可以，继续"],
  ] as const;
  for (const pair of goesOn) assert.deepEqual(told(pair), [], pair.join());
  const settles = [
    ["Does the spec of the cache look right?", "Yes, but keep entries for an hour, not a day"],
    ["Does the spec of the cache look right?", "Use JSON files instead of SQLite"],
    ["Should the target always be in the output?", "Yes, always"],
    ["エラー結果もキャッシュしますか?", "キャッシュしない (Recommended)"],
  ] as const;
  for (const pair of settles) assert.deepEqual(told(pair), [pair.join(" → ")]);
});

Deno.test("findDecisions() takes what goes on with the work for no choice", () => {
  for (
    const [asked, reply] of [
      ["Shall I fix the broken link, or add a test for it first?", "fix the link"],
      ["Would you like to review the changes first, or go to the next?", "review the changes"],
      ["Would you like me to add the debug print, or leave it?", "yep, add the debug print"],
    ] as const
  ) assert.deepEqual(decided(`The page is there. ${asked}`, reply), [], reply);
});

for (const reply of NOTHING) {
  Deno.test(`findDecisions() takes "${reply}" for no decision`, () => {
    assert.deepEqual(decided(`${CALIBRATED} Which do you want?`, reply), []);
  });
}

Deno.test("findDecisions() tells a plan by its title and steps, where the title is short", () => {
  const [asked, answered] = exchanged("split core, plan first", "The plan is approved.");
  const items = ["# Split core", "1. Break the three cycles first", "2. Move types to core-types"]
    .map((text) => ({ text, status: "" }));
  const tools = [{ id: "1", name: "ExitPlanMode", failed: false, items }];
  const found = findDecisions(
    [asked, { ...answered, tools }] as Parameters<typeof findDecisions>[0],
  );
  assert.deepEqual(found.map(({ text }) => text), [
    "Approved plan: Split core: Break the three cycles first; Move types to core-types",
  ]);
});

Deno.test("findDecisions() takes a yes only to one proposal, where nothing else was asked", () => {
  const proposal = "I'd go with Radix: three more dialogs are designed already.";
  const more = `${proposal} Which of the three dialogs is to be done first of all?`;
  assert.deepEqual(decided(more, "yes"), []);
  assert.deepEqual(decided(`${proposal} I suggest dropping the old overlay too.`, "yes"), []);
  for (const praise of ["thanks", "nice", "Great!", "perfect, good", "super", "this"]) {
    assert.deepEqual(decided(proposal, praise), [], praise);
  }
  assert.deepEqual(decided(proposal, "great, do it").length, 1);
  assert.deepEqual(decided(`${proposal} Shall I?`, "yes please").length, 1);
});

Deno.test("findDecisions() tells nobody to drop 'it', where nothing says what", () => {
  const leak = "The column leaks the target: it is filled in afterwards.";
  assert.deepEqual(decided(leak, "drop it and rerun. anything else leaking?"), []);
  const why = "drop it, the licence forbids servers";
  assert.deepEqual(decided("Prince renders all three templates.", why), [why]);
});

Deno.test("findDecisions() takes a yes for none where it goes on with a but", () => {
  assert.deepEqual(
    decided("I'd go with Radix for all of them.", "ok. but only for the new ones"),
    [],
  );
  assert.deepEqual(decided("I'd go with Radix for all of them.", "yes. wait, no"), []);
});

Deno.test("findDecisions() tells what is not needed by the question before it", () => {
  const found = findDecisions(exchanged(
    "wire up the draining",
    "It drains oldest first.",
    "does it drain in background too?",
    "No, both systems suspend the app after half a minute.",
    "not needed for v1",
    "Okay.",
  ));
  assert.deepEqual(found.map(({ text }) => text), [
    "does it drain in background too? → not needed for v1",
  ]);
});

Deno.test("findDecisions() takes a way by its number though nobody recommended one", () => {
  const ways = "Two ways:\n\n1. **Two slots of 480 KB** — simplest.\n" +
    "2. **One slot and external flash** — frees internal flash.";
  const told = "Two slots of 480 KB — 1, but keep 32K for config at the end";
  assert.deepEqual(decided(ways, "1, but keep 32K for config at the end"), [told]);
  const findings = "I found:\n\n1. **A leak in the pool** — fixed.\n2. **A race** — open.";
  assert.deepEqual(decided(findings, "2, fix it today please"), []);
});

Deno.test("findDecisions() tells a refusal by what was wanted, where it only points there", () => {
  const found = findDecisions(exchanged(
    "let's try an inventory",
    "A first one with eight slots is in scripts/inventory.gd.",
    "nah, a moss creature has no pockets. rip it out",
    "Removed.",
  ));
  assert.deepEqual(found.map(({ text }) => text), [
    "let's try an inventory → nah, a moss creature has no pockets. rip it out",
  ]);
});

Deno.test("findDecisions() tells all that was asked about what is not worth it", () => {
  const found = findDecisions(exchanged(
    "half a point for 6x the training time? how long did it take",
    "1412 s against 95 s.",
    "not worth it, we stay with lightgbm",
    "LightGBM it is.",
  ));
  assert.deepEqual(found.map(({ text }) => text), [
    "half a point for 6x the training time? how long did it take → not worth it, we stay with lightgbm",
  ]);
});

Deno.test("findDecisions() takes the second of two questions, where that is the one that is taken", () => {
  const found = findDecisions(
    exchanged(
      "usamos django-q? o un cron simple?",
      "Either will do.",
      "vale, cron simple",
      "Done.",
    ),
  );
  assert.deepEqual(found.map(({ text }) => text), ["o un cron simple? → vale, cron simple"]);
});

Deno.test("findDecisions() hears a no at the end of its reason, and what is kept of two", () => {
  const decide = (...said: [string, string, string]) =>
    findDecisions(exchanged(...said, "Ok.")).map(({ text }) => text);
  const asked = "ship the translations inside the exe?";
  const no = "the agency has to swap them without us. so no";
  assert.deepEqual(decide(asked, "That adds 4 MB.", no), [`${asked} → ${no}`]);
  const two = "do we use the generated classes or hand written ones?";
  const kept = "keep the hand written, everybody here can read it";
  assert.deepEqual(decide(two, "They are written by hand.", kept), [`${two} → ${kept}`]);
  assert.deepEqual(decide("is it slow?", "A little.", "the log says nothing. so not there"), []);
});

Deno.test("findDecisions() tells what is put off or turned down by what was asked to be done", () => {
  for (
    const [asked, reply] of [
      ["what if we had a day/night cycle", "haha tempting but no. scope creep. jam ends sunday"],
      ["Should the interval be a remote config?", "Not for now."],
      [
        "do we need pagination for the report?",
        "then we not do it this time. maybe later in spring",
      ],
      ["could we do dark mode too", "mm no not in this round, the client hasn't paid for it"],
      ["what would happen with catboost?", "nah not worth it, stay with lightgbm"],
      ["can the engine do pixel perfect scaling?", "cool. not now tho, that is for after the jam"],
    ] as const
  ) {
    const found = findDecisions(exchanged(asked, "It would be an afternoon.", reply, "Fine."));
    assert.deepEqual(found.map(({ text }) => text), [`${asked} → ${reply}`]);
  }
  for (
    const [asked, reply] of [
      ["is the cache warm?", "not now, it crashed"],
      ["why is it slow?", "not yet clear to me"],
      ["should I restart it?", "not now working either, same error"],
      ["could you look at the header?", "no not in this file, the other one"],
      ["can you run it?", "ok but no, it prints nothing"],
      ["should we add tests?", "overkill is the name of the framework"],
      ["can we see the plan?", "not today's plan, yesterday's"],
    ] as const
  ) {
    assert.deepEqual(findDecisions(exchanged(asked, "It is done.", reply, "Fine.")), [], reply);
  }
});

Deno.test("findDecisions() tells what others want with what the person says to it", () => {
  const told = "music: Jonas wants wav loops, 30mb. nope, ogg only, the build has to stay under 20";
  assert.deepEqual(decided("Which format?", told), [told]);
  for (
    const reply of ["the server wants a token. no token is sent", "marta wants it. no idea why"]
  ) {
    assert.deepEqual(decided("It is fixed.", reply), [], reply);
  }
});

Deno.test("findDecisions() takes a figure that was weighed before, with why", () => {
  const asked = "i'd set QUAL at 30 but the paper uses 20. hmm";
  const found = findDecisions(
    exchanged(asked, "With 20 you gain 4 %.", "30 then. clinicians hate false alarms", "Done."),
  );
  assert.deepEqual(found.map(({ text }) => text), [
    "i'd set QUAL at 30 but the paper uses 20. hmm → 30 then. clinicians hate false alarms",
  ]);
  assert.deepEqual(decided("It is 20 or 30.", "20 then it crashes"), []);
  assert.deepEqual(decided("There are 12 files.", "12 then. why"), []);
});

Deno.test("findDecisions() keeps what was tried in other years, and no try of the hour", () => {
  for (
    const said of [
      "we've been burnt by that with the SAP thing last year",
      "i try before with trigger in database, is bad idea, it make deadlock",
      "we tried graphql back then and gave up after a month",
    ]
  ) assert.deepEqual(decided("A trigger would do it.", said), [said]);
  for (
    const said of [
      "i tried it before lunch and it didn't work",
      "i tried to restart it and it broke again",
      "we had the same error before, it broke the build",
    ]
  ) assert.deepEqual(decided("A trigger would do it.", said), [], said);
});

Deno.test("findDecisions() hears a reply out, and takes none that leads to a paste or answers a list", () => {
  const ask = "Shall the index have a prefix, or lazy snippets only?";
  assert.deepEqual(decided(ask, "yup... drop the prefix index, take lazy snippets"), [
    `${ask} → yup... drop the prefix index, take lazy snippets`,
  ]);
  assert.deepEqual(decided(ask, "Another agent reviewed the index:\n\nIt is slow."), []);
  assert.deepEqual(decided(ask, "1. yes, the index matters\n2. no idea what a snippet is"), []);
});
