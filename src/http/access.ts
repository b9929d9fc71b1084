/**
 * Access control: programs with the token, which is in a private file, and browsers that were opened with
 * a one-time code and have the cookie. Nothing of it outlives the process.
 */
import { timingSafeEqual } from "node:crypto";
import { monotonic } from "../base/clock.ts";
import { encode } from "../base/utf8.ts";
import { randomHex, sha256Hex } from "../base/hash.ts";
import { HTTP_CODE_MS_MAX, HTTP_COOKIES_MAX } from "../base/limits.ts";

/** `page`: a person at the page; `program`: whoever has the token. */
export type Caller = "page" | "program";

export interface Access {
  readonly token: string;
  /** A new one-time code that opens the page, valid for a short time. */
  code(): string;
  /** The value of the cookie header, if the code is right and was not used before. */
  redeem(code: string, port: string): string | undefined;
  identify(headers: Headers, port: string): Caller | undefined;
}

const SECRET_BYTES = 32;
/** It works once, for a minute, and its address has to fit on a line of a terminal. */
const CODE_BYTES = 16;

export function createAccess(now: () => number = monotonic): Access {
  const token = randomHex(SECRET_BYTES);
  const codes = new Map<string, number>();
  const cookies: string[] = [];
  return {
    token,
    code() {
      for (const [code, until] of codes) if (until < now()) codes.delete(code);
      const code = randomHex(CODE_BYTES);
      codes.set(sha256Hex(code), now() + HTTP_CODE_MS_MAX);
      return code;
    },
    redeem(code, port) {
      const hash = sha256Hex(code);
      const until = codes.get(hash);
      codes.delete(hash);
      if (until === undefined || until < now()) return undefined;
      const cookie = randomHex(SECRET_BYTES);
      cookies.push(cookie);
      if (cookies.length > HTTP_COOKIES_MAX) cookies.shift();
      return `${cookieName(port)}=${cookie}; HttpOnly; SameSite=Strict; Path=/`;
    },
    identify(headers, port) {
      const bearer = /^Bearer ([0-9a-f]{64})$/.exec(headers.get("authorization") ?? "")?.[1];
      if (bearer !== undefined) return isSame(bearer, token) ? "program" : undefined;
      const given = cookieOf(headers.get("cookie") ?? "", cookieName(port));
      return given !== undefined && cookies.some((cookie) => isSame(given, cookie))
        ? "page"
        : undefined;
    },
  };
}

/** Cookies are shared between ports, and several servers may run at once. */
function cookieName(port: string): string {
  return `sage-${port}`;
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name) return value;
  }
  return undefined;
}

/** Compares in constant time; all secrets are equally long. */
function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(encode(a), encode(b));
}
