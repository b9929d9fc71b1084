/**
 * Finds the earlier decision or the knowledge that a session's decision takes back, and adds a link to it.
 * The index reads the link (index/document.ts), and marks that knowledge as contradicted.
 */
import { parseTime, rfc3339 } from "../../base/clock.ts";
import { cut, splitSentences } from "../../base/text/text.ts";
import { spoken } from "../../detect/text/clean.ts";
import {
  abandonedIn,
  abandons,
  correctedIn,
  correctionIn,
  retractedIn,
  retracts,
} from "../../detect/decisions/corrections.ts";
import {
  chosenNamesIn,
  isTakenBack,
  namesIn,
  namesRejected,
  reversesEarlier,
  sentenceReversedBy,
  toldWith,
  withoutReversed,
} from "../../detect/decisions/reversals.ts";
import { sentencesOf } from "../../detect/text/sentences.ts";
import type { Turn } from "../../editor/editor.ts";
import { readSession as readSessionNote } from "../../note/session.ts";
import type { IndexedNote } from "../../search/document.ts";
import { prepareQuery } from "../../search/query/query.ts";
import { linkTo } from "../link_target.ts";
import { type Entry, isHere, knownEntries, lastUpdatedFirst, readEntry } from "../index/entries.ts";
import { saidAt } from "../knowledge/contradicting.ts";
import { publicText } from "../knowledge/related.ts";
import type { Store } from "../../store/handle.ts";
import { homeStore, type Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";

/** Session notes that are looked at, the latest first. */
const NOTES_MAX = 20;
/** Older sessions are searched for each decision that rejects something. */
const SESSIONS = { kinds: ["session"], limit: 5 } as const;
/** The person's sentences that are compared with knowledge, the last ones. */
const CORRECTIONS_MAX = 20;
/** How much of a reply is searched for what "it" in the person's answer refers to. */
const REPLY_CHARACTERS_MAX = 1000;
/** Sentences of an answer that are read: it contradicts the reply at its beginning, if at all. */
const OPENING_SENTENCES_MAX = 3;
/** The knowledge that a statement is compared with. */
const KNOWN = { kinds: ["knowledge"], statuses: ["active"], limit: 5 } as const;

/** A word names a choice if it is in at most this many notes, or this share of them. */
const RARE_NOTES = 2;
const RARE_SHARE = 0.05;

function fewOf(all: number): number {
  return Math.max(RARE_NOTES, Math.floor(RARE_SHARE * all));
}

/** The session whose decisions they are. */
interface Deciding {
  /** The id of its own note. */
  readonly own: string | undefined;
  /** When it ended, RFC 3339. A session from a history takes back nothing that was said later. */
  readonly ended: string;
}

/** The decisions, each with a link to what it takes back; one that has such a link stays as it is. */
export async function withEarlier(
  memory: Memory,
  decisions: readonly string[],
  session: Deciding,
): Promise<readonly string[]> {
  if (decisions.length === 0) return decisions;
  const { standing, told } = await earlierDecisions(memory, decisions, session);
  const linked: string[] = [];
  for (const decision of decisions) {
    const isLinked = withoutReversed(decision) !== decision;
    const gone = isLinked ? undefined : await knownGone(memory, decision, session) ??
      standing.find(({ text }) =>
        reversesEarlier(decision, text) && hasRareName(decision, text, standing)
      );
    const isNews = gone !== undefined && !told.some((one) => saysTheSame(one, decision, gone));
    linked.push(isNews ? linkedTo(gone, decision) : decision);
  }
  return linked;
}

/**
 * Whether an earlier session took the same back for the same, and nobody has settled it since. Otherwise each
 * session that only recalls a decision would be one more note that contradicts.
 */
function saysTheSame({ text, entry }: Gone, decision: string, gone: Gone): boolean {
  return isTakenBack(gone.text, [text]) && entry.note.updated > saidAt(gone.entry) &&
    !chosenNamesIn(withoutReversed(text)).isDisjointFrom(chosenNamesIn(decision));
}

/** Whether the two decisions share a name that few others have, or no name at all. */
function hasRareName(later: string, text: string, all: readonly Gone[]): boolean {
  const most = fewOf(all.length);
  const shared = [...namesIn(later).intersection(namesIn(text))];
  return shared.length === 0 ||
    shared.some((name) => all.filter((one) => namesIn(one.text).has(name)).length <= most);
}

/** The person's statements that contradict knowledge: decisions, although not worded as such. */
export async function corrections(
  memory: Memory,
  turns: readonly Turn[],
  decisions: readonly string[],
): Promise<readonly string[]> {
  const said = correctionsIn(turns).filter(({ text }) =>
    !decisions.some((decision) => decision.includes(text))
  );
  const found: string[] = [];
  for (const { text, at, about, takes } of said.slice(-CORRECTIONS_MAX)) {
    // Knowledge that was reworded after the statement takes it into account.
    const gone = await known(memory, about, takes, (note) => note.updated < at);
    if (gone !== undefined) found.push(linkedTo(gone, text));
  }
  return found;
}

interface Correction {
  readonly text: string;
  /** When it was said, RFC 3339 to the second; undated turns are the last ones. */
  readonly at: string;
  /** The words to search for. */
  readonly about: string;
  /** The sentence of a text that it takes back. */
  takes(known: string): string | undefined;
}

/** Sentences of the person that may take something back. */
function correctionsIn(turns: readonly Turn[]): Correction[] {
  const alone = sentencesOf(turns).filter(({ text, turn }) =>
    turn.role === "user" && retracts(text)
  )
    .map(({ text, turn }) => ({
      text,
      at: momentOf(turn),
      about: text,
      takes: (known: string) => retractedIn(text, known),
    }));
  return [...alone, ...answersIn(turns)];
}

function momentOf({ at }: Turn): string {
  const ms = parseTime(at);
  return ms === undefined ? "~" : rfc3339(ms);
}

/** Answers such as "That's wrong, it's pnpm", which are understood with the reply before them only. */
function answersIn(turns: readonly Turn[]): Correction[] {
  let reply = "";
  return turns.flatMap((turn) => {
    const { role, text: whole } = turn;
    if (role === "assistant") {
      reply = whole.trim() === "" ? reply : whole;
      return [];
    }
    const said = splitSentences(spoken(whole)).slice(0, OPENING_SENTENCES_MAX);
    const answered = reply;
    return said.flatMap((text, i): Correction[] => {
      const correction = correctionIn(text, said[i - 1]);
      return correction === undefined ? [] : [{
        text: correction === text ? `${said[i - 1]} ${text}` : text,
        at: momentOf(turn),
        about: `${correction} ${cut(answered, REPLY_CHARACTERS_MAX)}`,
        takes: (known) => correctedIn(correction, answered, known),
      }];
    });
  });
}

async function knownGone(
  memory: Memory,
  statement: string,
  { ended }: Deciding,
): Promise<Gone | undefined> {
  if (!namesRejected(statement) && !abandons(statement)) return undefined;
  const goneIn = (text: string): string | undefined =>
    sentenceReversedBy(statement, text) ?? abandonedIn(statement, text);
  return await known(memory, statement, goneIn, isUntil(ended));
}

/** Either time counts, because the index takes the file's for one that the front matter lacks. */
function isUntil(ended: string): (note: Pick<IndexedNote, "created" | "updated">) => boolean {
  return ({ created, updated }) => created <= ended || updated <= ended;
}

function linkedTo({ text, entry }: Gone, decision: string): string {
  return toldWith(decision, text, ` of ${linkTo(entry)}`);
}

interface Gone {
  readonly text: string;
  readonly entry: Entry;
}

/** The sentence of knowledge that is taken back. Found by words, because the statement names its subject. */
async function known(
  memory: Memory,
  about: string,
  takes: (known: string) => string | undefined,
  mayBe: (note: IndexedNote) => boolean,
): Promise<Gone | undefined> {
  const query = prepareQuery(about);
  for (const store of quotable(memory)) {
    for (const { note } of memory.index(store).query(query, KNOWN)) {
      const isMeant = isHere(memory, { store, note }) && mayBe(note);
      const stored = isMeant ? await readEntry({ store, note }) : undefined;
      const text = stored === undefined ? undefined : takes(publicText(stored));
      if (text === undefined) continue;
      const shared = [...namesIn(about).intersection(namesIn(text))];
      if (shared.length === 0 || hasRare(memory, store, shared)) {
        return { text, entry: { store, note } };
      }
    }
  }
  return undefined;
}

/**
 * Whether one of the words is rare in knowledge. A common word is the project's subject and not a choice: if
 * half of all knowledge is about sessions, "you edited the main copy, not the session" takes nothing back.
 */
function hasRare(memory: Memory, store: Store, words: readonly string[]): boolean {
  const { kinds, statuses } = KNOWN;
  const most = fewOf(knownEntries(memory, { kinds, statuses }).length);
  const index = memory.index(store);
  return words.some((word) =>
    index.query(prepareQuery(word), { ...KNOWN, limit: most + 1 }).length <= most
  );
}

/** Stores that may be quoted: a project's note must not quote the person's own store. */
function quotable(memory: Memory): readonly Store[] {
  const home = homeStore(memory);
  return memory.stores.filter(({ scope, trust }) =>
    trust !== "unknown" && (home.scope === "user" || scope === "project")
  );
}

/** Decisions of earlier sessions, latest first. */
interface Earlier {
  /** Without those that were taken back themselves. */
  readonly standing: readonly Gone[];
  /** As they are told, with what they take back. */
  readonly told: readonly Gone[];
}

async function earlierDecisions(
  memory: Memory,
  decisions: readonly string[],
  { own, ended }: Deciding,
): Promise<Earlier> {
  const latest = knownEntries(memory, { kinds: ["session"] }).sort(lastUpdatedFirst)
    .slice(0, NOTES_MAX);
  const further = decisions.filter(namesRejected).map((decision) => prepareQuery(decision))
    .flatMap((query) =>
      quotable(memory).flatMap((store): Entry[] =>
        memory.index(store).query(query, SESSIONS).map(({ note }) => ({ store, note }))
      )
    ).filter((entry) => isHere(memory, entry));
  const byId = new Map([...latest, ...further].map((entry) => [entry.note.id, entry]));
  const entries = [...byId.values()].filter(({ note }) => note.id !== own).sort(lastUpdatedFirst);
  const told: Gone[] = [];
  for (const entry of entries) {
    const stored = await readEntry(entry);
    if (stored === undefined) continue;
    const { decisions, started, updated } = readSessionNote(withoutPrivate(stored.note));
    if (!isUntil(ended)({ created: started, updated })) continue;
    told.push(...decisions.toReversed().map((text) => ({ text, entry })));
  }
  const all = told.map(({ text }) => text);
  const standing = told.map(({ text, entry }) => ({ text: withoutReversed(text), entry }))
    .filter(({ text }) => !isTakenBack(text, all));
  return { standing, told };
}
