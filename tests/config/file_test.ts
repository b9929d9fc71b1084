/** Editing a tuning file keeps what a person wrote; names and values are checked with a way out. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { SageError } from "../../src/base/errors.ts";
import { setKey } from "../../src/config/edit.ts";
import { readTuning } from "../../src/config/file.ts";
import { KEYS, setting } from "../../src/config/keys.ts";
import { envName, findKey, readValue, requireKey } from "../../src/config/values.ts";
import { depth } from "../support/depth.ts";

const FILE = `# my tuning

retrieval:   # what is recalled
  recall_threshold: 0.7  # was 0.8
  # keep this low
  max_items: 3

rank.recency: 0.2
`;

Deno.test("setKey() changes a value and nothing else", async () => {
  assert.equal(
    await setKey(FILE, "retrieval.recall_threshold", "0.65"),
    FILE.replace("0.7  #", "0.65  #"),
  );
  assert.equal(
    await setKey(FILE.replaceAll("\n", "\r\n"), "rank.recency", "0.3"),
    FILE.replace("0.2", "0.3").replaceAll("\n", "\r\n"),
  );
});

Deno.test("setKey() adds to the section that is there, or a section at the end", async () => {
  assert.equal(
    await setKey(FILE, "retrieval.keyword_weight", "0.4"),
    FILE.replace("max_items: 3\n", "max_items: 3\n  keyword_weight: 0.4\n"),
  );
  assert.equal(
    await setKey(FILE, "detection.mode", "silent"),
    FILE + "detection:\n  mode: silent\n",
  );
  assert.equal(await setKey("", "detection.mode", "off"), "detection:\n  mode: off\n");
  assert.equal(
    await setKey("# only words\n", "detection.mode", "off"),
    "# only words\ndetection:\n  mode: off\n",
  );
});

Deno.test("setKey() removes a key, its other spellings and an empty section", async () => {
  const twice = "retrieval:\n  max_items: 3\nretrieval.max_items: 4\nrank.recency: 0.2\n";
  assert.equal(await setKey(twice, "retrieval.max_items", undefined), "rank.recency: 0.2\n");
  assert.equal(
    await setKey(twice, "retrieval.max_items", "9"),
    "retrieval.max_items: 9\nrank.recency: 0.2\n",
  );
});

Deno.test("setKey() refuses a file that is broken, naming the place", async () => {
  for (const text of ["a: [", "- a\n- b\n", "a: 1\na: 2\n"]) {
    await assert.rejects(setKey(text, "rank.recency", "0.1"), (error) => {
      assert.ok(error instanceof SageError);
      assert.equal(error.code, "invalid_config");
      assert.match(error.message, /\d+:\d+/);
      return true;
    });
  }
});

Deno.test("setKey() refuses a place that is too unusual, and keeps the file's mark", async () => {
  await assert.rejects(setKey("{rank.recency}\n", "rank.recency", "0.1"), (error) => {
    assert.ok(error instanceof SageError);
    assert.equal(error.code, "invalid_config");
    assert.match(error.message, /Cannot change rank\.recency in tuning\.yaml: Cannot change/);
    return true;
  });
  const marked = "\ufeffrank.recency: 0.2\n";
  assert.equal(await setKey(marked, "rank.recency", "0.1"), marked.replace("0.2", "0.1"));
});

Deno.test("setKey() then readTuning() gives the value back, whatever the file", async () => {
  const line = fc.constantFrom(
    "retrieval:",
    "  max_items: 4",
    "  # note",
    "rank:",
    "  recency: 0.3 # c",
    "rank.relevance: 0.5",
    "recall_threshold: '0.6'",
    "",
    "unknown: x",
    "budget: {surfacing_tokens: 4}",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(line, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.constantFrom(...KEYS),
      async (lines, eol, hasEnd, key) => {
        const text = lines.join(eol) + (hasEnd ? eol : "");
        const before = await readTuning(text);
        if (before.problems.some((problem) => /^\d/.test(problem))) return;
        // An empty value says nothing, as if it were not there.
        const value = String(setting(key).default) || "https://example.org";
        const next = await setKey(text, key, value);
        const after = await readTuning(next);
        assert.deepEqual(
          [...after.values].sort(),
          [...before.values].filter(([k]) => k !== key)
            .concat([[key, value]]).sort(),
        );
        for (const comment of ["# note", "# c"]) {
          assert.equal(next.includes(comment), text.includes(comment));
        }
      },
    ),
    { numRuns: depth(500, 20_000) },
  );
});

Deno.test("findKey() knows full, short and dashed names", () => {
  assert.equal(findKey("recall_threshold"), "retrieval.recall_threshold");
  assert.equal(findKey("recall-threshold"), "retrieval.recall_threshold");
  assert.equal(findKey("Rank.Recency"), "rank.recency");
  assert.equal(findKey("__proto__"), undefined);
  assert.equal(findKey("recency"), undefined);
});

Deno.test("requireKey() suggests the nearest name", () => {
  for (
    const [typed, meant] of [
      ["retrieval.recall_treshold", "retrieval.recall_threshold"],
      ["recency", "rank.recency"],
      ["detect.mode", "detection.mode"],
    ]
  ) {
    assert.throws(
      () => requireKey(typed ?? ""),
      (error) => error instanceof SageError && (error.hint ?? "").includes(meant ?? "?"),
    );
  }
});

Deno.test("readValue() takes what the range allows and refuses the rest", () => {
  assert.equal(readValue("retrieval.recall_threshold", "0.65"), 0.65);
  for (const [words, value] of [["true Yes ON 1", true], ["false No OFF 0", false]] as const) {
    for (const word of words.split(" ")) assert.equal(readValue("surfacing.enabled", word), value);
  }
  assert.equal(readValue("detection.mode", "SILENT"), "silent");
  for (
    const [key, text] of [
      ["retrieval.recall_threshold", "1.1"],
      ["retrieval.recall_threshold", "NaN"],
      ["retrieval.recall_threshold", ""],
      ["retrieval.recall_threshold", "0x1"],
      ["retrieval.max_items", "2.5"],
      ["surfacing.enabled", "maybe"],
      ["surfacing.enabled", "yesterday"],
      ["surfacing.enabled", "not off"],
      ["surfacing.enabled", "untrue"],
      ["surfacing.enabled", "often"],
      ["mcp.tools", "all"],
      ["mcp.tools", "full\nfull"],
    ] as const
  ) {
    assert.throws(
      () => readValue(key, text),
      (error) => error instanceof SageError && error.code === "usage",
      `${key} ${text}`,
    );
  }
});

Deno.test("every setting has a default within its range and its own variable", () => {
  for (const key of KEYS) {
    assert.equal(readValue(key, String(setting(key).default)), setting(key).default);
  }
  assert.equal(new Set(KEYS.map(envName)).size, KEYS.length);
  assert.equal(envName("retrieval.recall_threshold"), "SAGE_RETRIEVAL_RECALL_THRESHOLD");
});
