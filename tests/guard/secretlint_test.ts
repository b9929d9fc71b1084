import assert from "node:assert/strict";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import fc from "fast-check";
import { couldMatch, lint } from "../../src/guard/secretlint.ts";
import { benignParagraphs } from "../support/benign.ts";
import { depth } from "../support/depth.ts";
import { chars, FIXED_KINDS, KINDS, pick, type Random, seeded } from "../support/secrets.ts";

/** What the prefilter was written against; a new rule needs a new beginning there. */
const KNOWN =
  "aws gcp privatekey npm basicauth slack sendgrid shopify stripe github gitlab grafana " +
  "openai anthropic groq huggingface linear notion 1password database-connection-string " +
  "hashicorp-vault vercel databricks docker figma cloudflare tailscale filter-comments";

const WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX = "0123456789abcdef";
const URL_SAFE = WORD + "-_";

Deno.test("couldMatch() was written against the rules that the preset has", () => {
  const names = rules.map((rule) => rule.meta.id.replace("@secretlint/secretlint-rule-", ""));
  assert.deepEqual(names.sort(), KNOWN.split(" ").sort());
});

/** Every form that a rule of the preset accepts, at its shortest and its longest. */
const FORMS: readonly ((random: Random) => string)[] = [
  (r) => `aws${pick(r, ["", "_"])}Secret${pick(r, ["", "_"])}access_key => '${chars(r, WORD, 40)}'`,
  (r) => `SECRETACCESSKEY=${chars(r, WORD, 40)}`,
  (r) => "np" + "m_" + chars(r, WORD + "_", 36),
  (r) =>
    `xox${pick(r, [..."bpaor"])}-` +
    `${pick(r, ["", "2-"])}${chars(r, WORD, 1)}-${chars(r, WORD, 2)}`,
  (r) => "xap" + `p-${chars(r, WORD, 3)}-${chars(r, WORD, 4)}`,
  (r) => `HTTPS://Hooks.Slack.com/services/T${chars(r, WORD, 2)}/B${chars(r, WORD, 2)}/x`,
  (r) => `ftps://${chars(r, WORD, 2)}:${chars(r, URL_SAFE, 5)}@x.io`,
  (r) => `https://${chars(r, WORD, 256)}:${chars(r, URL_SAFE, 256)}@x.io`,
  (r) => `mongodb+srv://${chars(r, WORD, 100)}:${chars(r, WORD, 200)}@h`,
  (r) => `JDBC:MySQLx://a@b:${chars(r, WORD, 6)}@h`,
  (r) => `POSTGRES://u:${chars(r, WORD, 6)}@h`,
  (r) => "SG" + `.${chars(r, WORD, 22)}.${chars(r, WORD, 21)}-${chars(r, WORD, 21)}`,
  (r) => `shp${pick(r, ["pa", "ca", "at", "ss"])}_` + chars(r, WORD, pick(r, [32, 64])),
  (r) =>
    `${pick(r, ["sk", "rk"])}_${pick(r, ["live", "test"])}_` + chars(r, WORD, pick(r, [24, 99])),
  (r) => `gh${pick(r, [..."pousr"])}_` + chars(r, WORD + "_", 36),
  (r) => "gh" + `s_1_${chars(r, URL_SAFE, 1)}.${chars(r, URL_SAFE, 1)}.${chars(r, URL_SAFE, 2)}`,
  (r) => "github" + "_pat_" + chars(r, WORD + "_", 82),
  (r) => "gl" + "pat-" + chars(r, URL_SAFE, pick(r, [20, 128])),
  (r) => "gl" + "c_" + chars(r, WORD + "+/", 32) + pick(r, ["", "=", "=="]),
  (r) => "gl" + `sa_${chars(r, WORD, 32)}_${chars(r, HEX, 8)}`,
  (r) =>
    `sk-${pick(r, ["proj", "svcacct", "admin"])}-` + chars(r, URL_SAFE, 58) + "T3Blbk" + "FJ" +
    chars(r, WORD, 58),
  (r) => "sk" + `-${chars(r, WORD, 20)}T3Blbk` + `FJ${chars(r, WORD, 20)}`,
  (r) => "sk" + `-ant-api0${chars(r, "0123456789", 1)}-${chars(r, URL_SAFE, 93)}AA`,
  (r) => "gs" + "k_" + chars(r, WORD, 52),
  (r) => "h" + "f_" + chars(r, WORD.slice(0, 52), 34),
  (r) => "lin" + "_api_" + chars(r, WORD + "_", 32),
  (r) => "nt" + "n_" + chars(r, "0123456789", 11) + chars(r, WORD, 35),
  (r) =>
    "op" + "s_" + btoa(JSON.stringify({ a: { b: chars(r, WORD, 91 + 3 * Math.floor(r() * 9)) } })),
  (r) => `hv${pick(r, [..."sr"])}.` + chars(r, URL_SAFE, 90),
  (r) => "hv" + "b." + chars(r, URL_SAFE, 138),
  (r) => `vc${pick(r, [..."piark"])}_` + chars(r, WORD, 20),
  (r) => "da" + "pi" + chars(r, HEX.toUpperCase(), 32) + pick(r, ["", "-2"]),
  (r) => "dckr" + "_pat_" + chars(r, URL_SAFE, 27),
  (r) => "fi" + "gd_" + chars(r, URL_SAFE, 40),
  (r) => `cf${pick(r, ["k", "ut", "at"])}_` + chars(r, WORD, 40) + chars(r, HEX, 8),
  (r) => "ts" + `key-api-${chars(r, WORD, 8)}-${chars(r, WORD, 16)}`,
  (r) => {
    const label = pick(r, ["", "RSA ", "DSA ", "EC ", "OPENSSH ", "PGP "]) + "PRIVATE " + "KEY" +
      pick(r, ["", " BLOCK"]);
    const dashes = "-".repeat(5);
    return `${dashes}BEGIN ${label}${dashes}\nMII${
      chars(r, WORD, 120)
    }\n${dashes}END ${label}${dashes}`;
  },
];

Deno.test("couldMatch() never hides a finding, whatever the form and its surroundings", async () => {
  const paragraphs = benignParagraphs(100, seeded(5));
  let findings = 0;
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = seeded(seed);
      const secret = pick(random, [...FORMS, () => pick(random, KINDS).make(random).text])(random);
      const [left, right] = [pick(random, SURROUNDINGS), pick(random, SURROUNDINGS)];
      const text = pick(random, paragraphs) + left + mutated(random, secret) + right;
      const found = await lintAll(text);
      findings += found.length;
      for (const rule of found) seen.add(rule);
      if (found.length > 0) assert.ok(couldMatch(text), JSON.stringify(text));
    }),
    { numRuns: depth(1_500, 20_000) },
  );
  assert.ok(findings > 500, `only ${findings} findings: the test would not notice`);
  assert.ok(seen.size >= 24, `only ${[...seen].sort()} were found`);
});

Deno.test("couldMatch() spares most texts the package", () => {
  const paragraphs = benignParagraphs(1_000, seeded(6));
  const loaded = paragraphs.filter(couldMatch).length;
  assert.ok(loaded / paragraphs.length < 0.1, `${loaded} of ${paragraphs.length}`);
});

Deno.test("lint() finds a secret in each part of a long text, at its place", async () => {
  const secret = FIXED_KINDS.find((kind) => kind.name === "github token")?.make(seeded(1)).secret ??
    "";
  const text = `${"word ".repeat(9_000)}${secret} ${"more ".repeat(9_000)}${secret}\n`;
  const places = new Set((await lint(text)).map(({ start, end }) => text.slice(start, end)));
  assert.deepEqual([...places], [secret]);
  assert.deepEqual(
    [...new Set((await lint(text)).map(({ start }) => start))],
    [text.indexOf(secret), text.lastIndexOf(secret)],
  );
});

Deno.test("lint() finds a secret wherever a long text is parted", async () => {
  const secret = FIXED_KINDS.find((kind) => kind.name === "github token")?.make(seeded(1)).secret ??
    "";
  const text = `${" ".repeat(32 * 1024 - 10)}${secret} end`;
  assert.ok((await lint(text)).some(({ start }) => start === text.indexOf(secret)));
});

const SURROUNDINGS = [
  "",
  " ",
  "\n",
  '"',
  "'",
  "`",
  "=",
  ": ",
  "1",
  "-",
  "é",
  "\u200B",
  "(",
  ")",
  "/",
];

/** The rules of the preset that find something, asked past the prefilter. */
async function lintAll(text: string): Promise<string[]> {
  // A text that the prefilter always lets through, and in which nothing is found, opens the door.
  return (await lint(`${text}\n\nPRIVATE KEY`)).map(({ rule }) => rule);
}

/** Sometimes a little damaged, so that not only perfect forms are tried. */
function mutated(random: Random, text: string): string {
  if (random() < 0.7) return text;
  const at = Math.floor(random() * text.length);
  return text.slice(0, at) + pick(random, ["", "x", "_", "-", "\n"]) + text.slice(at + 1);
}
