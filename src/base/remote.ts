/**
 * Requests to other machines: https only (http on this machine), no redirect to a foreign host, and a
 * timeout for every wait. The caller checks what was sent.
 */
import { concat } from "./concat.ts";
import { SageError, systemErrorCode } from "./errors.ts";

/** A server, and the errors for its failures. */
export interface Remote {
  /** Other hosts that it may redirect to: whole names, or `.hf.co` for all names that end so. */
  readonly senders: readonly string[];
  /** The hint if this program may not connect to it. */
  readonly forbidden: string;
  /** The hint if it cannot be reached. */
  readonly offline: string;
  /** The error for an answer that no honest server gives. */
  lied(why: string): SageError;
  /** The error for a failure status. */
  refused(response: Response): SageError;
}

const REDIRECTS_MAX = 5;
/** A connection without a byte for this long is dead. */
const STALL_MS = 30_000;

/** Requests an address, following redirects to the server's own hosts. */
export async function request(
  remote: Remote,
  start: URL,
  headers: Record<string, string> = {},
): Promise<Response> {
  let url = start;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    checkAddress(remote, start, url);
    const response = await open(remote, url, headers);
    if (![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    const next = URL.parse(response.headers.get("location") ?? "", url);
    if (next === null) throw remote.lied("it sends on to what is no address");
    url = next;
  }
  throw remote.lied("it sends from one address to the next without an end");
}

async function open(remote: Remote, url: URL, headers: Record<string, string>): Promise<Response> {
  try {
    const asked = { "accept-encoding": "identity", ...headers };
    return await withinStall(fetch(url, { redirect: "manual", headers: asked }));
  } catch (cause) {
    if (cause instanceof Deno.errors.NotCapable) {
      throw new SageError("permission", `This program may not connect to ${url.host}`, {
        hint: remote.forbidden,
        cause,
      });
    }
    const code = systemErrorCode(cause) ?? reasonOf(cause);
    throw new SageError("unreachable", `Cannot reach ${url.host}: ${code}`, {
      hint: remote.offline,
      cause,
    });
  }
}

/** Why it failed, without the address, which the error names already. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "no answer";
  return cause.message.replace(
    /^error sending request for url \(\S+\): (client error \(\w+\): )?/,
    "",
  );
}

function checkAddress(remote: Remote, server: URL, url: URL): void {
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))) {
    throw remote.lied(`it sends to ${url.protocol}//${url.host}, and only https is trusted`);
  }
  const isOwn = url.host === server.host ||
    remote.senders.some((name) =>
      name.startsWith(".") ? url.hostname.endsWith(name) : url.hostname === name
    );
  if (!isOwn) throw remote.lied(`it sends to another host, ${url.host}`);
}

function isLoopback({ hostname }: URL): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}

/** The answer's bytes as they come. `broken`: makes the error for a broken connection. */
export async function* bytesOf(
  response: Response,
  broken: (cause: unknown) => SageError,
  stallMs = STALL_MS,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { value, done: isEnd } = await withinStall(reader.read(), stallMs);
      if (isEnd) return;
      yield value;
    }
  } catch (cause) {
    if (cause instanceof SageError) throw cause;
    throw broken(cause);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** All bytes of an answer; undefined if there are more than `bytesMax`. */
export async function wholeOf(
  response: Response,
  bytesMax: number,
  broken: (cause: unknown) => SageError,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const bytes of bytesOf(response, broken)) {
    length += bytes.length;
    if (length > bytesMax) return undefined;
    parts.push(bytes);
  }
  return concat(parts);
}

/** Requests an address and returns all bytes of the answer. Throws if it is too large. */
export async function fetchWhole(
  remote: Remote,
  url: URL,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await request(remote, url);
  await refuse(remote, response);
  const broken = (cause: unknown): SageError =>
    new SageError("unreachable", "The connection broke", { hint: "repeat the command", cause });
  const whole = await wholeOf(response, bytesMax, broken);
  if (whole === undefined) throw remote.lied(`"${url.pathname}" has no end`);
  return whole;
}

/** Throws for a failure status, after closing the answer. */
export async function refuse(remote: Remote, response: Response): Promise<void> {
  if (response.ok) return;
  await response.body?.cancel();
  throw remote.refused(response);
}

async function withinStall<T>(work: Promise<T>, stallMs = STALL_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("nothing came any more")), stallMs);
  });
  try {
    return await Promise.race([work, stalled]);
  } finally {
    clearTimeout(timer);
  }
}
