/**
 * Runs the trigger patterns of notes with RE2, which takes linear time; it is loaded when a store has a
 * pattern. No pattern from a note ever reaches the runtime's own, backtracking RegExp.
 */
import {
  PATTERN_CHARACTERS_MAX,
  PATTERNS_PER_STORE_MAX,
  QUERY_CHARACTERS_MAX,
} from "../../base/limits.ts";

export type PatternCheck = { readonly ok: true } | { readonly ok: false; readonly reason: string };

interface Compiled {
  find(text: string): boolean;
}

/**
 * Instructions of a compiled pattern. RE2 takes time by text × program: nested counts make programs of
 * thousands and matches of seconds, while patterns that people write have less than fifty.
 */
const PROGRAM_MAX = 100;

/** Compiled patterns of this process, or why one cannot be compiled. */
const compiled = new Map<string, Compiled | string>();
/** More than any store may have; then all are dropped. */
const COMPILED_MAX = 4 * PATTERNS_PER_STORE_MAX;

/** Whether a pattern may be saved with a note, and if not, why not. */
export async function checkPattern(pattern: string): Promise<PatternCheck> {
  if (pattern.trim() === "") return { ok: false, reason: "the pattern is empty" };
  if (pattern.length > PATTERN_CHARACTERS_MAX) {
    return { ok: false, reason: `the pattern is longer than ${PATTERN_CHARACTERS_MAX} characters` };
  }
  const result = await compile(pattern);
  if (typeof result === "string") return { ok: false, reason: result };
  if (result.find("")) return { ok: false, reason: "the pattern matches the empty text" };
  return { ok: true };
}

/** The patterns that match somewhere in the text, ignoring case. Invalid ones are skipped. */
export async function matchPatterns(
  patterns: Iterable<string>,
  text: string,
): Promise<ReadonlySet<string>> {
  const hits = new Set<string>();
  const subject = text.slice(0, QUERY_CHARACTERS_MAX);
  let count = 0;
  for (const pattern of new Set(patterns)) {
    if (++count > PATTERNS_PER_STORE_MAX) break;
    if (pattern.length > PATTERN_CHARACTERS_MAX) continue;
    const result = await compile(pattern);
    if (typeof result !== "string" && result.find(subject)) hits.add(pattern);
  }
  return hits;
}

async function compile(pattern: string): Promise<Compiled | string> {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const { RE2JS } = await import("re2js");
  let result: Compiled | string;
  try {
    const program = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    result = program.programSize() > PROGRAM_MAX
      ? "the pattern repeats too much: its counts multiply to a slow program"
      : { find: (text) => program.matcher(text).find() };
  } catch (error) {
    result = error instanceof Error ? error.message : "the pattern is not RE2";
  }
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  compiled.set(pattern, result);
  return result;
}
