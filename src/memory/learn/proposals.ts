/**
 * Proposes phrases of the person's own: runs of three to five words in the prompts before several
 * checkpoints that somebody went back to, and hardly elsewhere. The texts around them are not kept, and
 * nothing that could identify anybody is proposed.
 */
import { splitSentences, withoutEnd } from "../../base/text/text.ts";
import { parseTime } from "../../base/clock.ts";
import { lazyPattern } from "../../base/text/pattern.ts";
import { spoken } from "../../detect/text/clean.ts";
import { confirmedTriggers } from "../../detect/phrases/trigger_phrases.ts";
import type { Inflection } from "../../detect/trigger/signal.ts";
import type { Turn } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import { ownPhrases, readPhrases } from "../phrases/file.ts";
import { identifies, namesHere } from "../phrases/pack.ts";
import { readSession } from "../session/state/state.ts";
import { readTurns } from "../session/turns.ts";
import type { ValuedCheckpoint } from "./tally.ts";

export interface Proposal {
  readonly trigger: Inflection;
  readonly phrase: string;
  /** How many valued checkpoints it came before. */
  readonly times: number;
}

const WORDS_MIN = 3;
const WORDS_MAX = 5;
/** Once is a coincidence. */
const TIMES_MIN = 2;
/** The share of prompts with the phrase that must come before a valued checkpoint. */
const SHARE_MIN = 0.5;
const PROPOSALS_MAX = 10;
const CHECKPOINTS_MAX = 40;

export async function proposePhrases(
  memory: Memory,
  valued: readonly ValuedCheckpoint[],
): Promise<Proposal[]> {
  const own = await ownPhrases(memory);
  const before = new Map<string, Inflection[]>();
  const everywhere = new Map<string, number>();
  const read = new Map<string, readonly Turn[]>();
  for (const { trigger, session, createdMs } of valued.slice(0, CHECKPOINTS_MAX)) {
    const turns = read.get(session) ?? await promptsOf(memory, session);
    if (!read.has(session)) {
      read.set(session, turns);
      for (const turn of turns) {
        for (const run of runsOf(turn.text)) everywhere.set(run, (everywhere.get(run) ?? 0) + 1);
      }
    }
    const prompt = turns.findLast(({ at }) => (parseTime(at) ?? Infinity) <= createdMs);
    // A prompt that is recognised already needs no phrase.
    const isConfirmed = prompt === undefined || confirmedTriggers(prompt.text, own).size > 0;
    for (const run of isConfirmed ? [] : runsOf(prompt.text)) {
      before.set(run, [...before.get(run) ?? [], trigger]);
    }
  }
  const found = [...before].filter(([run, triggers]) =>
    triggers.length >= TIMES_MIN && triggers.length >= (everywhere.get(run) ?? 0) * SHARE_MIN
  ).map(([phrase, triggers]): Proposal => ({
    trigger: mostOf(triggers),
    phrase,
    times: triggers.length,
  }));
  return await worthProposing(memory, found);
}

/** Longest first, so that a part of a phrase is not proposed beside it. */
async function worthProposing(memory: Memory, found: readonly Proposal[]): Promise<Proposal[]> {
  const names = namesHere(memory);
  const kept: Proposal[] = [];
  const inOrder = found.toSorted((a, b) => b.times - a.times || b.phrase.length - a.phrase.length);
  for (const proposal of inOrder) {
    if (kept.length >= PROPOSALS_MAX) break;
    const { phrase, trigger } = proposal;
    if (kept.some((other) => other.phrase.includes(phrase) || phrase.includes(other.phrase))) {
      continue;
    }
    if (identifies(phrase, names) !== undefined) continue;
    // The rules of the phrases file decide, for instance about its length.
    const { phrases } = await readPhrases(`${trigger}: [${JSON.stringify(phrase)}]`);
    if (phrases[trigger] !== undefined) kept.push(proposal);
  }
  return kept;
}

async function promptsOf(memory: Memory, session: string): Promise<readonly Turn[]> {
  const path = readSession(memory, session)?.transcriptPath;
  const transcript = await readTurns(memory, path, { whole: true });
  return (transcript?.turns ?? []).filter(({ role }) => role === "user");
}

/** A spoken word. What contains digits, dots, slashes or signs is a name, an address or code. */
const WORD = lazyPattern(String.raw`^\p{L}+(?:['’-]\p{L}+)*$`, "u");

/** The runs of adjacent words in a prompt, each once. */
function runsOf(text: string): ReadonlySet<string> {
  const runs = new Set<string>();
  for (const sentence of splitSentences(spoken(text))) {
    let words: string[] = [];
    for (const [i, token] of sentence.split(/\s+/).entries()) {
      const word = withoutEnd(token.replace(/^[("'“„»]+/, ""), /[)"'”“«.,;:!?…]/);
      // A capital within a sentence: a name, or a German noun. Neither belongs into a phrase.
      const isName = i > 0 && word !== word.toLowerCase() && !/^I(?:$|['’])/.test(word);
      if (!WORD().test(word) || isName) {
        words = [];
        continue;
      }
      words.push(word.toLowerCase());
      for (let length = WORDS_MIN; length <= Math.min(WORDS_MAX, words.length); length++) {
        runs.add(words.slice(-length).join(" "));
      }
      if (!token.endsWith(word)) words = [];
    }
  }
  return runs;
}

function mostOf(triggers: readonly Inflection[]): Inflection {
  const counts = new Map<Inflection, number>();
  for (const trigger of triggers) counts.set(trigger, (counts.get(trigger) ?? 0) + 1);
  return [...counts].reduce((best, next) => next[1] > best[1] ? next : best)[0];
}
