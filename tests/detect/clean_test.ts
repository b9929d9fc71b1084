/** What is left of a message when code, quotations and markup are taken out, and which sentences stand alone. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { prose, spoken, tableRowsAsSentences } from "../../src/detect/text/clean.ts";
import { detect, type DetectInput } from "../../src/detect/trigger/detect.ts";
import { extractCheckpoint } from "../../src/detect/checkpoint/extract.ts";
import { isRequest } from "../../src/detect/summary/intent.ts";
import { sentencesOf, standsAlone } from "../../src/detect/text/sentences.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { depth } from "../support/depth.ts";
import { assertQuick } from "../support/quick.ts";

const turn = (text: string, role: Turn["role"] = "assistant"): Turn => ({
  uuid: `${role}${text.length}`,
  role,
  at: "",
  text,
  tools: [],
});

Deno.test("spoken() drops code, quotations and block quotes", () => {
  assert.equal(spoken("a\n```js\nx\n```\nb"), "a\n\nb");
  assert.equal(spoken("a\n~~~~\nx\n~~~\n~~~~\nb"), "a\n\nb");
  assert.equal(spoken("a\n```\nnever closed"), "a\n");
  assert.equal(spoken("- ```\n  x\n  ```\nb"), "\nb");
  assert.equal(spoken("use `x.y` and “that” or „dies“"), "use   and   or  ");
  assert.equal(spoken("> quoted\nown"), "\nown");
  assert.equal(spoken('a 5" pipe\n\nand a 6" pipe'), 'a 5" pipe\n\nand a 6" pipe');
});

Deno.test("prose() keeps sentences whole and drops tables and markup", () => {
  assert.equal(
    prose('Use `x` as "y".\n| a | b |\n|---|---|\n---\n<details>\nEnd.'),
    'Use `x` as "y".\nEnd.',
  );
});

Deno.test("sentencesOf() gives verbatim sentences without list marks, with their heading", () => {
  const found = sentencesOf([
    turn(
      "## Result\n\n- The cache is off by default since 2.1.\n- [x] Both endpoints return the same rows now.\n\nLet me check.\n\nThis is the list:",
    ),
  ]);
  assert.deepEqual(found.map(({ text, heading }) => [text, heading]), [
    ["The cache is off by default since 2.1.", "result"],
    ["Both endpoints return the same rows now.", "result"],
  ]);
});

Deno.test("standsAlone() refuses fragments, announcements, courtesies and paths", () => {
  for (
    const text of [
      "Done.",
      "Here is what I found:",
      "Let me look at the configuration first.",
      "Now I'll update the tests for this.",
      "You're absolutely right about the order here.",
      "src/a.ts:12:5 - error TS2322",
      "at Object.run (/x/y.js:1:2)",
      "/home/user/project/src/server/index.ts",
      "Great, thanks for the help today!",
    ]
  ) assert.ok(!standsAlone(text), text);
  for (
    const text of [
      "The lock is released at commit.",
      "Der Import dauert jetzt 52 Sekunden.",
      "キャッシュは既定で無効になっています。",
    ]
  ) assert.ok(standsAlone(text), text);
});

Deno.test("isRequest() tells requests from assent", () => {
  for (
    const text of ["yes, go ahead please", "ok", "thanks!", "weiter", "/compact keep it", "👍"]
  ) {
    assert.ok(!isRequest(text), text);
  }
  for (
    const text of [
      "Fix the login",
      "why does it fail?",
      "Warum ist das langsam?",
      "ログインを修正して",
    ]
  ) {
    assert.ok(isRequest(text), text);
  }
});

/** Nothing is refused before the turns are looked at. */
const ALWAYS: Omit<DetectInput, "turns"> = {
  mayAsk: true,
  minMessages: 0,
  minTokens: 0,
  structuralAlone: 0.8,
  structuralConfirmed: 0.5,
  cooldownSeconds: 0,
  cooldowns: {},
  seenHashes: [],
  nowMs: 0,
};

Deno.test("detection and extraction take any text, in bounded time", () => {
  const piece = fc.constantFrom(
    "```",
    "`",
    '"',
    "\n\n",
    "- ",
    "## ",
    "| a ",
    "> ",
    "…",
    "because ",
    "we chose A over B ",
    "? ",
    "! ",
    ". ",
    "cannot use the API ",
    "\ud800",
    "😀",
    "日本語",
    "<private>",
    " ".repeat(50),
    "x".repeat(300),
    "**",
    "Option A: ",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      const turns = texts.map((value, i) => turn(value, i % 2 === 0 ? "user" : "assistant"));
      extractCheckpoint(turns);
      summarizeSession(turns);
      detect({ ...ALWAYS, turns });
    }),
    { numRuns: depth(100, 3000) },
  );
});

for (
  const unit of [
    "`",
    '"',
    "(",
    "? ",
    "because ",
    "instead of ",
    "| a |",
    "**x**: but ",
    "- **A**: slower\n",
    "a.b ",
    "=",
    "#",
    "1) ",
  ]
) {
  Deno.test(`a long run of ${JSON.stringify(unit)} costs no more than its length`, async () => {
    const long = unit.repeat(40_000 / unit.length);
    const turns = [
      turn("Why is it slow, and what can we do?", "user"),
      turn(long),
      turn(long, "user"),
      turn(long),
    ];
    await assertQuick(() => {
      extractCheckpoint(turns);
      detect({ ...ALWAYS, turns });
    }, 1500);
  });
}

Deno.test("prose() drops a mail that nothing marks as quoted, and keeps what is said around it", () => {
  const mail = "From: Karen <k@n.example>\nTo: me\nSubject: Re: Migration\n\nHi Tom,\n\n" +
    "we decided to move it to Friday.\n\nBest regards,\nKaren";
  const lines = (text: string): string[] => prose(text).split("\n").filter((line) => line !== "");
  assert.deepEqual(lines(`draft a reply to this:\n\n${mail}\n\nNot before the 13th.`), [
    "draft a reply to this:",
    "Not before the 13th.",
  ]);
  const signed = "Her answer:\n\nHi Tom,\nwe use 8.0 then.\nK.\n\nCan you check Fridays?";
  assert.deepEqual(lines(signed), ["Her answer:", "Can you check Fridays?"]);
  const wrote = "Am 3. März 2026 um 09:12 schrieb Karen <k@n>:\nWir nehmen MySQL.\n\n" +
    "Viele Grüße\nKaren\n\nwas meinst du?";
  assert.deepEqual(lines(wrote), ["was meinst du?"]);
  // Without an end the last paragraph is the person's, where nothing was said before.
  const open = "From: k@n.example\nSubject: Re\n\nWe agreed on X.\n\ncan you answer him?";
  assert.deepEqual(lines(open), ["can you answer him?"]);
  const asked = "Her mail:\n\nHi Tom,\ncan you move it?\n\nwhat do I answer?";
  assert.deepEqual(lines(asked), ["Her mail:", "what do I answer?"]);
  for (
    const own of [
      "the heading:\n\nHello World\n\nand keep the font, because it is ours",
      "Hi Claude,\n\nplease look at the parser.\n\nBest,\nTom",
      "redirect them\nfrom: /a\nto: /b\nplease",
      "ERROR handling in main.go is a mess\nmend it",
    ]
  ) {
    assert.equal(prose(own), own);
  }
});

Deno.test("prose() drops the lines of a log", () => {
  const log = "2026-03-03 20:31:13,012 INFO export.Main - we never export while billing runs\n" +
    "\tat export.Lock.acquire(Lock.java:88)";
  assert.equal(prose(`it dies:\n${log}\nwhy?`), "it dies:\n\n\nwhy?");
  const database = 'ERROR:  could not create unique index "carrier_ref_uq"\n' +
    "DETAIL:  Key (carrier, ref)=(dpd, 123) is duplicated.";
  const service = "2026-03-03T09:12:51Z ERROR migration 42 failed\n" +
    "  DETAIL: Key (carrier, ref)=(dpd, 123) is duplicated.";
  for (const printed of [database, service]) {
    assert.equal(prose(`it dies:\n${printed}\nwhy?`), "it dies:\n\n\nwhy?");
  }
});

Deno.test("prose() drops what others said in a chat, and keeps a plan with hours", () => {
  const above = "the thread:\n\nAnna Berg  09:12\nwe decided to drop Kafka\n\nJonas  09:14\n" +
    "from now on we always need replays\n\nMy opinion: an outbox.";
  const lines = (text: string): string[] => prose(text).split("\n").filter((line) => line !== "");
  assert.deepEqual(lines(above), ["the thread:", "My opinion: an outbox."]);
  const before = "so:\n[09:12] anna: we drop it\n[09:13] jo: ok\nwhat now?";
  assert.deepEqual(lines(before), ["so:", "what now?"]);
  const plan = "Monday 09:00\nDemo\n\nTuesday 10:00\nReview";
  assert.equal(prose(plan), plan);
});

Deno.test("prose() keeps a person's own times, fields and notes", () => {
  for (
    const own of [
      "today:\n09:12 call Anna: ask for the invoice\n10:30 deploy: migrate first",
      "the plan\n\nStandup 09:15\nDeploy 10:30\nuse the blue cluster\nReview 12:00",
      "my notes\n2026-11-23 10:00 we decided to use Postgres\n2026-11-23 11:00 dropped Redis",
      "00:00:30 is the timeout that we want\nand no other",
      "the fields:\nFrom: account a\nTo: account b\nSubject: the note on it\nall are required",
      "An: alle\nBetreff: Release\nSchreib diese Mail und nenne die Änderungen.",
      "On the page that Karen wrote:\nuse a bigger font.",
    ]
  ) {
    assert.equal(prose(own), own);
  }
});

Deno.test("prose() knows who wrote by the day or the date of it", () => {
  const said = ["On Tuesday Karen wrote:", "Am Mittwoch schrieb Karen:", "El martes Ana escribió:"];
  for (const wrote of [...said, "On 3 Mar 2026, at 09:12, Karen <k@n> wrote:"]) {
    assert.equal(prose(`${wrote}\nWe take it.\n\nBest,\nKaren\n\nand?`).trim(), "and?", wrote);
  }
});

Deno.test("tableRowsAsSentences() tells each row of a table with the names of its columns", () => {
  const table = "| Way | Cost | Risk |\n|:--|--:|---|\n| Redis | 3 | high |\n| a \\| b | 2 | |";
  assert.deepEqual(tableRowsAsSentences(`So:\n\n${table}\n\n| no | table |`), [
    "Redis: Cost 3, Risk high",
    "a \\| b: Cost 2",
  ]);
  assert.deepEqual(tableRowsAsSentences("```\n| a | b |\n|---|---|\n| c | d |\n```"), []);
  assert.deepEqual(tableRowsAsSentences("a | b"), []);
});

Deno.test("prose() names a file as the project knows it, where a client has it as a link", () => {
  for (
    const [linked, said] of [
      ["In [tide.ts](/home/me/tides/src/tide.ts:12) it waits.", "In tide.ts it waits."],
      ["In [tide.ts](C:\\tides\\tide.ts#L3) it waits.", "In tide.ts it waits."],
      ["In [tide.ts](src/tide.ts) it waits.", "In src/tide.ts it waits."],
      ["In [src/tide.ts:12](src/tide.ts#L12) it waits.", "In src/tide.ts:12 it waits."],
      ["[`low()`](src/tide.ts:12-14) waits.", "`low()` waits."],
      [
        "See [the tables](https://tides.example/a_(b)).",
        "See [the tables](https://tides.example/a_(b)).",
      ],
      ["See [below](#tables).", "See [below](#tables)."],
      ["`a[0](x)` and f[1] (y)", "`a[0](x)` and f[1] (y)"],
    ] as const
  ) assert.equal(prose(linked), said);
});
