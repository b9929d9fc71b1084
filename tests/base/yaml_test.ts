/** YAML reading: an error has a place, nothing hangs, and the quick reader agrees with js-yaml. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { FAILSAFE_SCHEMA, load } from "js-yaml";
import { loadYaml, YamlError } from "../../src/base/yaml/parse.ts";
import { equalYaml, type YamlValue } from "../../src/base/yaml/value.ts";
import { renderEntry } from "../../src/base/yaml/render.ts";
import { readSimpleYaml } from "../../src/base/yaml/simple.ts";
import { depth } from "../support/depth.ts";
import { anyYaml, hostileText, validFront } from "../support/yaml_texts.ts";
import { assertQuick } from "../support/quick.ts";

/** What js-yaml itself says, or undefined where it throws. */
function oracle(text: string): YamlValue | undefined {
  try {
    if (text.replace(/^\s*#.*$/gm, "").trim() === "") return new Map();
    return fromJs(load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 16 }));
  } catch {
    return undefined;
  }
}

function fromJs(value: unknown): YamlValue {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(fromJs);
  const keys = Object.keys(value as Record<string, unknown>);
  return new Map(keys.map((key) => [key, fromJs((value as Record<string, unknown>)[key])]));
}

/** Objects put keys like `7` first; the order is compared where both have one. */
function sorted(value: YamlValue): YamlValue {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = [...value as ReadonlyMap<string, YamlValue>];
  return new Map(entries.map(([key, item]) => [key, sorted(item)] as const).sort(byKey));
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

Deno.test("readSimpleYaml() agrees with js-yaml on everything it accepts", () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyYaml, (text) => {
      const simple = readSimpleYaml(text);
      if (simple === undefined) return;
      accepted++;
      const expected = oracle(text);
      assert.ok(expected !== undefined, "accepted what js-yaml refuses");
      assert.deepEqual(sorted(simple), sorted(expected));
    }),
    { numRuns: depth(2000, 100_000) },
  );
  assert.ok(accepted > depth(200, 10_000), `only ${accepted} accepted: the test proves nothing`);
});

Deno.test("loadYaml() reads what js-yaml reads and refuses what it refuses", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyYaml, validFront.map(({ text }) => text)), async (text) => {
      const expected = oracle(text);
      const read = await loadYaml(text).catch((error) => {
        assert.ok(error instanceof YamlError, String(error));
        return undefined;
      });
      // Tags, keys that are lists and marks inside the text are ours to refuse.
      if (read === undefined) {
        assert.ok(expected === undefined || /[!\[{?]|\ufeff/.test(text), text);
      } else if (expected === undefined) {
        // Markers around nothing are no document to js-yaml, and no keys here.
        assert.deepEqual(read, new Map(), `read what js-yaml refuses: ${text}`);
      } else if (!(typeof expected === "string" && expected === "")) {
        assert.deepEqual(sorted(read), sorted(expected));
      }
    }),
    { numRuns: depth(2000, 100_000) },
  );
});

Deno.test("loadYaml() treats text without content as no keys", async () => {
  for (const text of ["", "\n", "  \n\n", "# only\n# comments\n"]) {
    assert.deepEqual(await loadYaml(text), new Map());
    assert.deepEqual(readSimpleYaml(text), new Map());
  }
});

Deno.test("loadYaml() keeps scalars as typed and harmless keys harmless", async () => {
  const text =
    "a: 007\nb: 1.10\nc: no\nd: 2026-01-02\n__proto__: {polluted: yes}\nconstructor: x\n";
  const read = await loadYaml(text) as ReadonlyMap<string, YamlValue>;
  assert.deepEqual([...read.values()].slice(0, 4), ["007", "1.10", "no", "2026-01-02"]);
  assert.deepEqual(read.get("__proto__"), new Map([["polluted", "yes"]]));
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

Deno.test("loadYaml() names line, column and reason", async () => {
  for (
    const [text, line, column, reason] of [
      ["a: 1\nb: 2\na: 3\n", 3, 1, /"a" is there twice/],
      ["a: 1\nb: *x\n", 2, 4, /references/],
      ["a: !evil x\n", 1, 4, /tag !evil/],
      ["a: 1\n[b]: 2\n", 2, 1, /key must be text/],
      ["a: 1\n---\nb: 2\n", 2, 1, /more than one document/],
      ["a: [1\n", 1, 4, /the bracket \[ is not closed/],
      ['id: a\ntitle: "open\ntags: [x]\n', 2, 8, /the quotation mark " is not closed/],
      ["id: a\ntags: [x, y\ntitle: b\n", 2, 7, /the bracket \[ is not closed/],
      ["a: 'x\n  y\nb: 'z'\n", 1, 4, /the quotation mark ' is not closed/],
      ['a: |\n  it: "s\nb:\n  - "x\n  - y\nc: d\n', 4, 5, /the quotation mark " is not closed/],
      ["# it's \"odd\na: it's\nb: {c: 'it''s', d: [1, \"]\n", 3, 24, /the quotation mark " is/],
      ['a: "x\\"', 1, 4, /the quotation mark " is not closed/],
      ["a: 1\n\tb: 2\n", 2, 1, /tab/],
      [
        "a: 1\r\n<<<<<<< me\r\nb: [\r\n=======\r\nb: 3\r\n>>>>>>> it\r\n",
        2,
        1,
        /between git's marks/,
      ],
      ["a: x\0y\n", 1, 5, /null byte/],
      ["a: 1\n\ufeffb: 2\n", 2, 1, /byte order mark/],
      [Array.from({ length: 300 }, (_, i) => `k${i}: v\n`).join(""), 257, 1, /more than 256 keys/],
      ["a: " + "[".repeat(20) + "]".repeat(20), 1, 19, /maxDepth/],
      ["a: " + "x".repeat(70_000), 1, 1, /longer than/],
    ] as const
  ) {
    await assert.rejects(loadYaml(text), (error) => {
      assert.ok(error instanceof YamlError);
      assert.deepEqual([error.line, error.column], [line, column], `${text.slice(0, 20)} ${error}`);
      assert.match(error.reason, reason);
      return true;
    });
  }
});

Deno.test("loadYaml() is done with the worst 64 KiB in time", async () => {
  await loadYaml("a: 1");
  const size = 60_000;
  const worst = [
    "[".repeat(size),
    "{".repeat(size),
    "- ".repeat(size / 2),
    "? ".repeat(size / 2),
    "a: " + "b\n ".repeat(size / 3),
    "a: |\n" + " \n".repeat(size / 2),
    "a: [" + "a: b, ".repeat(size / 6) + "]",
    "a:\n" + "- x\n".repeat(size / 4),
    "- &a\n".repeat(size / 5),
    "!a\n&b\n".repeat(size / 6),
    '"' + "\\x41".repeat(size / 4) + '": 1',
    "a: '" + "''".repeat(size / 2) + "'",
    "#\n".repeat(size / 2) + "a: 1",
    Array.from({ length: 7000 }, (_, i) => `k${i}: v`).join("\n"),
    "a: " + "x: ".repeat(size / 3),
    "\t".repeat(size),
    "a: b" + " ".repeat(size) + "# c",
    ("a: &x\n  &y b: ".repeat(15)) + "z".repeat(size / 2),
    "k: x" + "|#".repeat(size / 2) + "\u2028y\nb: [\n",
    "k: x\n  " + "- ".repeat(size / 2) + "x\nb: [\n",
    "k: x\n" + "  |\n".repeat(size / 4) + "b: [\n",
  ];
  for (const text of worst) {
    const read = async (): Promise<void> => {
      await loadYaml(text).catch((error) => assert.ok(error instanceof YamlError));
      readSimpleYaml(text);
    };
    // 50 ms is the promise; a slow machine gets room, a hang or a square does not.
    await assertQuick(read, 500, JSON.stringify(text.slice(0, 12)));
  }
});

Deno.test("readSimpleYaml() passes over a run of spaces once", async () => {
  const gap = " ".repeat(21_000);
  for (
    const text of [
      `a: b${gap}x`,
      `a: ${gap}x`,
      `a: [b${gap}x, c]`,
      `a:\n- b${gap}x`,
      `a: "b"${gap}x`,
    ]
  ) {
    await assertQuick(() => readSimpleYaml(text), 60, text.slice(0, 8));
  }
  assert.deepEqual(
    readSimpleYaml("a: b   # c\nd: e#f  g \n"),
    new Map([["a", "b"], ["d", "e#f  g"]]),
  );
});

Deno.test("renderEntry() writes any value so that both readers give it back", async () => {
  const { value } = fc.letrec<{ value: YamlValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      hostileText,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.array(fc.tuple(hostileText, tie("value")), { maxLength: 4 }).map((entries) =>
        new Map(entries) as YamlValue
      ),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(hostileText, value, async (key, item) => {
      const text = renderEntry(key, item, 0, "\n") + "\n";
      const expected: YamlValue = new Map([[key, item]]);
      assert.ok(equalYaml(await loadYaml(text), expected), text);
      const simple = readSimpleYaml(text);
      if (simple !== undefined) assert.ok(equalYaml(simple, expected), text);
    }),
    { numRuns: depth(1000, 50_000) },
  );
});
