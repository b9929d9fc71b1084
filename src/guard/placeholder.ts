/**
 * Tells values that could be secrets from values that are found in the same places: placeholders,
 * references to variables, words, paths, digests. Judges one string, without its context.
 */

/** Words in examples and markers (`[redacted:…]`). */
const EXAMPLE_WORDS =
  /example|placeholder|changeme|change[-_ ]me|your[-_ ]|replace|redacted|dummy|sample|insert[-_ ]|foobar|not[-_]?a[-_]?(?:real|secret)|\.\.\.|…/i;
/** Whole values that tutorials use as passwords, with digits behind them. */
const STOCK =
  /^(?:pass(?:word|wd|w|phrase)?|pwd|secret|token|user(?:name)?|admin|root|test(?:ing)?|demo|foo|bar|baz|qux|hunter2|guest|postgres|mysql|mongo|redis|none|null|nil|undefined|true|false|string|required|optional|default|secretpassword|mypassword|mysecret|my-secret|my_secret|supersecret|topsecret|s3cret|p4ssw0rd|passw0rd|qwerty|letmein|1password|abc|xyz|key|value)[\d!]{0,6}$/i;
/** References to a value elsewhere: `$NAME`, `{{ name }}`, `process.env…`, `vault:…`. */
const REFERENCE =
  /^\$[A-Za-z_{(]|\$\{|\$\([^)]*\)|\{\{|^%[\w-]+%$|^<|^\{.*\}$|^\*+$|^&\w+$|^process\.env|^os\.environ|^import\.meta|^Deno\.env|^env[.[(]|^ENV\[|^secrets?\.|^vault:|^op:\/\/|^ref\+|^!(?:ref|sub|vault|secret|env)\b/i;
/** Line, column and message of a compiler, in `token.ts:12:34:error:TS2345`. */
const COMPLAINT = /^\d{1,7}:\d{1,5}:(?:fatal[- ])?(?:error|warning|note|info)\b/i;
/** Sequences: 12345678, abcdefgh, 0123456789abcdef. */
const COUNTING = "01234567890123456789abcdefghijklmnopqrstuvwxyz";

/** Whether it is what people write in place of a secret, or a value that nobody uses as one. */
export function isPlaceholder(value: string): boolean {
  if (REFERENCE.test(value) || STOCK.test(value) || COMPLAINT.test(value)) return true;
  if (EXAMPLE_WORDS.test(value.slice(0, 512))) return true;
  const lower = value.toLowerCase();
  return COUNTING.includes(lower) || /^(?:.{0,12}[-_.])?(.)\1{3,}[\w-]{0,8}$/.test(value) ||
    new Set(lower).size <= Math.min(4, value.length / 2);
}

/** Whether a token of a fixed format is a made-up one: `ghp_xxxx…`, `xoxb-your-token-here`. */
export function isPlaceholderToken(value: string): boolean {
  const body = value.replace(/^[A-Za-z]{1,8}[-_.:]/, "").slice(0, 512);
  if (EXAMPLE_WORDS.test(value.slice(0, 512)) || /x{6,}|0{10,}|\*{3,}/i.test(body)) return true;
  if (new Set(body.toLowerCase()).size < 6) return true;
  // `xoxb-your-token-here`: short words with dashes between them.
  return /[-_]/.test(body) && !/[A-Za-z0-9]{16}/.test(body) && meanRun(body, WORDS) > 4;
}

/** Shannon entropy in bits a character, from the frequencies of the characters in the value. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / value.length);
  return value.length === 0 ? 0 : bits / value.length;
}

/** From this mean length of its runs of letters or digits on, a value is made of words. */
const WORD_RUN_MIN = 3.3;

/** So many consonants in a row are in no word. */
const UNSPEAKABLE = /[bcdfghjklmnpqrstvwxz]{6}/i;

/** Whether it is made of words: a name, a sentence or an identifier in any case style, with numbers. */
export function isWordy(value: string): boolean {
  // A long run with digits in three or more places, or unpronounceable, is not a name.
  if (/^[A-Za-z\d]+$/.test(value) && value.length >= 16 && /\d/.test(value)) {
    if ((value.match(/\d+/g) ?? []).length >= 3 || UNSPEAKABLE.test(value)) return false;
  }
  return meanRun(value, WORDS_AND_NUMBERS) >= WORD_RUN_MIN;
}

const WORDS = /[A-Z]?[a-z]+|[A-Z]+/g;
const WORDS_AND_NUMBERS = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;

function meanRun(value: string, kind: RegExp): number {
  const runs = value.match(kind) ?? [];
  const total = runs.reduce((sum, run) => sum + run.length, 0);
  return runs.length === 0 ? 0 : total / runs.length;
}

const HEX = /^(?:0x)?[\da-f]{16,}$/i;
const UUID = /^\{?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\}?$/i;

export function isHex(value: string): boolean {
  return HEX.test(value);
}

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

const PLAIN_KINDS = [
  /^sha\d{1,3}[-:]/i, // integrity strings
  /^(?:data|https?|file|blob|mailto|urn|npm|jsr|node|git|ssh):/i,
  /^(?:\/|\.{1,2}\/|~\/|[A-Za-z]:\\|\\\\)[\w.~/\\@ -]*$/, // paths
  /^[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}$/, // mail addresses
  /^(?:[~^]|[<>]=?|=)?v?\d{1,5}(?:\.\d{1,6}){1,4}(?:[-+][\w.]{1,40})?$/, // versions and ranges
  /^\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]{0,24})?$/, // dates
  /^[\d.,_]{1,40}\s?[A-Za-z%]{0,4}$/, // numbers with a unit
  /^[A-Za-z_$][\w$]{0,63}(?:\??\.[A-Za-z_$][\w$]{0,63}){1,8}$/, // property paths
  /\[(?:\^|a-z|A-Z|0-9|\\\w)/, // regular expressions
  /\\[dws]/,
  /^#[\da-f]{3,8}$/i, // colours
];
const PART = "(?:\\d?(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+){0,4}|[A-Z]+)\\d{0,2}|\\d{1,8})";
const PARTS = new RegExp(`^${PART}(?:[-_./:]{1,2}${PART}){1,32}$`);
/** `48px`, `128k`, `8x7b`, `A22B`, `cl100k`, `0x1F`: in names of models, sizes and limits. */
const MEASURE =
  "\\d{1,5}[A-Za-z]{1,4}|\\d{1,4}(?:[xT]\\d{1,4}){1,3}[A-Za-z]?|[A-Z]\\d{1,3}[A-Z]|[a-z]{1,2}\\d{2,3}k|0x[\\dA-F]{1,4}";
/**
 * A part or measure up to the next separator, as an atomic group (a lookahead with a backreference):
 * `1x` matches both, and a sequence of them would backtrack exponentially.
 */
const measured = (group: number): string => `(?=(${PART}|${MEASURE})(?=[-_./:]|$))\\${group}`;
const MEASURED = new RegExp(
  `^(?=.*[A-Za-z]{4})[-_$@]{0,2}${measured(1)}(?:[-_./:]{1,2}${measured(2)}){1,32}$`,
);
/** `bgSurfaceL2Hover`: at least two words, at most two digits. */
const CAMEL =
  /^(?=.*[a-z]{4}.*[a-z]{4})(?!(?:.*\d){3})[a-z]*(?:[A-Z]+[a-z]+\d{0,2}|[A-Z]\d{1,2}){1,12}$/;

/** Whether it is a name made of words and numbers with separators, `prod/db-2`, or in camel case. */
export function isNameOfParts(value: string): boolean {
  return PARTS.test(value) || MEASURED.test(value) ||
    CAMEL.test(value) && !UNSPEAKABLE.test(value);
}

/** From the first character of a script without spaces between words (Chinese, Japanese, Korean) on. */
const UNSPACED = /[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef].*$/s;

/** The value without the rest of its sentence, in scripts that put no space between the two. */
export function beforeSentence(value: string): string {
  return value.replace(UNSPACED, "");
}

/** Names of repositories and images, `owner/name:tag`. Random base64 may match too. */
const NAME_IN_NAMESPACE = /^[\w-]{1,40}\/[\w.-]{1,60}(?::[\w.-]{1,40})?$/;

/** Whether its format shows that it is something other than a secret. */
export function isPlainKind(value: string): boolean {
  return PLAIN_KINDS.some((kind) => kind.test(value)) ||
    NAME_IN_NAMESPACE.test(value) && isWordy(value);
}

/** Names of algorithms and formats that have digits: sha256, oauth2, utf-8. */
const TECHNICAL =
  /^(?:[a-z]{0,6}(?:sha|md|aes|rsa|hmac|utf|base|oauth|pbkdf|argon|curve|secp|ipv|http|uint|win|linux|python|node|iso|rfc)|bcrypt|[hrep]s|ed|x|[hvpksiu]|int|float|es)[-_]?\d{1,5}[a-z]{0,6}\d{0,3}(?:[-_.][a-z\d]{1,10})*$/i;

export function isTechnicalWord(value: string): boolean {
  return TECHNICAL.test(value);
}
