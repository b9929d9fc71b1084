/**
 * Secrets without a fixed format, recognised by the name they are assigned to: `password = …`,
 * `"apiKey": "…"`, lines of an `.env` file, `--token …`. Most of the work is to judge the value, because
 * nearly everything assigned to such a name in prose and code is not a secret.
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

/** How much the name tells, most first: a password may be a word and a number, a token may not. */
export type Strength = "password" | "secret" | "token" | "key";

/**
 * Names of passwords, secrets, tokens and keys: capture groups 1 to 4. It is global: a caller that moves
 * `lastIndex` has to reset it, because `matchAll` starts there.
 */
export const NAMES =
  /(pass(?:word|wd|phrase|code)?(?!ed|es|ing|ive|age|port|enger|ion|thr)|pwd|kennwort|wachtwoord|contraseña|senha|hasło|пароль|密码|密碼|パスワード|비밀번호)|(client[-_ ]?secret|secret(?!ar|l[iy])|credentials?|api[-_ ]?key|(?:access|private|signing|signature|encryption|encrypt|master|account|shared|auth|service|license|admin|deploy|session|cookie|webhook|hmac|jwt|storage|consumer|app|application|subscription|secret|crypto|cipher|bot|root)[-_ ]?key|(?<![A-Za-z])(?:pw|psk)(?![A-Za-z]))|(token(?!i[sz])|bearer|auth(?:ori[sz]ation(?!s))?(?!or)|salt|sess(?:ion)?[-_]?id|cookie|pat(?![a-z])|signature|otp(?![a-z])|seed(?![a-z]))|(key|dsn)/gi;
/**
 * What may come between the name and its value. Group 1: the rest of the identifier; then quotes and a
 * type. Group 2: the operator, which may also introduce a default (`?? "…"`, `getenv("…", "…")`). Group 3:
 * a line break, if the value is on the next line, indented (YAML).
 */
const TAIL =
  /([A-Za-z0-9_.-]{0,48})["'`*\])]{0,3}[ \t]{0,12}(?:(?:,?(?:\r?\n)?[ \t]{0,40}["']?)?value["']?[ \t]{0,4}(?=[:=])|[!?]?:[ \t]{0,4}[A-Za-z&][\w&'.<>|[\] ]{0,40}(?==(?!=)))?(:=|=>|\?\?|\|\||,(?=[ \t]{0,4}["'])|\((?=[ \t]{0,4}["'`])|[:=>：＝]|(?=[ \t]))(?:\*\*|__)?[ \t]{0,12}(?:[\w$.?]{1,80}[ \t]{1,4}(?:\?\?|\|\|)[ \t]{0,4}(?=["'`])|(?:[|>][-+]?)?[ \t]{0,4}(\r?\n)[ \t]{1,16}(?:-[ \t]{1,3})?|[|>][ \t]{0,4})?/y;
const QUOTE = /[bfru@]{0,2}\\?(["'`])/y;
/** How much of a value is judged; an accepted one is then followed to its end. */
const JUDGED_CHARACTERS_MAX = 256;
const BARE = /[^\s"'`<>,;]*/y;
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /[^"\n]*/y,
  "'": /[^'\n]*/y,
  "`": /[^`\n]*/y,
};
/** What may follow the value if it is alone on its line. */
const LINE_END = /["'`]?,?[ \t]{0,16}(?:\r?\n|$)/y;
/** Before the name in `setPassword("…")`, `.password("…")`: of other calls the argument is no value. */
const SETTER_BEFORE = /(?:(?<![A-Za-z])set|with|\.)_?$/i;
/** Before the name in `--access-token`. */
const FLAG_BEFORE = /(?:^|[\s"'`(\[])--?[A-Za-z-]{0,32}$/;
/** How far back the text before a name is looked at. */
const NAME_BEFORE_CHARACTERS = 52;
/** Our own marker, `[redacted:generic-password]`: the rule's name in it is not a name. */
const MARKER_BEFORE = /\[redacted:[a-z0-9-]{0,40}$/;
/** Last words of a name that holds something about a secret, not the secret: `tokenLimit`. */
const ABOUT =
  /(?:hash|digest|sha\d*|md5|checksum|fingerprint|id|ids|name|names|url|uri|urls|path|dir|file|files|type|types|length|len|count|size|field|label|policy|expiry|expires?|expiration|ttl|age|prefix|suffix|regex|pattern|hint|format|status|state|provider|issuer|scope|scopes|location|version|algorithm|alg|env|var|limit|budget|max|min|usage|reset|rotation|manager|store|endpoint|method|class|arn|ref|s_?used|ized|izer|less)$/i;
/** Words before the name that make it something public: `public_key`, `maxTokens`. */
const PUBLIC_BEFORE =
  /(?:pub(?:lic)?|publishable|primary|foreign|sort|partition|cache|hash|index|map|object|idempotency|translation|lookup|query|group|unique|hot|short|page|max|num|total|input|output|completion|csrf[-_]?header)[-_ ]?$/i;

/** Finds values that are secrets by the name they are assigned to. */
export function assignments(text: string): Match[] {
  const found: Match[] = [];
  NAMES.lastIndex = 0;
  for (let name = NAMES.exec(text); name !== null; name = NAMES.exec(text)) {
    const value = assignedValue(text, name.index, NAMES.lastIndex);
    if (value === undefined) continue;
    const strength = strengthIn(name);
    if (!isSecretValue(value.text, judgedAs(text, value, strength), value.isQuoted)) continue;
    const rule = strength === "password" ? "generic-password" : "generic-secret";
    const end = endOf(text, value);
    found.push({ rule, start: value.start, end });
    NAMES.lastIndex = end;
  }
  return found;
}

/** `X_TOKEN=` is judged like a secret; a value on the line below its name like a key, most strictly. */
function judgedAs(text: string, { start, isBelow }: Value, strength: Strength): Strength {
  if (/[A-Z]_TOKEN=["']?$/.test(text.slice(Math.max(0, start - 9), start))) return "secret";
  return isBelow && strength !== "password" ? "key" : strength;
}

function strengthIn([, password, secret, token]: RegExpExecArray): Strength {
  if (password !== undefined) return "password";
  if (secret !== undefined) return "secret";
  return token === undefined ? "key" : "token";
}

/** The strength of a table's heading; undefined if it names no secret. */
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
  /** On the line below its name. */
  readonly isBelow: boolean;
  /** Matches the value's further characters, beyond those that were judged. */
  readonly rest: RegExp;
}

function assignedValue(text: string, nameStart: number, nameEnd: number): Value | undefined {
  TAIL.lastIndex = nameEnd;
  const tail = TAIL.exec(text);
  if (tail === null || ABOUT.test(tail[1] ?? "")) return undefined;
  const head = text.slice(Math.max(0, nameStart - NAME_BEFORE_CHARACTERS), nameStart);
  if (PUBLIC_BEFORE.test(head) || MARKER_BEFORE.test(head)) return undefined;
  // In `"user", "password", "token"` none is the value of another; `getenv("PASSWORD", "…")` has one.
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

/** Whether the value is all of its line: not the start of a sentence, nor a key with its own value. */
function isAlone(text: string, start: number, rest: RegExp): boolean {
  const whole = take(text, start, rest);
  LINE_END.lastIndex = start + whole.length;
  return !whole.endsWith(":") && LINE_END.test(text);
}

/** Without the punctuation of the sentence around it, or the parameters after it in a query string. */
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

/** Letters cased like a word or an identifier: `lower`, `Title`, `UPPER`, `userDBName`, `keyID`. */
const NAME_CASE = /^(?:[A-Z]+|[a-z]*(?:[A-Z]{1,5}[a-z]{2,})*[A-Z]{0,4})$/;

/** True of a word with a digit or a special character, and of random text; not of a name of words. */
function isPassword(value: string, isMixed: boolean): boolean {
  if (/^[A-Za-z]+$/.test(value)) return !NAME_CASE.test(value) && value.length >= 8;
  const parts = value.split(/[-_./:]+/).filter((part) => part !== "");
  if (parts.length > 1 && parts.every((part) => /^[A-Za-z]+\d{0,2}$|^\d{1,4}$/.test(part))) {
    return !isWordy(value) && value.length >= 12;
  }
  return isMixed || /[!@#$%^&*+?~]/.test(value);
}

/** `NAME=value`, also with the mark or line number that a diff, a quote or a listing puts before it. */
const ENV_LINE =
  /^[ \t>|+-]{0,8}(?:\d{1,6}[ \t→:|-]{1,4})?(?:(?:export|set|ENV)[ \t]+)?([A-Z][A-Z0-9_]{1,63})=(["']?)([^\s"']{20,512})\2[ \t]{0,8}$/gmd;
/** Ends of the names of variables whose random values are public. */
const ENV_ABOUT =
  /(?:SHA\d*|HASH|CHECKSUM|DIGEST|COMMIT|VERSION|REVISION|REV|ETAG|ID|UUID|PATH|DIR|URL|URI|HOST|IMAGE|TAG|ARN|INTEGRITY|PUBLIC_KEY|FLAGS|OPTS|OPTIONS|ARGS)$/;

/** Finds random values in lines of an `.env` file, whatever the variable is called. */
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

/** Finds random values in Cookie and Set-Cookie headers, whatever the cookie is called. */
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
