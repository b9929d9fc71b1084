/** Failures as RFC 9457 problem documents. All errors are translated here. */
import {
  bracketed,
  type ErrorCode,
  ERRORS,
  isSystemError,
  messageOf,
  SageError,
  systemError,
} from "../base/errors.ts";
import { defined } from "../base/defined.ts";
import { cut, toJson } from "../base/text/text.ts";

export interface Problem {
  readonly status: number;
  /** For programs: an error's code, or the name of an outcome that saved nothing. */
  readonly code: string;
  readonly title: string;
  /** What is wrong, where, and what to do. */
  readonly detail?: string;
  /** Further members: `nearest`, `choices`, `existing`. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** The methods that the address has, if not this one. */
  readonly allow?: readonly string[];
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Wrong request",
  401: "No valid token",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  408: "Waited too long",
  409: "Conflict",
  412: "The note changed since it was read",
  413: "Too large",
  415: "Only JSON is accepted",
  421: "Not this server",
  422: "Not saved",
  428: "If-Match is required",
  499: "Interrupted",
  500: "Failed",
  502: "Unreachable",
  503: "Busy",
  507: "No space left",
};

export function problem(
  status: number,
  code: string,
  detail?: string,
  more?: Problem["more"],
): Problem {
  return {
    status,
    code,
    title: TITLES[status] ?? "Failed",
    ...defined({ detail: detail?.toWellFormed(), more }),
  };
}

/** For an address that exists with other methods. */
export function notAllowed(method: string, allow: readonly string[]): Problem {
  const detail = `it accepts ${allow.join(", ")}, not ${method}`;
  return { ...problem(405, "method", detail), allow };
}

export function problemOf(error: unknown): Problem {
  if (error instanceof SageError) {
    return problem(ERRORS[error.code].http, error.code, error.message + bracketed(error));
  }
  if (isSystemError(error)) return problemOf(systemError(error, "do this"));
  const what = messageOf(error);
  const code: ErrorCode = "internal";
  return problem(500, code, `This is a bug in Sage: ${cut(what, 200)}`);
}

/** `asker`: the request's headers; a browser that follows a link gets plain text instead of JSON. */
export function problemResponse(problem: Problem, asker?: Headers): Response {
  const { status, code, title, detail, more, allow } = problem;
  const body = { type: "about:blank", title, status, ...(detail && { detail }), code, ...more };
  const headers = new Headers({ "content-type": "application/problem+json" });
  if (status === 401) headers.set("www-authenticate", 'Bearer realm="sage"');
  if (allow !== undefined) headers.set("allow", allow.join(", "));
  if (status === 503) headers.set("retry-after", "1");
  if (asker?.get("sec-fetch-mode") !== "navigate") {
    return new Response(toJson(body), { status, headers });
  }
  headers.set("content-type", "text/plain; charset=utf-8");
  return new Response([title, detail].filter(Boolean).join("\n\n"), { status, headers });
}
