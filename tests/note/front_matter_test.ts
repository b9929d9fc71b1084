/** R14 and R15: hostile front matter is an error with a place; an edit changes only its own bytes. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { SageError } from "../../src/base/errors.ts";
import { FRONT_MATTER_BYTES_MAX, FRONT_MATTER_KEYS_MAX } from "../../src/base/limits.ts";
import { equalYaml, type YamlValue } from "../../src/base/yaml/value.ts";
import {
  editFrontMatter,
  readFrontMatter,
  renderFrontMatter,
  splitFrontMatter,
} from "../../src/note/front_matter.ts";
import { depth } from "../support/depth.ts";
import { anyYaml, hostileText, validFront } from "../support/yaml_texts.ts";

async function mapOf(text: string): Promise<ReadonlyMap<string, YamlValue>> {
  const read = await readFrontMatter(text);
  assert.ok("map" in read, JSON.stringify(read));
  return read.map;
}

Deno.test("splitFrontMatter() finds both parts, byte for byte", () => {
  for (const bom of ["", "\ufeff"]) {
    for (const eol of ["\n", "\r\n"]) {
      for (const fence of ["---", "--- ", "..."]) {
        const text = `${bom}---${eol}a: 1${eol}${fence}${eol}body${eol}---${eol}`;
        const split = splitFrontMatter(text);
        assert.equal(split.bom, bom !== "");
        assert.equal(split.eol, eol);
        assert.equal(split.front?.text, `a: 1${eol}`);
        assert.equal(split.front?.line, 2);
        assert.equal(text.slice(split.front?.start, split.front?.end), split.front?.text);
        assert.equal(split.body, `body${eol}---${eol}`);
        assert.equal(text.slice(split.bodyStart), split.body);
      }
    }
  }
  assert.equal(splitFrontMatter("---\n---\n").front?.text, "");
  assert.equal(splitFrontMatter("---\na: 1\n---").body, "");
});

Deno.test("splitFrontMatter() takes a rule above prose for body, an unclosed front for a problem", () => {
  for (
    const text of ["", "---", "text", " ---\na: 1\n---\n", "---\n\nProse, not keys.\n", "--- a\n"]
  ) {
    const { front, problem, body } = splitFrontMatter(text);
    assert.deepEqual([front, problem, body], [undefined, undefined, text]);
  }
  const { problem } = splitFrontMatter("---\ntitle: x\n\ntext\n");
  assert.match(problem?.reason ?? "", /no closing line/);
  const long = splitFrontMatter(`---\na: ${"x".repeat(66_000)}\n---\n`);
  assert.match(long.problem?.reason ?? "", /longer than 65536 bytes/);
});

Deno.test("splitFrontMatter() says that TOML is not read, and takes a rule of plus signs as text", () => {
  for (
    const text of ['+++\ntitle = "A"\n+++\n\nText.\n', "\uFEFF+++\r\n[params]\r\nx = 1\r\n+++"]
  ) {
    const { front, problem } = splitFrontMatter(text);
    assert.equal(front, undefined);
    assert.match(problem?.reason ?? "", /is TOML \(\+\+\+\); write it as YAML/);
  }
  for (
    const text of ["+++\nProse between rules.\n+++\n", "+++\nx = 1\n", "Text.\n+++\nx = 1\n+++\n"]
  ) {
    assert.equal(splitFrontMatter(text).problem, undefined, text);
  }
});

Deno.test("readFrontMatter() places a problem in the file", async () => {
  const read = await readFrontMatter("---\na: 1\nb: [\n---\nbody\n");
  assert.ok("problem" in read);
  assert.deepEqual([read.problem.line, read.problem.column], [3, 4]);
  const open = await readFrontMatter('---\ntitle: "open\ntags: [x]\n---\nbody\n');
  assert.ok("problem" in open);
  assert.deepEqual([open.problem.line, open.problem.column], [2, 8]);
  const list = await readFrontMatter("---\n- a\n---\n");
  assert.ok("problem" in list && list.problem.line === 2);
});

Deno.test("readFrontMatter() answers any text with keys or a place inside it", async () => {
  const text = fc.oneof(
    anyYaml.map((front) => `---\n${front}\n---\nbody`),
    anyYaml.map((front) => `\ufeff---\r\n${front}`),
    fc.string({ unit: "binary", maxLength: 60 }).map((front) => `---\n${front}\n---\n`),
    fc.string({ unit: "grapheme", maxLength: 40 }),
  );
  await fc.assert(
    fc.asyncProperty(text, async (file) => {
      const read = await readFrontMatter(file);
      if ("map" in read) return;
      const { line, column, reason } = read.problem;
      const lines = file.split(/\r\n|\n|\r/);
      assert.ok(line >= 1 && line <= lines.length + 1, `${line} of ${lines.length}`);
      assert.ok(column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 2);
      assert.notEqual(reason, "");
    }),
    { numRuns: depth(2000, 100_000) },
  );
});

const NEW_VALUE: fc.Arbitrary<YamlValue | undefined> = fc.oneof(
  fc.constantFrom<YamlValue | undefined>(
    undefined,
    "archived",
    "2026-01-13T14:30:00Z",
    ["a", "b"],
    [],
    new Map([["by", "me"], ["at", "now"]]),
    [new Map([["id", "x"], ["relation", "supports"]]), "y"],
  ),
  hostileText,
  fc.array(hostileText, { maxLength: 3 }),
);

/** How files differ between machines, editors and people. */
const SHAPE = fc.record({
  bom: fc.boolean(),
  eol: fc.constantFrom("\n", "\r\n", "mixed"),
  body: fc.constantFrom("", "text", "text\n", "\n# T\n\n---\na: 1\n", "a\r\nb\n"),
});

function fileOf(front: string, shape: { bom: boolean; eol: string; body: string }): string {
  const ends = (text: string) => {
    let i = 0;
    return text.replaceAll(
      "\n",
      () => shape.eol === "mixed" ? (i++ % 3 ? "\n" : "\r\n") : shape.eol,
    );
  };
  return (shape.bom ? "\ufeff" : "") + ends(`---\n${front}---\n`) + shape.body;
}

Deno.test("editFrontMatter() changes one key's bytes and keeps every other", async () => {
  let edits = 0;
  await fc.assert(
    fc.asyncProperty(validFront, SHAPE, NEW_VALUE, fc.nat(9), async (front, shape, value, at) => {
      const text = fileOf(front.text, shape);
      const before = await mapOf(text);
      const key = front.keys[at] ?? "added key";
      const next = await editFrontMatter(text, new Map([[key, value]])).catch((error) => {
        // Without this key, an indented comment below it would join the block text above it.
        assert.ok(value === undefined && /[|>][-+]?\r?\n[^]*\n {2}# indented/.test(text), error);
        assert.equal(error.code, "invalid_note");
        return text;
      });
      if (next === text) return;
      edits++;
      const after = await mapOf(next);
      const expected = new Map(before);
      if (value === undefined) expected.delete(key);
      else expected.set(key, value);
      assert.ok(equalYaml(after, expected), next);
      const [start, end] = ownBytes(text, front.keys, key);
      assert.ok(next.startsWith(text.slice(0, start)), "bytes above changed");
      assert.ok(next.endsWith(text.slice(end)), "bytes below changed");
      assert.equal(next.startsWith("\ufeff"), shape.bom);
      for (const comment of outsideComments(text.slice(start, end))) {
        if (value !== undefined) assert.ok(next.includes(comment), `lost ${comment}`);
      }
    }),
    { numRuns: depth(2000, 100_000) },
  );
  assert.ok(edits > depth(1000, 50_000), `only ${edits} edits`);
});

/** From the key's own line to the last line of its value; for a new key, the end of the front. */
function ownBytes(text: string, keys: readonly string[], key: string): [number, number] {
  const front = splitFrontMatter(text).front;
  assert.ok(front !== undefined);
  const starts = [...front.text.matchAll(/^(["']?)(.+?)\1:(?=\s|$)/gm)]
    .filter((match) => keys.includes(match[2] ?? "") && !/^\s/.test(match[0]))
    .map((match) => ({ key: match[2], at: front.start + match.index }));
  const i = starts.findIndex((start) => start.key === key);
  const start = starts[i];
  if (start === undefined) return [front.end, front.end];
  return [start.at, starts[i + 1]?.at ?? front.end];
}

/** Comments on the key's own line or between key and value: they are the person's, not the value's. */
function outsideComments(entry: string): string[] {
  const [first = ""] = entry.split(/\r?\n/);
  if (/[|>][-+]?$/.test(first) || /\[/.test(first)) return [];
  const comment = /(?<=[:\s])# .*$/.exec(first)?.[0];
  return comment === undefined || /: ["'].*#.*["']$/.test(first) ? [] : [comment.trimEnd()];
}

Deno.test("editFrontMatter() edits the way a person would", async () => {
  const edit = (front: string, key: string, value: YamlValue | undefined) =>
    editFrontMatter(`---\n${front}---\nbody`, new Map([[key, value]])).then((text) =>
      splitFrontMatter(text).front?.text
    );
  assert.equal(await edit("a: 1 # why\nb: 2\n", "a", "3"), "a: 3 # why\nb: 2\n");
  assert.equal(await edit("a: 'x'  # why\n", "a", "y: z"), 'a: "y: z"  # why\n');
  assert.equal(await edit("a: # why\nb: 2\n", "a", "1"), "a: 1 # why\nb: 2\n");
  assert.equal(await edit("a: # why\n  - x\nb: 2\n", "a", "1"), "a: 1 # why\nb: 2\n");
  assert.equal(await edit("t:\n- x # c\nb: 2\n", "t", ["y", "z"]), "t:\n- y\n- z # c\nb: 2\n");
  assert.equal(await edit("t:\n    - x\n", "t", ["y", "z"]), "t:\n    - y\n    - z\n");
  assert.equal(await edit("t: [x] # c\n", "t", ["y"]), "t: [y] # c\n");
  assert.equal(await edit("a: |\n  x\n\n# c\nb: 2\n", "a", "1"), "a: 1\n\n# c\nb: 2\n");
  assert.equal(await edit("# top\na: 1\n# b\nb: 2\n", "a", undefined), "# top\n# b\nb: 2\n");
  assert.equal(await edit("a: 1\n# end\n", "b", "2"), "a: 1\n# end\nb: 2\n");
  assert.equal(await edit("{a: 1, b: 2}\n", "a", "3"), "{a: 3, b: 2}\n");
  assert.equal(await edit("{a: 1, b: 2}\n", "c", "3"), "{a: 1, b: 2, c: 3}\n");
  assert.equal(await edit("{a: 1, b: 2}\n", "a", undefined), "{b: 2}\n");
  assert.equal(await edit("  a: 1\n", "b", "2"), "  a: 1\n  b: 2\n");
});

Deno.test("editFrontMatter() adds front matter where there is none", async () => {
  const changes = new Map([["id", "x"]]);
  assert.equal(await editFrontMatter("# T\n", changes), "---\nid: x\n---\n# T\n");
  assert.equal(
    await editFrontMatter("\ufeff# T\r\n", changes),
    "\ufeff---\r\nid: x\r\n---\r\n# T\r\n",
  );
  assert.equal(await editFrontMatter("", changes), "---\nid: x\n---\n");
  assert.equal(await editFrontMatter("# T\n", new Map([["id", undefined]])), "# T\n");
});

Deno.test("editFrontMatter() refuses what it cannot read or place, with the line", async () => {
  for (
    const text of ["---\na: [\n---\n", "---\na: 1\n", "---\na: 1\na: 2\n---\n", "---\n- a\n---\n"]
  ) {
    await assert.rejects(
      editFrontMatter(text, new Map([["a", "2"]])),
      (error) => error instanceof SageError && error.code === "invalid_note",
    );
  }
  await assert.rejects(
    editFrontMatter("---\n? a\n: 1\n---\n", new Map([["a", undefined]])),
    /does not begin its line/,
  );
  // Longer than what is read as keys, it would be text from then on.
  await assert.rejects(
    editFrontMatter("---\na: 1\n---\n", new Map([["a", "x".repeat(FRONT_MATTER_BYTES_MAX)]])),
    { code: "invalid_note" },
  );
});

Deno.test("editFrontMatter() says that it would be too much, and how much may be", async () => {
  const keys = Array.from({ length: FRONT_MATTER_KEYS_MAX }, (_, i) => `k${i}: v\n`).join("");
  for (
    const [front, value, reason] of [
      ["a: b\n", "v".repeat(FRONT_MATTER_BYTES_MAX), `longer than ${FRONT_MATTER_BYTES_MAX} bytes`],
      [keys, "v", `more than ${FRONT_MATTER_KEYS_MAX} keys`],
    ] as const
  ) {
    await assert.rejects(
      editFrontMatter(`---\n${front}---\n`, new Map([["tags", value]])),
      (error) => {
        assert.ok(error instanceof SageError);
        assert.equal(
          error.message,
          `Cannot change "tags": the text would then be too much, ${reason}`,
        );
        assert.equal(error.hint, "make it shorter");
        return true;
      },
    );
  }
});

Deno.test("editFrontMatter() ends its lines as the file does", async () => {
  const changes = new Map<string, string | string[]>([["tags", ["git", "vcs"]], ["b", "2"]]);
  for (const before of ["a: 1", "tags:\r\n  - git"]) {
    const text = await editFrontMatter(`---\r\n${before}\r\n---\r\n# T\r\n`, changes);
    assert.doesNotMatch(text, /[^\r]\n/);
    assert.match(text, /\nb: 2\r\n/);
  }
});

Deno.test("renderFrontMatter() leaves out what is undefined and quotes what needs it", () => {
  assert.equal(
    renderFrontMatter([
      ["id", "2026-01-13T14-30-00_x"],
      ["created", "2026-01-13T14:30:00Z"],
      ["gone", undefined],
      ["title", "a: b"],
      ["tags", ["x", "y, z"]],
    ]),
    '---\nid: 2026-01-13T14-30-00_x\ncreated: 2026-01-13T14:30:00Z\ntitle: "a: b"\n' +
      'tags: [x, "y, z"]\n---\n',
  );
});

Deno.test("renderFrontMatter() refuses what could not be read back", () => {
  assert.throws(
    () => renderFrontMatter([["sources", ["s".repeat(FRONT_MATTER_BYTES_MAX)]]]),
    /^SageError: Cannot write the front matter: it would be longer than 65536 bytes$/,
  );
});
