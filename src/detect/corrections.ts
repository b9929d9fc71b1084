/**
 * What a person says to correct something known, beyond turning away from it (reversals.ts): that it is no
 * longer used, that all of it was moved or replaced, that it is to be forgotten; or, right after somebody
 * said it, that it is wrong. Apart, because a statement is held against a text here, and a wrong doubt is
 * worse than none: what is only supposed, asked or said of a part takes nothing back.
 */
import { pattern, patternFor } from "../base/pattern.ts";
import { isUnspaced, spaced } from "../base/unspaced.ts";
import { collapse, hasQuestionMark, splitSentences, withoutEnd } from "../base/text.ts";
import {
  isStatement,
  namesIn,
  takenBackBy,
  takenIn,
  turnsAway,
  withoutReason,
} from "./reversals.ts";
import { lazy, linesOf, wider } from "./unspaced.ts";

/** One to three words that name something. */
const NAME = String.raw`["'\x60]?[\p{L}\p{N}][^\s,;:!?()]*(?: [\p{L}\p{N}][^\s,;:!?()]*){0,2}?`;
const THE = "(?:the |our |my |all |das |die |der |den |dem |unsere?[mnr]? )?";
const LEFT = `(?<the>${THE})(?<left>${NAME})`;
const NEXT = `${THE}(?<next>${NAME})`;
const END = String.raw`(?=[\s,;:.!?]|$)`;
/** One word and a colon may stand before it ("fyi:"); behind more, somebody else says it. */
const CLAUSE = String
  .raw`(?:^(?:\S+:\s+)?|[.!?;,–—]\s+|\b(?:but|and|that|because|so|aber|und|dass|weil) )`;
/** What stands between a German verb and its end, where it says neither of what part nor that it is not so. */
const BETWEEN = String.raw`(?:(?!(?:in|im|bei|beim|für|nicht|nie|lokal) )\S+ ){0,2}?`;

/** A form, and what every sentence of it has: a form is dear to make, and most texts have none of them. */
type Form = readonly [sign: RegExp, form: string];

/** What is left stands behind these. */
const BEHIND: readonly Form[] = [
  [
    /\bfrom\b/i,
    `(?:moved?|migrated?|switched|changed|went|gone|transitioned)(?: (?:everything|all|over|away|completely|entirely|fully))* from ${LEFT} (?:over )?(?:in)?to ${NEXT}${END}`,
  ],
  [/\b(?:off|away)\b/i, `(?:moved|migrated|are|got) (?:off|away from) (?:of )?${LEFT}${END}`],
  [/\bno longer\b/i, `no longer (?:use|run|have|need) ${LEFT}${END}`],
  [
    /\bany ?(?:more|longer)\b/i,
    `(?:don't|do not|doesn't|never) (?:use|run|have) ${LEFT} (?:any ?more|any longer)\\b`,
  ],
  [/\b(?:using|rid of)\b/i, `(?:stopped using|got rid of) ${LEFT}${END}`],
  [/\breplaced\b/i, `replaced ${LEFT} (?:by|with) ${NEXT}${END}`],
  [
    /\b(?:forget|ignore|disregard)\b/i,
    `(?:forget|ignore|disregard) (?:what|everything|all|whatever) (?:that )?(?:i|we)(?:'ve| have)? (?:said|told you|wrote) (?:earlier |before )?(?:about|on) ${LEFT}${END}`,
  ],
  [
    /\bvergiss\b/i,
    `vergiss,? (?:alles,? )?was ich (?:dir )?(?:vorhin |früher )?(?:über|zu|von) ${LEFT} (?:gesagt|erzählt|geschrieben)\\b`,
  ],
  [
    /\bvon\b/i,
    `(?:sind|haben|wurden?|ist) (?:\\S+ ){0,3}?von ${LEFT} (?:auf|zu|nach) ${NEXT} (?:gewechselt|umgestiegen|umgestellt|migriert|umgezogen|gegangen)\\b`,
  ],
  [
    /\bmehr\b/i,
    `(?:nutzen|verwenden|benutzen|nehmen|brauchen) (?:wir )?(?:jetzt )?(?:kein(?:e|en)? ${LEFT}|${
      LEFT.replace("<the>", "<its>").replace("<left>", "<also>")
    } nicht) mehr\\b`,
  ],
];
/** What is left stands before these, and is all that is spoken of. */
const BEFORE: readonly Form[] = [
  [
    /\b(?:no longer|any ?more|gone|retired|obsolete|deprecated|abandoned|replaced|superseded)\b/i,
    `(?:is|are|was|were|has been|have been) (?:now |since )?(?:no longer (?:used|needed|in use|supported)|not (?:used|in use) any ?more|(?:gone|retired|obsolete|deprecated|abandoned)${END}|(?:replaced|superseded) (?:by|with) ${NEXT}${END})`,
  ],
  [
    /\b(?:mehr|abgeschafft|abgelöst|ausgemustert|geschichte|veraltet)\b/i,
    `(?:wird|werden|ist|sind) ${BETWEEN}(?:nicht mehr (?:verwendet|benutzt|genutzt|gebraucht|im einsatz)|abgeschafft|abgelöst|ausgemustert|geschichte|veraltet)\\b`,
  ],
  [
    /\bdurch\b/i,
    `(?:wird|werden|wurden?|ist|sind) ${BETWEEN}durch ${NEXT} (?:ersetzt|abgelöst)\\b`,
  ],
  [/\bmehr\b/i, String.raw`gibt es (?:bei uns )?nicht mehr\b`],
];

/** Where no space parts a name from what is said of it, a name is Latin or Katakana: what else would be one. */
const FOREIGN = String
  .raw`(?:[A-Za-z][\w.+#-]*(?: [A-Za-z][\w.+#-]*){0,2}|[\u30a1-\u30fa\u30fc]{2,})`;
const UNSPACED = lazy((): readonly Form[] =>
  linesOf("corrections.form").map((line) => {
    const [sign = "", form = ""] = line.split("\t");
    const named = form.replace("{left}", `(?<left>${FOREIGN})`).replace(
      "{next}",
      `(?<next>${FOREIGN})`,
    );
    return [new RegExp(sign), named];
  })
);

const FORMS: readonly Form[] = [
  ...BEHIND.map(([sign, form]): Form => [sign, `\\b${form}`]),
  ...BEFORE.map(([sign, form]): Form => [sign, `${CLAUSE}${LEFT} ${form}`]),
];

/** Only supposed, wanted, told of another time, by or of somebody else, or of what is broken just now. */
const SUPPOSED = wider(
  "corrections.supposed",
  /\?|\b(?:imagine|suppose|assume|pretend|wish|almost|nearly|as if|seems?|apparently|allegedly|according to|claim(?:s|ed)?|says|rumou?r|(?:the|a) case|yeah right|(?:an)?other (?:repo|project|team|compan)\w*|(?:my|his|her|their) (?:old|former|last|friend)\w*|again|re(?:start|boot)\w*|outage|crash\w*|locally|angeblich|behauptet|beinahe|wieder|lokal)\b|(?<!\b(?:i|we) (?:have )?)(?<!\b(?:i|we)'ve )\bsaid\b|\b(?:if|would|could|should|might|may|maybe|perhaps|unless|when|whenever|once|until|before|think|thought|wonder|guess|want|going to|plan|let's|lets|try|wenn|falls|sollten?|könnten?|würden?|vielleicht|bevor|sobald|glaube|dachte|wollen|will|möchten?)\b/i,
);
/** Of a part: it holds for what is named then, and nothing else. */
const PART =
  /(?:^|\s)(?:for|in|on|at|from|during|as|by|f[uü]r|im|bei|beim|auf|am|aus)\s+(.{2,40})/i;
/** What was left goes on behind its first word: "npm aliases" is not npm. */
const GOES_ON =
  /^ (?!(?:and|but|or|because|since|as|in|on|at|for|from|by|with|to|any|now|here|last|this|next|year|month|week|day|some|a|completely|entirely|altogether|today|yesterday|und|aber|weil|seit|jetzt|hier|ganz|komplett)s?\b)/i;
/** Behind it in its clause, it is said not to be so. */
const DENIED = /\b(?:not|never|nobody|no one|none|nicht|nie|niemand|keiner)\b|n't\b/i;
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
  /** What stands around it in its sentence, each without the other. */
  readonly around: readonly string[];
}

/** Whether somebody says that something is not used or true any more. Cheap: asked of every sentence. */
export function abandons(statement: string): boolean {
  return abandonedBy(statement) !== undefined && !isSupposed(statement);
}

function abandonedBy(statement: string): Abandoned | undefined {
  const said = collapse(statement);
  const forms = isUnspaced(said) ? [...FORMS, ...UNSPACED()] : FORMS;
  for (const [sign, form] of forms) {
    const match = sign.test(said) ? patternFor(said, form, "iu").exec(said) : null;
    if (match === null) continue;
    const { the, its, left, also, next } = match.groups ?? {};
    const [before, rest] = [said.slice(0, match.index), said.slice(match.index + match[0].length)];
    if (DENIED.test(before.split(/[.,;:!]/).at(-1) ?? "")) continue;
    if (match[0].endsWith(left ?? also ?? "") && GOES_ON.test(rest)) continue;
    const isOneOf = (the ?? its ?? "") !== "";
    const name = left ?? also ?? "";
    return {
      left: name,
      isOneOf,
      isFirst: said.startsWith(name),
      next: next ?? "",
      around: [before, rest],
    };
  }
  return undefined;
}

/** Of what came instead by the words before its reason: "pnpm instead of npm, because npm hung again" stands. */
function isSupposed(statement: string): boolean {
  if (!SUPPOSED.test(statement)) return false;
  const said = withoutReason(statement);
  return SUPPOSED.test(said) || hasQuestionMark(statement) || !turnsAway(said);
}

/** The sentence of a text that says of something what a statement says it is not any more. */
export function abandonedIn(statement: string, text: string): string | undefined {
  if (isSupposed(statement)) return undefined;
  for (const one of splitSentences(statement)) {
    const gone = abandonedBy(one);
    const found = gone === undefined
      ? undefined
      : splitSentences(text).find((known) => isStatement(known) && saysOf(known, gone));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a sentence that decides nothing takes something back. Cheap: asked of every sentence. */
export function retracts(statement: string): boolean {
  return (turnsAway(statement) || abandonedBy(statement) !== undefined ||
    placeIn(statement) !== undefined) && !isSupposed(statement);
}

/** Since when, or that it was another one. */
const NOW =
  /\b(?:now|moved|changed|since|jetzt|inzwischen|seit|umgezogen|ahora|desde|maintenant|d[eé]sormais|depuis)\b/i;
/** An address, a host or a path with a number in it: what it is of stands around it. */
const PLACES = /(?:[a-z][a-z\d+]{1,9}:\/\/)?[a-z\d_-]{1,60}(?:[.:/][a-z\d_-]{1,60}){1,8}/gi;
const PLACE = new RegExp(
  String.raw`\b(?:is|are|at|to|under|on|ist|sind|auf|unter|nach|en|es|est|sur|à) ` +
    `(?:now |jetzt |at )?["'\`]?(${PLACES.source})`,
  "gi",
);
/** Behind these stands where it was. */
const LEFT_PLACE = new RegExp(String.raw`\b(?:from|von|desde|depuis|de) ${PLACES.source}`, "gi");
/** Shorter, or without a second part, it is a number or a word. */
const PLACE_CHARACTERS_MIN = 7;

/** One more of them, and none in place of another. */
const ONE_MORE =
  /\b(?:also|another|second|additional|replica\w*|copy|mirror|fallback|too|as well|besides|auch|zweite\w*|zus[aä]tzlich\w*|tambi[eé]n|aussi)\b/i;

/** Where something is now, of a sentence that names one place. */
function placeIn(statement: string): string | undefined {
  if (statement.length > CORRECTION_CHARACTERS_MAX) return undefined;
  if (!NOW.test(statement) || ONE_MORE.test(statement)) return undefined;
  const said = statement.replace(LEFT_PLACE, "");
  const named = (said.match(PLACES) ?? []).filter(isPlace);
  const [place = ""] = [...said.matchAll(PLACE)].map(([, found = ""]) => found);
  return named.length === 1 && isPlace(place) ? place : undefined;
}

function isPlace(text: string): boolean {
  return text.length >= PLACE_CHARACTERS_MIN && /\d/.test(text) &&
    !/^\d+[-./:]\d+([-./:]\d+)?$/.test(text);
}

/** Of one form: only numbers differ. */
function formOf(place: string): string {
  return place.toLowerCase().replace(/\d+/g, "#");
}

/** The sentence of a text that says another place of the same form for the same thing. */
function movedIn(statement: string, text: string): string | undefined {
  const place = placeIn(statement);
  if (place === undefined) return undefined;
  const things = namesIn(statement.replace(LEFT_PLACE, "").replace(place, ""));
  return splitSentences(text).find((known) => {
    const [other, ...more] = (known.match(PLACES) ?? []).filter(isPlace);
    return other !== undefined && more.length === 0 && other !== place &&
      formOf(other) === formOf(place) && isStatement(known) &&
      !namesIn(known.replace(other, "")).isDisjointFrom(things);
  });
}

/** The sentence of a text that such a one takes back. */
export function retractedIn(statement: string, text: string): string | undefined {
  if (!retracts(statement)) return undefined;
  return (turnsAway(statement) ? takenBackBy(statement, text) : undefined) ??
    abandonedIn(statement, text) ?? movedIn(statement, text);
}

/** Whether a sentence says that what was left is used, all of it and nothing of what came instead. */
function saysOf(known: string, { left, isOneOf, isFirst, next, around }: Abandoned): boolean {
  const said = namesIn(left);
  const there = takenIn(known);
  // A row of a table names things, and says nothing of them.
  if (known.includes("|")) return false;
  if (said.size === 0 || !said.isSubsetOf(there) || [...said].some((name) => NO_NAME.test(name))) {
    return false;
  }
  if (!namesIn(next).isDisjointFrom(namesIn(known))) return false;
  for (const text of around) {
    const part = PART.exec(text)?.[1];
    if (part !== undefined && !TIME.test(part) && namesIn(part).isDisjointFrom(there)) return false;
  }
  if (said.size > 1 || isOneOf) return said.size > 1;
  const [name = ""] = said;
  const isProper = left !== left.toLowerCase() && left.toLowerCase() === name &&
    (!isFirst || known.indexOf(left) > 0);
  const escaped = RegExp.escape(name);
  const isUsed = pattern(
    `\\b${USED} ${THE}(?:\\S+ )?["'\`]?${escaped}\\b`,
    "iu",
  ).test(known) || isUnspaced(known) && linesOf("corrections.used").some((form) =>
        new RegExp(form.replace("{name}", escaped), "i").test(known)
      );
  return isProper || isUsed;
}

/** How somebody begins who says that it is otherwise. */
const WRONG = wider(
  "corrections.wrong",
  /^(?:(?:no|nope|nein|nee|ne|sorry|hm+|oh|wait|but)[,.!:]?\s+)*(?:(?:that|this|it)(?:'s| is|s|’s) (?:wrong|incorrect|false|outdated|out of date|not (?:right|true|correct)|no longer (?:true|right|correct|the case))|wrong|actually|correction|das (?:ist|war) (?:falsch|veraltet|nicht (?:mehr )?(?:richtig|wahr|korrekt|aktuell))|(?:das )?stimmt (?:so )?nicht(?: mehr)?|falsch|eigentlich|tats[aä]chlich|korrektur)(?=[\s,.;:!–—]|$)[\s,.;:!–—]*/i,
);
/** What it is instead, of something that was just spoken of. */
const IT_IS =
  /^(?:(?:it|that|this)(?:'s| is|s|’s)|we(?:'re| are)? (?:use|using|run|have)|(?:es|das) (?:ist|hei[sß]+t)|wir (?:nutzen|verwenden|nehmen|haben))\s+(?:(?:now|actually|really|jetzt|inzwischen|nur|on|the)\s+)*(an?\s+|eine?\s+)?(.{2,40}?)(?:[,.;:!]|$| (?:now|since|because|jetzt|seit|weil)\b)/i;
/** How a thing is, and not what it is. */
const STATE =
  /^(?:fine|ok|okay|good|bad|great|better|worse|slow|fast|broken|fixed|late|early|done|ready|true|right|wrong|correct|up|down|open|closed|big|small|large|old|new|empty|full|dead|gone|missing|blocked|locked|stuck|working|running|failing|raining|hanging|enough|easy|hard|possible|daily|weekly|often|time|my|your|his|her|their|our|it|this|that|gut|schlecht|langsam|schnell|kaputt|fertig|richtig|falsch|offen|leer|voll|weg|mein|dein|sein|ihr|unser)(?![\w-])|^\w+(?:day|tag)s?$/i;
/** Longer, it is something pasted; it would be held against every sentence of what is known. */
const CORRECTION_CHARACTERS_MAX = 500;
/** Words in a row that begin both, of which one has a name: then the next one is what differs. */
const FRAME_WORDS = 3;
/** So much of a sentence said again is that sentence. */
const REPEATED = 0.6;
const REPEATED_NAMES = 3;
/** A longer reply says too much for "that" to be one thing. */
const REPLY_SENTENCES_MAX = 6;

/** What is said to be otherwise: the sentence behind the opening; undefined where nothing is. */
export function correctionIn(sentence: string, before = ""): string | undefined {
  if (sentence.length > CORRECTION_CHARACTERS_MAX || hasQuestionMark(sentence)) return undefined;
  const behind = collapse(sentence).replace(WRONG, "");
  if (behind !== collapse(sentence)) return behind === "" ? undefined : behind;
  return WRONG.test(before) && collapse(before).replace(WRONG, "") === "" ? behind : undefined;
}

/** The sentence of a text that a correction is about. `reply` is what was said just before it. */
export function correctedIn(correction: string, reply: string, text: string): string | undefined {
  const [, thing, value] = IT_IS.exec(correction) ?? [];
  const replied = splitSentences(reply);
  const repeats = (known: string): boolean =>
    replied.length <= REPLY_SENTENCES_MAX && replied.some((one) => isRepeated(known, one));
  return splitSentences(text).find((known) =>
    isStatement(known) && (differsAtTheEnd(correction, known) ||
      value !== undefined && thing === undefined && !STATE.test(value) && isOther(value, known) &&
        repeats(known))
  );
}

function isOther(value: string, known: string): boolean {
  // "Port 9090", where another port is known: the last word alone says what it is.
  const [, kind = "", last = value] = /^(.+) (\S+)$/.exec(collapse(value)) ?? [];
  const isOfKind = namesIn(kind).size > 0 &&
    ` ${known.toLowerCase()}`.includes(` ${kind.toLowerCase()} `);
  const names = namesIn(isOfKind ? last : value);
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
    collapse(isUnspaced(one) ? spaced(one) : one).toLowerCase().replace(LEADING, "").split(" ").map(
      (word) => withoutEnd(word.replace(/^["'`]+/, ""), /[.,;:!"'`。，]/),
    )
  ) as [string[], string[]];
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  const [next = "", was = ""] = [a[same], b[same]];
  return same >= FRAME_WORDS && namesIn(a.slice(0, same).join(" ")).size > 0 &&
    isOther(next, known) && isOther(was, correction);
}
