import assert from "node:assert/strict";
import { rfc3339 } from "../../src/base/clock.ts";
import { literalQuery, parseQuery } from "../../src/search/query/query_syntax.ts";
import { timeZone } from "../support/time_zone.ts";
import { assertQuick } from "../support/quick.ts";

const NOW = Date.parse("2026-02-10T12:00:00Z");
const asked = (typed: string) => parseQuery(typed, NOW);

Deno.test("parseQuery() takes filters out of the text", () => {
  const { text, kinds, tags, project, after, before } = asked(
    'type:todo retry Type:Knowledge tag:#release tag:"two words" project:sage after:2026-01-05 queue before:2026-02',
  );
  assert.equal(text, "retry queue");
  assert.deepEqual(kinds, ["todo", "knowledge"]);
  assert.deepEqual(tags, ["release", "two words"]);
  assert.equal(project, "sage");
  assert.deepEqual([after, before], ["2026-01-05T00:00:00Z", "2026-02-01T00:00:00Z"]);
});

Deno.test("parseQuery() leaves what it does not understand in the text", () => {
  for (
    const typed of [
      "type:banana bread",
      "after:whenever",
      "tag: alone",
      "http://after:8080/x",
      "std::type:: error",
      "nginx:latest image",
      "-not this",
      "NOT that",
    ]
  ) {
    const { text, kinds, tags, after } = asked(typed);
    assert.equal(text, typed);
    assert.deepEqual([kinds, tags, after], [[], [], undefined]);
  }
});

Deno.test("parseQuery() says what a filter takes that it could not read", () => {
  const { hints, text } = asked("type:banana after:32.13.2026 bread before:2026-02 type:todo");
  assert.equal(text, "type:banana after:32.13.2026 bread");
  assert.equal(hints.length, 2);
  assert.match(
    hints[0] ?? "",
    /^"type:banana" counts as words: type: takes checkpoint, know.* or note$/,
  );
  assert.match(
    hints[1] ?? "",
    /^"after:32\.13\.2026" counts as words: after: takes a date \(2026-01-13/,
  );
  const [long = ""] = asked(`before:${"x".repeat(500)}`).hints;
  assert.ok(long.length < 250, long);
  for (const fine of ["tag: alone", "http://after:8080/x", "nginx:latest", "type:Todo tag:x", ""]) {
    assert.deepEqual(asked(fine).hints, [], fine);
  }
});

Deno.test("parseQuery() narrows with every date that is given", () => {
  const { after, before } = asked("x after:2026-01 after:2026-01-20 before:2026 before:2026-03");
  assert.deepEqual([after, before], ["2026-01-20T00:00:00Z", "2026-01-01T00:00:00Z"]);
});

Deno.test("parseQuery() keeps quoted words and names the phrase, in any quotes", () => {
  const { text, phrases } = asked('why "Dead-Letter queue" and “SKIP locked” grow');
  assert.equal(text, "why Dead-Letter queue and SKIP locked grow");
  assert.deepEqual(phrases, ["dead letter queue", "skip locked"]);
  assert.deepEqual(asked('5" disk').phrases, []);
  assert.deepEqual(asked('say "!!" now').phrases, []);
});

Deno.test("parseQuery() reads times in words, and looks for the rest", () => {
  for (
    const [typed, since, text] of [
      ["what did we decide yesterday", "2026-02-09", "what did we decide"],
      ["bugs from the last 3 days", "2026-02-07", "bugs"],
      ["releases two weeks ago", "2026-01-27", "releases"],
      ["what broke last week", "2026-01-27", "what broke"],
      ["what broke this week", "2026-02-03", "what broke"],
      ["today", "2026-02-10", "today"],
    ] as const
  ) {
    const found = asked(typed);
    assert.deepEqual([found.since, found.text], [rfc3339(Date.parse(`${since}T00:00`)), text]);
    assert.equal(found.after, undefined, "said in words, a time hides nothing");
  }
  assert.equal(asked("the last mile of the week").since, undefined);
});

Deno.test("parseQuery() takes a time that stands alone for whatever was written then", () => {
  const kinds = ["checkpoint", "knowledge", "todo", "session", "topic", "note"];
  const from = (day: string): string => rfc3339(Date.parse(`${day}T00:00`));
  assert.deepEqual(asked("today").dated, { kinds, from: from("2026-02-10") });
  assert.deepEqual(asked("type:todo last week").dated, { kinds, from: from("2026-01-27") });
  assert.deepEqual(asked("latest").dated, { kinds });
  for (
    const [typed, kind, day] of [
      ["todos from today", "todo", "2026-02-10"],
      ["checkpoint of yesterday", "checkpoint", "2026-02-09"],
      ["Yesterday's to-dos?", "todo", "2026-02-09"],
      ["the sessions last week", "session", "2026-01-27"],
    ] as const
  ) assert.deepEqual(asked(typed).dated, { kinds: [kind], from: from(day) }, typed);
  for (
    const typed of [
      "what broke today",
      "what broke with sessions last week",
      "latest plan",
      '"today"',
      "type:todo",
      "",
    ]
  ) {
    assert.equal(asked(typed).dated, undefined, typed);
  }
});

Deno.test("parseQuery() takes days as they are where the person is", () => {
  using _ = timeZone("America/Los_Angeles");
  // Five in the afternoon of the ninth.
  const now = Date.parse("2026-02-10T01:00:00Z");
  assert.equal(parseQuery("what broke today", now).since, "2026-02-09T08:00:00Z");
  assert.equal(parseQuery("what broke yesterday", now).since, "2026-02-08T08:00:00Z");
  assert.equal(parseQuery("x after:today", now).after, "2026-02-09T08:00:00Z");
});

Deno.test("parseQuery() narrows by hours, as --after does", () => {
  const { text, after, before } = asked("api after:12h before:1h");
  assert.equal(text, "api");
  assert.deepEqual([after, before], ["2026-02-10T00:00:00Z", "2026-02-10T11:00:00Z"]);
});

Deno.test("parseQuery() hears when the newest is asked for", () => {
  const words = ["latest plan", "most recent plan", "plan v2", "the plan"];
  assert.deepEqual(words.map((typed) => asked(typed).wantsNewest), [true, true, false, false]);
});

Deno.test("parseQuery() hears which note is meant by its kind and its day", () => {
  using _ = timeZone("UTC");
  for (
    const [typed, kind, from, to, text] of [
      ["desync checkpoint 18 june", "checkpoint", "2025-06-18", "2025-06-19", "desync checkpoint"],
      ["sessions in January 2026", "session", "2026-01-01", "2026-02-01", "sessions in"],
      [
        "the session of the importer on Jan 3rd",
        "session",
        "2026-01-03",
        "2026-01-04",
        "the session of the importer",
      ],
      ["todos from september", "todo", "2025-09-01", "2025-10-01", "todos"],
      ["checkpoint 2025-11-20", "checkpoint", "2025-11-20", "2025-11-21", "checkpoint"],
    ] as const
  ) {
    const { dated, text: rest } = asked(typed);
    const day = (time = ""): string => time.slice(0, 10);
    const read = [dated?.kinds[0], day(dated?.from), day(dated?.to), rest];
    assert.deepEqual(read, [kind, from, to, text], typed);
  }
  for (const typed of ["last session", "latest importer checkpoint?", "most recent todos"]) {
    assert.deepEqual([asked(typed).dated?.from, asked(typed).text], [undefined, typed]);
    assert.equal(asked(typed).dated?.kinds.length, 1, typed);
  }
});

Deno.test("parseQuery() takes no subject for a note, and no day without one", () => {
  for (
    const typed of [
      "session cookies since 3 may",
      "last change of the session length",
      "the last thing said about sessions in the portal",
      "minimum wage 1 january 2026",
      "type:session 2026-01-03",
      "checkpoints",
    ]
  ) assert.equal(asked(typed).dated, undefined, typed);
});

Deno.test("parseQuery() bears every text, in linear time", async () => {
  for (
    const typed of [
      "",
      "?!… — «»",
      "🦊🦊 🧠",
      "Память 記憶 مرحبا naïve",
      '"'.repeat(4000),
      "last ".repeat(800),
      "tag:a ".repeat(1000),
      'type:"'.repeat(600),
      "last session ".repeat(300),
      "session 1 may ".repeat(280),
    ]
  ) {
    const { text, tags } = asked(typed);
    assert.ok(text.length <= typed.length + 400);
    assert.ok(tags.length <= 32);
    await assertQuick(() => asked(typed), 500, typed.slice(0, 20));
  }
});

Deno.test("literalQuery() reads nothing into a text", () => {
  const { text, kinds, phrases, since } = literalQuery('type:todo "a b" yesterday');
  assert.deepEqual([text, kinds, phrases, since], ['type:todo "a b" yesterday', [], [], undefined]);
});
