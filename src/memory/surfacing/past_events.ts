/**
 * Which checkpoints and session notes that Sage wrote by itself may stand beside a prompt. They
 * hold the person's own words, so a prompt is like an earlier one; that the same was asked before
 * is no answer. What an agent wrote was meant to be found and is not judged here.
 */
import { lazy } from "../../base/memoize.ts";
import { patternFor } from "../../base/text/pattern.ts";
import { CAME_OUT } from "../../detect/summary/summary_marks.ts";
import type { Candidate } from "../../search/document.ts";
import { phraseOf } from "../../search/query/lexical.ts";
import { stemOf } from "../../search/query/query_words.ts";
import { wordWeight } from "../../search/query/words.ts";

/** Sections that repeat a question in the words it was asked in. */
const ASKED = / › (?:Core Question|Open Questions)$/;
/**
 * The least share of a match that lies in what came of it; with less the prompt only meets how
 * something was asked.
 */
const CAME_OUT_SHARE = 0.1;
/**
 * In rare words of the store. A prompt that says less ("fix the following problems") is said every
 * day, and matches some session.
 */
const MASS_MIN = 1.1;
/** In the same rare words, of those that prompt and passage share: one word of the subject is enough. */
const SUBJECT_MIN = 0.55;
/**
 * Words for the routines of working: branches, reviews, runs of the checks. Every session has them, and
 * in a small store they are rare all the same: "back to main, pull in the latest".
 */
const ROUTINE = new Set(
  ("address addressed back branch branches bring build builds check checked checkout checks ci clean close closed comment " +
    "comments commit commits committed conflict conflicts continue create created creates current deploy diff done " +
    "fail failed failing fails feedback fetch finding findings finish finished fix fixed fixes fresh green info " +
    "issue issues latest lets local locally main master meant merge merged merging open origin passed passing pr " +
    "prs pull pulled push pushed rebase remote restart result results review reviewed reviewer reviews run runs " +
    "start started status step steps task tasks test tested testing tests ticket todo todos update updated " +
    "updates upstream working").split(" "),
);

/**
 * Things of a row, which their number tells apart. For two decisions any noun may have one (changed_figures.ts);
 * of what happened this says enough, and a hook loads no more for it.
 */
const OF_A_ROW = String
  .raw`(?<![\p{L}\d])(phase|sprint|step|stage|milestone|chapter|part|week|day|lesson|exercise|task|ticket|story|issue|pr|etapa|fase|étape|kapitel|aufgabe|schritt|woche|capítulo|capitolo|chapitre|этап|фаза|шаг|глава|неделя)\.? ?#?(\d{1,6}(?:\.\d{1,3})?)(?![\p{L}\d])`;

/** By the name of the row. */
type Numbers = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns a test for candidates. `phrasings`: the prompt, or the part of it that is searched. */
export function answersPrompt(phrasings: readonly string[]): (candidate: Candidate) => boolean {
  const wanted = lazy(() => numbersIn(phrasings.join("\n")));
  return (candidate) => mayAnswer(candidate, wanted);
}

function mayAnswer(candidate: Candidate, wanted: () => Numbers): boolean {
  const { note, chunk, shares, evidence } = candidate;
  if (note.author !== "sage" || (note.kind !== "checkpoint" && note.kind !== "session")) {
    return true;
  }
  if (evidence.mass < MASS_MIN || ASKED.test(chunk.heading)) return false;
  if (saidOfSubject(candidate) < SUBJECT_MIN) return false;
  if (isOfAnother(wanted(), `${note.title} ${chunk.snippet}`)) return false;
  if (note.kind === "checkpoint" || !chunk.heading.endsWith(" › Summary")) return true;
  const at = chunk.snippet.indexOf(CAME_OUT);
  // A session is named by its first question; where nothing came of it, that is its summary.
  if (at < 0) return !chunk.snippet.startsWith(note.title.replace(/…$/, ""));
  const cameOut = new Set(phraseOf(chunk.snippet.slice(at)).split(" ").map(stemOf));
  let [met, all] = [0, 0];
  for (const { term, share } of shares) {
    all += share;
    if (phraseOf(term).split(" ").every((word) => cameOut.has(stemOf(word)))) met += share;
  }
  return met >= CAME_OUT_SHARE * all;
}

/** 'Give me an overview of phase 10' is not about the session that gave one of phase 8. */
function isOfAnother(wanted: Numbers, told: string): boolean {
  if (wanted.size === 0) return false;
  const known = numbersIn(told);
  return [...wanted].some(([name, numbers]) => known.get(name)?.isDisjointFrom(numbers) === true);
}

function numbersIn(text: string): Numbers {
  const found = new Map<string, Set<string>>();
  for (const [, name = "", number = ""] of text.matchAll(patternFor(text, OF_A_ROW, "giu"))) {
    const of = name.toLowerCase();
    found.set(of, (found.get(of) ?? new Set()).add(number));
  }
  return found;
}

/** What prompt and passage share beside words of every day, in rare words of the store. */
function saidOfSubject({ shares, evidence }: Candidate): number {
  const said = shares.filter(({ term }) => wordWeight(term) === 1 && !ROUTINE.has(term));
  return evidence.mass * said.reduce((sum, { share }) => sum + share, 0);
}
