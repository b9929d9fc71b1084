/** What an extract says comes next, and with which word its sentences begin. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { extractCheckpoint } from "../../src/detect/checkpoint/extract.ts";
import { nextSteps, openQuestions } from "../../src/detect/open/questions.ts";
import { sentencesOf } from "../../src/detect/text/sentences.ts";
import { talk } from "../support/talk.ts";

const ASK = "Please move the uploads out of the server file.";
const ANNOUNCED =
  "Uploads live in their own module and every test passes. Next step: write the migration for the avatars table.";

Deno.test("sentencesOf() begins with the statement, not with the answer to somebody", () => {
  for (
    const [text, wanted] of [
      [
        "Yes: the cache holds stale rows after a deploy.",
        "The cache holds stale rows after a deploy.",
      ],
      ["Sure, the endpoint now returns 404 for them.", "The endpoint now returns 404 for them."],
      ["Done. The endpoint now returns 404 for them.", "The endpoint now returns 404 for them."],
      ["Done — the endpoint now returns 404 for them.", "The endpoint now returns 404 for them."],
      ["Yes, exactly: the lock is held for a minute.", "The lock is held for a minute."],
      [
        "Ja, genau: Der Import läuft jetzt in 50 Sekunden.",
        "Der Import läuft jetzt in 50 Sekunden.",
      ],
      ["Sounds good — the mismatch is first up tomorrow.", "The mismatch is first up tomorrow."],
      ["You're right: the sender used axios before.", "The sender used axios before."],
      ["Sí, la causa es el índice que falta.", "La causa es el índice que falta."],
      ["Oui, la cause est l'index manquant.", "La cause est l'index manquant."],
      ["No rows are lost when the worker dies.", "No rows are lost when the worker dies."],
      [
        "Right-to-left text is drawn by the browser.",
        "Right-to-left text is drawn by the browser.",
      ],
      [
        "Done-markers are written after the last row.",
        "Done-markers are written after the last row.",
      ],
    ] as const
  ) assert.deepEqual(sentencesOf(talk("", text)).map((found) => found.text), [wanted]);
});

Deno.test("nextSteps() does not repeat the label that it is shown under", () => {
  for (
    const said of [
      "Next step: migrate the avatars table.",
      "**Next step:** migrate the avatars table.",
      "Next: Next step: migrate the avatars table.",
      "Left to do: migrate the avatars table.",
      "Next up: migrate the avatars table.",
      "The next step is: migrate the avatars table.",
      "- **Next steps**: migrate the avatars table.",
      "Nächste Schritte: migrate the avatars table.",
      "**Next: next step: ** migrate the avatars table.",
    ]
  ) assert.deepEqual(nextSteps(talk(ASK, said), []), ["migrate the avatars table."], said);
});

Deno.test("nextSteps() hears what an agent leaves to be done, without the word", () => {
  for (
    const said of [
      "The polling worker for DHL is next.",
      "Before you deploy: the role of the consumer needs sqs:ChangeMessageVisibility.",
      "Nothing is committed yet, since the mapping of the fields needs a look.",
      "I have not pushed it yet; the tests of the lockers run in CI only.",
    ]
  ) assert.deepEqual(nextSteps(talk(ASK, `It is done. ${said}`), []), [said]);
  for (
    const said of [
      "Committed as `4f1c2aa` on the branch (not pushed).",
      "Amended into the commit of the lockers, still unpushed.",
      "The branch is ready to merge.",
    ]
  ) {
    assert.deepEqual(nextSteps(talk(ASK, `It is done. ${said}`), []), [said]);
    assert.deepEqual(nextSteps(talk(ASK, `It is done. ${said}`, "fine", "Good."), []), []);
  }
  const aside = "(Nothing pushed.)";
  assert.deepEqual(nextSteps(talk(ASK, `The lockers are counted by floor. ${aside}`), []), []);
  const log = "The spec has a work log and a remaining work section.";
  assert.deepEqual(nextSteps(talk(ASK, `It is done. ${log}`), []), []);
});

Deno.test("nextSteps() hears nothing in what an agent only quotes", () => {
  const quoted =
    'The changes are committed to the branch as "docs: add the log and the remaining work".';
  assert.deepEqual(nextSteps(talk(ASK, `It is done. ${quoted}`), []), []);
});

Deno.test("nextSteps() drops a step that was done since", () => {
  for (
    const [prompt, reply] of [
      ["Do it.", "All 40 tests of the suite pass, on both databases."],
      ["go ahead", "I had to change the order of two columns, everything is green."],
      [
        "Write that migration, please.",
        "It adds a column and an index; the rollback was tried on a copy.",
      ],
      [
        "What about the old rows?",
        "The migration for the avatars table is written, it fills the old rows in batches of 1,000, and the rollback was tried on a copy of production with all data.",
      ],
    ] as const
  ) assert.deepEqual(nextSteps(talk(ASK, ANNOUNCED, prompt, reply), []), [], prompt);
  const committed = talk(ASK, ANNOUNCED, "Is the style fine?", "It follows the house style now.");
  const last = committed[3];
  assert.ok(last);
  const tools = [{
    id: "c",
    name: "Bash",
    command: "git commit -m x",
    result: "[main 4f1c2aa] Add migration for avatars table",
    failed: false,
  }];
  assert.deepEqual(nextSteps([...committed.slice(0, 3), { ...last, tools }], []), []);
});

Deno.test("nextSteps() keeps a step that nobody went about", () => {
  const step = "write the migration for the avatars table.";
  for (
    const [prompt, reply] of [
      ["Thanks!", "You are welcome, it was a pleasure."],
      ["How long did the tests take?", "The suite took 40 seconds on this machine."],
      ["no, wait", "Nothing was changed, I stopped right there."],
    ] as const
  ) assert.deepEqual(nextSteps(talk(ASK, ANNOUNCED, prompt, reply), []), [step], prompt);
  assert.deepEqual(nextSteps(talk(ASK, ANNOUNCED), []), [step]);
});

Deno.test("extractCheckpoint() has no next step when the last one was reported as done", () => {
  const turns = talk(
    ASK,
    ANNOUNCED,
    "Good, do that now.",
    "The migration is written and merged; the avatars table has 120,000 rows in the new form, and the old column is gone since this morning.",
  );
  assert.equal(extractCheckpoint(turns, { effortMin: 0 })?.nextStep, undefined);
});

Deno.test("nextSteps() begins with what was announced last", () => {
  const prompt = "How large may a picture be?";
  const reply =
    "A picture may have 5 MB, after that the proxy refuses it. Next step: tell the team.";
  const step = "write the migration for the avatars table.";
  assert.deepEqual(nextSteps(talk(ASK, ANNOUNCED, prompt, reply), []), ["tell the team.", step]);
});

Deno.test("nextSteps() tells one of two that say the same but when, and the one that says when", () => {
  const steps = (...texts: string[]) => {
    const tasks = texts.map((text) => ({ text, status: "pending" }));
    return nextSteps(talk(ASK, "Uploads live in their own module."), tasks);
  };
  const [plain, tomorrow] = ["Mend the lint rule", "Mend the lint rule tomorrow"];
  assert.deepEqual(steps(tomorrow, "Mend the lint rule later"), [tomorrow]);
  assert.deepEqual(steps(plain, tomorrow), [tomorrow]);
  assert.deepEqual(steps("Do it", tomorrow), ["Do it", tomorrow]);
});

Deno.test("openQuestions() has the prompt that nobody answered any more, where it asks", () => {
  const moved = "Uploads live in their own module.";
  const asked = "Does the proxy refuse a picture of 6 MB?";
  assert.deepEqual(openQuestions(talk(ASK, moved, asked)), [asked]);
  assert.deepEqual(openQuestions(talk(ASK, moved, asked, "It does, after 5 MB.")), []);
});

Deno.test("openQuestions() leaves out the label that says again where it stands", () => {
  const reply = "The rows are streamed now. Open: how are rows reported that fail half-way?";
  assert.deepEqual(openQuestions(talk(ASK, reply)), ["how are rows reported that fail half-way?"]);
  const left = "The rows are streamed now. Not yet done: the chunk size is fixed at 500.";
  assert.deepEqual(openQuestions(talk(ASK, left)), ["the chunk size is fixed at 500."]);
  const remark =
    "The rows are streamed now. **Open point:** the old files of March, which nobody tried.";
  assert.deepEqual(openQuestions(talk(ASK, remark)), [
    "the old files of March, which nobody tried.",
  ]);
});

Deno.test("nextSteps() keeps what the person asked to be reminded of", () => {
  const asked = "todo for me: ask Dr Okafor which survey the 81 % is from";
  const later = ["Noted, both surveys are named.", "now the opening paragraph", "It is drafted."];
  assert.deepEqual(nextSteps(talk(asked, ...later), []), [asked]);
  assert.deepEqual(
    nextSteps(talk("do you remember to which survey it belongs?", ...later), []),
    [],
  );
  for (
    const none of [
      "Don't remind me of that survey again.",
      "Never ask me again which survey it is.",
      "I never remember to name the survey.",
      "Don't forget you can also name the survey.",
      "Make sure we remember to name the survey.",
    ]
  ) {
    assert.deepEqual(nextSteps(talk(none, ...later), []), []);
  }
});

Deno.test("nextSteps() tells what is to be noted by what the agent says back", () => {
  const said = "hm, that's risky. note it somewhere, we'll come back to it";
  const noted = "The keys are cached for ten minutes, and then every request gets a 503.";
  assert.deepEqual(
    nextSteps(talk("what if it is down?", "It fails.", said, `Noted. ${noted}`), []),
    [
      `note it somewhere, we'll come back to it → ${noted}`,
    ],
  );
});

Deno.test("openQuestions() drops a doubt without a matter once somebody went to work", () => {
  const doubt = "The test polls for 100 ms. I haven't verified that yet.";
  const said = talk("it is flaky", doubt, "try it", "Two workers take the same row.");
  assert.deepEqual(openQuestions(said.slice(0, 2)).length, 1);
  const ran = { id: "1", name: "Bash", command: "npm test", failed: false };
  assert.deepEqual(
    openQuestions(said.map((turn, i) => i === 3 ? { ...turn, tools: [ran] } : turn)),
    [],
  );
});

Deno.test("openQuestions() reads what is said to be open in German, and both sides of a choice", () => {
  const open = "Damit sind bis zum Termin offen: die Stornorechnung und das Arbeitszimmer.";
  assert.deepEqual(openQuestions(talk("danke!", `Gern. ${open}`)), [open]);
  const choice =
    "Raising it to 256 needs a restart. Or we flush per partition in two days. Which one do you want?";
  assert.deepEqual(openQuestions(talk("should we raise it?", choice)), [choice]);
});

Deno.test("nextSteps() keeps the list beside a prompt that nobody answered, and takes no goodbye for a step", () => {
  const tasks = [{ text: "Write the jobs loop", status: "pending" }];
  const after = (prompt: string) =>
    nextSteps(talk(ASK, "Uploads live in their own module.", prompt), tasks);
  assert.deepEqual(after("Now move the avatars as well."), [
    "Now move the avatars as well.",
    "Write the jobs loop",
  ]);
  for (
    const leaves of [
      "ok pause here, i have a meeting",
      "I have to run, see you tomorrow",
      "let's stop here for today",
      "gotta go, back in an hour",
      "ich muss los, wir machen morgen weiter",
      "Feierabend für heute, bis morgen dann",
      "on s'arrête là pour aujourd'hui",
      "lo dejamos aquí por hoy",
    ]
  ) {
    assert.deepEqual(after(leaves), ["Write the jobs loop"], leaves);
  }
  for (
    const dropped of [
      "no not today",
      "no ok forget it, separate thing",
      "nah leave it",
      "nee, lass mal",
      "no, déjalo así",
      "non, laisse tomber",
      "não, deixa pra lá",
      "no, lascia stare",
      "ладно, забудь",
    ]
  ) {
    assert.deepEqual(after(dropped), ["Write the jobs loop"], dropped);
  }
  for (
    const step of [
      "leave it in the sidebar",
      "not now, first fix the failing test",
      "forget the cache, use the index",
      "run the break-even report",
      "stop the worker before the import",
      "add a pause button",
      "mach den Import bitte bis morgen fertig",
      "show me where I can see your logs",
      "we have to leave the old table in place",
      "we are done here, merge the branch",
    ]
  ) {
    assert.deepEqual(after(step), [step, "Write the jobs loop"], step);
  }
});

Deno.test("nextSteps() drops a task that was reported as done and is still on the list", () => {
  const text = "Move the avatars into the module";
  const tasks = [{ text, status: "pending" }];
  const [first, reply, ...rest] = talk(
    ASK,
    "I will do both.",
    "go on",
    "Moved the avatars into the module.",
  );
  assert.ok(first !== undefined && reply !== undefined);
  const list = [{ id: "1", name: "TodoWrite", input: {}, items: tasks, failed: false }];
  const turns = [first, { ...reply, tools: list }, ...rest];
  assert.deepEqual(nextSteps(turns, tasks), []);
  const other = turns.with(3, { ...turns[3] ?? first, text: "The avatars are in another table." });
  assert.deepEqual(nextSteps(other, tasks), [text]);
  const told = turns.with(2, {
    ...turns[2] ?? first,
    text: "I moved the avatars into the module once, and it broke the page.",
  }).with(3, { ...turns[3] ?? first, text: "`page.ts` imports nothing." });
  assert.deepEqual(nextSteps(told, tasks), [text], "what the person did once is no report");
});

Deno.test("openQuestions() has no courtesy, and nothing that only points", () => {
  const open = (answer: string) => openQuestions(talk(ASK, answer));
  for (
    const polite of [
      "Anything else for the queue?",
      "What would you like to do next?",
      "What is next?",
      "Or would you like to see how it works?",
      "Would you like me to:\n\n1. Add more routes to the module?\n2. Set up the avatars as well?",
      "This text tells the next developer what remains to be done.",
      "Gibt es sonst noch etwas zu tun?",
      "¿Algo más por hoy?",
    ]
  ) {
    assert.deepEqual(open(`Uploads live in their own module. ${polite}`), [], polite);
  }
  assert.deepEqual(open("Gut, Deploy am Montag. Offen bleibt nur das."), []);
  assert.deepEqual(open("The avatars are not moved to the module. That is still open."), [
    "The avatars are not moved to the module. That is still open.",
  ]);
});

Deno.test("openQuestions() keeps a question near an offer of more work that is none of its items", () => {
  const question = "Which port does the gateway listen on in staging?";
  const offer = "Would you like me to:\n\n1. Add more routes to the module?";
  for (
    const answer of [
      `${offer}\n\n## Open questions\n\n- ${question}`,
      `${offer}\n\nOne thing has to be known first. ${question}`,
      `${
        question.replace("gateway ", "gateway\n")
      }\n\nLet me know which of these you want:\n- routes\n- avatars`,
    ]
  ) assert.deepEqual(openQuestions(talk(ASK, answer)), [question], answer);
});

Deno.test("openQuestions() keeps what a person leaves open, by what it was said of", () => {
  const pool = "should we put pgbouncer in front or lower the pool to 20?";
  const marta = "I don't want to decide this at 3am. Marta owns the database, ask her tomorrow";
  const cases: readonly (readonly [said: readonly string[], open: readonly string[]])[] = [
    [[
      `${pool} ${marta}`,
      "Left open: pgbouncer or a smaller pool, for Marta to decide. Transactions would break our locks.",
      "good point. i'm going to bed",
      "Good night.",
    ], [`${pool} ${marta}`]],
    [[
      "I'm torn between pixel art and hand drawn",
      "Pixel art is quicker, hand drawn has a face.",
      "leave it open for now",
      "Open then.",
    ], ["I'm torn between pixel art and hand drawn → leave it open for now"]],
    [[
      "60fps here, on a chromebook its 22. thats a problem for another day. maybe the particles?",
      "The profiler would tell.",
    ], ["60fps here, on a chromebook its 22. thats a problem for another day."]],
    [["we still havent verified that the swap survives a battery pull", "Noted."], [
      "we still havent verified that the swap survives a battery pull",
    ]],
    [["stripe or adyen is still being negotiated by finance", "Open, with finance."], [
      "stripe or adyen is still being negotiated by finance",
    ]],
    [["dont know if its our code or the server that sends badge 1", "The payload would tell."], [
      "dont know if its our code or the server that sends badge 1",
    ]],
    [["what I don't know is whether the approval covers the interviews of 2025", "Noted."], [
      "what I don't know is whether the approval covers the interviews of 2025",
    ]],
    [["didnt check yet whether staging has the same data", "Noted."], [
      "didnt check yet whether staging has the same data",
    ]],
    [[
      "why is the score lower than in run 35?",
      "An ablation would tell.",
      "thats an open q then",
      "Ok.",
    ], [
      "why is the score lower than in run 35? → thats an open q then",
    ]],
    [["android is the open question, kotlin Int would be 32 bit", "That repo is not here."], [
      "android is the open question, kotlin Int would be 32 bit",
    ]],
    [["and the crystal?", "Whether batch 3 has capacitors is a question for the hardware team."], [
      "Whether batch 3 has capacitors is a question for the hardware team.",
    ]],
    [["is there an issue?", "No. I don't know whether finance wants the local date."], [
      "I don't know whether finance wants the local date.",
    ]],
    [["their contact sends the client id", "The client id from Sabine is pending."], [
      "The client id from Sabine is pending.",
    ]],
  ];
  for (const [said, open] of cases) {
    assert.deepEqual(openQuestions(talk(ASK, "Done.", ...said)), open);
    assert.deepEqual(findDecisions(talk(ASK, "Done.", ...said)), [], "what is open is not decided");
  }
});

Deno.test("openQuestions() drops what was left open and settled later", () => {
  const said = [
    "drop node 18 in v4 or keep it? not decided yet",
    "It waits in the milestone.",
    "decided, we drop node 18 in v4",
    "Then v4 drops Node 18.",
  ];
  assert.deepEqual(openQuestions(talk(...said)), []);
});

Deno.test("openQuestions() takes what is to be open, or is not for us to decide, for none", () => {
  for (
    const said of [
      "leave it open in the editor while you run it",
      "the modal does not stay open, keep it open on click",
      "I don't want to decide the color, pick one",
      "let the thread sleep on it for a second",
      "rename the column pending to undecided",
      "that is not decided by the client but by the server",
      "the price is being negotiated by the bot, show a spinner",
      "that's a problem for another day lol",
      "it still has not finished the first file",
      "i still haven't had coffee today",
      "don't know which one you mean",
      "users don't know if it was saved",
      "the parser did not check yet that the file is there",
      "the modal shows one open question at a time",
    ]
  ) {
    assert.deepEqual(
      openQuestions(talk("tabs or spaces?", "Either works.", said, "Fine.")),
      [],
      said,
    );
  }
});

const PLANNED = [
  "tomorrow first thing I want the admin page where the barber sees his bookings",
  "when im back: load test with k6 against staging, then flip it",
  "next up is level 3 (the ice one), needs a friction thing on the player",
  "next i do the report, 2 pages, with the fault curves",
  "ill write the power cut test rig, relay on the battery line, thats the next thing",
  "On Monday I'll go on with the how-to about pagination.",
  "todo for tomorrow: rerun the shap plots with the new features",
  "tmrw i do the conflict ui",
  "need to check the provider export tmrw first thing",
  "check tomorrow if he pushed",
  "get the spindump tomorrow, then continue",
  "run the migration tomorrow morning",
];

for (const said of PLANNED) {
  Deno.test(`nextSteps() hears the person's own: "${said}"`, () => {
    const steps = (...then: string[]) => nextSteps(talk(ASK, "Done.", said, "Noted.", ...then), []);
    assert.deepEqual(steps(), [said]);
    assert.deepEqual(steps("commit it", "Committed."), [said]);
  });
}

Deno.test("nextSteps() takes what is seen, done or true next or tomorrow for no plan", () => {
  for (
    const said of [
      "the next step is disabled in the wizard",
      "the next thing in the list is shown twice",
      "next i see a blank page when i click save",
      "next we have the footer which is fine",
      "next time i click it works",
      "on friday we got 300 tickets",
      "on monday we send the reminders to all users",
      "next week we are in berlin",
      "tomorrow i am on holiday",
      "tomorrow we know more about it",
      "i'll be back tomorrow",
      "i need to leave tomorrow",
      "the cache expires tomorrow",
      "cache expires tomorrow",
      "write what I say to him tomorrow, so that he knows",
      "I'll ask them tomorrow",
      "monday: 3 errors, tuesday: 5 errors",
      "when i am back on the page the form is empty",
      "if it fails again tomorrow i will cry",
      "do we ship it tomorrow",
      "we have a meeting on monday",
    ]
  ) assert.deepEqual(nextSteps(talk(ASK, "Done.", said, "Noted."), []), [], said);
  const begun = [
    "tomorrow i do the conflict ui",
    "Noted.",
    "now it is",
    "The conflict ui is there.",
  ];
  assert.deepEqual(nextSteps(talk(ASK, "Done.", ...begun), []), []);
  const early = talk(ASK, "Done.", "next i do the report with the curves", "Noted.");
  assert.deepEqual(nextSteps([...early, ...talk("a", "b", "c", "d", "e", "f")], []), []);
});

Deno.test("nextSteps() lists what a person puts on the list, and no list that is programmed", () => {
  const steps = (said: string) => nextSteps(talk(ASK, "Done.", said, "Noted."), []);
  const todo = "todo: level 3 needs a checkpoint before the thorns";
  assert.deepEqual(steps(todo), [todo]);
  const alert = "the alert for pool saturation is missing, put that on the list.";
  assert.deepEqual(steps(`we soak it till friday. ${alert}`), [alert]);
  for (
    const said of [
      "put it in the list component",
      "add this to the list of exports",
      "add them to the backlog table in the migration",
      "todos: should be sorted by date",
      "there is a todo: in line 40, remove it",
    ]
  ) assert.deepEqual(steps(said), [], said);
});

/** A person's words, in the middle of a session. */
const amid = (text: string) => talk(ASK, "Ok.", text, "Ok.", "go on", "Ok.");

Deno.test("openQuestions() keeps what a person says is open, in German, Spanish and French", () => {
  for (
    const text of [
      "Ungeklärt ist für mich noch, wie lange wir die Rohdaten aufbewahren müssen.",
      "Wie lange wir die Logs aufheben steht noch nicht fest",
      "todavía no está decidido si soportamos iOS 14",
      "Le format des exports n'est pas encore tranché par la compta",
    ]
  ) assert.deepEqual(openQuestions(amid(text)), [text]);
  for (
    const text of [
      "das ist jetzt geklärt, weiter",
      "Warum der Test rot ist weiß ich nicht",
      "no esta definido el error en ese archivo",
      "je n'ai pas décidé de changer ça",
    ]
  ) assert.deepEqual(openQuestions(amid(text)), [], text);
});

Deno.test("nextSteps() keeps what a person puts off to a day, and no day alone", () => {
  for (
    const text of [
      "den Cronjob testen wir am Donnerstag mit der IT",
      "morgen muss die migration auf staging laufen",
      "mañana hay que probarlo en un iphone posta, que yo solo tengo android",
      "hay que actualizar los certificados del servidor el lunes",
      "Il faudra encore rejouer la migration en production, jeudi matin avant l'ouverture.",
      "reste plus qu'a brancher le deploy sur staging, on verra ca demain",
    ]
  ) assert.deepEqual(nextSteps(amid(text), []), [text]);
  for (
    const text of [
      // Of what, was said before it.
      "Nein, das machen wir am Donnerstag zusammen mit der IT.",
      "der job läuft morgen um 3 in der früh",
      "mañana por la mañana el cron corre dos veces",
      "mañana hay que ir al medico",
      "on verra ça demain",
      "le cron tourne lundi matin à 3h",
    ]
  ) assert.deepEqual(nextSteps(amid(text), []), [], text);
});

Deno.test("openQuestions() tells what stays unknown with the question that it was said of", () => {
  const asked = "does the kiosk build even compile with this?";
  const left = (said: string) =>
    openQuestions(talk(asked, "I cannot tell without the SDK.", said, "All right."));
  for (const said of ["that stays unknown till Wednesday", "not deciding that today"]) {
    assert.deepEqual(left(`ok. ${said}`), [`${asked} → ${said}`]);
  }
  assert.deepEqual(left("ok then it stays at gcc 8"), []);
});

Deno.test("extractCheckpoint() tells what comes next once, and concludes with what is done", () => {
  const next = "Next, I would wait until the new path has run for two weeks without an error.";
  const done = "The importer streams its rows now, and 48,000 of them take 180 MB.";
  const answered = talk(ASK, done, "How long until we can remove the old path?", next);
  const { thesis, nextStep } = extractCheckpoint(answered, { effortMin: 0 }) ?? assert.fail();
  assert.deepEqual([thesis, nextStep], [done, next]);
  // It is all that was said.
  assert.equal(extractCheckpoint(talk(ASK, next), { effortMin: 0 })?.thesis, next);
});

Deno.test("nextSteps() takes nothing for a step that is done, or only lies in the next one", () => {
  const ask = "please bring the survey into the report";
  const step = "Move the old surveys as well.";
  for (
    const done of [
      "Notified the reviewer about the survey.",
      "The tables of the survey are marked as completed.",
      "A list of all changes has been saved to `changes.md` for later.",
    ]
  ) {
    const answer = `The survey is in.\n\n## Next steps\n\n- ${done}\n- ${step}`;
    assert.deepEqual(nextSteps(talk(ask, answer), []), [step], done);
  }
  for (
    const told of [
      "The survey is read. The fault is in the next step, where `rows` is empty.",
      "The summary opens two parts of the survey, the first and one next step.",
      "The old page has a link to the survey as next step.",
      "The table of the survey was the remaining work; it is complete.",
    ]
  ) {
    assert.deepEqual(nextSteps(talk(ask, told), []), [], told);
  }
  const named = "The next step is the export of the survey.";
  assert.deepEqual(nextSteps(talk(ask, `The survey is in. ${named}`), []), [named]);
});
