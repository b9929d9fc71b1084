/** A note without its private text: what everyone but its owner's editor may see. */
import { isMapping } from "../../base/yaml/value.ts";
import { stripPrivate, stripPrivateAcross } from "../../guard/private.ts";
import { frontText } from "../../note/front_values.ts";
import { firstHeading } from "../../note/markdown.ts";
import type { FrontMap, FrontValue, Note } from "../../note/note.ts";
import { readNamed } from "../../note/parse.ts";

/**
 * The note as everyone but its owner's editor may see it. Front matter and body count as one text, as
 * in the file: what is opened in one is private until another closes it.
 */
export function withoutPrivate(note: Note): Note {
  const texts = [...textsOf(note.front), note.body];
  const open = stripPrivateAcross(texts);
  if (open === texts) return { ...note, title: stripPrivate(note.title) };
  const next = open.values();
  const front = rebuilt(note.front, next) as FrontMap;
  const body = next.next().value ?? "";
  return { ...note, ...readNamed(front), title: titleOf(note, front, body), front, body };
}

/** Only the title without private text; the rest stays as its owner wrote it. */
export function publicTitle(note: Note): string {
  return withoutPrivate(note).title;
}

/** A heading inside a private part has no tags of its own; then the first open one is the title. */
function titleOf(note: Note, front: FrontMap, body: string): string {
  const isNamed = firstHeading(note.body) !== undefined ||
    frontText(note.front, "title") !== undefined;
  const named = firstHeading(body) ?? frontText(front, "title");
  return named ?? (isNamed ? note.id : stripPrivate(note.title));
}

/** Keys and values in the order of the file. */
function textsOf(value: FrontValue): readonly string[] {
  if (typeof value === "string") return [value];
  if (isMapping(value)) {
    return [...value].flatMap(([key, one]) => [key, ...textsOf(one)]);
  }
  return value.flatMap(textsOf);
}

/** The value made of its public texts: a key that was private goes with its value, and so does an item. */
function rebuilt(value: FrontValue, open: Iterator<string>): FrontValue {
  if (typeof value === "string") return open.next().value ?? "";
  if (isMapping(value)) {
    const entries = [...value].map(([key, one]): [string, string, FrontValue] => {
      const openKey: string = open.next().value ?? "";
      return [key, openKey, rebuilt(one, open)];
    });
    const kept = entries.filter(([key, openKey]) => key === openKey || openKey.trim() !== "");
    return new Map(kept.map(([, key, one]) => [key, one]));
  }
  const kept = value.map((item) => [item, rebuilt(item, open)] as const)
    .filter(([was, is]) => was === is || is !== "");
  return kept.map(([, item]) => item);
}
