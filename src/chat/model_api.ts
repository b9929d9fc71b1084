/**
 * The model API, for people without an agent. The only code that sends notes anywhere: what a person typed,
 * and what was recalled for it. A thin layer over the official client.
 */
import { now } from "../base/clock.ts";
import { SageError } from "../base/errors.ts";
import { printable } from "../base/text/printable.ts";
import { bytesOf } from "../base/remote.ts";
import { collapse, count, cut } from "../base/text/text.ts";

export interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  /** Of the answer. */
  readonly tokensMax: number;
  readonly messages: readonly Message[];
}

/** Tokens as the API counted them. `input` is everything it read, cached or not. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

export interface Reply {
  readonly text: string;
  readonly usage: Usage;
  /** Why the answer is incomplete, if it is. */
  readonly cut: "tokens" | "refused" | "stopped" | undefined;
}

export interface ModelApi {
  /** Reports the answer piece by piece. If aborted, returns the answer so far. */
  reply(
    request: ModelRequest,
    onText: (text: string) => void,
    signal?: AbortSignal,
  ): Promise<Reply>;
}

/** The longest wait for an answer's beginning, and between two parts of it. */
const SILENCE_MS_MAX = 120_000;
/** The client retries after overload or a lost connection, with growing pauses. */
const RETRIES = 2;
/** The longest retry-after that is obeyed: the client would wait for an hour without a word. */
const RETRY_AFTER_SECONDS_MAX = 30;
const MESSAGE_CHARACTERS_MAX = 300;

export async function openModelApi(key: string, address: string): Promise<ModelApi> {
  const { Anthropic, AnthropicError, APIError } = await import("@anthropic-ai/sdk");
  const client = new Anthropic({
    apiKey: key,
    authToken: null,
    baseURL: address,
    timeout: SILENCE_MS_MAX,
    maxRetries: RETRIES,
    logLevel: "off",
    // A key must not follow a redirection to somebody else.
    fetchOptions: { redirect: "error" },
    // Deno's fetch; the client declares other types for it.
    fetch: async (...asked) => bounded(await fetch(...asked as Parameters<typeof fetch>)),
  });
  return {
    async reply({ model, system, tokensMax, messages }, onText, signal) {
      let text = "";
      let usage: Usage = { input: 0, output: 0 };
      /** The error of the listener, which the client would wrap in its own. */
      let untold: { readonly error: unknown } | undefined;
      try {
        const stream = client.messages.stream({
          model,
          system,
          max_tokens: tokensMax,
          messages: messages.map(({ role, content }) => ({ role, content })),
          // Caches the part that every question repeats, which then costs less.
          cache_control: { type: "ephemeral" },
        }, signal === undefined ? {} : { signal });
        stream.on("text", (part) => {
          text += part;
          try {
            onText(part);
          } catch (error) {
            untold = { error };
            throw error;
          }
        });
        stream.on("streamEvent", (_, { usage: now }) => usage = usageOf(now));
        const whole = await stream.finalMessage();
        const cut = whole.stop_reason === "max_tokens"
          ? "tokens"
          : whole.stop_reason === "refusal"
          ? "refused"
          : undefined;
        return { text, usage: usageOf(whole.usage), cut };
      } catch (error) {
        if (untold !== undefined) throw untold.error;
        if (signal?.aborted) return { text, usage, cut: "stopped" };
        if (error instanceof APIError) throw toSageError(error, address);
        if (error instanceof AnthropicError) throw notWhole(error, address);
        throw error;
      }
    },
  };
}

/** An answer that the client neither waits for without an end nor asks for again too late. */
function bounded(response: Response): Response {
  const { body, status, statusText } = response;
  if (body === null) return response;
  const headers = new Headers(response.headers);
  if (secondsToWait(headers) > RETRY_AFTER_SECONDS_MAX) {
    headers.set("x-should-retry", "false");
  }
  const parts = bytesOf(response, (cause) => {
    const why = cause instanceof Error ? cause.message : "the connection broke";
    return new SageError("unreachable", why, { cause });
  }, SILENCE_MS_MAX);
  return new Response(ReadableStream.from(parts), { status, statusText, headers });
}

/** The seconds to wait that a response asks for, in any form that the client obeys; 0 if none. */
function secondsToWait(headers: Headers): number {
  const after = headers.get("retry-after") ?? "";
  const seconds = Number(headers.get("retry-after-ms")) / 1000 || Number.parseFloat(after);
  return Number.isNaN(seconds) ? Math.max(0, (Date.parse(after) || 0) - now()) / 1000 : seconds;
}

interface Counts {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number | null;
  readonly cache_read_input_tokens: number | null;
}

function usageOf(counts: Counts): Usage {
  const cached = (counts.cache_creation_input_tokens ?? 0) + (counts.cache_read_input_tokens ?? 0);
  return { input: counts.input_tokens + cached, output: counts.output_tokens };
}

interface ApiFailure {
  readonly status?: number | undefined;
  readonly message: string;
  /** The client's error as a SageError, with the API's own message if it has one. */
  readonly apiMessage: string | null;
  readonly headers?: Headers | undefined;
}

function toSageError(error: ApiFailure, address: string): SageError {
  const { host } = new URL(address);
  const { status, apiMessage, headers } = error;
  const said = line(apiMessage ?? error.message);
  switch (status) {
    case 401:
    case 403:
      return new SageError("permission", `${host} does not accept the key: ${said}`, {
        hint: "check ANTHROPIC_API_KEY, or api_key in your config.yaml",
        cause: error,
      });
    case 404:
      return new SageError("not_found", `${host} does not know the model: ${said}`, {
        hint: "sage config set chat.model <name>",
        cause: error,
      });
    case 400:
    case 413:
    case 422:
      return new SageError("refused", `${host} refused the question: ${said}`, {
        hint: "if the conversation grew too long, /clear starts a new one",
        cause: error,
      });
    case undefined:
      if (apiMessage !== null) return notWhole({ message: apiMessage, cause: error }, address);
      return new SageError("unreachable", `Cannot reach ${host}: ${said}`, {
        hint: "check the connection; nothing was lost",
        cause: error,
      });
    default: {
      const wait = headers === undefined ? 0 : Math.ceil(secondsToWait(headers));
      return new SageError("unreachable", `${host} answered with status ${status}: ${said}`, {
        hint: wait > 0 ? `try again in ${count(wait, "second")}` : "try again in a moment",
        cause: error,
      });
    }
  }
}

/** The error for an answer that broke off. */
function notWhole(error: { message: string; cause?: unknown }, address: string): SageError {
  const why = `The answer of ${new URL(address).host} broke off: ${line(error.message)}`;
  return new SageError("unreachable", why, {
    hint: "ask again; nothing was lost but this answer",
    cause: error,
  });
}

function line(text: string): string {
  return cut(collapse(printable(text)), MESSAGE_CHARACTERS_MAX);
}
