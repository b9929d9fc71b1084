/** Private text ends here: only the editor of a note's owner sees more. */
import { stripPrivate } from "../guard/private.ts";
import { frontText } from "../note/front_values.ts";
import { firstHeading } from "../note/markdown.ts";
import type { FrontMap, FrontValue, Note } from "../note/note.ts";

/** The note as everything but its owner's editor sees it. */
export function withoutPrivate(note: Note): Note {
  const body = stripPrivate(note.body);
  return {
    ...note,
    title: titleOf(note, body),
    body,
    tags: listWithoutPrivate(note.tags),
    aliases: listWithoutPrivate(note.aliases),
    front: mapWithoutPrivate(note.front),
  };
}

/** The title alone, for where the rest of the note stays as its owner wrote it. */
export function openTitle(note: Note): string {
  return titleOf(note, stripPrivate(note.body));
}

/** A heading between tags is private without holding one; the first that is not is the title then. */
function titleOf(note: Note, openBody: string): string {
  if (openBody === note.body) return stripPrivate(note.title);
  return firstHeading(openBody) ?? stripPrivate(frontText(note.front, "title") ?? note.id);
}

function listWithoutPrivate(list: readonly string[]): string[] {
  return list.map((item) => stripPrivate(item).trim()).filter((item) => item !== "");
}

function mapWithoutPrivate(map: FrontMap): FrontMap {
  return new Map([...map].map(([key, value]) => [key, valueWithoutPrivate(value)]));
}

/** Older layouts have whole sections in the front matter. */
function valueWithoutPrivate(value: FrontValue): FrontValue {
  if (typeof value === "string") return stripPrivate(value);
  if (value instanceof Map) return mapWithoutPrivate(value);
  return (value as readonly FrontValue[]).map(valueWithoutPrivate);
}
