/**
 * What was typed and not saved, where a tab that is discarded, crashes or is loaded again finds it: in the
 * storage of the tab's session, which ends with the tab, and is read by the page of the same notes alone. A
 * browser has that on its disk: what is private is left out, as it is when it is saved. So it is with what
 * was searched for.
 */
import { stripPrivate } from "../../guard/private.ts";

/** Of which notes this is the page: a port is of one project today and of another tomorrow. */
export const PLACE = document.documentElement.dataset.place ?? "";
const PREFIX = `typed ${PLACE} `;

/** Words of before, as they came back. */
export interface Found {
  readonly name: string;
  /** What they are, for a link to where they go on. */
  readonly title: string;
  readonly href: string;
  forget(): void;
}

/** Names of what is typed and neither saved nor dropped, also where the browser keeps nothing. */
const held = new Set<string>();
const found = new Map<string, Found>();
const listeners = new Set<() => void>();

/** Keeps it under a name, or nothing any more. */
export function keep(name: string, typed: Readonly<Record<string, string>> | undefined): void {
  if (typed === undefined) held.delete(name);
  else held.add(name);
  try {
    if (typed === undefined) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, JSON.stringify(typed, withoutPrivate));
  } catch {
    // No room, or not allowed: the tab has it, and asks before it goes. Half of it were worse than none.
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
    // Then nothing is there.
  }
}

/** What was looked for. Nobody would miss it, so nobody is asked before the page goes. */
const QUERY = `asked ${PLACE}`;

export function keepQuery(words: string): void {
  try {
    sessionStorage.setItem(QUERY, stripPrivate(words));
  } catch {
    // Then it is not there when the page is loaded again.
  }
}

export function keptQuery(): string {
  try {
    return sessionStorage.getItem(QUERY) ?? "";
  } catch {
    return "";
  }
}

/** What is kept under names that begin so, by the rest of the name. Made by another version, it may be anything. */
export function keptAt(
  beginning: string,
): [rest: string, typed: Readonly<Record<string, unknown>>][] {
  try {
    const start = PREFIX + beginning;
    return Object.keys(sessionStorage).filter((key) => key.startsWith(start)).map((
      key,
    ) => [key.slice(start.length), JSON.parse(sessionStorage.getItem(key) ?? "")]);
  } catch {
    return [];
  }
}

/** At the beginning of the page, by whoever took the words back. */
export function cameBack(words: Found): void {
  held.add(words.name);
  found.set(words.name, words);
}

/** Whether somebody has to be asked before the page goes. */
export function holdsWords(): boolean {
  return held.size > 0;
}

export function hasComeBack(name: string): boolean {
  return found.has(name);
}

export function whatCameBack(): Found[] {
  return [...found.values()];
}

/** Told when some of it is saved or dropped. Returns how to end that. */
export function onKept(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
