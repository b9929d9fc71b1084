/** Which texts are looked at closely before an agent is shown them: every one that the rules find a secret in. */
import assert from "node:assert/strict";
import { mayHoldSecret } from "../../src/guard/suspect.ts";
import { findSecrets } from "../../src/guard/scan.ts";
import { KINDS, seeded } from "../support/secrets.ts";

Deno.test("mayHoldSecret() suspects the text of every kind of secret that the rules know", () => {
  const random = seeded(20261201);
  for (const kind of KINDS) {
    for (let n = 0; n < 20; n++) {
      const { text } = kind.make(random);
      if (findSecrets(text).length > 0) assert.ok(mayHoldSecret(text), `${kind.name}: ${text}`);
    }
  }
});

const HARMLESS = [
  "The importer stalls on large files, because it collects all rows before it writes.",
  "See src/memory/surfacing/surfaced.ts and docs/decisions/0177.md for the rest.",
  "`sage_recall_knowledge` and `search_notes` are asked at most once; getUserById2 is gone.",
  "Die Rechnungsnummern beginnen 2026 bei 4711, siehe https://example.com/a/b?c=1.",
];

Deno.test("mayHoldSecret() leaves prose, paths and names alone", () => {
  for (const text of HARMLESS) assert.equal(mayHoldSecret(text), false, text);
});
