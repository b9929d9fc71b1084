/**
 * Adds what an agent has learned about an entity to its note, as patches: under the headings it names,
 * the rest as a dated change. Nothing that is there is rewritten.
 */
import { utcDay } from "../../base/clock.ts";
import { foldedWords, splitSentences } from "../../base/text/text.ts";
import { frontList } from "../../note/front_values.ts";
import { nameOf, sections, trimLines } from "../../note/markdown.ts";
import type { Patch } from "../../note/patch.ts";
import { refOf, type StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { type Author, edited } from "../write/outcome.ts";
import type { KnowledgeInput, KnowledgeOutcome } from "./outcome.ts";
import { patchKnowledge } from "./patch.ts";
import { publicText } from "./related.ts";

const CHANGES = "Recent Changes";

export async function growEntity(
  memory: Memory,
  stored: StoredNote,
  input: KnowledgeInput,
  author: Author,
): Promise<KnowledgeOutcome> {
  const of = refOf(stored.note);
  const patches = growth(stored, input, utcDay(memory.now()));
  if (patches.length === 0) return { kind: "duplicate", of, similarity: 1 };
  const reason = `added to by ${author.by}`;
  const outcome = await patchKnowledge(memory, stored, patches, author, { reason });
  switch (outcome.kind) {
    case "patched":
      return { ...outcome, kind: "updated" };
    case "unchanged":
      return { kind: "duplicate", of, similarity: 1 };
    case "conflict":
    case "no_section":
      // Somebody removed the heading meanwhile.
      return edited(stored);
    default:
      return outcome;
  }
}

/** What the input says and the note does not. */
function growth(stored: StoredNote, input: KnowledgeInput, date: string): Patch[] {
  // By sentences, because "the limit is 50" is also a prefix of "the limit is 500".
  const known = new Set(statements(publicText(stored)));
  const isNew = (text: string): boolean => statements(text).some((one) => !known.has(one));
  const patches = bySection(input.content).flatMap(({ heading, text }): Patch[] => {
    if (!isNew(text)) return [];
    if (!["", "history"].includes(nameOf(heading))) return [{ kind: "insert", heading, text }];
    return [{ kind: "insert", heading: CHANGES, text: dated(text, date) }];
  });
  for (const key of ["keywords", "tags", "skills"] as const) {
    const there = frontList(stored.note.front, key);
    const all = [...new Set([...there, ...input[key] ?? []])];
    if (all.length > there.length) patches.push({ kind: "set", key, value: all });
  }
  return patches;
}

/** Each sentence without its bullet and date. */
function statements(text: string): string[] {
  return splitSentences(text)
    .map((one) => foldedWords(one.replace(/^(?:[-*+] )?\d{4}-\d{2}-\d{2}: /, "")))
    .filter((one) => one !== "");
}

/** The text below each heading of level 2, and what stands above the first. */
function bySection(content: string): { heading: string; text: string }[] {
  const lines = content.replaceAll("\r\n", "\n");
  const tops = sections(lines).filter(({ level }, i) => i === 0 || level <= 2);
  return tops.map(({ level, heading, start, end, text }, i) => {
    const whole = lines.slice(start, tops[i + 1]?.start ?? lines.length);
    const below = level === 1 || level === 2 ? whole.slice(end - text.length - start) : whole;
    return { heading: level === 2 ? heading : "", text: trimLines(below) };
  });
}

/** One dated bullet; further lines are indented below it. */
function dated(text: string, date: string): string {
  return `- ${date}: ${text.replaceAll(/\n(?=[^\n])/g, "\n  ")}`;
}
