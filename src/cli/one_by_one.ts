/** A command over several notes, each with an answer of its own whose JSON has `items`. */
import { SageError } from "../base/errors.ts";
import { findNamed } from "../memory/find.ts";
import type { Memory } from "../memory/memory.ts";
import type { NoteKind } from "../note/note.ts";
import { type Answer, failed, type Line, toFailure } from "./terminal/answer.ts";

/** Several words are one title, unless no note has it and each word names one. */
export async function areSeveral(
  memory: Memory,
  kind: NoteKind,
  words: readonly string[],
): Promise<boolean> {
  const find = async (ref: string) => (await findNamed(memory, ref, [kind])).kind;
  if (words.length === 1 || await find(words.join(" ")) !== "none") return false;
  for (const word of words) if (await find(word) !== "one") return false;
  return true;
}

/** One after the other; the first that fails ends it, and what was done before is said. */
export async function oneByOne(
  refs: readonly string[],
  run: (ref: string) => Promise<Answer>,
): Promise<Answer> {
  const items: unknown[] = [];
  const text: Line[] = [];
  const notices: string[] = [];
  for (const ref of refs) {
    const answer = await run(ref).catch((error: unknown) => {
      if (error instanceof SageError) return failed(toFailure(error));
      throw error;
    });
    text.push(...answer.text);
    notices.push(...answer.notices ?? []);
    if (answer.error !== undefined) {
      return { ...answer, text, notices, json: { ...answer.json, done: items } };
    }
    items.push(...(answer.json["items"] ?? []) as unknown[]);
  }
  const isUndone = refs.length > 0 && items.length === 0;
  return { json: { items }, text, notices, ...(isUndone ? { code: 1 } : {}) };
}
