/**
 * Sentences that no longer hold, because of something said or done later: a number was corrected or is not to
 * be relied on, the person refused or took something back, a file was changed. A memory that repeats them
 * misleads, however exact it is.
 */
import { lazy } from "../../base/memoize.ts";
import { isUnspaced } from "../../base/text/unspaced.ts";
import { patternFor } from "../../base/text/pattern.ts";
import { isAskedAtEnd, splitSentences, splitTyped } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { prose } from "../text/clean.ts";
import { answersOf, exchangesOf } from "../text/exchanges.ts";
import { OPENING, phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { reworksIn, undoes } from "./reworks.ts";
import { type Sentence, sentencesOf, stemsOf, termsOf } from "../text/sentences.ts";
import { filesChanged } from "../summary/work.ts";
import { unspacedLines } from "../phrases/unspaced.ts";

/** A number as it is written: 0.913, 01:20, 2,318, 1783. */
const VALUE = String.raw`[−-]?\d[\d.,:]*\d`;
/** '01:14 not 01:20': what it is, and what it is not. */
const CORRECTED = new RegExp(
  String.raw`(?<![\w.,:])(${VALUE})(?: ?[%€$]| \w+)?,? (?:and |und |y |et |e |actually,? )?` +
    String.raw`(?:not|nicht|no|pas|non|n[aã]o)(?: the| die| der| das)? (${VALUE})(?![\w:])`,
  "gi",
);
/** The same in languages without spaces: '是 01:14，不是 01:20', '01:20 ではなく 01:14'. */
const CORRECTED_UNSPACED = lazy(() =>
  unspacedLines("outdated.corrected").map((form) =>
    new RegExp(form.replaceAll("{value}", VALUE), "g")
  )
);
/** 'The 0.913 from before is not real', 'the 81 is a draft'. */
const DISOWNED = new RegExp(
  String
    .raw`(?<![\w.,:])(${VALUE})(?![\w:])[^.;!?]{0,40}? (?:(?:is|was|are|were|ist|war|es|era|é|está|tá) ` +
    String
      .raw`(?:not |nicht |no )?(?:real|wrong|invalid|a (?:mistake|typo|leak)|falsch|ung[uü]ltig|` +
    String
      .raw`richtig|falso|un error|errad[oa])|(?:is|was)(?: not|n't) (?:true|right|correct|valid|comparable)|` +
    String
      .raw`(?:should|must|cannot|can)(?: not|n't|) be (?:quoted|used|trusted|compared)|stimmt nicht)`,
  "gi",
);
/**
 * In one turn. Each is compared with everything said before; somebody with more corrections pasted a table.
 */
const DENIED_MAX = 50;
/** A number with a separator or four digits is recognised alone; others need a common word. */
const KNOWN_BY_ITSELF = /[.,:]|\d{4}/;

/** What the person does not want: 'don't sniff', 'no, without a cache', 'don't touch the line-height'. */
const UNWANTED = String
  .raw`\b(?:don['’]?t|do not|stop|without|not|nicht|kein(?:e|en)?|ohne|sin|n[aã]o|sem|non|senza)\s+(?:(?:touch|change|use|set|add|edit|modify|put) )?(?:the |a |any |that |das |den |die |el |la )?([\p{L}\p{N}_-]{4,30})`;
const REFUSAL = /^\W*(?:(?:h?m+|uh|ugh|ok)[,.!]* )*(?:no|nope|nein|nee|non|n[aã]o|wait)\b/i;
/** A state that lasts until somebody changes it. */
const STILL = phrasePattern("outdated.still", WHOLE_WORD);
/** A state that somebody found: 'there is no such key', 'it is currently untracked'. */
const BEFORE = phrasePattern("outdated.before", WHOLE_WORD);
const TELLS_CAUSE = phrasePattern("outdated.cause", WHOLE_WORD);
/** A path, or a name with an extension. */
const FILE = /[\w@.-]{1,120}\.[a-z][a-z0-9]{0,9}(?!\w)/gi;

/** The sentences that no longer hold at the end of the turns. */
export function outdatedIn(turns: readonly Turn[]): ReadonlySet<Sentence> {
  const sentences = sentencesOf(turns);
  const found = new Set<Sentence>();
  for (const [at, { text, role }] of turns.entries()) {
    if (!/\d/.test(text)) continue;
    // Also sentences that do not stand alone: a correction is often only two numbers.
    const all = role === "user" ? splitTyped(prose(text)) : splitSentences(prose(text));
    const denied = all.flatMap((said) => deniedBy(said).map((one) => ({ ...one, said })));
    for (const { value, instead, said } of denied.slice(0, DENIED_MAX)) {
      const isGone = goneWith(value, instead, said);
      for (const earlier of sentences) {
        if (earlier.turnIndex >= at) break;
        if (isGone(earlier.text)) found.add(earlier);
      }
    }
  }
  const still = sentences.filter(({ text }) =>
    STILL.test(text) || BEFORE.test(text) && !TELLS_CAUSE.test(text)
  );
  for (const one of beforeChanges(turns, still, { bySpeech: true })) found.add(one);
  addTurnedDown(turns, sentences, found);
  addUndone(turns, sentences, found);
  addRefused(turns, sentences, found);
  return found;
}

/** The agent says that it was undone: git undoes without an edit. */
const UNDONE = phrasePattern(
  "outdated.undone",
  String.raw`${OPENING}{}(?![\wäöüéáíóú])`,
);

/** What was said of a change that was refused right after. */
function addRefused(
  turns: readonly Turn[],
  sentences: readonly Sentence[],
  found: Set<Sentence>,
): void {
  const refused = reworksIn(exchangesOf(turns)).filter(({ isRefused }) => isRefused);
  const answers = answersOf(refused.map(({ before }) => before));
  for (const one of sentences) if (answers.has(one.turn)) found.add(one);
}

/** What was said of a change that the next prompt took back, in the same file. */
function addUndone(
  turns: readonly Turn[],
  sentences: readonly Sentence[],
  found: Set<Sentence>,
): void {
  const exchanges = exchangesOf(turns);
  for (const [i, { prompt, replies, answer }] of exchanges.entries()) {
    const before = exchanges[i - 1];
    const said = prompt?.text ?? "";
    if (before === undefined || !undoes(said)) continue;
    const files = new Set(filesChanged(replies));
    const changed = filesChanged(before.replies);
    const isUndone = changed.some((file) => files.has(file)) ||
      changed.length > 0 && UNDONE.test(answer?.text ?? "");
    if (!isUndone) continue;
    for (const one of sentences) if (before.answers.includes(one.turn)) found.add(one);
  }
}

/**
 * Sentences of the agent about the state of a file that was changed later. `bySpeech`: also by its spoken
 * name, 'the changelog' for CHANGELOG.md.
 */
export function beforeChanges(
  turns: readonly Turn[],
  sentences: readonly Sentence[],
  { bySpeech = false } = {},
): ReadonlySet<Sentence> {
  const changed = exchangesOf(turns).flatMap(({ start, replies }) =>
    filesChanged(replies).map((path) => {
      const name = (path.split(/[\\/]/).at(-1) ?? path).toLowerCase();
      return { start, name, spoken: name.replace(/\..*$/, "") };
    })
  );
  return new Set(
    changed.length === 0 ? [] : sentences.filter(({ text, turnIndex, turn }) => {
      if (turn.role !== "assistant") return false;
      const names = new Set(text.match(FILE)?.map((file) => file.toLowerCase()));
      const words = bySpeech ? termsOf(text) : new Set<string>();
      if (names.size + words.size === 0) return false;
      return changed.some(({ start, name, spoken }) =>
        start > turnIndex &&
        (names.has(name) || spoken.length >= SPOKEN_CHARACTERS_MIN && words.has(spoken))
      );
    }),
  );
}

/** A shorter name is an everyday word. */
const SPOKEN_CHARACTERS_MIN = 6;

/** Returns a test whether an earlier sentence rests on a number that is denied. */
function goneWith(value: string, instead: string | undefined, said: string) {
  const holds = new RegExp(String.raw`(?<![\w.,:])${RegExp.escape(value)}(?![\w:]|[.,]\d)`);
  const matter = stemsOf(said.replaceAll(value, ""));
  return (earlier: string): boolean =>
    holds.test(earlier) && (instead === undefined || !earlier.includes(instead)) &&
    (KNOWN_BY_ITSELF.test(value) || !stemsOf(earlier).isDisjointFrom(matter));
}

function deniedBy(text: string): { value: string; instead?: string }[] {
  if (!/\d/.test(text) || isAskedAtEnd(text)) return [];
  return [
    ...[...text.matchAll(CORRECTED)].flatMap(([, instead = "", value = ""]) =>
      value === instead ? [] : [{ value, instead }]
    ),
    ...(isUnspaced(text) ? CORRECTED_UNSPACED() : []).flatMap((form) =>
      [...text.matchAll(form)].flatMap(({ groups }) => {
        const { value = "", instead = "" } = groups ?? {};
        return value === instead ? [] : [{ value, instead }];
      })
    ),
    ...[...text.matchAll(DISOWNED)].map(([, value = ""]) => ({ value })),
  ];
}

/** Sentences of the answer before a refusal that are about the refused word. */
function addTurnedDown(
  turns: readonly Turn[],
  sentences: readonly Sentence[],
  found: Set<Sentence>,
): void {
  const exchanges = exchangesOf(turns);
  for (const [i, { prompt }] of exchanges.entries()) {
    const { answers = [] } = exchanges[i - 1] ?? {};
    if (prompt === undefined || answers.length === 0 || !REFUSAL.test(prompt.text)) continue;
    const unwanted = [...prompt.text.matchAll(patternFor(prompt.text, UNWANTED, "giu"))].map((
      [, word = ""],
    ) => stemsOf(word)).filter(({ size }) => size > 0);
    for (const sentence of sentences.filter(({ turn }) => answers.includes(turn))) {
      const stems = stemsOf(sentence.text);
      if (unwanted.some((one) => one.isSubsetOf(stems))) found.add(sentence);
    }
  }
}
