/**
 * Secrets without a form, recognised only by what they are assigned to: `password = …`, `"apiKey": "…"`,
 * lines of an `.env` file, `--token …`. Judging the value is most of the work, because nearly everything that
 * is assigned to such a name in prose and code is no secret.
 */
import type { Match } from "./finding.ts";
import {
  beforeSentence,
  entropy,
  isHex,
  isPlaceholder,
  isPlainKind,
  isTechnicalWord,
  isUuid,
  isWordy,
} from "./placeholder.ts";

/** How much a name promises: a password may be a word and a number, a token may not. */
export type Strength = "password" | "secret" | "token" | "key";

/**
 * The names of passwords, secrets, tokens and keys, a group for each. A caller that moves `lastIndex`
 * restores it: `matchAll` begins there.
 */
export const NAMES =
  /(pass(?:word|wd|phrase|code)?(?!ed|es|ing|ive|age|port|enger|ion|thr)|pwd|kennwort|wachtwoord|contraseña|senha|hasło|пароль|密码|密碼|パスワード|비밀번호)|(client[-_ ]?secret|secret(?!ar|l[iy])|credentials?|api[-_ ]?key|(?:access|private|signing|signature|encryption|encrypt|master|account|shared|auth|service|license|admin|deploy|session|cookie|webhook|hmac|jwt|storage|consumer|app|application|subscription|secret|crypto|cipher|storage|bot|root)[-_ ]?key|(?<![A-Za-z])(?:pw|psk)(?![A-Za-z]))|(token(?!i[sz])|bearer|auth(?:ori[sz]ation(?!s))?(?!or)|salt|sess(?:ion)?[-_]?id|cookie|pat(?![a-z])|signature|otp(?![a-z])|seed(?![a-z]))|(key|dsn)/gi;
/**
 * What may stand between the name and its value: the rest of the identifier, quotes, the type, the
 * sign; or what says that the value is taken where the name has none (`?? "…"`, `getenv("…", "…")`).
 * Behind a colon the value may stand in the next line, set in.
 */
const TAIL =
  /([A-Za-z0-9_.-]{0,48})["'`*\])]{0,3}[ \t]{0,12}(?:(?:,?(?:\r?\n)?[ \t]{0,40}["']?)?value["']?[ \t]{0,4}(?=[:=])|[!?]?:[ \t]{0,4}[A-Za-z&][\w&'.<>|[\] ]{0,40}(?==(?!=)))?(:=|=>|\?\?|\|\||,(?=[ \t]{0,4}["'])|\((?=[ \t]{0,4}["'`])|[:=>：＝]|(?=[ \t]))(?:\*\*|__)?[ \t]{0,12}(?:[\w$.?]{1,80}[ \t]{1,4}(?:\?\?|\|\|)[ \t]{0,4}(?=["'`])|(?:[|>][-+]?)?[ \t]{0,4}(\r?\n)[ \t]{1,16}(?:-[ \t]{1,3})?|[|>][ \t]{0,4})?/y;
const QUOTE = /[bfru@]{0,2}\\?(["'`])/y;
/** How much of a value is judged; what is accepted is then followed to its end. */
const JUDGED_CHARACTERS_MAX = 256;
const BARE = /[^\s"'`<>,;]*/y;
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /[^"\n]*/y,
  "'": /[^'\n]*/y,
  "`": /[^`\n]*/y,
};
/** What is left of a line that has nothing but the value. */
const LINE_END = /["'`]?,?[ \t]{0,16}(?:\r?\n|$)/y;
/** `setPassword("…")`, `.password("…")`; what is looked up by a name is no value of it. */
const SETTER_BEFORE = /(?:(?<![A-Za-z])set|with|\.)_?$/i;
const FLAG_BEFORE = /(?:^|[\s"'`(\[])--?[A-Za-z-]{0,32}$/;
/** The name of a rule inside a marker is no name. */
const NAME_BEFORE_CHARACTERS = 52;
const MARKER_BEFORE = /\[redacted:[a-z0-9-]{0,40}$/;
/** The last word of a name that says: not the secret itself. */
const ABOUT =
  /(?:hash|digest|sha\d*|md5|checksum|fingerprint|id|ids|name|names|url|uri|urls|path|dir|file|files|type|types|length|len|count|size|field|label|policy|expiry|expires?|expiration|ttl|age|prefix|suffix|regex|pattern|hint|format|status|state|provider|issuer|scope|scopes|location|version|algorithm|alg|env|var|limit|budget|max|min|usage|reset|rotation|manager|store|endpoint|method|class|arn|ref|s_?used|ized|izer|less)$/i;
const PUBLIC_BEFORE =
  /(?:pub(?:lic)?|publishable|primary|foreign|sort|partition|cache|hash|index|map|object|idempotency|translation|lookup|query|group|unique|hot|short|page|max|num|total|input|output|completion|csrf[-_]?header)[-_ ]?$/i;

/** Values that are secrets because of the names they are assigned to. */
export function assignments(text: string): Match[] {
  const found: Match[] = [];
  NAMES.lastIndex = 0;
  for (let name = NAMES.exec(text); name !== null; name = NAMES.exec(text)) {
    const value = assignedValue(text, name.index, NAMES.lastIndex);
    if (value === undefined) continue;
    const strength = strengthIn(name);
    if (!isSecretValue(value.text, standard(text, value, strength), value.isQuoted)) continue;
    const rule = strength === "password" ? "generic-password" : "generic-secret";
    const end = endOf(text, value);
    found.push({ rule, start: value.start, end });
    NAMES.lastIndex = end;
  }
  return found;
}

/** What the value is held to, where more is known than the name. */
function standard(text: string, { start, isBelow }: Value, strength: Strength): Strength {
  if (/[A-Z]_TOKEN=["']?$/.test(text.slice(Math.max(0, start - 9), start))) return "secret";
  return isBelow && strength !== "password" ? "key" : strength;
}

function strengthIn([, password, secret, token]: RegExpExecArray): Strength {
  if (password !== undefined) return "password";
  if (secret !== undefined) return "secret";
  return token === undefined ? "key" : "token";
}

/** What a heading promises of all that stands below it; undefined where it names no secret. */
export function strengthOf(heading: string): Strength | undefined {
  const name = NAMES.exec(heading);
  NAMES.lastIndex = 0;
  if (name === null || ABOUT.test(heading) || PUBLIC_BEFORE.test(heading.slice(0, name.index))) {
    return undefined;
  }
  return strengthIn(name);
}

interface Value {
  readonly text: string;
  readonly start: number;
  readonly isQuoted: boolean;
  /** In the line below its name, where names are listed too. */
  readonly isBelow: boolean;
  /** What a longer value goes on with. */
  readonly rest: RegExp;
}

function assignedValue(text: string, nameStart: number, nameEnd: number): Value | undefined {
  TAIL.lastIndex = nameEnd;
  const tail = TAIL.exec(text);
  if (tail === null || ABOUT.test(tail[1] ?? "")) return undefined;
  const head = text.slice(Math.max(0, nameStart - NAME_BEFORE_CHARACTERS), nameStart);
  if (PUBLIC_BEFORE.test(head) || MARKER_BEFORE.test(head)) return undefined;
  // In a list of names none is the value of the one before it.
  if (tail[2] === "," && !/\(["'][\w.-]{0,40}$/.test(head)) return undefined;
  // A space is an assignment only for a command's flag: `--token abc`.
  if (tail[2] === "" && !FLAG_BEFORE.test(head)) return undefined;
  if (tail[2] === "(" && !SETTER_BEFORE.test(head)) return undefined;
  if (tail[3] !== undefined && tail[2] !== ":") return undefined;
  QUOTE.lastIndex = TAIL.lastIndex;
  const quote = QUOTE.exec(text)?.[1];
  const start = quote === undefined ? TAIL.lastIndex : QUOTE.lastIndex;
  const rest = quote === undefined ? BARE : QUOTED[quote] ?? BARE;
  const judged = take(text.slice(start, start + JUDGED_CHARACTERS_MAX), 0, rest);
  if (tail[3] !== undefined && !isAlone(text, start, rest)) return undefined;
  const value = quote === undefined ? bareValue(judged, head) : judged.replace(/\\$/, "");
  if (value === "") return undefined;
  return {
    text: value,
    start,
    isQuoted: quote !== undefined,
    isBelow: tail[3] !== undefined,
    rest,
  };
}

/** Not a sentence, nor a key that has a value of its own. */
function isAlone(text: string, start: number, rest: RegExp): boolean {
  const whole = take(text, start, rest);
  LINE_END.lastIndex = start + whole.length;
  return !whole.endsWith(":") && LINE_END.test(text);
}

/** Without the punctuation that belongs to the sentence, or the parameters that follow in a query. */
function bareValue(value: string, head: string): string {
  const isQuery = /[?&][\w.-]{0,40}$/.test(head);
  return beforeSentence(isQuery ? value.replace(/[&#].*$/, "") : value)
    .replace(/(?:[)\]}.:\\|]|\*\*)+$/, "");
}

function endOf(text: string, value: Value): number {
  const end = value.start + value.text.length;
  if (value.text.length < JUDGED_CHARACTERS_MAX) return end;
  return end + take(text, end, value.rest).length;
}

function take(text: string, at: number, run: RegExp): string {
  run.lastIndex = at;
  return run.exec(text)?.[0] ?? "";
}

const LENGTH_MIN: Readonly<Record<Strength, number>> = {
  password: 6,
  secret: 10,
  token: 16,
  key: 20,
};

export function isSecretValue(value: string, strength: Strength, isQuoted: boolean): boolean {
  if (value.length < LENGTH_MIN[strength] || /\s/.test(value)) return false;
  if (!isQuoted && /[(){}[\]]|^[|:=]|^[-+](?![\w+/]{15})|::|->|=>|==./.test(value)) return false;
  if (isPlaceholder(value) || isPlainKind(value) || isTechnicalWord(value)) return false;
  if (isHex(value)) return strength !== "key" && value.length >= 24 || strength === "password";
  if (isUuid(value)) return strength === "password" || strength === "secret";
  const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  if (strength === "password") return isPassword(value, isMixed);
  if (isWordy(value)) return false;
  if (strength === "secret") return isMixed && entropy(value) >= 2.8 || entropy(value) >= 3.6;
  const hasCases = /[a-z]/.test(value) && /[A-Z]/.test(value);
  if (strength === "token") return isMixed && entropy(value) >= 3.2;
  return isMixed && hasCases && entropy(value) >= 3.8;
}

/** Letters in the case of a word or an identifier: `lower`, `Title`, `UPPER`, `userDBName`, `keyID`. */
const NAME_CASE = /^(?:[A-Z]+|[a-z]*(?:[A-Z]{1,5}[a-z]{2,})*[A-Z]{0,4})$/;

/** One word with a digit or a sign in it, or something random; not a name made of words. */
function isPassword(value: string, isMixed: boolean): boolean {
  if (/^[A-Za-z]+$/.test(value)) return !NAME_CASE.test(value) && value.length >= 8;
  const parts = value.split(/[-_./:]+/).filter((part) => part !== "");
  if (parts.length > 1 && parts.every((part) => /^[A-Za-z]+\d{0,2}$|^\d{1,4}$/.test(part))) {
    return !isWordy(value) && value.length >= 12;
  }
  return isMixed || /[!@#$%^&*+?~]/.test(value);
}

/** With what a diff, a quote or a listing puts before a line: a mark or a line number. */
const ENV_LINE =
  /^[ \t>|+-]{0,8}(?:\d{1,6}[ \t→:|-]{1,4})?(?:(?:export|set|ENV)[ \t]+)?([A-Z][A-Z0-9_]{1,63})=(["']?)([^\s"']{20,512})\2[ \t]{0,8}$/gmd;
const ENV_ABOUT =
  /(?:SHA\d*|HASH|CHECKSUM|DIGEST|COMMIT|VERSION|REVISION|REV|ETAG|ID|UUID|PATH|DIR|URL|URI|HOST|IMAGE|TAG|ARN|INTEGRITY|PUBLIC_KEY|FLAGS|OPTS|OPTIONS|ARGS)$/;

/** Lines of an `.env` file whose value is random, whatever the variable is called. */
export function environmentLines(text: string): Match[] {
  const found: Match[] = [];
  ENV_LINE.lastIndex = 0;
  for (let line = ENV_LINE.exec(text); line !== null; line = ENV_LINE.exec(text)) {
    const range = line.indices?.[3];
    const [, name = "", , value = ""] = line;
    if (range === undefined || ENV_ABOUT.test(name)) continue;
    if (isPlaceholder(value) || isPlainKind(value) || isHex(value) || isUuid(value)) continue;
    if (isWordy(value) || value.includes("://") || /[(){}[\]]/.test(value)) continue;
    if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || entropy(value) < 3.6) continue;
    found.push({ rule: "generic-env", start: range[0], end: range[1] });
  }
  return found;
}

const COOKIES =
  /(?<![A-Za-z0-9])(?:Set-)?Cookie["']?[ \t]{0,4}:[ \t]{0,4}["']?([^\r\n"']{20,8192})/gid;

/** Sessions in the header of a request or of its answer, whatever the cookie is called. */
export function cookieValues(text: string): Match[] {
  const found: Match[] = [];
  COOKIES.lastIndex = 0;
  for (let header = COOKIES.exec(text); header !== null; header = COOKIES.exec(text)) {
    const offset = header.indices?.[1]?.[0] ?? 0;
    for (const cookie of (header[1] ?? "").matchAll(/=([^;\s,]{20,})/g)) {
      const value = cookie[1] ?? "";
      if (isPlaceholder(value) || isPlainKind(value) || isWordy(value)) continue;
      if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || entropy(value) < 3.4) continue;
      const start = offset + cookie.index + 1;
      found.push({ rule: "cookie", start, end: start + value.length });
    }
  }
  return found;
}
