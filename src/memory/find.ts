/** A note by what a person types: path, id, short id, file stem, alias, or an unambiguous prefix. */
import { SageError } from "../base/errors.ts";
import { basename, join } from "../base/fs.ts";
import { given } from "../base/given.ts";
import { pattern } from "../base/pattern.ts";
import { PREFIX_CHARACTERS_MIN, shortId } from "../base/id.ts";
import { editDistance } from "../base/text.ts";
import { frontMap, frontText } from "../note/front_values.ts";
import type { NoteKind } from "../note/note.ts";
import { tellingWords } from "../search/words.ts";
import type { Store } from "../store/handle.ts";
import { stemOf } from "../store/layout.ts";
import { loadNote } from "../store/load.ts";
import { listRedirects, type Redirect } from "../store/redirects.ts";
import { everyEntry, relatedCatalogued } from "./catalogue.ts";
import type { Entry } from "./index_entries.ts";
import { type NoteRef, refOf, type StoredNote, toStored } from "./item.ts";
import type { Memory } from "./memory.ts";
import { withoutPromoted } from "./promoted.ts";
import { refreshAll } from "./reindex.ts";
import { type RemovedRef, trashedNames } from "./removal/trashed.ts";

export type Found =
  /** `byBeginning`: only the beginning of its id was typed. */
  | { readonly kind: "one"; readonly item: StoredNote; readonly byBeginning?: true }
  | { readonly kind: "many"; readonly items: readonly StoredNote[] }
  | { readonly kind: "none" } & Missed;

export interface Missed {
  readonly nearest: readonly NoteRef[];
  /** A note of the project was called so, and went to the own store of somebody else. */
  readonly moved?: Redirect;
  /** It was, and lies in the trash. */
  readonly removed?: RemovedRef;
}

/** No note, or more than one: the person has to say which. */
export type NotFound = Exclude<Found, { readonly kind: "one" }>;

/** More than this is no choice anybody makes. */
const CHOICES_MAX = 20;

export function findNote(
  memory: Memory,
  ref: string,
  kinds?: readonly NoteKind[],
): Promise<Found> {
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
 * The same for what removes a note or moves it away: one whose id only begins so is offered as a choice,
 * never taken, since it is the one that is left of all that were meant to be there.
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
 * The note that is called so and no other: by its path, its whole id or its short id. For what replaces a
 * note's text, where a beginning that fits by accident would cost somebody a note.
 */
export function findWhole(
  memory: Memory,
  ref: string,
  kinds: readonly NoteKind[],
): Promise<Found> {
  const wanted = ref.trim().normalize("NFC");
  const names = wholeNames(wanted);
  return find(memory, { ref, wanted, kinds }, (entries) => firstThat(entries, names));
}

type Fits = (entry: Entry) => boolean;

/** Names that are one note's alone, as its path is. */
function wholeNames(wanted: string): Fits[] {
  return [
    ({ note }) => note.id === wanted,
    ({ note }) => shortId(note.id) === wanted,
  ];
}

/** What went away, by its old name; else what `choose` takes of what is here. */
async function find(
  memory: Memory,
  asked: {
    readonly ref: string;
    readonly wanted: string;
    readonly kinds: readonly NoteKind[] | undefined;
  },
  choose: (entries: readonly Entry[]) => Promise<Found | undefined>,
): Promise<Found> {
  const reports = await refreshAll(memory);
  const all = everyEntry(memory, asked.kinds);
  const entries = withoutPromoted(memory, all);
  const [moved] = await byRedirect(memory, asked.ref, entries, redirectOf);
  if (moved !== undefined) return { kind: "one", item: moved };
  // A path means that file, whatever is left out of answers.
  const found = await firstThat(all, [(entry) => isPath(entry, asked.ref)]) ??
    await choose(entries);
  if (found !== undefined) return found;
  if (reports.every(({ unwritten }) => unwritten !== true)) {
    const removed = (await trashedNames(memory, asked.kinds))(asked.wanted);
    return { kind: "none", ...missed(memory, asked, entries), ...given({ removed }) };
  }
  // What is meant may be in what could not be indexed: that nothing fits would be a guess.
  await refreshAll(memory, { mustWrite: true });
  return await find(memory, asked, choose);
}

/** By the first of these ways to fit that any entry does. */
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

async function byBeginning(
  entries: readonly Entry[],
  wanted: string,
): Promise<Found | undefined> {
  if (wanted.length < PREFIX_CHARACTERS_MIN) return undefined;
  const found = await oneOrManyOf(
    entries.filter(({ note }) => note.id.startsWith(wanted) || shortId(note.id).startsWith(wanted)),
  );
  return found?.kind === "one" ? { ...found, byBeginning: true } : found;
}

/** What a person typed for a note, as its id, its title or its file's stem is compared with it. */
export function nameTyped(ref: string): string {
  return ref.trim().normalize("NFC")
    .replace(/^\[\[([^\]|#]+)(?:[|#][^\]]*)?\]\]$/, "$1")
    .replace(/\.md$/, "");
}

/** Undefined where nothing fits. */
export function oneOrMany(items: readonly StoredNote[]): Found | undefined {
  const [first] = items;
  if (first === undefined) return undefined;
  return items.length === 1 ? { kind: "one", item: first } : { kind: "many", items };
}

/**
 * What went from here to the person's own store, by a name that its file had here; at most one. The note
 * says so itself: a redirect comes with a clone, and may name any other.
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
  // What was written under one of those names since is called so as well.
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

/** What may be said where none of the entries is called so. */
export function missed(
  memory: Memory,
  asked: { readonly ref: string; readonly kinds?: readonly NoteKind[] | undefined },
  entries: Parameters<typeof nearestNotes>[1],
): Missed {
  const nearest = nearestNotes(nameTyped(asked.ref), entries);
  return { nearest, ...given({ moved: movedAway(memory, asked) }) };
}

/** Nothing is called so here: a redirect says whether something was. Only knowledge moves. */
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

/** By a name that is one note's alone. */
function redirectOf(store: Store, ref: string): Redirect | undefined {
  const stem = nameTyped(ref);
  return redirectsOf(store).find(({ id, path }) =>
    [id, shortId(id), stemOf(path)].includes(stem) ||
    join(store.root, path) === ref.trim()
  );
}

/** By a name that may have a new bearer. */
function redirectCalled(store: Store, ref: string): Redirect | undefined {
  const stem = nameTyped(ref);
  return redirectsOf(store).find(({ path, title }) =>
    title.toLowerCase() === stem.toLowerCase() || stemOf(basename(path)) === stem
  );
}

/** Those of a clone that nobody vouched for lead nowhere. */
function redirectsOf(store: Store): Redirect[] {
  return store.trust === "unknown" ? [] : listRedirects(store);
}

/** Last of all, for only a person's notes have aliases, and they lie apart in the index. */
async function byAlias(
  memory: Memory,
  wanted: string,
  kinds?: readonly NoteKind[],
): Promise<Found | undefined> {
  const called = relatedCatalogued(memory, kinds).filter(({ note, relations }) =>
    (note.kind === "knowledge" || note.kind === "topic") && relations.aliases.includes(wanted)
  );
  return await oneOrManyOf(called);
}

async function oneOrManyOf(entries: readonly Entry[]): Promise<Found | undefined> {
  return oneOrMany(await readHits(entries.slice(0, CHOICES_MAX)));
}

/** Of what is meant, a file that cannot be read is a failure; one that went away is none. */
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

/**
 * Of the three notes whose id or title is most like what was typed, those that may have been meant: with a
 * word of it, or nearly its letters. Others would only be what there is.
 */
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

/** Letters that may be wrong in a name: one of three, and in a short one two that changed places. */
const WRONG_SHARE = 3;

function resembling(name: string, nearest: readonly NoteRef[]): NoteRef[] {
  const words = [...tellingWords(name)];
  // Of one or two letters nothing would be left of what was meant.
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

/** Whether one of two begins the other: `worktree`, `worktrees`. */
function begins(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= PREFIX_CHARACTERS_MIN &&
    (a.startsWith(b) || b.startsWith(a));
}
