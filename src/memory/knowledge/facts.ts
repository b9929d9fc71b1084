/**
 * Sentences of a conversation that may be worth knowing beyond it: quantities, definitions, decisions,
 * constraints, preferences. Proposals only, each verbatim and with its turn. What tools printed or the
 * web said is not proposed: it may be evidence, but is never knowledge by itself.
 */
import { sha256Hex } from "../../base/hash.ts";
import {
  collapse,
  cut,
  firstSentence,
  isAskedAtEnd,
  splitSentences,
} from "../../base/text/text.ts";
import { spoken } from "../../detect/text/clean.ts";
import { findDecisions } from "../../detect/decisions/decisions.ts";
import { hasReason } from "../../detect/decisions/norms.ts";
import { exchangesOf } from "../../detect/text/exchanges.ts";
import { namesItsSubject } from "../../detect/summary/intent.ts";
import {
  preferencesIn,
  saysPreference,
  withAntecedent,
} from "../../detect/decisions/preferences.ts";
import { type Ranked, rankSentences, saysTheSame } from "../../detect/checkpoint/rank_sentences.ts";
import { stillStanding } from "../../detect/decisions/reversals.ts";
import { ownWords } from "../../detect/text/own_words.ts";
import { type Sentence, sentencesOf } from "../../detect/text/sentences.ts";
import { wordsIn } from "../../detect/text/shape.ts";
import { scoreSalience } from "../../detect/checkpoint/salience.ts";
import type { Turn } from "../../editor/editor.ts";
import type { Embedder } from "../../embed/embedder.ts";

export type FactKind = "quantity" | "definition" | "decision" | "constraint" | "preference";

export interface Fact {
  /** A hash of what it says, eight hex digits: the same each time it is proposed. */
  readonly id: string;
  readonly kind: FactKind;
  readonly title: string;
  readonly text: string;
  /** An opinion, a preference or a guess: only a person can say whether it holds. */
  readonly subjective: boolean;
  readonly source: {
    readonly turn: string;
    readonly at: string;
    readonly said_by: "user" | "agent";
  };
}

const TITLE_CHARACTERS_MAX = 80;
const OF_A_KIND_MAX = 6;

const NUMBER =
  /(?:[$€£]\s?\d|\b\d[\d.,]{0,30}\s?(?:%|ms\b|s\b|µs\b|seconds?\b|minutes?\b|hours?\b|days?\b|weeks?\b|months?\b|years?\b|KB\b|MB\b|GB\b|TB\b|KiB\b|MiB\b|GiB\b|bytes?\b|tokens?\b|rows?\b|requests?\b|users?\b|characters?\b|connections?\b|items?\b|euros?\b|dollars?\b|USD\b|EUR\b|Sekunden\b|Minuten\b|Stunden\b|Tage\b|Zeilen\b|segundos\b|minutos\b|secondes\b|jours\b))/i;
/** A bound, whatever it counts. */
const BOUND =
  /\b(?:at most|at least|up to|no more than|no fewer than|max(?:imum)?(?: of)?|min(?:imum)?(?: of)?|limit(?:ed)? (?:of|to)|höchstens|mindestens|maximal|minimal|como máximo|como mínimo|au plus|au moins) \d/i;
/** A quantity that somebody set. A measured one (HAPPENED) is evidence of its day, and not proposed. */
const RULE =
  /\b(?:at most|at least|no more than|allow(?:s|ed)?|limit(?:s|ed)?|expires?|lasts|covers?|guarantees?|retention|retained|kept for|quota|ttl|maximum|minimum|(?:runs?|renews?|sent|polls?|rotates?|rotated|updated|syncs?) (?:every|each|at|daily|hourly|after)|per (?:key|user|account|request|machine|tenant|customer)|contract|licen[cs]e|tariff|plan (?:has|allows|includes|gives)|höchstens|mindestens|erlaubt|begrenzt|läuft .{0,20} ab|frist|vertrag|pro (?:schlüssel|nutzer|kunde)|máximo|mínimo|permite|caduca|límite|contrato|autorise|expire|limite|contrat|par clé)\b/i;
/** Hypothetical: alternatives that are weighed, and estimates of their cost. */
const SUPPOSED =
  /\b(?:would|could|might|if|unless|until then|instead|rather than|by my (?:guess|estimate)|i(?:'d| would) say|you(?:'d| lose)|(?:can|could|would) you|please|pls|what you lose|würde\w*|könnte\w*|wäre\w*|wenn|falls|podría\w*|sería\w*|habría|si|serait|pourrait|faudrait)\b|\w'd\b/i;
const HAPPENED =
  /\b(?:pass(?:ed|es|ing)?|fail(?:ed|s|ing)?|ran|took|was|were|now|this time|so far|just|still|currently|yesterday|today|war|waren|jetzt|gerade|hoy|ahora|maintenant)\b/i;

const DEFINITION =
  /^(?:(?:the|an?|our|der|die|das|ein|eine|el|la|le|un|une) )?(?:`[^`]{1,60}`|[\p{L}\d][\p{L}\d_./-]*(?: [\p{L}\d_./-]+){0,4}) (?:means|stands for|refers to|denotes|is called|are called|is defined as|is short for|is (?:an?|the (?:name|term|kind|place|part|folder|file|service|table|field)) (?:[^ ,;]+ ){1,5}(?:that|which|who|whose|where|of|in|for|with) |consists of|heißt|bedeutet|steht für|bezeichnet|ist eine? |significa|se llama|es una? |signifie|s'appelle|désigne|est (?:une?|le|la) )/u;
/** `name` is a …: a name in code as the subject. */
const NAMED =
  /^(?:the )?`[^`]{1,60}` (?:is|are|ist|sind|es|son|est|sont) (?:the|an?|der|die|das|eine?|el|la|una?|le|une?) (?!same|first|last|only|\w+est\b)/i;
/** Begins with a pronoun or a connective, so it is not understood without the sentence before. */
const POINTS =
  /^(?:\d[^ ]* |by |on |or |oder |whether|if|when|then|so|and|but|no|not|entscheidend|wenn|ob|si|cuando|quand|this|that|it|these|those|there|here|what|which|he|she|they|one|how|why|the (?:problem|issue|cause|reason|next|first|second|only|other|result|answer|question|fix|test|bug|same|rest|last|price|cost|plan|work)|das|dies|es|hier|da|(?:die|der|das) (?:ursache|problem|grund|fehler|frage|antwort|nächste|erste|zweite)|esto|eso|ce|ça|cela)\b/i;

const CONSTRAINT =
  /\b(?:must(?: not|n't)?|cannot|can't|may not|is not allowed|are not allowed|isn't allowed|only works?|(?:is|are) only (?:available|supported|allowed|possible)|not supported|isn't supported|does not (?:support|allow|permit)|doesn't (?:support|allow|permit)|requires?|is limited to|are limited to|hard limit|forbids|no more than|darf (?:nicht|kein)|dürfen (?:nicht|keine)|muss|müssen|nicht möglich|unterstützt (?:kein\w*|nicht)|no (?:se )?puede|requiere|no es posible|n'est pas possible|ne peut pas|exige|interdit)\b/i;
/** An instruction to somebody. */
const REQUEST =
  /^(?:please|i(?:'d| would) like|i want|ich (?:möchte|will)|quiero|je (?:veux|voudrais)|can you|could you|would you|let's|bitte|kannst du|por favor|s'il te plaît|fix|make|add|find|check|look|show|explain|write|run|remove|change|update|test)\b/i;

/** A present difficulty, or work to do. */
const MOMENT =
  /\b(?:i|you) (?:can't|cannot|must)\b|\b(?:ich muss|muss ich|du musst)\b|\b(?:we|i|you) (?:must|have to|need to) (?:now|first|also|then|still)?\s*(?:fix|check|look|see|update|change|add|remove|find|test|run|write|rewrite|rename|move|decide)\b|\b(?:can't|cannot) (?:find|see|tell|reproduce|open|read|access|say)\b|\bmust have (?:been|\w+ed)\b/i;

const OPINION =
  /\b(?:i think|i guess|i believe|i feel|in my opinion|probably|maybe|perhaps|likely|seems?|apparently|might|could be|should|better|best|worse|worst|nicer?|ugly|clean(?:er)?|elegant|recommend|suggest|ich (?:glaube|denke|finde)|vermutlich|wahrscheinlich|vielleicht|sollte|besser|creo que|quizás|probablemente|mejor|je pense|peut-être|probablement|mieux)\b/i;

const WEB_TOOL = /^(?:WebFetch|WebSearch|mcp__.*(?:fetch|search|browse|web|http).*)$/i;

/** Proposals, most telling first, at most `limit`. */
export function proposeFacts(turns: readonly Turn[], embedder: Embedder, limit: number): Fact[] {
  const own = ownWords(turns);
  const printed = printedText(own);
  const foreign = turnsOfTheWeb(own);
  const ranked = rankSentences(sentencesOf(own), embedder);
  const decided = decidedSentences(own, ranked);
  const candidates: { kind: FactKind; ranked: Ranked; order: number }[] = [];
  for (const one of ranked) {
    const { sentence } = one;
    const kind = kindOf(sentence, decided);
    if (kind === undefined || isAskedAtEnd(sentence.text)) continue;
    if (isPrinted(sentence.text, printed)) continue;
    // Decisions and preferences are the speaker's own; other statements may come from the web page just read.
    if (foreign.has(sentence.turn) && kind !== "decision" && kind !== "preference") continue;
    const bonus = kind === "decision" ? (hasReason(sentence.text) ? 0.4 : 0.2) : 0;
    candidates.push({ kind, ranked: one, order: one.score + bonus });
  }
  return distinct(candidates.sort((a, b) => b.order - a.order)).slice(0, limit).map(
    ({ kind, ranked: { sentence } }) => toFact(kind, sentence),
  );
}

/** The first kind that fits, from what people state outright to what numbers only suggest. */
function kindOf({ text, turn }: Sentence, decided: ReadonlySet<string>): FactKind | undefined {
  const said = collapse(spoken(text));
  if (turn.role === "user" && saysPreference(text)) return "preference";
  if (decided.has(text)) return "decision";
  if (MOMENT.test(said) || (turn.role === "user" && REQUEST.test(said))) return undefined;
  if (SUPPOSED.test(said) || POINTS.test(said)) return undefined;
  // Only a constraint set from outside holds; what a team itself cannot do yet is work to do.
  if (CONSTRAINT.test(said) && wordsIn(said).wordClasses.outside > 0) return "constraint";
  if (DEFINITION.test(text) || NAMED.test(text)) return "definition";
  return (NUMBER.test(text) || BOUND.test(text)) && RULE.test(said) && !HAPPENED.test(said)
    ? "quantity"
    : undefined;
}

/** Decisions in sentences of their own; an answered question counts as its answer. */
function decidedSentences(turns: readonly Turn[], ranked: readonly Ranked[]): ReadonlySet<string> {
  const decisions = stillStanding(findDecisions(turns, scoreSalience(turns, ranked)));
  return new Set(decisions.map(({ text }) => text));
}

/** Preferences beyond the task at hand that the person did not take back, in their words. */
export function preferenceFacts(turns: readonly Turn[]): Fact[] {
  const wanted = preferencesIn(turns);
  if (wanted.length === 0) return [];
  const gone = new Set(findDecisions(turns).map(({ reverses }) => reverses?.text));
  const told = wanted.map((sentence) => ({ ...sentence, text: withAntecedent(sentence) }));
  // One that the next refers to is asked about with it.
  return told.filter(({ text }, i) =>
    !gone.has(text) && told[i + 1]?.text.startsWith(`${text} `) !== true
  ).map((sentence) => toFact("preference", sentence));
}

/** A line that a session note lists as decided: a decision, or a preference of the person. */
export function decidedFact(text: string, turn: Turn): Fact {
  return saysPreference(text)
    ? toFact("preference", { text, turn: { ...turn, role: "user" } })
    : toFact("decision", { text, turn });
}

function toFact(kind: FactKind, { text, turn }: Pick<Sentence, "text" | "turn">): Fact {
  return {
    id: sha256Hex(collapse(text).toLowerCase()).slice(0, 8),
    kind,
    title: titleOf(text),
    text,
    subjective: kind === "preference" || OPINION.test(collapse(spoken(text))),
    source: { turn: turn.uuid, at: turn.at, said_by: turn.role === "user" ? "user" : "agent" },
  };
}

/** The first sentence that names its subject; a heading such as "Ouch" does not. */
function titleOf(text: string): string {
  const telling = splitSentences(text).find(namesItsSubject) ?? text;
  return firstSentence(telling, TITLE_CHARACTERS_MAX).replace(/[.。]$/, "");
}

function distinct<T extends { readonly kind: FactKind; readonly ranked: Ranked }>(
  candidates: readonly T[],
): T[] {
  const kept: T[] = [];
  for (const candidate of candidates) {
    const ofKind = kept.filter(({ kind }) => kind === candidate.kind);
    if (ofKind.length >= OF_A_KIND_MAX) continue;
    if (!kept.some(({ ranked }) => saysTheSame(candidate.ranked, ranked))) kept.push(candidate);
  }
  return kept;
}

/** Texts are compared by runs of this many words, so that punctuation does not matter. */
const RUN_WORDS = 5;

/** Every run of words that a tool printed. */
function printedText(turns: readonly Turn[]): ReadonlySet<string> {
  const runs = new Set<string>();
  for (const { tools } of turns) {
    for (const { result, question, answer } of tools) {
      // The answer to a question that the agent asked is the person's own.
      if (result === undefined || question !== undefined || answer !== undefined) continue;
      for (const run of runsOf(result)) runs.add(run);
    }
  }
  return runs;
}

/** Whether enough of a sentence was printed by tools for it to come from there. */
function isPrinted(text: string, printed: ReadonlySet<string>): boolean {
  const runs = runsOf(text);
  const copied = runs.filter((run) => printed.has(run)).length;
  return runs.length > 0 && copied * 3 >= runs.length;
}

function runsOf(text: string): string[] {
  const words = cut(text, 4000).toLowerCase().match(/[^\s"'`.,;:()[\]{}!?]+/g) ?? [];
  const length = Math.min(RUN_WORDS, words.length);
  if (length < 3) return [];
  return Array.from(
    { length: words.length - length + 1 },
    (_, i) => words.slice(i, i + length).join(" "),
  );
}

/** The agent's turns of an exchange in which it read the web. */
function turnsOfTheWeb(turns: readonly Turn[]): ReadonlySet<Turn> {
  const found = new Set<Turn>();
  for (const { replies, tools } of exchangesOf(turns)) {
    if (tools.some(({ name }) => WEB_TOOL.test(name))) replies.forEach((turn) => found.add(turn));
  }
  return found;
}
