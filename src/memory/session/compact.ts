/**
 * Session notes grow without end; what they hold that is worth knowing becomes knowledge, and the note
 * is archived with a link to it. Nothing is removed: the archived note keeps every word. A matter of
 * taste, and what contradicts a note that exists, is a person's to settle; until then the session's note
 * stays as it is. Each note is done by itself, so a run that was cut short is simply run again.
 */
import { DAY_MS, parseTime, rfc3339 } from "../../base/clock.ts";
import { editFrontMatter } from "../../note/front_matter.ts";
import { replaceNote } from "../../store/store.ts";
import { catalogue } from "../catalogue.ts";
import { type Entry, isHere, lastUpdatedFirst, readEntry } from "../index/entries.ts";
import type { StoredNote } from "../item.ts";
import { factsOfSession, inputOf } from "../knowledge/extract.ts";
import type { Fact } from "../knowledge/facts.ts";
import { findRelated, publicText } from "../knowledge/related.ts";
import { saveKnowledge } from "../knowledge/save.ts";
import type { Memory } from "../memory.ts";
import type { Author } from "../write/outcome.ts";
import { indexSaved } from "../index/reindex.ts";
import { openSessions } from "./instances.ts";
import { rewroteNote } from "./own_bytes.ts";

/** What somebody has to say something about before it is kept. */
export interface Unsettled {
  readonly fact: Fact;
  /** The note that it would change. */
  readonly existing?: { readonly id: string; readonly title: string; readonly text: string };
}

export type Decision = "keep" | "drop" | "later";

export interface CompactedSession {
  readonly id: string;
  readonly title: string;
  /** Ids of the knowledge that holds what it said. */
  readonly into: readonly string[];
  /** New or changed by this. */
  readonly written: number;
  readonly unsettled: readonly Unsettled[];
  readonly archived: boolean;
  readonly reason?: string;
}

/** The notes that are due, oldest first: too old, or too many lines of them. */
export async function dueSessions(memory: Memory): Promise<Entry[]> {
  const days = memory.config.get("session.compact_days");
  const linesMax = memory.config.get("session.compact_lines");
  const open = new Set(openSessions(memory).map(({ note }) => note?.id));
  const isActive = (entry: Entry): boolean =>
    !entry.note.problem && entry.note.status !== "archived" && isHere(memory, entry) &&
    entry.store.trust !== "unknown" && !open.has(entry.note.id);
  const entries = (await catalogue(memory, ["session"])).filter(isActive).sort(lastUpdatedFirst);
  const now = memory.now();
  const isOld = ({ note }: Entry): boolean =>
    now - (parseTime(note.updated) ?? now) > days * DAY_MS;
  let [staying, lines] = [0, 0];
  for (const entry of entries) {
    // From here on all are older, and no file has to be read to know it.
    if (isOld(entry)) break;
    lines += (await readEntry(entry))?.loaded.text.split("\n").length ?? 0;
    if (lines > linesMax) break;
    staying++;
  }
  // The latest is where the next session begins; it stays whatever its age.
  return entries.slice(Math.max(1, staying)).reverse();
}

/** Makes knowledge of one, and archives it when everything in it is settled. */
export async function compactSession(
  memory: Memory,
  stored: StoredNote,
  author: Author,
  decide: (unsettled: Unsettled) => Promise<Decision>,
): Promise<CompactedSession> {
  const { id, title, updated: said } = stored.note;
  const saidMs = parseTime(said);
  // What was decided in March is no news because somebody tidied up in June: later notes are newer.
  const then: Memory = saidMs === undefined ? memory : { ...memory, now: () => saidMs, past: true };
  const into = new Set<string>();
  const unsettled: Unsettled[] = [];
  let written = 0;
  for (const fact of factsOfSession(memory, stored)) {
    const input = inputOf(fact, id);
    const related = await findRelated(memory, input);
    if (related?.outcome.kind === "duplicate") {
      into.add(related.stored.note.id);
      continue;
    }
    const existing = related === undefined ? undefined : {
      id: related.stored.note.id,
      title: related.stored.note.title,
      text: publicText(related.stored),
    };
    const question: Unsettled = { fact, ...(existing === undefined ? {} : { existing }) };
    const asks = fact.subjective || existing !== undefined;
    const decision = asks ? await decide(question) : "keep";
    if (decision === "later") unsettled.push(question);
    if (decision !== "keep") continue;
    const outcome = existing === undefined
      ? await saveKnowledge(then, input, author)
      : await saveKnowledge(memory, { ...input, onConflict: "update" }, author);
    if (outcome.kind === "saved" || outcome.kind === "updated") {
      into.add(outcome.id);
      written++;
    } else if (outcome.kind === "duplicate") into.add(outcome.of.id);
    // What was forgotten, or holds a secret, is not to come back; anything else is met again.
    else if (outcome.kind !== "forgotten" && outcome.kind !== "refused") unsettled.push(question);
  }
  const about = { id, title, into: [...into], written, unsettled };
  if (unsettled.length > 0) return { ...about, archived: false };
  const reason = await archive(memory, stored, [...into]);
  return reason === undefined
    ? { ...about, archived: true }
    : { ...about, archived: false, reason };
}

/** The reason why it could not be. */
async function archive(
  memory: Memory,
  stored: StoredNote,
  into: readonly string[],
): Promise<string | undefined> {
  const at = rfc3339(memory.now());
  const text = await editFrontMatter(
    stored.loaded.text,
    new Map<string, string | readonly string[] | undefined>([
      ["status", "archived"],
      ["compacted", at],
      ["compacted_into", into.length === 0 ? undefined : into],
    ]),
  );
  const outcome = await replaceNote(stored.store, stored.loaded, text, { keepVersion: false });
  if (outcome.kind !== "written") return "the note was changed in this moment";
  rewroteNote(memory, stored.loaded, text);
  await indexSaved(memory, stored.store, stored.path);
  return undefined;
}
