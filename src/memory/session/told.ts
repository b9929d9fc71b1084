/** What a conversation is told when it begins. Loads nothing, because every start does it. */
import { sha256Hex } from "../../base/hash.ts";
import type { Offer, SessionState } from "./state/session_state.ts";

interface Told {
  /** Hashes of the lines, and of the words of notes that are quoted in them. */
  readonly told: readonly string[];
  /** Handoffs among them. */
  readonly offers: readonly Offer[];
}

/** A whole orientation. */
export interface Oriented extends Told {
  /** Empty where there is nothing to say, or no line fits. */
  readonly text: string;
  readonly tokens: number;
  /** Ids of the notes that it names. */
  readonly named: readonly string[];
  /** Open questions that it tells of. */
  readonly asked: readonly string[];
  /** One to three sentences for the person, where a conversation begins. */
  readonly notice?: string;
  /** It has the person asked about old notes. */
  readonly asks?: boolean;
}

export const NOTHING_TOLD: Oriented = {
  text: "",
  tokens: 0,
  named: [],
  asked: [],
  told: [],
  offers: [],
};

/**
 * Matches the part of a line that changes with the time at which it is told: whether the session
 * ended and was taken up.
 */
const HOW_IT_STANDS = /^(- Last session \([^,)]*)[^)]*/;

export function lineHash(line: string): string {
  return sha256Hex(line.replace(HOW_IT_STANDS, "$1")).slice(0, 12);
}

/** Whether the client replays the conversation, which then contains what it was told before. */
export function isReplayed(source: string): boolean {
  return source === "resume" || source === "fork";
}

export function withTold(
  state: SessionState,
  { told, offers }: Told,
  source: string,
): SessionState {
  const before = isReplayed(source) ? state.told ?? [] : [];
  const offered = isReplayed(source) ? state.offered ?? [] : [];
  const sessions = new Set(offers.map(({ session }) => session));
  const { told: _told, offered: _offered, savedForCompaction: _saved, overlaps, ...rest } = state;
  const all = [...new Set([...before, ...told])];
  const open = [...offered.filter(({ session }) => !sessions.has(session)), ...offers];
  return {
    ...rest,
    ...(all.length === 0 ? {} : { told: all }),
    ...(open.length === 0 ? {} : { offered: open }),
    // The lines just told say who else is at work.
    ...(overlaps === undefined
      ? {}
      : { overlaps: overlaps.map((overlap) => ({ ...overlap, isSaid: true })) }),
  };
}
