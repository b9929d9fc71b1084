/** What somebody reads the next day: whole sentences, named choices, no courtesy and no decoration. */
import assert from "node:assert/strict";
import { extractCheckpoint } from "../../src/detect/checkpoint/extract.ts";
import type { Extract } from "../../src/detect/checkpoint/fill.ts";
import { asProse, isQuestion, sentencesOf } from "../../src/detect/text/sentences.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";

type Said = readonly [prompt: string, answer: string, ...files: string[]];

const embedder = openStaticEmbedder();
embedder.embedQuery("opens the model once, outside of any test");

function talk(...said: readonly Said[]): Turn[] {
  return said.flatMap(([prompt, answer, ...files], i): Turn[] => {
    const tools = files.map((filePath, k) => ({
      id: `${i}.${k}`,
      name: "Edit",
      filePath: `/p/${filePath}`,
      failed: false,
    }));
    return [
      { uuid: `u${i}`, role: "user", at: "", text: prompt, tools: [] },
      { uuid: `a${i}`, role: "assistant", at: "", text: answer, tools },
    ];
  });
}

function extractOf(turns: readonly Turn[], options = {}): Extract {
  const extract = extractCheckpoint(turns, { embedder, ...options });
  assert.ok(extract);
  return extract;
}

function textsOf(answer: string): string[] {
  return sentencesOf(talk(["", answer])).map(({ text }) => text);
}

const LAID_OUT: Said = [
  "how would you fix the double charges",
  "There are three ways to fix this, each with a different trade-off:\n\n" +
  "### Option A: idempotency key\nPass the order's id as the key of the charge, which takes one line " +
  "and guarantees a single charge. However the second handler still runs, so mails go out twice.\n\n" +
  "### Option B: row lock\nA lock around the whole handler serialises both events, but holds a " +
  "connection for up to 2 s, and our pool has 20 of them.\n\n" +
  "### Option C: event inbox\nStore each event in a table and process it in a worker: the cleanest " +
  "way and safe in a crash; it costs about two days and a new worker to operate.\n\n" +
  "My recommendation would be A now and C later. Want me to go ahead?",
];
const TAKEN: Said = [
  "C, properly. two days are nothing against another incident, and the mails go away too",
  "Done! I've added the inbox and its worker.",
  "src/inbox.ts",
];

Deno.test("sentencesOf() takes emphasis, ticks and answers off, and leaves code as it is", () => {
  assert.deepEqual(textsOf("**Changes requested.** The PR gains nothing by *this* trade."), [
    "The PR gains nothing by this trade.",
  ]);
  assert.deepEqual(textsOf("- ✅ The webhook only inserts and answers 200 🎉"), [
    "The webhook only inserts and answers 200",
  ]);
  assert.deepEqual(textsOf("**`cmd/list.go`**: the flag matches `src/**/*.go` and 2 * 3 files."), [
    "`cmd/list.go`: the flag matches `src/**/*.go` and 2 * 3 files.",
  ]);
  assert.deepEqual(textsOf("No. Stripe's retries carry the same event id."), [
    "Stripe's retries carry the same event id.",
  ]);
  assert.deepEqual(textsOf("Yes, 30 per minute in the gateway."), []);
});

Deno.test("sentencesOf() tells of a way under its name", () => {
  const texts = textsOf(LAID_OUT[1]);
  assert.ok(texts.some((text) => text.startsWith("Option B: row lock — A lock around the whole")));
});

Deno.test("asProse() ends each sentence, so that two do not run together", () => {
  assert.equal(
    asProse(["it began with Checkout", "Load is fine."]),
    "it began with Checkout. Load is fine.",
  );
});

Deno.test("isQuestion() knows a person's question in a hurry", () => {
  const [turn] = talk(["", ""]);
  assert.ok(turn);
  assert.ok(isQuestion({ turn, text: "where do they store it" }));
  assert.ok(isQuestion({ turn, text: "und wieso schlagen so viele fehl" }));
  assert.ok(!isQuestion({ turn, text: "the store is where they lose it" }));
  assert.ok(!isQuestion({ turn: { ...turn, role: "assistant" }, text: "Which is why it fails" }));
});

Deno.test("extractCheckpoint() names the ways where they were laid out", () => {
  const { thesis } = extractOf(
    talk(["orders are charged twice since March", "Two events."], LAID_OUT),
  );
  assert.equal(
    thesis,
    "Options: A: idempotency key; B: row lock; C: event inbox. My recommendation would be A now and C later.",
  );
});

Deno.test("extractCheckpoint() tells no options where nothing is left to choose", () => {
  const [asked, answer] = LAID_OUT;
  const told = answer.replace(
    /My recommendation .*$/,
    "Each of them keeps the orders as they are.",
  );
  const { thesis } = extractOf(
    talk(["orders are charged twice since March", "Two events."], [asked, told]),
  );
  assert.doesNotMatch(thesis, /^Options: /);
});

Deno.test("extractCheckpoint() names the way that was taken, also where it was kept before", () => {
  const earlier = talk(
    ["orders are charged twice since March", "Two events reach one handler."],
    LAID_OUT,
    ["what happens with A when the amount changed", "The provider answers with HTTP 400."],
  );
  const turns = talk(["and can the pool be raised", "There is room for ten more."], TAKEN)
    .map((turn) => ({ ...turn, uuid: `new ${turn.uuid}` }));
  const { thesis, decisions, coreQuestion } = extractOf(turns, { earlier, effortMin: 0 });
  assert.equal(thesis, "Decided: C: event inbox.");
  const amended = talk(["which one?", LAID_OUT[1]], [
    "A, but with a key a day",
    "The key is made.",
  ]);
  assert.equal(
    extractOf(amended, { effortMin: 0 }).thesis,
    "Decided: A, but with a key a day (A: idempotency key).",
  );
  assert.match(decisions[0] ?? "", /^C: event inbox — C, properly\. two days are nothing/);
  assert.equal(decisions.length, 1, decisions.join("\n"));
  assert.doesNotMatch(coreQuestion, /C, properly/);
});

Deno.test("extractCheckpoint() names a way once where the prompt that takes it names it", () => {
  const earlier = talk(
    ["orders are charged twice since March", "Two events reach one handler."],
    LAID_OUT,
    ["what happens with A when the amount changed", "The provider answers with HTTP 400."],
  );
  const [prompt, ...rest] = TAKEN;
  const named: Said = [prompt.replace("C, properly", "C: event inbox, properly"), ...rest];
  const turns = talk(["and can the pool be raised", "There is room for ten more."], named)
    .map((turn) => ({ ...turn, uuid: `new ${turn.uuid}` }));
  const { decisions } = extractOf(turns, { earlier, effortMin: 0 });
  assert.match(decisions[0] ?? "", /^C: event inbox, properly\./);
});

Deno.test("extractCheckpoint() concludes the subject that a new one ends", () => {
  const said: Said[] = [
    [
      "charge every test order twice and tell me what the new inbox does",
      "With the inbox in place 200 test orders lead to exactly 200 charges, and the second event of " +
      "each order is recognised by its unique key and dropped before anything is sent to the provider.",
    ],
    ["commit", "Committed.", "src/inbox.ts"],
    [
      "now the refunds page. it takes 12 seconds to load for support",
      "The refunds page runs one query per row, and the main one does a sequential scan.",
    ],
  ];
  const turns = talk(...said);
  // A change of subject may show only an exchange or two later.
  const later = talk(...said, ["and with 500 rows?", "With 500 rows it takes 40 seconds."]);
  for (const [all, newSubject] of [[turns, 1], [later, 2]] as const) {
    const { thesis, coreQuestion, nextStep } = extractOf(all, { newSubject });
    assert.match(thesis, /200 test orders lead to exactly 200 charges/);
    assert.match(coreQuestion, /^charge every test order twice/);
    assert.match(nextStep ?? "", /^now the refunds page/);
  }
  // What was said of the old one is saved already: the new one is all there is.
  const [earlier, fresh] = [turns.slice(0, -2), turns.slice(-2)];
  const { thesis } = extractOf(fresh, { newSubject: 2, earlier, effortMin: 0 });
  assert.match(thesis, /one query per row/);
});

Deno.test("extractCheckpoint() asks what the work was about, not to write it down", () => {
  const cause =
    "Orders are charged twice because two events reach one handler at almost the same time.";
  const turns = talk(
    ["we're getting customers charged twice, three a day", "The gap is 1.8 seconds in the median."],
    ["ok so write down what's going on, for the incident doc", `## Root cause\n\n${cause}`],
  );
  const { coreQuestion, reasoningTrace, thesis } = extractOf(turns, { effortMin: 0 });
  assert.equal(coreQuestion, "we're getting customers charged twice, three a day");
  assert.equal(thesis, cause);
  assert.doesNotMatch(reasoningTrace, /write down/);
});

Deno.test("extractCheckpoint() asks what its conclusion answers, and not what was asked after it", () => {
  const turns = talk(
    ["the nightly import of the bookings stops in the middle", "I look at the importer."],
    [
      "why does it stop at the same booking each night",
      "The root cause is the `room` column: the booking of June 4 has 300 letters in it, and the table " +
      "takes 255, so the whole import is rolled back at that row. It now cuts the name at 255.",
      "import.ts",
    ],
    ["rename the button to Send", "The button says Send.", "form.tsx"],
  );
  const { coreQuestion, thesis } = extractOf(turns);
  assert.match(thesis, /`room` column/);
  assert.match(coreQuestion, /— then: why does it stop at the same booking each night$/);
});

Deno.test("extractCheckpoint() says a number once", () => {
  const turns = talk(
    ["are those retries", "82 of the 84 ids are distinct, so they are not retries at all."],
    ["so what is it", "Retries play no part, as 82 of 84 event ids are distinct; two events race."],
  );
  const lines = extractOf(turns, { effortMin: 0 });
  const told = [lines.thesis, ...lines.keyEvidence, lines.reasoningTrace].join("\n");
  assert.equal(told.split("82 of").length - 1, 1, told);
});

Deno.test("extractCheckpoint() takes no way for what is next because something is missing", () => {
  const turns = talk([
    "cómo reenviamos las facturas",
    "De 100 en 100 cada hora: un día entero, sin riesgo para la reputación; hace falta vigilarlo.",
  ]);
  assert.equal(extractOf(turns, { effortMin: 0 }).nextStep, undefined);
});

Deno.test("summarizeSession() tells what came out, not what was said last", () => {
  const cause =
    "Zwei Dinge kommen zusammen: der Export kommt seit gestern fünf Stunden später, deshalb " +
    "scheitern 98 % der Zeilen, und der Importer merkt sich jede davon und löscht sie nie. Daran liegt " +
    "es, dass der Speicher linear steigt und der Pod nach zwanzig Minuten stirbt.";
  const summary = summarizeSession(
    talk(
      ["der pod vom importer stirbt alle 20 min", "Der Speicher steigt linear, 96 MB pro Minute."],
      ["was ist im heapdump", "Im Heapdump liegen 6,4 Millionen Einträge in `failedRows`."],
      ["fass zusammen", cause],
      ["fix", "Einträge werden nach der Wiederholung entfernt.", "src/retry.ts"],
      ["alerting noch", "Die Regel ist angelegt, Schwelle 10.000.", "alerts/importer.yaml"],
    ),
    { embedder },
  );
  assert.match(summary?.summary ?? "", /^der pod vom importer .* → Zwei Dinge kommen zusammen/);
  assert.ok(summary?.done.includes("Die Regel ist angelegt, Schwelle 10.000."));
});

Deno.test("extractCheckpoint() concludes with what was found, not that it was kept or what is next", () => {
  const found =
    "The index on `orders.created_at` was missing, which is why the page took 12 seconds.";
  const turns = talk(
    ["why is the page slow", `${found} Next step: measure it on staging.`],
    ["commit", "Committed: `a81c2e0 Add an index on orders.created_at for the page of refunds`."],
  );
  assert.equal(extractOf(turns, { effortMin: 0 }).thesis, found);
});
