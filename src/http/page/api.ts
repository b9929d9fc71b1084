/**
 * Requests to the server: same origin, with the cookie and the header that no other site's page
 * can send. Types are those of the API's document.
 */
import type { Problem } from "../../../clients/typescript/sage_client.ts";
import { holdsWords, PLACE } from "./kept.ts";

export interface Answered<T> {
  readonly data: T;
  readonly etag: string;
}

/** A refusal, as the server's problem document has it. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

export function get<T>(path: string, signal?: AbortSignal): Promise<Answered<T>> {
  return ask<T>("GET", path, { signal });
}

export function send<T>(
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  body: unknown,
  etag?: string,
): Promise<Answered<T>> {
  return ask<T>(method, path, { body, etag });
}

async function ask<T>(
  method: string,
  path: string,
  { body, etag, signal }: {
    readonly body?: unknown;
    readonly etag?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Answered<T>> {
  const headers: Record<string, string> = { "x-sage-page": PLACE };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (etag !== undefined) headers["if-match"] = etag;
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers,
    signal: signal ?? null,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const data = await response.json();
  if (!response.ok) {
    // The server has other notes by now. Unsaved words for these stay in sight, until the person leaves them.
    if (data.code === "elsewhere" && !holdsWords()) location.reload();
    throw new Refused(data as Problem);
  }
  return { data: data as T, etag: response.headers.get("etag") ?? "" };
}
