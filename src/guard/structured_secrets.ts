/**
 * Secrets that no single pattern matches in linear time: private key blocks, JSON Web Tokens, passwords in
 * URLs. Each function reads the text once, from anchors such as `://` outwards.
 */
import type { Match } from "./finding.ts";
import { entropy, isPlaceholder, isWordy } from "./placeholder.ts";

/** The longest private key block; that of a 16,384-bit RSA key has 12,700 characters. */
const KEY_BLOCK_CHARACTERS_MAX = 20_000;
/** A shorter body, or one of fewer different characters, is an illustration. */
const KEY_BODY_CHARACTERS_MIN = 40;
const KEY_BODY_LETTERS_MIN = 12;

/** PEM, OpenSSH, PGP and PuTTY private keys, with line ends escaped or not, and cut off at either end. */
export function keyBlocks(text: string): Match[] {
  const found: Match[] = [];
  const begin =
    /-----BEGIN[ ]?(?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:/g;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const bodyStart = match.index + match[0].length;
    const window = text.slice(bodyStart, bodyStart + KEY_BLOCK_CHARACTERS_MAX);
    const again = window.indexOf("-----BEGIN");
    const own = again === -1 ? window : window.slice(0, again);
    const closing = /-----END[A-Z0-9 ]{1,60}-----|Private-MAC: ?[0-9a-f]{0,128}/.exec(own);
    const body = closing === null ? keyBody(own) : own.slice(0, closing.index);
    const end = bodyStart + body.length + (closing === null ? 0 : closing[0].length);
    begin.lastIndex = bodyStart + own.length;
    if (closing !== null) begin.lastIndex = end;
    const key = body.replace(/\\[nrt]|[^A-Za-z0-9+/=]/g, "");
    if (key.length < KEY_BODY_CHARACTERS_MIN || new Set(key).size < KEY_BODY_LETTERS_MIN) continue;
    found.push({ rule: "private-key", start: match.index, end });
  }
  found.push(...keyTails(text));
  return found;
}

/** A line inside a key block, also with a line number or the mark of a quote or a diff before it. */
const KEY_LINE =
  /^(?:[ \t>|+-]{0,8}(?:\d{1,6}[ \t→:|-]{1,4})?)(?:[A-Za-z0-9+/=\\]*|[A-Za-z-]{3,20}: ?[^\n]{0,200})["',]{0,3}\r?$/;

/** Private keys whose beginning was cut off: the END line and the lines above that look like a body. */
function keyTails(text: string): Match[] {
  const found: Match[] = [];
  for (
    const end of text.matchAll(/-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g)
  ) {
    const from = Math.max(0, end.index - KEY_BLOCK_CHARACTERS_MAX, found.at(-1)?.end ?? 0);
    const window = text.slice(from, end.index);
    let start = window.lastIndexOf("\n") + 1;
    let letters = 0;
    while (start > 0) {
      const line = window.slice(window.lastIndexOf("\n", start - 2) + 1, start - 1);
      if (!/[A-Za-z0-9+/=]{24}/.test(line) && letters > 0 || !KEY_LINE.test(line)) break;
      letters += line.length;
      start -= line.length + 1;
    }
    if (letters < KEY_BODY_CHARACTERS_MIN) continue;
    found.push({ rule: "private-key", start: from + start, end: end.index + end[0].length });
  }
  return found;
}

/** The leading lines that look like a key's body, for a key whose END line is missing. */
function keyBody(window: string): string {
  const lines = window.split("\n");
  let length = 0;
  for (const [i, line] of lines.entries()) {
    if (!KEY_LINE.test(line) && i > 0) break;
    length += line.length + (i < lines.length - 1 ? 1 : 0);
  }
  return window.slice(0, length).trimEnd();
}

const SEGMENT = /^[A-Za-z0-9_-]$/;
const JWT_SEGMENT_MIN = 8;

/**
 * JSON Web Tokens: signed, with header and payload in base64url that both begin with `{"` (`eyJ`), or
 * encrypted, with five parts.
 */
export function webTokens(text: string): Match[] {
  const found: Match[] = [];
  let floor = 0;
  for (let dot = text.indexOf("."); dot !== -1; dot = text.indexOf(".", dot + 1)) {
    if (dot < floor || !isSegment(text, dot - 1) || !isSegment(text, dot + 1)) continue;
    const runStart = backOver(text, dot, floor);
    floor = dot;
    const start = text.slice(runStart, dot).indexOf("eyJ");
    if (start === -1 || dot - runStart - start < JWT_SEGMENT_MIN) continue;
    const parts = segmentEnds(text, dot);
    const first = parts[0] ?? dot;
    const isSigned = text.startsWith("eyJ", dot + 1) && first - dot > JWT_SEGMENT_MIN;
    if (!isSigned && parts.length < 4) continue;
    const end = parts[isSigned ? 1 : 3] ?? first;
    found.push({ rule: "jwt", start: runStart + start, end });
    floor = end;
  }
  return found;
}

function isSegment(text: string, at: number): boolean {
  return SEGMENT.test(text.charAt(at));
}

function backOver(text: string, from: number, floor: number): number {
  let at = from;
  while (at > floor && isSegment(text, at - 1)) at--;
  return at;
}

/** The ends of up to four segments from a dot on. */
function segmentEnds(text: string, dot: number): number[] {
  const ends: number[] = [];
  let at = dot;
  while (ends.length < 4 && text[at] === ".") {
    at++;
    while (at < text.length && isSegment(text, at)) at++;
    ends.push(at);
  }
  return ends;
}

const USER_CHARACTERS_MAX = 128;
const PASSWORD_CHARACTERS_MAX = 256;
const AUTHORITY = new RegExp(
  `([^\\s:@/"'\`<>()\\[\\]{}|\\\\]{0,${USER_CHARACTERS_MAX}}):` +
    `([^\\s/"'\`<>\\\\]{1,${PASSWORD_CHARACTERS_MAX}})@(?=[\\w\\[.$%{*-])`,
  "dy",
);

/** The password in `scheme://user:password@host`, for any scheme. */
export function addressPasswords(text: string): Match[] {
  const found: Match[] = [];
  for (let at = text.indexOf("://"); at !== -1; at = text.indexOf("://", at + 3)) {
    AUTHORITY.lastIndex = at + 3;
    const match = AUTHORITY.exec(text);
    const range = match?.indices?.[2];
    if (match === null || range === undefined) continue;
    const [, user = "", password = ""] = match;
    if (user === password || isPlaceholder(password)) continue;
    if (password.length < 3 || password === "x-oauth-basic") continue;
    const scheme = /[A-Za-z]{1,12}(?:\+[A-Za-z]{1,8})?$/.exec(text.slice(Math.max(0, at - 24), at));
    const isWeb = /^(?:https?|ftps?|wss?)$/i.test(scheme?.[0] ?? "");
    found.push({
      rule: isWeb ? "basic-auth-url" : "connection-string",
      start: range[0],
      end: range[1],
    });
  }
  return found;
}

/**
 * Other credentials in URLs: `https://<token>:x-oauth-basic@…`; `https://<token>@…` if it is long and
 * random; a database password with a `/` in it.
 */
const OTHER_AUTHORITIES: readonly {
  rule: string;
  pattern: RegExp;
  isReal(value: string): boolean;
}[] = [
  {
    rule: "basic-auth-url",
    pattern: /:\/\/([^\s/:@]{8,256}):x-oauth-basic@/dg,
    isReal: (value) => !isPlaceholder(value),
  },
  {
    rule: "basic-auth-url",
    // A Sentry DSN is public.
    pattern: /:\/\/([A-Za-z0-9_.~%-]{24,256})@(?=[A-Za-z0-9])(?![\w.-]{0,64}sentry)/dg,
    isReal: (value) =>
      !isPlaceholder(value) && /\d/.test(value) && !isWordy(value) && entropy(value) >= 3.2,
  },
  {
    rule: "connection-string",
    pattern:
      /(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+[a-z0-9]{1,12})?:\/\/[^\s:@/"'`]{0,128}:((?!\d{1,5}\/)[^\s"'`<>@]{3,256})@(?=[\w[])/dgi,
    isReal: (value) => value.includes("/") && !isPlaceholder(value),
  },
];

/** Credentials in URLs that `addressPasswords` does not find. */
export function addressTokens(text: string): Match[] {
  if (!text.includes("://")) return [];
  return OTHER_AUTHORITIES.flatMap(({ rule, pattern, isReal }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const range = match.indices?.[1];
      if (range === undefined || !isReal(match[1] ?? "")) return [];
      return [{ rule, start: range[0], end: range[1] }];
    })
  );
}
