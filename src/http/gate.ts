/**
 * Checks every request before the router, in this order: host, origin, fetch site, method, token, body.
 * Another site's page, open in a browser on this machine, must reach nothing; code behind the gate can
 * rely on that.
 */
import { concat } from "../base/concat.ts";
import { HTTP_BODY_BYTES_MAX, HTTP_BODY_MS_MAX } from "../base/limits.ts";
import type { Access, Caller } from "./access.ts";
import { notAllowed, type Problem, problem } from "./problem.ts";

export interface GateOptions {
  readonly access: Access;
  readonly port: number;
  /** Whether other machines may connect: then any IP address is a valid host, but no name (DNS rebinding). */
  readonly isOpen: boolean;
  /**
   * Identifies the notes that are served. A port may serve another project tomorrow, and a tab that is
   * still open must not write into it.
   */
  readonly place: string;
  /** How long a body may take to arrive. */
  readonly bodyMs?: number;
}

export type Passed =
  | { readonly kind: "passed"; readonly caller: Caller | "stranger"; readonly body: Uint8Array }
  | { readonly kind: "stopped"; readonly problem: Problem };

const METHODS: readonly string[] = ["GET", "POST", "PATCH", "DELETE"];
/** Identifies the notes of the page. Another site's form or script cannot set it. */
const PAGE_HEADER = "x-sage-page";
/** The only address without a token: it takes the one-time code. */
export const OPEN_PATH = "/open";

export async function gate(request: Request, options: GateOptions): Promise<Passed> {
  const { headers, method } = request;
  const host = headers.get("host") ?? "";
  const url = addressOf(request);
  if (url === undefined || !isOurs(host, options) || host !== url.host) {
    return stop(421, "host", "ask for this address");
  }
  const origin = headers.get("origin");
  if (origin !== null && origin !== `http://${host}`) return stop(403, "origin");
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "none" && site !== "same-origin") return stop(403, "origin");
  if (!METHODS.includes(method)) {
    return { kind: "stopped", problem: notAllowed(method, METHODS) };
  }
  const caller = options.access.identify(headers, String(options.port));
  const isOpening = url.pathname === OPEN_PATH && method === "GET";
  if (caller === undefined && !isOpening) {
    return stop(
      401,
      "token",
      "to see the page, run `sage serve --open` and open the address that it prints last; " +
        "a program sends the token from the file that it names",
    );
  }
  const place = headers.get(PAGE_HEADER);
  if (caller === "page" && method !== "GET" && place === null) {
    return stop(403, "origin", `with the cookie, a change needs the header ${PAGE_HEADER}`);
  }
  if (caller === "page" && place !== null && place !== options.place) {
    return stop(
      409,
      "elsewhere",
      "this page belongs to other notes than are served here: reload it",
    );
  }
  // Without a token the body is not read.
  const body = caller === undefined
    ? new Uint8Array(0)
    : await readBody(request, options.bodyMs ?? HTTP_BODY_MS_MAX);
  if (!(body instanceof Uint8Array)) return { kind: "stopped", problem: body };
  return { kind: "passed", caller: caller ?? "stranger", body };
}

function stop(status: number, code: string, detail?: string): Passed {
  return { kind: "stopped", problem: problem(status, code, detail) };
}

/** Undefined if the Host header is invalid, of which the runtime makes the URL. */
function addressOf(request: Request): URL | undefined {
  try {
    return new URL(request.url);
  } catch {
    return undefined;
  }
}

function isOurs(host: string, { port, isOpen }: GateOptions): boolean {
  const match = /^(.*):(\d{1,5})$/.exec(host);
  const name = match?.[1] ?? "";
  if (Number(match?.[2]) !== port) return false;
  if (name === "127.0.0.1" || name === "localhost" || name === "[::1]") return true;
  return isOpen && /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/.test(name);
}

/** Reads within the bounds of size and time, whatever Content-Length claims. */
async function readBody(request: Request, waitMs: number): Promise<Uint8Array | Problem> {
  if (request.body === null) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader.cancel().catch(() => {});
  }, waitMs);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > HTTP_BODY_BYTES_MAX) {
        const kib = HTTP_BODY_BYTES_MAX / 1024;
        return problem(413, "too_large", `a body has at most ${kib} KiB`);
      }
      parts.push(next.value);
    }
  } catch {
    // The sender left, or the body's framing is not valid HTTP.
    return problem(400, "torn", "the body broke off: send it again, whole");
  } finally {
    clearTimeout(timer);
  }
  if (isLate) return problem(408, "late", "the body did not arrive in time");
  const type = request.headers.get("content-type") ?? "";
  if (length > 0 && !/^application\/json *(; *charset="?utf-8"?)?$/i.test(type)) {
    return problem(415, "content_type", "send application/json");
  }
  return concat(parts);
}
