/** The note as everyone but its owner's editor sees it. */
import { stripPrivate } from "../guard/private.ts";
import type { FrontMap, FrontValue, Note } from "../note/note.ts";

/** The note as everything but its owner's editor sees it. */
export function withoutPrivate(note: Note): Note {
  return {
    ...note,
    title: stripPrivate(note.title),
    body: stripPrivate(note.body),
    tags: note.tags.map(stripPrivate),
    front: mapWithoutPrivate(note.front),
  };
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
