/** Finds a note by what a person types: path, id, short id, file stem, alias, or an unambiguous prefix. */
import { SageError } from "../base/errors.ts";
import { basename, join } from "../base/path.ts";
import { defined } from "../base/defined.ts";
import { pattern } from "../base/text/pattern.ts";
import { PREFIX_CHARACTERS_MIN, shortId } from "../base/id.ts";
import { editDistance } from "../base/text/text.ts";
import { frontMap, frontText } from "../note/front_values.ts";
import type { NoteKind } from "../note/note.ts";
import { tellingWords } from "../search/query/words.ts";
import type { Store } from "../store/handle.ts";
import { stemOf } from "../store/layout.ts";
import { loadNote } from "../store/load.ts";
import { listRedirects, type Redirect } from "../store/redirects.ts";
import { everyEntry, relatedCatalogued } from "./catalogue.ts";
import type { Entry } from "./index/entries.ts";
import { type NoteRef, refOf, type StoredNote, toStored } from "./item.ts";
import { type Memory, storesThere } from "./memory.ts";
import { withoutPromoted } from "./knowledge/promoted.ts";
import { readFresh, refreshAll } from "./index/reindex.ts";
import { type RemovedRef, trashedNames } from "./removal/trashed.ts";

export type Found =
  /** `byBeginning`: only a prefix of its id was typed. */
  | { readonly kind: "one"; readonly item: StoredNote; readonly byBeginning?: true }
  | { readonly kind: "many"; readonly items: readonly StoredNote[] }
  | { readonly kind: "none" } & Missed;

export interface Missed {
  readonly nearest: readonly NoteRef[];
  /** A note of this project had that name, and was moved to somebody else's own store. */
  readonly moved?: Redirect;
  /** It is in the trash. */
  readonly removed?: RemovedRef;
}

/** None, or several: the person has to say which. */
export type NotFound = Exclude<Found, { readonly kind: "one" }>;

/** A longer list helps nobody to choose. */
export const CHOICES_MAX = 20;

export function findNote(memory: Memory, ref: string, kinds?: readonly NoteKind[]): Promise<Found> {
  const wanted = nameTyped(ref);
  return find(memory, { ref, wanted, kinds }, async (entries) => {
    if (wanted === "") return undefined;
    const whole = await firstThat(entries, [
      ...wholeNames(wanted),
      ({ note }) => stemOf(basename(note.path)) === wanted,
      ({ note }) => note.title.toLowerCase() === wanted.toLowerCase(),
    ]);
    return whole ?? await byBeginning(entries, wanted) ?? await byAlias(memory, wanted, kinds) ??
      oneOrMany(await byRedirect(memory, ref, entries, redirectCalled));
  });
}

/**
 * The same for removing or moving a note. A note found by a prefix is only offered: it may be the last
 * one left with that prefix, and not the one that was meant.
 */
export async function findNamed(
  memory: Memory,
  ref: string,
  kinds?: readonly NoteKind[],
): Promise<Found> {
  const found = await findNote(memory, ref, kinds);
  const isTaken = found.kind !== "one" || found.byBeginning !== true;
  return isTaken ? found : { kind: "many", items: [found.item] };
}

/**
 * The note of exactly this path, id or short id. For replacing a note's text, where a prefix that
 * matches by accident would overwrite another note.
 */
export function findExact(memory: Memory, ref: string, kinds: readonly NoteKind[]): Promise<Found> {
  const wanted = ref.trim().normalize("NFC");
  const names = wholeNames(wanted);
  return find(memory, { ref, wanted, kinds }, (entries) => firstThat(entries, names));
}

type Fits = (entry: Entry) => boolean;

/** Names that belong to one note alone, as its path does. */
function wholeNames(wanted: string): Fits[] {
  return [
    ({ note }) => note.id === wanted,
    ({ note }) => wanted.length === 8 && beginsShort(note.id, wanted),
  ];
}

/** Whether the short id begins so. It is a hash, which is not made for thousands if it cannot be. */
function beginsShort(id: string, wanted: string): boolean {
  return /^[0-9a-f]{1,8}$/.test(wanted) && shortId(id).startsWith(wanted);
}

/** A note that was moved to the person's store, by its old name; otherwise what `choose` finds. */
async function find(
  memory: Memory,
  asked: {
    readonly ref: string;
    readonly wanted: string;
    readonly kinds: readonly NoteKind[] | undefined;
  },
  choose: (entries: readonly Entry[]) => Promise<Found | undefined>,
): Promise<Found> {
  const { reports, all } = await readFresh(memory, (reports) => ({
    reports,
    all: everyEntry(memory, asked.kinds),
  }));
  const entries = withoutPromoted(memory, all);
  const [moved] = await byRedirect(memory, asked.ref, entries, redirectOf);
  if (moved !== undefined) return { kind: "one", item: moved };
  // A path means that file, even one that other answers leave out (promoted.ts).
  const found = await firstThat(all, [(entry) => isPath(entry, asked.ref)]) ??
    await choose(entries);
  if (found !== undefined) return found;
  if (reports.every(({ unwritten }) => unwritten !== true)) {
    const removed = (await trashedNames(memory, asked.kinds))(asked.wanted);
    return { kind: "none", ...missed(memory, asked, entries), ...defined({ removed }) };
  }
  // The note may be in a change that could not be indexed: then "none" would be a guess.
  await refreshAll(memory, { mustWrite: true });
  return await find(memory, asked, choose);
}

/** The entries that match in the first of these ways in which any does. */
async function firstThat(
  entries: readonly Entry[],
  ways: readonly Fits[],
): Promise<Found | undefined> {
  for (const fits of ways) {
    const found = await oneOrManyOf(entries.filter(fits));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function byBeginning(entries: readonly Entry[], wanted: string): Promise<Found | undefined> {
  const found = await oneOrManyOf(entries.filter(({ note }) => idBegins(note.id, wanted)));
  return found?.kind === "one" ? { ...found, byBeginning: true } : found;
}

/** Whether an id, or its short form, begins with what was typed, if that is long enough to mean one. */
export function idBegins(id: string, typed: string): boolean {
  return typed.length >= PREFIX_CHARACTERS_MIN && (id.startsWith(typed) || beginsShort(id, typed));
}

/** What was typed, without `[[…]]`, heading, alias and `.md`. */
export function nameTyped(ref: string): string {
  return ref.trim().normalize("NFC")
    .replace(/^\[\[([^\]|#]+)(?:[|#][^\]]*)?\]\]$/, "$1")
    .replace(/\.md$/, "");
}

/** Undefined where nothing matches. */
export function oneOrMany(items: readonly StoredNote[]): Found | undefined {
  const [first] = items;
  if (first === undefined) return undefined;
  return items.length === 1 ? { kind: "one", item: first } : { kind: "many", items };
}

/**
 * A note that was moved from here to the person's own store, by its file's name here; at most one.
 * The note itself says so: a redirect comes with a clone, and may name any other.
 */
async function byRedirect(
  memory: Memory,
  ref: string,
  entries: readonly Entry[],
  find: typeof redirectOf,
): Promise<StoredNote[]> {
  const { project, user } = memory;
  const redirect = project && find(project, ref);
  if (redirect === undefined) return [];
  const { id, to } = redirect;
  // A note written since under one of those names has it as well.
  const isTaken = entries.some((entry) =>
    entry.store === project && (entry.note.id === id || isPath(entry, ref))
  );
  if (isTaken) return [];
  const items = await readHits(
    entries.filter(({ store, note }) => store === user && note.id === to).slice(0, 1),
  );
  return items.filter(({ note }) => {
    const promoted = frontMap(note.front, "promoted");
    return promoted !== undefined && frontText(promoted, "id") === id;
  });
}

/** What may be found where no entry has that name. */
export function missed(
  memory: Memory,
  asked: { readonly ref: string; readonly kinds?: readonly NoteKind[] | undefined },
  entries: Parameters<typeof nearestNotes>[1],
): Missed {
  const nearest = nearestNotes(nameTyped(asked.ref), entries);
  return { nearest, ...defined({ moved: movedAway(memory, asked) }) };
}

/** Where the note of that name went. Only knowledge is ever moved. */
function movedAway(
  { project }: Memory,
  { ref, kinds }: Parameters<typeof missed>[1],
): Redirect | undefined {
  if (project === undefined || kinds?.includes("knowledge") === false) return undefined;
  return redirectOf(project, ref) ?? redirectCalled(project, ref);
}

function isPath({ store, note }: Entry, ref: string): boolean {
  return [note.path, join(store.root, note.path)].includes(ref.trim());
}

/** By id, short id or path, which one note alone has. */
function redirectOf(store: Store, ref: string): Redirect | undefined {
  const stem = nameTyped(ref);
  return redirectsOf(store).find(({ id, path }) =>
    [id, shortId(id), stemOf(path)].includes(stem) ||
    join(store.root, path) === ref.trim()
  );
}

/** By title or file name, which another note may have by now. */
function redirectCalled(store: Store, ref: string): Redirect | undefined {
  const stem = nameTyped(ref);
  return redirectsOf(store).find(({ path, title }) =>
    title.toLowerCase() === stem.toLowerCase() || stemOf(basename(path)) === stem
  );
}

/** Redirects of a clone that nobody trusts lead nowhere. */
function redirectsOf(store: Store): Redirect[] {
  return store.trust === "unknown" ? [] : listRedirects(store);
}

/** Tried last: only people's notes have aliases, and the index keeps those apart. */
async function byAlias(
  memory: Memory,
  wanted: string,
  kinds?: readonly NoteKind[],
): Promise<Found | undefined> {
  if (!storesThere(memory).some((store) => memory.index(store).hasAlias(wanted))) return undefined;
  const called = relatedCatalogued(memory, kinds).filter(({ note, relations }) =>
    (note.kind === "knowledge" || note.kind === "topic") && relations.aliases.includes(wanted)
  );
  return await oneOrManyOf(called);
}

async function oneOrManyOf(entries: readonly Entry[]): Promise<Found | undefined> {
  return oneOrMany(await readHits(entries.slice(0, CHOICES_MAX)));
}

/** Fails on a file that cannot be read, and skips one that was deleted meanwhile. */
async function readHits(entries: readonly Entry[]): Promise<StoredNote[]> {
  const items: StoredNote[] = [];
  for (const { store, note } of entries) {
    try {
      items.push(toStored(store, await loadNote(store, note.path), note));
    } catch (error) {
      if (error instanceof SageError && UNREADABLE.includes(error.code)) throw error;
    }
  }
  return items;
}

const UNREADABLE: readonly string[] = ["io", "permission", "disk_full"];

/** Up to three notes whose id or title shares a word with what was typed, or nearly its spelling. */
export function nearestNotes(
  wanted: string,
  entries: readonly { readonly note: { readonly id: string; readonly title: string } }[],
): NoteRef[] {
  const typed = wanted.toLowerCase();
  const words = typed.split(pattern(String.raw`[^\p{L}\p{N}]+`, "u")).filter((word) =>
    word.length > 2
  );
  const scored = entries.map(({ note }) => {
    const text = `${note.id} ${note.title}`.toLowerCase();
    const shared = words.filter((word) => text.includes(word)).length;
    return { note, score: shared * 10 - editDistance(typed, note.id.toLowerCase(), 20) };
  });
  const three = scored.sort((a, b) => b.score - a.score).slice(0, 3);
  return resembling(typed, three.map(({ note }) => refOf(note)));
}

/** One letter in three may be wrong; in a short name two, as when they are swapped. */
const WRONG_SHARE = 3;

function resembling(name: string, nearest: readonly NoteRef[]): NoteRef[] {
  const words = [...tellingWords(name)];
  // In a name of one or two letters two wrong ones would match anything.
  const wrongMax = name.length < PREFIX_CHARACTERS_MIN
    ? 0
    : Math.max(2, Math.floor(name.length / WRONG_SHARE));
  return nearest.filter(({ id, title, short_id }) => {
    const own = [...tellingWords(`${id} ${title}`)];
    return words.some((word) => own.some((other) => begins(word, other))) ||
      [id, title, short_id].map((one) => one.toLowerCase()).some((one) =>
        begins(name, one) || editDistance(name, one, wrongMax) <= wrongMax
      );
  });
}

/** Whether one is a prefix of the other: `worktree`, `worktrees`. */
function begins(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= PREFIX_CHARACTERS_MIN &&
    (a.startsWith(b) || b.startsWith(a));
}
