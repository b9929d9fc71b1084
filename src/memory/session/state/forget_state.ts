/** Removes words of a note from the state of sessions: topics, lists of what was shown, log lines. */
import { writeAtomic } from "../../../base/atomic.ts";
import { listIfDir, readBytes } from "../../../base/fs.ts";
import { join } from "../../../base/path.ts";
import { decode, encode } from "../../../base/utf8.ts";
import { defined } from "../../../base/defined.ts";
import { readJsonLines } from "../../../base/jsonl.ts";
import type { Note } from "../../../note/note.ts";
import { readStateOrThrow, removeStates, writeState } from "../../../store/state.ts";
import { saysForgotten } from "../../write/forgotten.ts";
import { COACHING, type Coaching, NO_COACHING } from "../../coaching/tip.ts";
import type { Memory } from "../../memory.ts";
import { dropHandoffs } from "../handoff.ts";
import { PREPARED_FOLDER } from "../orientation/prepared.ts";
import type { SessionState } from "./session_state.ts";
import { ENDED_FOLDER, endedName, LIVE_FOLDER, liveName, stateNames } from "./state_file.ts";

/** Keys of values that quote a conversation, and so may hold the note's words. */
const QUOTING = /"(?:compaction|amended|topic|subagents)"/;
/** A larger file is not one of our state files. */
const STATE_BYTES_MAX = 4 * 1024 * 1024;

/** Removes every mention of the note; returns the changed files. */
export function forgetInState(memory: Memory, id: string, note: Note): string[] {
  return [
    ...forgetInInstances(memory, id),
    ...forgetInLines(memory, id),
    ...forgetSession(memory, note),
    ...forgetPrepared(memory),
    ...forgetTip(memory, id),
  ];
}

/** A forgotten session note takes the private state of that session with it. */
function forgetSession(memory: Memory, note: Note): string[] {
  const session = note.front.get("session");
  if (note.kind !== "session" || typeof session !== "string") return [];
  const names = [liveName(session), endedName(session)];
  return [
    ...removeStates(memory.fs, memory.places.stateDir, names),
    ...dropHandoffs(memory, session),
  ];
}

function forgetInInstances(memory: Memory, id: string): string[] {
  const { fs, places } = memory;
  const changed: string[] = [];
  for (
    const name of [LIVE_FOLDER, ENDED_FOLDER].flatMap((one) =>
      stateNames(fs, places.stateDir, one, listIfDir)
    )
  ) {
    const read = readStateOrThrow<SessionState>(fs, places.stateDir, name);
    if (read === undefined) continue;
    // The whole file, because it may still hold older values of the state.
    const text = decode(readBytes(fs, join(places.stateDir, name), STATE_BYTES_MAX));
    const isMentioned = text.includes(id);
    if (!isMentioned && !QUOTING.test(text)) continue;
    // What a compaction dropped may be the note's own words.
    const { compaction: _, ...state } = read;
    const open = withoutForgotten(memory, state);
    const next = isMentioned ? withoutNote(open, id) : open;
    writeState(fs, places.stateDir, name, next);
    changed.push(join(places.stateDir, name));
  }
  return changed;
}

/** Removes forgotten sentences from all that the state quotes of a conversation. */
function withoutForgotten(memory: Memory, state: SessionState): SessionState {
  const isOpen = (text: string): boolean => !saysForgotten(memory, text);
  const { topic, amended, subagents, overlaps, ...rest } = state;
  return {
    ...rest,
    ...(topic === undefined || !isOpen(topic) ? {} : { topic }),
    ...(amended === undefined ? {} : { amended: openAmendment(amended, isOpen) }),
    ...defined({
      subagents: subagents?.filter(({ said }) => isOpen(said)),
      overlaps: overlaps?.map(({ topic, ...overlap }) =>
        topic === undefined || !isOpen(topic) ? overlap : { ...overlap, topic }
      ),
    }),
  };
}

function openAmendment(
  { at, summary, ...lists }: NonNullable<SessionState["amended"]>,
  isOpen: (text: string) => boolean,
): NonNullable<SessionState["amended"]> {
  const kept = Object.entries(lists).map(([part, items]) => [part, items.filter(isOpen)]);
  return {
    at,
    ...(summary === undefined || !isOpen(summary) ? {} : { summary }),
    ...Object.fromEntries(kept),
  };
}

/** The topic and the terms of the prompt that it answered are removed too: they may be its own words. */
function withoutNote(state: SessionState, id: string): SessionState {
  const { lastSave, checkpoints, restored, shown = {}, offer, offered, wrote, read, ...others } =
    state;
  const { topic: _topic, lastTerms: _terms, lastShown: _shown, ...rest } = others;
  const { [id]: _, ...kept } = shown;
  const { [id]: _file, ...files } = wrote ?? {};
  const { [id]: _text, ...texts } = read ?? {};
  return {
    ...rest,
    ...(lastSave === undefined || lastSave.id === id ? {} : { lastSave }),
    ...(checkpoints === undefined
      ? {}
      : { checkpoints: checkpoints.filter((saved) => saved !== id) }),
    ...(restored === undefined || restored === id ? {} : { restored }),
    ...(offer === undefined || offer.id === id ? {} : { offer }),
    ...(offered === undefined ? {} : { offered: offered.filter(({ note }) => note !== id) }),
    ...(wrote === undefined ? {} : { wrote: files }),
    ...(read === undefined ? {} : { read: texts }),
    shown: kept,
  };
}

/** Prepared orientations hold words of notes; the next session makes its own. */
function forgetPrepared({ fs, places: { stateDir } }: Memory): string[] {
  return removeStates(fs, stateDir, stateNames(fs, stateDir, PREPARED_FOLDER, listIfDir));
}

/** A waiting tip may name the note, and so may earlier ones. */
function forgetTip({ fs, places }: Memory, id: string): string[] {
  const coaching = readStateOrThrow<Coaching>(fs, places.stateDir, COACHING);
  const { next, told } = coaching ?? NO_COACHING;
  if (next?.about !== id && !told.some(({ about }) => about === id)) return [];
  const { next: _, ...rest } = coaching ?? NO_COACHING;
  writeState(fs, places.stateDir, COACHING, {
    ...rest,
    // That it was told is kept: a tip that was ignored is not repeated.
    told: told.map((one) => one.about === id ? { ...one, about: "" } : one),
    ...(next === undefined || next.about === id ? {} : { next }),
  });
  return [join(places.stateDir, COACHING)];
}

/** A receipt of a hook stays, without the note's name. */
function untold(record: unknown, id: string): unknown {
  const { told } = (record ?? {}) as { told?: unknown };
  if (!Array.isArray(told) || !told.includes(id)) return record;
  return { ...record as object, told: told.filter((one) => one !== id) };
}

/** Logs and journals hold ids, which can hold words of a title. */
function forgetInLines(memory: Memory, id: string): string[] {
  const { fs, places } = memory;
  const changed: string[] = [];
  for (const folder of ["log", "recalls"].map((name) => join(places.stateDir, name))) {
    for (const { name } of listIfDir(fs, folder)) {
      const path = join(folder, name);
      if (!name.endsWith(".jsonl") || fs.lstat(path)?.kind !== "file") continue;
      // Reads all of it, because it is written anew, and what was not read would be lost.
      const records = readJsonLines(readBytes(fs, path, Infinity));
      const whole = JSON.stringify(id);
      if (!records.some((record) => JSON.stringify(record).includes(whole))) continue;
      const kept = records.map((record) => untold(record, id))
        .filter((record) => !JSON.stringify(record).includes(whole));
      const lines = kept.map((record) => JSON.stringify(record) + "\n").join("");
      writeAtomic(fs, path, encode(lines), { mode: 0o600, durable: true });
      changed.push(path);
    }
  }
  return changed;
}
