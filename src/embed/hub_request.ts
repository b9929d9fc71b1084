/**
 * The only code that leaves this machine. https only, no way to another host but the hub's own, and an end
 * to whatever does not come. What was sent is judged by hub.ts.
 */
import { SageError, systemErrorCode } from "../base/errors.ts";

const REDIRECTS_MAX = 5;
/** Without a byte for so long the connection is dead. */
const STALL_MS = 30_000;

/** The hub sends large files from machines of its own under this name. */
const OWN_HOSTS: Readonly<Record<string, string>> = { "huggingface.co": ".hf.co" };

/** The answer behind redirections, each of which must stay with the hub. */
export async function request(start: URL, headers: Record<string, string>): Promise<Response> {
  let url = start;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    checkAddress(start, url);
    const response = await open(url, headers);
    if (![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    url = new URL(response.headers.get("location") ?? "", url);
  }
  throw lied("it sends from one address to the next without an end");
}

async function open(url: URL, headers: Record<string, string>): Promise<Response> {
  try {
    const asked = { "accept-encoding": "identity", ...headers };
    return await withinStall(fetch(url, { redirect: "manual", headers: asked }));
  } catch (cause) {
    if (cause instanceof Deno.errors.NotCapable) {
      throw new SageError("permission", `This program may not connect to ${url.host}`, {
        hint: "it reaches huggingface.co and this machine; a folder with the files works too",
        cause,
      });
    }
    const code = systemErrorCode(cause) ?? (cause instanceof Error ? cause.message : "no answer");
    throw new SageError("unreachable", `Cannot reach ${url.host}: ${code}`, {
      hint: "check the connection; until then the model in use goes on",
      cause,
    });
  }
}

function checkAddress(hub: URL, url: URL): void {
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))) {
    throw lied(`it sends to ${url.protocol}//${url.host}, and only https is trusted`);
  }
  const own = OWN_HOSTS[hub.hostname];
  const isHub = url.host === hub.host || (own !== undefined && url.hostname.endsWith(own));
  if (!isHub) throw lied(`it sends to another host, ${url.host}`);
}

function isLoopback({ hostname }: URL): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}

/** The answer's bytes as they come; `broken` says what a connection that broke means. */
export async function* bytesOf(
  response: Response,
  broken: (cause: unknown) => SageError,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { value, done: isEnd } = await withinStall(reader.read());
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

/** All bytes of an answer; undefined where there are more than `bytesMax`. */
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
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function withinStall<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("nothing came any more")), STALL_MS);
  });
  try {
    return await Promise.race([work, stalled]);
  } finally {
    clearTimeout(timer);
  }
}

/** What an answer that is none means. */
export async function refusal(response: Response, repository: string): Promise<SageError> {
  await response.body?.cancel();
  const { status } = response;
  if ([401, 403, 404].includes(status)) {
    return new SageError("not_found", `The hub shows no model "${repository}" (${status})`, {
      hint: "check the name and the revision; what needs an account cannot be pulled",
    });
  }
  return new SageError("unreachable", `The hub answers with ${status}`, {
    hint: "repeat it later; until then the model in use goes on",
  });
}

/** Something that no honest hub does. */
export function lied(why: string): SageError {
  return new SageError("refused", `The hub is not to be trusted: ${why}`, {
    hint: "nothing was changed; check embedding.hub, or repeat it later",
  });
}
