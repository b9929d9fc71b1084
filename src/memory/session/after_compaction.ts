/**
 * The orientation after a compaction: the checkpoint from just before it, and the exact things that the
 * summary dropped, as far as there is room.
 */
import { plainText } from "../../base/text/text.ts";
import { estimateTokens } from "../../base/text/tokens.ts";
import { namesItsSubject } from "../../detect/summary/intent.ts";
import { CAME_OUT } from "../../detect/summary/summary_marks.ts";
import { readCheckpoint } from "../../note/checkpoint.ts";
import { type Entry, readEntry } from "../index/entries.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { howToLoad } from "../pointer.ts";
import { asSentence, quote, quoteSummary } from "../recalled.ts";
import type { Candidate } from "./orientation/pack.ts";
import type { LostThing } from "./state/session_state.ts";
import { isSavedForCompaction, readSession } from "./state/state.ts";

/** What is younger belongs to the present compaction. */
const FRESH_MS = 2 * 60_000;
const LEAD = "- The summary left out:";
/** One of each kind for this many tokens, so that none takes all the room. */
const TOKENS_OF_A_KIND = 40;
const CHARACTERS_MAX = 140;

const LABELS: Readonly<Record<LostThing["kind"], string>> = {
  decision: "decided",
  command: "ran",
  error: "error",
  file: "changed",
  number: "found",
  commit: "commit",
  name: "name",
};

/** The checkpoint, then what the summary dropped. */
export async function afterCompaction(
  memory: Memory,
  session: string,
  entries: readonly Entry[],
): Promise<Candidate[]> {
  const state = readSession(memory, session);
  const { lastSave, compaction } = state ?? {};
  // If this summary could not be read, nobody knows what it left out.
  const all = isOfThis(memory, compaction?.at) ? compaction?.lost ?? [] : [];
  const lost = all.filter(({ isUnlikely }) => isUnlikely !== true);
  const saved = await readEntry(entries.find(({ note }) => note.id === lastSave?.id));
  const lead = isSavedForCompaction(memory, state)
    ? "Before this compaction"
    : "Saved last, and not what was said since";
  const told = saved === undefined ? "" : pointTo(saved, lead, lost.length > 0);
  return [
    ...(saved === undefined ? [] : [{ priority: 0, text: told, note: saved.note.id }]),
    ...(lost.length === 0 ? [] : [{
      priority: 0.5,
      text: lostLine(lost, Infinity, told),
      fit: (tokensMax: number) => lostLine(lost, tokensMax, told),
    }]),
  ];
}

/** Whether it happened at the compaction that has just ended; `at` in milliseconds. */
export function isOfThis(memory: Memory, at: number | undefined): boolean {
  return at !== undefined && Math.abs(memory.now() - at) < FRESH_MS;
}

function pointTo({ note }: StoredNote, lead: string, isLossy: boolean): string {
  const { title, thesis, nextStep, openQuestions } = readCheckpoint(withoutPrivate(note));
  // 'Renamed.' says how it went, and the title of what.
  const gist = namesItsSubject(thesis) || thesis.includes(title)
    ? thesis
    : [title, thesis].filter((part) => part !== "").join(CAME_OUT);
  // Shorter, because the summary tells the gist too, and the room is needed for what it left out.
  const parts = [
    `${lead}: ${quoteSummary(gist, isLossy ? 120 : 240)}`,
    ...(nextStep === undefined ? [] : [`next ${quote(nextStep, isLossy ? 80 : 120)}`]),
    ...(isLossy ? [] : openQuestions.slice(0, 1)).map((question) => `open ${quote(question, 120)}`),
  ];
  return `- ${asSentence(parts.join("; "))} ${howToLoad(note.id)}`;
}

/** One line that fits the tokens, most important things first; empty if none fits. `told`: said before it. */
export function lostLine(lost: readonly LostThing[], tokensMax: number, told = ""): string {
  const groups = new Map<LostThing["kind"], string[]>();
  let said = plainText(told);
  const ofAKindMax = Math.max(2, Math.round(tokensMax / TOKENS_OF_A_KIND));
  for (const { kind, text } of lost) {
    const group = groups.get(kind) ?? [];
    const plain = plainText(text);
    if (group.length >= ofAKindMax || said.includes(plain)) continue;
    const next = new Map(groups).set(kind, [...group, quote(text, CHARACTERS_MAX)]);
    if (estimateTokens(render(next)) + 1 > tokensMax) continue;
    groups.set(kind, next.get(kind) ?? []);
    said += ` ${plain}`;
  }
  return groups.size === 0 ? "" : render(groups);
}

function render(groups: ReadonlyMap<LostThing["kind"], readonly string[]>): string {
  const parts = [...groups].map(([kind, texts]) => `${LABELS[kind]} ${texts.join(", ")}`);
  return `${LEAD} ${parts.join("; ")}.`;
}
