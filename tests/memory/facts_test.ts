/** Which sentences are proposed as knowledge, as what, and which never are. */
import assert from "node:assert/strict";
import type { ToolUse, Turn } from "../../src/editor/editor.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { decidedFact, preferenceFacts, proposeFacts } from "../../src/memory/knowledge/facts.ts";
import { assertQuick } from "../support/quick.ts";

const embedder = openStaticEmbedder();
embedder.embedQuery("open");

let count = 0;
function turn(role: Turn["role"], text: string, tools: readonly ToolUse[] = []): Turn {
  return { uuid: `t${++count}`, role, at: "2026-01-13T14:30:00Z", text, tools };
}

/** The kind that one sentence of one of the two is proposed as. */
function kindOf(role: Turn["role"], text: string): string | undefined {
  return proposeFacts([turn("user", "Tell me about it, please."), turn(role, text)], embedder, 9)
    .find((fact) => fact.text === text)?.kind;
}

const AGENT: Readonly<Record<string, readonly string[]>> = {
  quantity: [
    "The free plan allows 1,000 requests a day per key.",
    "A reset link expires after 30 minutes.",
    "Der Speicher pro Worker ist höchstens 512 MB.",
  ],
  definition: [
    "`vaultId` is the id of the tenant's own vault.",
    "A curator is a party that picks the markets of a vault.",
    "TVL stands for the value that is locked in a protocol.",
    "Ein Mandant ist eine Firma mit eigenem Schema.",
  ],
  decision: [
    "We chose Postgres over Redis because invoices and jobs are written in one transaction.",
    "Wir verwenden COPY statt einzelner Inserts, weil der Import sonst zu lange dauert.",
  ],
  constraint: [
    "The licence does not permit the use of Prince on a server.",
    "Safari does not support this API in private windows.",
    "Webhooks of that provider must be answered within 5 seconds.",
    "Die API unterstützt keine Transaktionen.",
  ],
};

const USER: Readonly<Record<string, readonly string[]>> = {
  preference: [
    "I prefer small commits with the reason in the body.",
    "Always use tabs in Makefiles of this repository.",
    "Ich bevorzuge kurze Funktionen ohne Kommentare.",
    "From now on write the changelog in plain English.",
  ],
};

const NONE: readonly (readonly [Turn["role"], string])[] = [
  ["user", "Please fix it, and make sure that it cannot come back."],
  ["user", "Can you make it run in less than 5 seconds?"],
  ["user", "I'd like you to look at the importer first of all."],
  ["assistant", "I cannot find the file that you mean in this folder."],
  ["assistant", "We must fix the importer before the next release of it."],
  ["assistant", "All 9 report tests pass in 12 seconds on this machine."],
  ["assistant", "The build ran for 40 s and then failed with an error."],
  ["assistant", "This is a good place to stop for the day, I think."],
  ["assistant", "The problem is the order of the two calls in there."],
  ["assistant", "It is now in the second file, below the imports."],
  ["assistant", "Does the limit of 100 requests apply to each key?"],
  ["assistant", "The image is 212 KB, and the category page has 24 photographs."],
  ["assistant", "A queue of your own would cost 40 euros a month per customer."],
  ["assistant", "Resetting it between tests can't be done in 8 minutes with four workers."],
  ["assistant", "The price is a service that somebody has to run and to back up."],
];

Deno.test("proposeFacts() knows quantities, definitions, decisions, constraints and preferences", () => {
  for (const [kind, texts] of Object.entries(AGENT)) {
    for (const text of texts) assert.equal(kindOf("assistant", text), kind, text);
  }
  for (const [kind, texts] of Object.entries(USER)) {
    for (const text of texts) assert.equal(kindOf("user", text), kind, text);
  }
});

Deno.test("proposeFacts() leaves alone what is asked, supposed, told to be done, or of the moment", () => {
  for (const [role, text] of NONE) assert.equal(kindOf(role, text), undefined, text);
});

Deno.test("an agent's liking is no preference, and a person's guess is subjective", () => {
  assert.equal(
    kindOf("assistant", "I prefer small commits with the reason in the body."),
    undefined,
  );
  const facts = proposeFacts(
    [
      turn("user", "I prefer small commits with the reason in the body."),
      turn("assistant", "The cache probably holds at most 500 entries per tenant."),
      turn("assistant", "A reset link expires after 30 minutes."),
    ],
    embedder,
    9,
  );
  const subjective = Object.fromEntries(facts.map(({ kind, subjective }) => [kind, subjective]));
  assert.equal(subjective.preference, true);
  const guess = facts.find(({ text }) => text.includes("probably"));
  assert.equal(guess?.subjective, true);
  assert.equal(facts.find(({ text }) => text.includes("30 minutes"))?.subjective, false);
});

Deno.test("two rules of which one refers to the other are asked about as one", () => {
  const texts = (said: string): string[] =>
    preferenceFacts([turn("user", said)]).map(({ text }) => text);
  const both = "From now on work in the importer folder only. Never change files outside it.";
  assert.deepEqual(texts(both), [both]);
  assert.deepEqual(texts("Always use tabs in Makefiles. Always answer in plain English."), [
    "Always use tabs in Makefiles.",
    "Always answer in plain English.",
  ]);
});

Deno.test("a passage that is to be checked is not proposed", () => {
  const passage =
    "From now on always answer every letter by hand. A reset link expires after 30 minutes.";
  const proposed = (said: string): number => proposeFacts([turn("user", said)], embedder, 9).length;
  assert.equal(proposed(`Read this paragraph: ${passage} Is it too dry?`), 0);
  assert.equal(proposed(passage), 2);
});

Deno.test("tool output is not proposed, even where the agent repeats it", () => {
  const printed = "The free plan allows 1,000 requests a day per key.";
  const tools: readonly ToolUse[] = [{ id: "1", name: "Read", result: `# Limits\n\n${printed}\n` }];
  const facts = proposeFacts(
    [
      turn("user", "What are the limits?"),
      turn("assistant", "", tools),
      turn(
        "assistant",
        `${printed} The free plan allows 1,000 requests a day for each key, it says.`,
      ),
    ],
    embedder,
    9,
  );
  assert.deepEqual(facts.map(({ text }) => text), []);
});

Deno.test("after reading the web only decisions and the user's words are proposed", () => {
  const facts = proposeFacts(
    [
      turn(
        "user",
        "Look up the limits of the free plan. Always use metric units in our documents.",
      ),
      turn("assistant", "", [{ id: "1", name: "WebFetch", result: "some page" }]),
      turn(
        "assistant",
        "The free plan allows 1,000 requests a day per key. We chose the paid plan because the free one is too small.",
      ),
    ],
    embedder,
    9,
  );
  assert.deepEqual(facts.map(({ kind }) => kind).toSorted(), ["decision", "preference"]);
});

Deno.test("a decision is titled by the sentence that names its subject", () => {
  const turn: Turn = { uuid: "u", role: "user", at: "", text: "", tools: [] };
  const titled = (text: string) => decidedFact(text, turn).title;
  assert.equal(
    titled("Ouch. OK, prepare the split by customer for January."),
    "OK, prepare the split by customer for January",
  );
  assert.equal(titled("Tabs. Always."), "Tabs");
});

Deno.test("each proposal is verbatim, names its turn, and has the same id each time", () => {
  const said = turn("assistant", "Some words. A reset link expires after 30 minutes. More words.");
  const [fact] = proposeFacts([turn("user", "How long?"), said], embedder, 9);
  assert.ok(fact !== undefined && said.text.includes(fact.text));
  assert.deepEqual(fact.source, { turn: said.uuid, at: said.at, said_by: "agent" });
  assert.match(fact.id, /^[0-9a-f]{8}$/);
  const [again] = proposeFacts([turn("user", "Again?"), said], embedder, 9);
  assert.equal(again?.id, fact.id);
});

Deno.test("proposeFacts() says a thing once, keeps its limit, and takes empty and endless turns", async () => {
  const many = Array.from(
    { length: 200 },
    (_, i) =>
      turn(
        "assistant",
        `The ${"abcdefghij"[i % 10]}-queue of tenant ${i} holds at most ${i + 5} rows.`,
      ),
  );
  assert.ok(proposeFacts(many, embedder, 5).length <= 5);
  assert.deepEqual(proposeFacts([], embedder, 5), []);
  assert.deepEqual(proposeFacts([turn("assistant", "")], embedder, 5), []);
  const long = [turn("assistant", "is a ".repeat(40_000)), ...many];
  await assertQuick(() => proposeFacts(long, embedder, 12), 3000);
  const twice = turn("assistant", "A reset link expires after 30 minutes.");
  assert.equal(proposeFacts([twice, { ...twice, uuid: "other" }], embedder, 9).length, 1);
});
