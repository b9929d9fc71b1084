import assert from "node:assert/strict";
import fc from "fast-check";
import { stripPrivate } from "../../src/guard/private.ts";
import { redact, redactSync } from "../../src/guard/redact.ts";
import { scanSecrets } from "../../src/guard/scan.ts";
import { depth } from "../support/depth.ts";
import { benignParagraphs } from "../support/benign.ts";
import { KINDS, pick, seeded } from "../support/secrets.ts";

const TOKEN = "gh" + "p_" + "aB3dE5fG7hI9".repeat(3);

Deno.test("redact() puts the name of the rule where the secret was", async () => {
  const { text, findings } = await redact(`use ${TOKEN}, then push`);
  assert.equal(text, "use [redacted:github-token], then push");
  assert.equal(findings.length, 1);
});

Deno.test("redact() keeps what a reader needs of an address", async () => {
  const url = "postgres" + "://app:" + "s9Kq2!mZx4" + "@db.internal:5432/app";
  assert.equal(
    (await redact(`dsn ${url}`)).text,
    "dsn postgres://app:[redacted:connection-string]@db.internal:5432/app",
  );
});

Deno.test("redact() takes an address whole whose password only one rule knows, whatever secret comes after it", async () => {
  const password = "s9'Kq2" + "mZx4";
  const { text } = await redact(`dsn postgres://app:${password}@db.io/app, later ${TOKEN}`);
  assert.doesNotMatch(text, /mZx4|aB3d/);
});

Deno.test("redact() keeps what else an address asks for", async () => {
  const token = "q7Zk2Lm9" + "XvBn4RtY";
  assert.equal(
    (await redact(`https://x.io/a?token=${token}&page=2#top`)).text,
    "https://x.io/a?token=[redacted:generic-secret]&page=2#top",
  );
});

Deno.test("redact() takes the name in a marker for no name of what stands behind it", async () => {
  const { text } = await redact("password: abc123" + "xyz: foo12345!");
  assert.equal(text, "password: [redacted:generic-password]: foo12345!");
  assert.equal((await redact(text)).text, text);
});

Deno.test("redact() makes one marker of findings that overlap", async () => {
  const { text, findings } = await redact(`Authorization: Bearer ${TOKEN}`);
  assert.equal(findings.length, 1);
  assert.match(text, /^Authorization: Bearer \[redacted:[a-z-]+\]$/);
  // The rule that knows most names it.
  assert.equal((await redact(`password = ${TOKEN}`)).text, "password = [redacted:github-token]");
});

Deno.test("redact() leaves no secret, keeps the rest, and changes nothing the second time", async () => {
  const paragraphs = benignParagraphs(200, seeded(3));
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 4 }), async (seed, count) => {
      const random = seeded(seed);
      const samples = Array.from({ length: count }, () => pick(random, KINDS).make(random));
      const harmless = [...samples, ""].map(() => pick(random, paragraphs));
      const secret = samples.map((sample, i) => `${harmless[i]}\n\n${sample.text}`);
      const text = [...secret, harmless.at(-1)].join("\n\n");
      const once = await redact(text);
      // A key without its last line goes on as long as lines could be of it.
      const isTorn = samples.some(({ text }) => /PRIVATE KEY(?![^]*-----END)/.test(text));
      for (const kept of isTorn ? [] : harmless) assert.ok(once.text.includes(kept), kept);
      const twice = await redact(once.text);
      assert.equal(twice.text, once.text);
      assert.deepEqual(twice.findings, []);
      const sync = redactSync(text).text;
      assert.equal((await redact(sync)).text, (await redact((await redact(sync)).text)).text);
      let cursor = 0;
      for (const { start, end } of once.findings) {
        assert.ok(once.text.includes(text.slice(cursor, start)));
        cursor = end;
      }
    }),
    { numRuns: depth(200, 3_000) },
  );
});

Deno.test("redact() is stable for text made of markers and fragments", async () => {
  const piece = fc.constantFrom(
    "[redacted:",
    "github-token]",
    "[redacted:generic-secret]",
    "password=",
    "secret: ",
    'token="',
    "://a:",
    "@host",
    "Bearer ",
    "\n",
    " ",
    "x9Kq2mZx4",
    TOKEN,
    "eyJ",
    ".",
    "sk-",
    "=",
    "AccountKey=",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (parts) => {
      const once = await redact(parts.join(""));
      assert.equal((await redact(once.text)).text, once.text);
    }),
    { numRuns: depth(500, 10_000) },
  );
});

Deno.test("redact() finds a secret that a private part had split", async () => {
  const split = `${TOKEN.slice(0, 12)}<private>x</private>${TOKEN.slice(12)}`;
  assert.equal((await redact(stripPrivate(split))).text, "[redacted:github-token]");
});

Deno.test("scanSecrets() finds each of several secrets on one line", async () => {
  const text = `${TOKEN} and ${TOKEN}; password="${"k9#m" + "Q2xL7"}"`;
  assert.equal((await scanSecrets(text)).length, 3);
});
