/**
 * Keeps unsaved text, and the last query, in the tab's sessionStorage, for a tab that was discarded, crashed
 * or reloaded. It ends with the tab, and only the page of the same notes reads it. Browsers write it to disk,
 * so private parts are left out, as they are when a note is saved.
 */
import { stripPrivate } from "../../guard/private.ts";

/** Identifies the notes of this page, because a port may serve another project tomorrow. */
export const PLACE = document.documentElement.dataset.place ?? "";
const PREFIX = `typed ${PLACE} `;

/** Unsaved text from before a reload. */
export interface Found {
  readonly name: string;
  /** What the text is, as the words of a link to it. */
  readonly title: string;
  readonly href: string;
  forget(): void;
}

/** Names of unsaved texts, also of those that the browser could not store. */
const held = new Set<string>();
const found = new Map<string, Found>();
const listeners = new Set<() => void>();

/** Stores a text under a name; undefined deletes it. */
export function keep(name: string, typed: Readonly<Record<string, string>> | undefined): void {
  if (typed === undefined) held.delete(name);
  else held.add(name);
  try {
    if (typed === undefined) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, JSON.stringify(typed, withoutPrivate));
  } catch {
    // No room, or not allowed. An older version would be worse than none; the page asks before it closes.
    drop(name);
  }
  if (typed === undefined && found.delete(name)) listeners.forEach((listener) => listener());
}

function withoutPrivate(_: string, value: unknown): unknown {
  return typeof value === "string" ? stripPrivate(value) : value;
}

function drop(name: string): void {
  try {
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // Then nothing is stored.
  }
}

/** The key of the last query. It is not worth asking before the page closes. */
const QUERY = `asked ${PLACE}`;

export function keepQuery(words: string): void {
  try {
    sessionStorage.setItem(QUERY, stripPrivate(words));
  } catch {
    // Then it is gone after a reload.
  }
}

export function keptQuery(): string {
  try {
    return sessionStorage.getItem(QUERY) ?? "";
  } catch {
    return "";
  }
}

/** The texts whose names have the prefix, by the rest of the name. Values of another version may have any form. */
export function keptAt(prefix: string): [rest: string, typed: Readonly<Record<string, unknown>>][] {
  try {
    const start = PREFIX + prefix;
    return Object.keys(sessionStorage).filter((key) => key.startsWith(start)).map((
      key,
    ) => [key.slice(start.length), JSON.parse(sessionStorage.getItem(key) ?? "")]);
  } catch {
    return [];
  }
}

/** Registers a text that was restored when the page was loaded. */
export function cameBack(words: Found): void {
  held.add(words.name);
  found.set(words.name, words);
}

/** Whether there is unsaved text, so that the page asks before it closes. */
export function holdsWords(): boolean {
  return held.size > 0;
}

export function hasComeBack(name: string): boolean {
  return found.has(name);
}

export function whatCameBack(): Found[] {
  return [...found.values()];
}

/** Calls the listener when a restored text is saved or dropped. Returns a function that unsubscribes. */
export function onKept(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
