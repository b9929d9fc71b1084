/**
 * Makes knowledge of old session notes, whose number has no limit, and archives each note with links to that
 * knowledge. Nothing is removed: the archived note keeps every word. A person decides about preferences, and
 * about statements that would change an existing note; until then the session's note stays as it is. Notes
 * are handled one by one, so an interrupted run can be repeated.
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
import { rememberShown } from "../knowledge/replace_text.ts";
import { saveKnowledge } from "../knowledge/save.ts";
import type { Memory } from "../memory.ts";
import type { Author } from "../write/outcome.ts";
import { indexSaved } from "../index/reindex.ts";
import { openSessions } from "./instances.ts";
import { rewroteNote } from "./own_bytes.ts";

/** A statement that a person has to decide on. */
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
    // All further ones are older, so their files need not be read.
    if (isOld(entry)) break;
    lines += (await readEntry(entry))?.loaded.text.split("\n").length ?? 0;
    if (lines > linesMax) break;
    staying++;
  }
  // The latest stays whatever its age, because the next session starts from it.
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
  // Knowledge gets the date of the session, so that notes written since remain the newer ones.
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
    if (related !== undefined) rememberShown(memory, related.stored, author);
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
    // Forgotten statements and secrets are dropped; what failed otherwise is tried again in the next run.
    else if (outcome.kind !== "forgotten" && outcome.kind !== "refused") unsettled.push(question);
  }
  const about = { id, title, into: [...into], written, unsettled };
  if (unsettled.length > 0) return { ...about, archived: false };
  const reason = await archive(memory, stored, [...into]);
  return reason === undefined
    ? { ...about, archived: true }
    : { ...about, archived: false, reason };
}

/** Why it could not be archived; undefined if it was. */
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
