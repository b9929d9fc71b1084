/** A prompt of more than a sentence: what of it is asked, and what each part then needs. */
import assert from "node:assert/strict";
import { levelOf } from "../../src/memory/knowledge/candidates.ts";
import { askedIn } from "../../src/memory/surfacing/prompt_parts.ts";

Deno.test("askedIn() has questions first, then what was said last, and no more than four", () => {
  const prompt = "Rename the parser module. Which retries does the importer make? " +
    "The export needs a header row. Then bump the minor version. Add the fixture for Lisbon. " +
    "Move the reports into archive.";
  assert.deepEqual(askedIn(prompt).sentences, [
    "Which retries does the importer make?",
    "Move the reports into archive.",
    "Add the fixture for Lisbon.",
    "Then bump the minor version.",
  ]);
});

Deno.test("askedIn() leaves out what could be no prompt: courtesies, short ones, orders of the moment", () => {
  const prompt =
    "Great, thank you! Run the tests and commit. Why? The importer stalls on large files.";
  assert.deepEqual(askedIn(prompt).sentences, ["The importer stalls on large files."]);
});

Deno.test("askedIn() has nothing more of one sentence, nor of none", () => {
  for (const prompt of ["Why does the importer stall on large files?", "", "...", "\n\n"]) {
    assert.deepEqual(askedIn(prompt), {
      first: prompt,
      sentences: [],
      heads: [],
      whole: undefined,
    });
  }
});

const QUESTION = "Why does the importer stall on large files?";
const CODE = "```\nawait importer.run(); // the importer runs here\n```";
const TRACE = `TypeError: rows is not iterable
    at Importer.run (/app/src/importer.ts:41:9)
    at async main (/app/src/main.ts:12:3)`;

Deno.test("askedIn() asks what was typed before what was pasted, and with it where that finds nothing", () => {
  for (
    const pasted of [CODE, TRACE, `2026-01-13T14:30:00Z ERROR importer: out of memory\n`.repeat(9)]
  ) {
    for (const prompt of [`${QUESTION}\n\n${pasted}`, `${pasted}\n\n${QUESTION}`]) {
      assert.deepEqual(askedIn(prompt), {
        first: QUESTION,
        sentences: [],
        heads: [],
        whole: prompt,
      });
    }
  }
});

Deno.test("askedIn() asks all at once where what was typed says nothing by itself", () => {
  const prompt = `${TRACE}\n\nfix this`;
  assert.deepEqual(askedIn(prompt), { first: prompt, sentences: [], heads: [], whole: undefined });
});

Deno.test("askedIn() has the question behind a log without end", () => {
  const log = "2026-01-13T14:30:00Z INFO importer: a row was written\n".repeat(4000);
  assert.equal(askedIn(`${log}\n${QUESTION}`).first, QUESTION);
});

Deno.test("askedIn() ends a sentence where a short line ends, and not where a long one goes on", () => {
  const lines = "the header of the page is too tall\nwhich retries does the importer make\nthanks";
  assert.deepEqual(askedIn(lines).sentences, [
    "which retries does the importer make",
    "the header of the page is too tall",
  ]);
  const wrapped =
    "The header of the settings page overlaps the logo on small phones\nsince Tuesday.";
  assert.deepEqual(askedIn(wrapped).sentences, []);
});

Deno.test("askedIn() takes apart what was dictated without a stop", () => {
  const said =
    "ok so the header of the settings page is too tall on phones please make it smaller " +
    "and then also tell me which retries the importer makes because I have forgotten it";
  assert.deepEqual(askedIn(said).sentences, [
    "also tell me which retries the importer makes because I have forgotten it",
    "ok and the header of the settings page is too tall on phones please make it smaller",
  ]);
});

Deno.test("askedIn() asks an order to make something by what is to be made", () => {
  for (
    const [order, head] of [
      ["add a flag to the exporter that leaves out empty rows", "add a flag"],
      ["Please write a migration, nullable at first.", "Please write a migration"],
      ["can you use the holidays package for this?", "can you use the holidays package"],
      ["add a new item: a magnesium flare", "add a new item"],
    ]
  ) assert.deepEqual(askedIn(order ?? "").heads, [head], order);
  for (
    const prompt of [
      "add the missing index",
      "make it so that nothing is lost",
      "the exporter adds a flag to every row",
      "why did we add a flag to the exporter?",
    ]
  ) assert.deepEqual(askedIn(prompt).heads, [], prompt);
});

Deno.test("askedIn() asks what is to be made where sentences leave room for it", () => {
  const order = "Add a retry to the importer, two at most.";
  const [remark, more] = ["The header overlaps the logo.", "The footer is too wide on phones."];
  assert.deepEqual(askedIn(`${remark} ${order}`).heads, ["Add a retry"]);
  assert.deepEqual(askedIn(`${remark} ${more} ${more} ${order}`).heads, []);
});

Deno.test("askedIn() ends soon, however long the prompt is", () => {
  assert.equal(askedIn("The importer stalls on large files. ".repeat(20_000)).sentences.length, 4);
});

Deno.test("levelOf() asks for so many times the odds as there are questions", () => {
  const odds = (level: number) => level / (1 - level);
  for (const sentences of [1, 2, 4]) {
    assert.ok(Math.abs(odds(levelOf(0.7, sentences)) / odds(0.7) - (1 + sentences)) < 1e-9);
  }
  assert.equal(levelOf(0, 3), 0);
  assert.ok(levelOf(1, 3) > 0.999 && levelOf(1, 3) <= 1);
});

Deno.test("askedIn() leaves out whole paths to what was written down at some time", () => {
  const { first } = askedIn(
    "the import fails, see /home/ana/src/depot/logs/2026-01-12_10-30-00Z-labels-of-the-ferry.md for it",
  );
  assert.equal(first, "the import fails, see  for it");
});

Deno.test("askedIn() takes of a whole path its last name, and leaves other paths and addresses", () => {
  const first = (prompt: string): string => askedIn(prompt).first;
  assert.equal(
    first("why is /Users/ana/src/notes/.cache/debug/debug.log empty?"),
    "why is debug.log empty?",
  );
  assert.equal(
    first("look at ~/work/src/notes/ledger.ts and C:\\Users\\ana\\src\\b.ts, please"),
    "look at ledger.ts and b.ts, please",
  );
  for (
    const whole of [
      "does src/memory/ledger.ts wait for ../queue/worker.ts here?",
      "what does https://example.org/a/b/c.html say of the queue?",
      "does /status answer, and/or /health/live?",
    ]
  ) {
    assert.equal(first(whole), whole);
  }
});

Deno.test("askedIn() asks of a link to a forge what it is of, and not where the project lies", () => {
  for (
    const [prompt, first] of [
      [
        "https://forge.example/me/tides/pull/127#pullrequestreview-38 is the reviewer right?",
        "pull 127 is the reviewer right?",
      ],
      ["(see https://forge.example/me/tides/-/issues/9?x=1) Why?", "(see issues 9) Why?"],
      [
        "https://forge.example/me/tides/actions/runs/2218/job/7 fails on the lint of tables",
        "actions/runs 2218 fails on the lint of tables",
      ],
      ["Why does https://tides.example/mcp refuse?", "Why does https://tides.example/mcp refuse?"],
    ] as const
  ) assert.equal(askedIn(prompt).first, first);
});
