/**
 * Random histories of one note on two sides, as people and agents make them, and what a merge of both
 * owes each side. Shared by the pure property and by the one with real git.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { editFrontMatter, readFrontMatter, splitFrontMatter } from "../../src/note/front_matter.ts";
import { addHistory } from "../../src/note/knowledge.ts";
import type { FrontValue } from "../../src/note/note.ts";
import { applyPatch } from "../../src/note/patch.ts";

export type Change =
  | { readonly kind: "line"; readonly at: number; readonly text: string }
  | { readonly kind: "drop"; readonly at: number }
  | { readonly kind: "reword"; readonly at: number; readonly text: string }
  | { readonly kind: "section"; readonly heading: string; readonly text: string }
  | { readonly kind: "end"; readonly text: string }
  | { readonly kind: "tag"; readonly tag: string }
  | { readonly kind: "key"; readonly key: string; readonly value: string }
  | { readonly kind: "saved"; readonly day: number };

export interface TwoSides {
  /** Empty where both made the note. */
  readonly base: readonly string[] | undefined;
  readonly mine: readonly Change[];
  readonly theirs: readonly Change[];
  readonly eol: string;
}

const WORDS = fc.array(
  fc.constantFrom("lock", "index", "worktree", "hook", "Straße", "日本", "`code`", "[[Other]]"),
  { minLength: 1, maxLength: 4 },
).map((words) => words.join(" "));
const LINES = fc.oneof(
  WORDS,
  WORDS.map((text) => `- ${text}`),
  fc.constantFrom("", "", "## Gotchas", "### Deep", "```", "| a | b |", "---"),
);
const AT = fc.nat({ max: 40 });

function changes(side: string): fc.Arbitrary<Change[]> {
  // Each side's text names the side, so that a lost line is noticed.
  const own = (text: string): string => `${text} (${side})`;
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record({ kind: fc.constant("line" as const), at: AT, text: WORDS.map(own) }),
    fc.record({ kind: fc.constant("line" as const), at: AT, text: LINES }),
    fc.record({ kind: fc.constant("drop" as const), at: AT }),
    fc.record({ kind: fc.constant("reword" as const), at: AT, text: WORDS.map(own) }),
    fc.record({
      kind: fc.constant("section" as const),
      heading: fc.constantFrom("Gotchas", "Recent Changes", "Notes"),
      text: WORDS.map((text) => `- ${own(text)}`),
    }),
    fc.record({ kind: fc.constant("end" as const), text: WORDS.map(own) }),
    fc.record({ kind: fc.constant("tag" as const), tag: fc.constantFrom("git", "ci", side) }),
    fc.record({
      kind: fc.constant("key" as const),
      key: fc.constantFrom("status", "subject", "note"),
      value: fc.constantFrom("archived", "pattern", side),
    }),
    fc.record({ kind: fc.constant("saved" as const), day: fc.integer({ min: 1, max: 28 }) }),
  );
  return fc.array(change, { minLength: 1, maxLength: 8 });
}

export const TWO_SIDES: fc.Arbitrary<TwoSides> = fc.record({
  base: fc.option(fc.array(LINES, { maxLength: 16 }), { nil: undefined, freq: 8 }),
  mine: changes("mine"),
  theirs: changes("theirs"),
  eol: fc.constantFrom("\n", "\n", "\n", "\r\n"),
});

/** The three texts. */
export async function played(
  { base, mine, theirs, eol }: TwoSides,
  id: string,
): Promise<{ base: string; mine: string; theirs: string }> {
  const front = `---\nid: ${id}\ntype: knowledge\ncreated: 2026-01-01T00:00:00Z\n` +
    "updated: 2026-01-01T00:00:00Z\nstatus: active\ntags: [git] # kept\n---\n";
  const text = `${front}\n# ${id}\n\n${(base ?? ["made"]).join("\n")}\n`.replaceAll("\n", eol);
  const [own, other] = await Promise.all([
    all(base === undefined ? text.replace("made", "made (mine)") : text, mine),
    all(base === undefined ? text.replace("made", "made (theirs)") : text, theirs),
  ]);
  return { base: base === undefined ? "" : text, mine: own, theirs: other };
}

async function all(text: string, changes: readonly Change[]): Promise<string> {
  for (const change of changes) text = await made(text, change);
  return text;
}

async function made(text: string, change: Change): Promise<string> {
  const { bodyStart, body, eol } = splitFrontMatter(text);
  const lines = body.split(eol);
  // The title and the line above it are not a matter of lines: see the test of titles.
  const place = (at: number): number => 3 + at % Math.max(1, lines.length - 3);
  const whole = (lines: readonly string[]): string => text.slice(0, bodyStart) + lines.join(eol);
  switch (change.kind) {
    case "line":
      return whole(lines.toSpliced(place(change.at), 0, change.text));
    case "drop":
      return whole(lines.toSpliced(place(change.at), 1));
    case "reword":
      return whole(lines.toSpliced(place(change.at), 1, change.text));
    case "section":
      return await applyPatch(text, {
        kind: "insert",
        heading: change.heading,
        text: change.text,
      }) ?? text;
    case "end":
      return await applyPatch(text, { kind: "append", text: change.text }) ?? text;
    case "tag": {
      const read = await readFrontMatter(text);
      const tags = "map" in read ? read.map.get("tags") as readonly FrontValue[] : [];
      return await editFrontMatter(text, new Map([["tags", [...new Set([...tags, change.tag])]]]));
    }
    case "key":
      return await editFrontMatter(text, new Map([[change.key, change.value]]));
    case "saved": {
      const at = `2026-02-${String(change.day).padStart(2, "0")}`;
      const next = await editFrontMatter(text, new Map([["updated", `${at}T00:00:00Z`]]));
      return addHistory(next, at, `saved on day ${change.day}`);
    }
  }
}

/** Nothing that a side wrote is gone, nothing that both kept, and it is the note that it was. */
export async function assertBoth(
  texts: { readonly base: string; readonly mine: string; readonly theirs: string },
  merged: string,
): Promise<void> {
  const [base, mine, theirs] = [linesOf(texts.base), linesOf(texts.mine), linesOf(texts.theirs)];
  const result = linesOf(merged);
  for (const [name, side] of [["mine", mine], ["theirs", theirs]] as const) {
    const lost: string[] = [...side].filter((line) => !base.has(line) && !result.has(line));
    assert.deepEqual(lost, [], `lost of ${name}`);
  }
  // Of equal lines each side may have removed another one.
  const all = splitFrontMatter(texts.base).body.split(/\r?\n/).map((line) => line.trim());
  const single = (line: string): boolean => all.filter((one) => one === line).length === 1;
  const kept = [...base].filter((line) => mine.has(line) && theirs.has(line) && single(line));
  assert.deepEqual(kept.filter((line) => !result.has(line)), [], "lost of both");
  const read = await Promise.all(Object.values({ ...texts, merged }).map(readFrontMatter));
  const maps = read.map((one) => {
    assert.ok("map" in one, JSON.stringify(one));
    return one.map;
  });
  const [old, own, other, now] = maps;
  assert.equal(now?.get("id"), own?.get("id"));
  const tags = (map: typeof now): FrontValue[] => [...(map?.get("tags") as FrontValue[] ?? [])];
  assert.deepEqual(tags(now).sort(), [...new Set([...tags(own), ...tags(other)])].sort());
  for (const map of [own, other]) {
    for (const key of ["status", "subject", "note"]) {
      const value = map?.get(key);
      if (value === undefined || value === old?.get(key)) continue;
      const isThere = now?.get(key) === value || result.has(`${key}: ${value}`);
      assert.ok(isThere, `${key}: ${String(value)} is lost`);
    }
  }
}

/** The lines of a text below its front matter that say something; an escaped heading is that heading. */
function linesOf(text: string): Set<string> {
  const { body } = splitFrontMatter(text);
  return new Set(
    body.split(/\r?\n/).map((line) => line.trim().replace(/^\\+(?=#|`|~)/, ""))
      .filter((line) => line !== ""),
  );
}
