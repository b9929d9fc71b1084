/** What must not leave: where it is looked for, and what is none. */
import assert from "node:assert/strict";
import { findLeaks, isNotePath, isPrivatePath, mayBeAllowed } from "../../src/guard/leaks.ts";
import { findPersonal } from "../../src/guard/personal.ts";
import { benignParagraphs } from "../support/benign.ts";
import { seeded } from "../support/secrets.ts";

const NOTE = ".sage/knowledge/a.md";

async function rules(path: string, text: string, personal = false): Promise<string[]> {
  return (await findLeaks(path, text, { personal })).map(({ rule }) => rule);
}

const PERSONAL: readonly (readonly [rule: string, text: string])[] = [
  ["mail-address", "Ask jane.doe+x@corp.co.uk for access."],
  ["mail-address", "<jane@firma.de>"],
  ["phone-number", "Call +49 170 1234567 at night."],
  ["phone-number", "+1 (415) 867-5309"],
  ["bank-account", "DE44 5001 0517 5407 3249 31"],
  ["bank-account", "IBAN NL91ABNA0417164300."],
  ["payment-card", "4539 1488 0343 6467"],
  ["payment-card", "3400 000000 00009"],
];

for (const [rule, text] of PERSONAL) {
  Deno.test(`findPersonal() finds ${rule} in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(findPersonal(text).map((found) => found.rule), [rule]);
  });
}

Deno.test("findPersonal() takes no word behind a bank account for a part of it", () => {
  for (
    const account of ["AT61 1904 3002 3457 3201", "BE68539007547034", "DE44 5001 0517 5407 3249 31"]
  ) {
    for (const behind of ["", " EUR", " BIC: OPSKATWW", " OK GO", ", and", " 12"]) {
      const [found, ...more] = findPersonal(`IBAN: ${account}${behind}`);
      assert.deepEqual([found?.start, found?.end, more], [6, 6 + account.length, []], behind);
    }
  }
});

const NONE: readonly string[] = [
  "git@github.com:a/b.git and jane@example.com, X@Example.co, a@b, noreply@corp.com",
  "1+2345678901 and +00:00, 2026-01-13T14:30:00+02:00, +20 lines",
  "+1 415 555 0123",
  "DE44 5001 0517 5407 3249 32",
  "DE89 3704 0044 0532 0130 00",
  "4242 4242 4242 4242, 4111 1111 1111 1111, 5555-5555-5555-4444",
  "4012 8888 8888 1881, 3714-496353-98431",
  "4539 1488 0343 6468",
  "0123456789abcdef0123456789abcdef01234567 1700000000000000",
  "npm install @scope/package@1.2.3, foo@2.0.0.tgz",
  "https://user@host.com:8080/x",
];

for (const text of NONE) {
  Deno.test(`findPersonal() finds nothing in ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.deepEqual(findPersonal(text), []);
  });
}

Deno.test("findPersonal() finds nothing in ordinary prose and code", () => {
  const found = benignParagraphs(2000, seeded(11)).flatMap((text) =>
    // Whoever signs a commit or a licence has a mail address, and it is one.
    findPersonal(text).filter(({ rule }) => rule !== "mail-address")
      .map(({ start, end }) => text.slice(start, end))
  );
  assert.deepEqual(found, []);
});

Deno.test("findLeaks() looks for what is personal or private in notes, for secrets everywhere", async () => {
  const text = "Ask jane@corp.com <private>the door is 4711</private>\n";
  assert.deepEqual(await rules(NOTE, text), ["mail-address", "private-text"]);
  assert.deepEqual(await rules("src/a.ts", text), []);
  assert.deepEqual(await rules("src/a.ts", text, true), ["mail-address"]);
  const quoted = JSON.stringify({ text: "```\nAKIA" + "Q3EGRT5XWY7ZBNMP\n```" });
  assert.deepEqual(await rules("a.jsonl", quoted), ["aws-access-key-id"]);
  const secret = ["AKIA", "Q3EGRT5XWY7ZBNMP"].join("");
  assert.deepEqual(await rules("src/a.ts", `key ${secret}`), ["aws-access-key-id"]);
});

Deno.test("findLeaks() tells one finding for what is private, whatever it holds, closed or not", async () => {
  assert.deepEqual(await rules(NOTE, "a <private>jane@corp.com"), ["private-text"]);
  assert.deepEqual(await rules(NOTE, "rest of it </private> b"), ["private-text"]);
  assert.deepEqual(await rules(NOTE, "nothing here"), []);
});

Deno.test("isPrivatePath() knows what stays on this machine", () => {
  for (
    const path of [
      ".sage/local/x.md",
      "app/.sage/local/knowledge/x.md",
      ".sage/.inbox/a.json",
      ".sage/.trash/knowledge/x.md",
      ".sage/state/transcripts/x.jsonl.gz",
      ".sage/knowledge/_PRIVATE/x.md",
      "vault/_PRIVATE/x.md",
      // As a disk that knows no case may spell them.
      ".Sage/Local/x.md",
      ".SAGE/knowledge/_private/x.md",
    ]
  ) assert.ok(isPrivatePath(path), path);
  for (
    const path of [
      ".sage/knowledge/x.md",
      ".sage/knowledge/local/x.md",
      "local/x.md",
      "src/_private/x.ts",
      "a_PRIVATE/x",
    ]
  ) assert.ok(!isPrivatePath(path), path);
  assert.deepEqual(["private-path", "private-text"].filter(mayBeAllowed), []);
  assert.ok(isNotePath("app/.sage/todos/a.md"));
  assert.ok(isNotePath("app/.Sage/Todos/A.MD"));
  assert.ok(!isNotePath("docs/a.md"));
});
