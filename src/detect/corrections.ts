/**
 * What a person says to correct something known, beyond turning away from it (reversals.ts): that it is no
 * longer used, that all of it was moved or replaced, that it is to be forgotten; or, right after somebody
 * said it, that it is wrong. Apart, because a statement is held against a text here, and a wrong doubt is
 * worse than none: what is only supposed, asked or said of a part takes nothing back.
 */
import { pattern } from "../base/pattern.ts";
import { collapse, splitSentences } from "../base/text.ts";
import { isStatement, namesIn, takenIn } from "./reversals.ts";

/** One to three words that name something. */
const NAME = String.raw`["'\x60]?[\p{L}\p{N}][^\s,;:!?()]*(?: [\p{L}\p{N}][^\s,;:!?()]*){0,2}?`;
const THE = "(?:the |our |my |all |das |die |der |den |dem |unsere?[mnr]? )?";
const LEFT = `(?<the>${THE})(?<left>${NAME})`;
const NEXT = `${THE}(?<next>${NAME})`;
const END = String.raw`(?=[\s,;:.!?]|$)`;
const CLAUSE = String.raw`(?:^|[.!?;:,–—]\s+|\b(?:but|and|that|because|so|aber|und|dass|weil) )`;

/** What is left stands behind these. */
const BEHIND = [
  `(?:moved?|migrated?|switched|changed|went|gone|transitioned)(?: (?:everything|all|over|away|completely|entirely|fully))* from ${LEFT} (?:over )?(?:in)?to ${NEXT}${END}`,
  `(?:moved|migrated|are|got) (?:off|away from) (?:of )?${LEFT}${END}`,
  `no longer (?:use|run|have|need) ${LEFT}${END}`,
  `(?:don't|do not|doesn't|never) (?:use|run|have) ${LEFT} (?:any ?more|any longer)\\b`,
  `(?:stopped using|got rid of) ${LEFT}${END}`,
  `replaced ${LEFT} (?:by|with) ${NEXT}${END}`,
  `(?:forget|ignore|disregard) (?:what|everything|all|whatever) (?:that )?(?:i|we)(?:'ve| have)? (?:said|told you|wrote) (?:earlier |before )?(?:about|on) ${LEFT}${END}`,
  `vergiss,? (?:alles,? )?was ich (?:dir )?(?:vorhin |früher )?(?:über|zu|von) ${LEFT} (?:gesagt|erzählt|geschrieben)\\b`,
  `(?:sind|haben|wurden?|ist) (?:\\S+ ){0,3}?von ${LEFT} (?:auf|zu|nach) ${NEXT} (?:gewechselt|umgestiegen|umgestellt|migriert|umgezogen|gegangen)\\b`,
  `(?:nutzen|verwenden|benutzen|nehmen|brauchen) (?:wir )?(?:jetzt )?(?:kein(?:e|en)? ${LEFT}|${
    LEFT.replace("<the>", "<its>").replace("<left>", "<also>")
  } nicht) mehr\\b`,
];
/** What is left stands before these, and is all that is spoken of. */
const BEFORE = [
  `(?:is|are|was|were|has been|have been) (?:now |since )?(?:no longer (?:used|needed|in use|supported)|not (?:used|in use) any ?more|(?:gone|retired|obsolete|deprecated|dead|abandoned)${END}|(?:replaced|superseded) (?:by|with) ${NEXT}${END})`,
  `(?:wird|werden|ist|sind) (?:\\S+ ){0,2}?(?:nicht mehr (?:verwendet|benutzt|genutzt|gebraucht|im einsatz)|abgeschafft|abgelöst|ausgemustert|geschichte|veraltet)\\b`,
  `(?:wird|werden|wurden?|ist|sind) (?:\\S+ ){0,2}?durch ${NEXT} (?:ersetzt|abgelöst)\\b`,
  String.raw`gibt es (?:bei uns )?nicht mehr\b`,
];

const FORMS = [
  ...BEHIND.map((form) => `\\b${form}`),
  ...BEFORE.map((form) => `${CLAUSE}${LEFT} ${form}`),
];

/** Only supposed, wanted, or told of another time. */
const SUPPOSED =
  /\?|\b(?:if|would|could|should|might|may|maybe|perhaps|unless|when|whenever|once|until|before|think|thought|wonder|guess|want|going to|plan|let's|lets|try|wenn|falls|sollten?|könnten?|würden?|vielleicht|bevor|sobald|glaube|dachte|wollen|will|möchten?)\b/i;
/** Of a part: it holds for what is named then, and nothing else. */
const PART =
  /^\s*(?:only )?(?:for|in|on|at|from|during|f[uü]r|in|im|bei|beim|auf|am|aus)\s+(.{2,40})/i;
const TIME =
  /^(?:(?:the )?(?:last|this|past|letzte\w*|diese\w*)\b|january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|m[aä]rz|mai|juni|juli|oktober|dezember|\d{4}\b|monday|tuesday|wednesday|thursday|friday)/i;
/** Behind one of these a word in lower case is something that is used. */
const USED =
  "(?:us(?:e|es|ed|ing)|via|runs? on|stored? in|deployed (?:on|with|to)|built with|nutzen|nutzt|verwenden|verwendet|nehmen|läuft auf)";
/** Days, numbers, and what stands for something else. */
const NO_NAME =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|[\d.-]+|what|which|who|whoever|everything|something|anything|nothing|someone|these|those|here|there|alles|etwas|was|wer|dies\w*|jene\w*)$/;

interface Abandoned {
  readonly left: string;
  /** A word with an article is a thing of its kind: "the branch is gone". */
  readonly isOneOf: boolean;
  /** It begins the sentence, and has a capital for that alone. */
  readonly isFirst: boolean;
  readonly next: string;
  /** What stands behind it in its sentence. */
  readonly rest: string;
}

/** Whether somebody says that something is not used or true any more. Cheap: asked of every sentence. */
export function abandons(statement: string): boolean {
  return !SUPPOSED.test(statement) && abandonedBy(statement) !== undefined;
}

function abandonedBy(statement: string): Abandoned | undefined {
  const said = collapse(statement);
  for (const form of FORMS) {
    const match = pattern(form, "iu").exec(said);
    if (match === null) continue;
    const { the, its, left, also, next = "" } = match.groups ?? {};
    const isOneOf = (the ?? its ?? "") !== "";
    const name = left ?? also ?? "";
    return {
      left: name,
      isOneOf,
      isFirst: said.startsWith(name),
      next,
      rest: said.slice(match.index + match[0].length),
    };
  }
  return undefined;
}

/** The sentence of a text that says of something what a statement says it is not any more. */
export function abandonedIn(statement: string, text: string): string | undefined {
  if (SUPPOSED.test(statement)) return undefined;
  for (const one of splitSentences(statement)) {
    const gone = abandonedBy(one);
    const found = gone === undefined
      ? undefined
      : splitSentences(text).find((known) => isStatement(known) && saysOf(known, gone));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a sentence says that what was left is used, all of it and nothing of what came instead. */
function saysOf(known: string, { left, isOneOf, isFirst, next, rest }: Abandoned): boolean {
  const said = namesIn(left);
  const there = takenIn(known);
  // A row of a table names things, and says nothing of them.
  if (known.includes("|")) return false;
  if (said.size === 0 || !said.isSubsetOf(there) || [...said].some((name) => NO_NAME.test(name))) {
    return false;
  }
  if (!namesIn(next).isDisjointFrom(namesIn(known))) return false;
  const part = PART.exec(rest)?.[1];
  if (part !== undefined && !TIME.test(part) && namesIn(part).isDisjointFrom(there)) return false;
  if (said.size > 1 || isOneOf) return said.size > 1;
  const [name = ""] = said;
  const isProper = left !== left.toLowerCase() && left.toLowerCase() === name &&
    (!isFirst || known.indexOf(left) > 0);
  const isUsed = pattern(`\\b${USED} ${THE}(?:\\S+ )?["'\`]?${RegExp.escape(name)}\\b`, "iu").test(
    known,
  );
  return isProper || isUsed;
}

/** How somebody begins who says that it is otherwise. */
const WRONG =
  /^(?:(?:no|nope|nein|nee|ne|sorry|hm+|oh|wait|but)[,.!:]?\s+)*(?:(?:that|this|it)(?:'s| is|s|’s) (?:wrong|incorrect|false|outdated|out of date|not (?:right|true|correct)|no longer (?:true|right|correct|the case))|wrong|actually|correction|das (?:ist|war) (?:falsch|veraltet|nicht (?:mehr )?(?:richtig|wahr|korrekt|aktuell))|(?:das )?stimmt (?:so )?nicht(?: mehr)?|falsch|eigentlich|tats[aä]chlich|korrektur)(?=[\s,.;:!–—]|$)[\s,.;:!–—]*/i;
/** What it is instead, of something that was just spoken of. */
const IT_IS =
  /^(?:(?:it|that|this)(?:'s| is|s|’s)|we(?:'re| are)? (?:use|using|run|have)|(?:es|das) (?:ist|hei[sß]+t)|wir (?:nutzen|verwenden|nehmen|haben))\s+(?:(?:now|actually|really|jetzt|inzwischen|nur|on|the|a)\s+)*(.{2,40}?)(?:[,.;:!]|$| (?:now|since|because|jetzt|seit|weil)\b)/i;
/** Words in a row that begin both, of which one has a name: then the next one is what differs. */
const FRAME_WORDS = 3;
/** So much of a sentence said again is that sentence. */
const REPEATED = 0.6;
const REPEATED_NAMES = 3;
/** A longer reply says too much for "that" to be one thing. */
const REPLY_SENTENCES_MAX = 6;

/** What is said to be otherwise: the sentence behind the opening; undefined where nothing is. */
export function correctionIn(sentence: string, before = ""): string | undefined {
  if (sentence.includes("?")) return undefined;
  const behind = collapse(sentence).replace(WRONG, "");
  if (behind !== collapse(sentence)) return behind === "" ? undefined : behind;
  return WRONG.test(before) && collapse(before).replace(WRONG, "") === "" ? behind : undefined;
}

/** The sentence of a text that a correction is about. `reply` is what was said just before it. */
export function correctedIn(correction: string, reply: string, text: string): string | undefined {
  const value = IT_IS.exec(correction)?.[1];
  const replied = splitSentences(reply);
  const repeats = (known: string): boolean =>
    replied.length <= REPLY_SENTENCES_MAX && replied.some((one) => isRepeated(known, one));
  return splitSentences(text).find((known) =>
    isStatement(known) && (differsAtTheEnd(correction, known) ||
      value !== undefined && isOther(value, known) && repeats(known))
  );
}

function isOther(value: string, known: string): boolean {
  const names = namesIn(value);
  return names.size > 0 && names.isDisjointFrom(namesIn(known));
}

function isRepeated(known: string, reply: string): boolean {
  const names = namesIn(known);
  const shared = names.intersection(namesIn(reply)).size;
  return shared >= REPEATED_NAMES && shared >= names.size * REPEATED;
}

const LEADING = /^(?:the|our|my|now|we|das|die|der|unsere?[nrm]?|wir|jetzt) /;

/** The same said of the same, and then another thing. */
function differsAtTheEnd(correction: string, known: string): boolean {
  const [a, b] = [correction, known].map((one) =>
    collapse(one).toLowerCase().replace(LEADING, "").split(" ").map((word) =>
      word.replace(/[.,;:!"'`]+$|^["'`]+/g, "")
    )
  ) as [string[], string[]];
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  const [next = "", was = ""] = [a[same], b[same]];
  return same >= FRAME_WORDS && namesIn(a.slice(0, same).join(" ")).size > 0 &&
    isOther(next, known) && isOther(was, correction);
}
