/** What a conversation was told when it began, and what it takes from it. Loads nothing: every start does it. */
import { sha256Hex } from "../../base/hash.ts";
import type { Offer, SessionState } from "./session_state.ts";

export interface Told {
  /** Hashes of the lines that were said, and of the words of notes that were quoted in them. */
  readonly told: readonly string[];
  /** Handoffs that were among them. */
  readonly offers: readonly Offer[];
}

/** All that it is told. */
export interface Oriented extends Told {
  /** Empty where there is nothing to say, or no line of it fits. */
  readonly text: string;
  readonly tokens: number;
  /** Ids of the notes that it names. */
  readonly named: readonly string[];
  /** Questions that wait for the person, and are told of. */
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

/** Whether a session ended and was taken up changes, by who is told of it as well; what it came to stays. */
const HOW_IT_STANDS = /^(- Last session \([^,)]*)[^)]*/;

export function lineHash(line: string): string {
  return sha256Hex(line.replace(HOW_IT_STANDS, "$1")).slice(0, 12);
}

/** A conversation that is replayed holds what it was told before as well. */
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
  const { told: _told, offered: _offered, overlaps, ...rest } = state;
  const all = [...new Set([...before, ...told])];
  const open = [...offered.filter(({ session }) => !sessions.has(session)), ...offers];
  return {
    ...rest,
    ...(all.length === 0 ? {} : { told: all }),
    ...(open.length === 0 ? {} : { offered: open }),
    // Who else is at work stands in what was told just now.
    ...(overlaps === undefined
      ? {}
      : { overlaps: overlaps.map((overlap) => ({ ...overlap, isSaid: true })) }),
  };
}
