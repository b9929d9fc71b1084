/**
 * Passwords and keys in sentences: "the password for staging is …", "with the password …", "use … as the
 * API key". Stricter than assignments.ts, because most sentences with such a word say something about a
 * secret and not the secret itself: the value has to look like one.
 */
import { isSecretValue } from "./assignments.ts";
import type { Match } from "./finding.ts";
import {
  isNameOfParts,
  isPlaceholder,
  isPlainKind,
  isTechnicalWord,
  isUuid,
  isWordy,
} from "./placeholder.ts";

const NAME =
  /(?<![A-Za-z0-9_$.-])(?:pass(?:word|wd|phrase|code|wort)|pwd|kennwort|contraseña|mot de passe|senha)(?![A-Za-z0-9_$-])/gi;
const KEY_NAME =
  /(?<![A-Za-z0-9_$.-])(?:(?:(?:api|access|secret|auth|deploy|service|license|client)[ -])?(?:token|secret)|(?:api|access|secret|deploy|service|license)[ -]key)(?![A-Za-z0-9_$-])/gi;
/** After a name: a further noun, as in "is the token refresh", so the name is not what is spoken of. */
const NEXT_NOUN =
  /[ \t]{1,3}(?!(?:for|of|to|on|in|at|from|with|as|and|or|but|so|we|you|they|i|it|that|which|here|now|today|is|was|für|von|vom|zum|zur|und)(?![a-z]))[a-z]/iy;
/** A shorter value may be the name of a key. */
const KEY_CHARACTERS_MIN = 20;
/** `for the staging database`, between the name and the verb. */
const WHOSE =
  /[ \t]{1,3}(?:for|of|to|on|in|at|für|von|vom|zum|zur|auf|der|des|para|de|del|pour|du|di|della|do|da)(?:[ \t]{1,3}(?!(?:is|was|has|will|became|set|changed|reset|rotated|updated|ist|war|lautet|heißt|es|era|est|è|é)\s)[^\s,;:!?"'`()=]{1,40}){1,6}/y;
/** `Set the password for staging to …`: `SETS` before the name, `TO` after it. */
const SETS =
  /(?<![A-Za-zÀ-ɏ])(?:set|sets|setting|chang\w{0,4}|reset\w{0,4}|rotat\w{0,3}|updat\w{0,3}|setz\w{0,3}|änder\w{0,3}|cambi\w{0,4})(?:[ \t]{1,3}[\wÀ-ɏ-]{1,24}){0,4}[ \t]{1,3}$/i;
const TO =
  /(?:[ \t]{1,3}(?:for|of|on|in|at|für|von|auf|de|del|para)(?:[ \t]{1,3}[^\s,;:!?"'`()=]{1,40}){1,4}?)?[ \t]{1,3}(?:to|auf|a|à|en)[ \t]{1,3}/y;
/** A colon, an arrow or a verb between name and value; after a verb the line may be wrapped. */
const SAYS =
  /[ \t]{0,3}(?::|=|\??[ \t]{0,3}(?:→|->))[ \t]{1,3}|[ \t]{0,2}[ \t\n](?:(?:(?:is|was|has been) )?(?:set|changed|reset|rotated|updated) to|is|was|will be|became|ist|war|lautet|heißt|es|era|est|è|é)(?:[ \t]{1,3}(?:now|still|currently|just|always|jetzt|nun|noch|auf))?:?(?:[ \t]{1,3}|[ \t]{0,2}\r?\n[ \t]{0,4})/y;
const SPACE = /[ \t]{1,3}(?:[-–—][ \t]{1,3})?/y;
const QUOTE = /(?:\*\*|__)?["'`“„«]?/y;
const VALUE = /[^\s"'`“”„«»]{1,128}/y;
/** `… is the staging password`, `use … as password`: from the value up to the name. */
const VALUE_BEFORE =
  /(?:^|[\s"'`“„«(])([^\s"'`“”„«»]{1,128})["'`“”»]?(?:\*\*|__)?[ \t]{1,3}(?:(?:is|was|ist|war)[ \t]{1,3}(?:the|my|our|your|his|her|their|das|mein|unser|dein|ihr)|as|als)(?:[ \t]{1,3}[\wÀ-ɏ-]{1,24}){0,3}[ \t]{1,3}$/;
const BEFORE_CHARACTERS_MAX = 280;

export function proseSecrets(text: string): Match[] {
  return [
    ...spoken(text, NAME, judged).map((range) => ({ rule: "generic-password", ...range })),
    ...spoken(text, KEY_NAME, judgedKey, NEXT_NOUN).map((range) => ({
      rule: "generic-secret",
      ...range,
    })),
  ];
}

type Range = Omit<Match, "rule">;
/**
 * The range of the secret in a word, if it is one. `isSaid`: a colon or a verb connects it with the name.
 * `goesOn`: the sentence continues after the word.
 */
type Judge = (word: string, start: number, isSaid: boolean, goesOn?: boolean) => Range | undefined;

function spoken(text: string, names: RegExp, judge: Judge, notBefore?: RegExp): Range[] {
  const found: Range[] = [];
  names.lastIndex = 0;
  for (let name = names.exec(text); name !== null; name = names.exec(text)) {
    const end = names.lastIndex;
    const isApart = notBefore === undefined || skip(notBefore, text, end) === undefined;
    const range = saidAfter(text, end, judge) ?? setTo(text, name.index, end, judge) ??
      (isApart ? saidBefore(text, name.index, judge) : undefined);
    if (range !== undefined) found.push(range);
  }
  return found;
}

function saidAfter(text: string, nameEnd: number, judge: Judge): Range | undefined {
  const whoseEnd = skip(WHOSE, text, nameEnd) ?? nameEnd;
  const said = skip(SAYS, text, whoseEnd);
  const start = said ?? skip(SPACE, text, nameEnd);
  return start === undefined ? undefined : judgedAt(text, start, said !== undefined, judge);
}

function setTo(text: string, nameStart: number, nameEnd: number, judge: Judge): Range | undefined {
  const start = skip(TO, text, nameEnd);
  if (start === undefined) return undefined;
  const before = text.slice(Math.max(0, nameStart - BEFORE_CHARACTERS_MAX), nameStart);
  return SETS.test(before) ? judgedAt(text, start, true, judge) : undefined;
}

function judgedAt(text: string, start: number, isSaid: boolean, judge: Judge): Range | undefined {
  const open = skip(QUOTE, text, start) ?? start;
  VALUE.lastIndex = open;
  return judge(VALUE.exec(text)?.[0] ?? "", open, isSaid);
}

function saidBefore(text: string, nameStart: number, judge: Judge): Range | undefined {
  const from = Math.max(0, nameStart - BEFORE_CHARACTERS_MAX);
  const match = VALUE_BEFORE.exec(text.slice(from, nameStart));
  if (match === null) return undefined;
  const start = from + match.index + match[0].indexOf(match[1] ?? "");
  return judge(match[1] ?? "", start, false, true);
}

/**
 * Judges a word as a password, without the punctuation of its sentence: `!` and `?` are the password's own
 * unless they end the sentence.
 */
function judged(word: string, start: number, isSaid: boolean, goesOn = false): Range | undefined {
  const whole = withoutEnd(word);
  const isInside = goesOn || whole.length < word.length;
  const value = isInside ? whole : whole.replace(/[!?]+$/, "");
  return isSecret(value, isSaid) ? { start, end: start + whole.length } : undefined;
}

function judgedKey(
  word: string,
  start: number,
  isSaid: boolean,
  goesOn = false,
): Range | undefined {
  const whole = withoutEnd(word);
  const isKey = (isSaid || goesOn) && whole.length >= KEY_CHARACTERS_MIN &&
    !isNameOfParts(whole) && isSecretValue(whole, "token", false);
  return isKey ? { start, end: start + whole.length } : undefined;
}

function withoutEnd(word: string): string {
  return word.replace(/(?:[.,;:)\]}]|\*\*|__)+$/, "");
}

/**
 * A password has a letter and a digit, and if no colon or verb precedes it also a special character or a
 * mixture that no name has. Names with a number, numbers with a unit and technical words are none.
 */
function isSecret(value: string, isSaid: boolean): boolean {
  if (value.length < 8 || !/\d/.test(value) || !/[A-Za-zÀ-ɏ]/.test(value)) return false;
  if (/[(){}[\]<>|\\]|::|->|=>|==/.test(value)) return false;
  if (isPlaceholder(value) || isPlainKind(value) || isTechnicalWord(value)) return false;
  if (isUuid(value) || /^\d+[-A-Za-zÀ-ɏ]+$/.test(value)) return false;
  const hasSign = /[!@#$%^&*+?~=]/.test(value);
  if (hasSign && !/[/@]\w+\.\w/.test(value)) return true;
  if (/[-_./:@#]/.test(value)) return !isWordy(value) && value.length >= 12;
  if (isSaid) return true;
  return !isWordy(value) && /\d[A-Za-z]|\d{3}/.test(value) && /[a-z]/.test(value) &&
    /[A-Z]/.test(value);
}

/** The end of `form` (sticky) at an offset; undefined if it does not match there. */
function skip(form: RegExp, text: string, at: number): number | undefined {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : undefined;
}
