/**
 * The model API, for people without an agent. The only code that sends notes anywhere: what a person typed,
 * and what was recalled for it. The official client speaks; here is what of it Sage uses.
 */
import { SageError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import { collapse, cut } from "../base/text.ts";

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
  /** Why it ended, where it is not whole. */
  readonly cut: "tokens" | "refused" | "stopped" | undefined;
}

export interface ModelApi {
  /** Tells the answer as it comes. Aborted, it returns what was said so far. */
  reply(
    request: ModelRequest,
    onText: (text: string) => void,
    signal?: AbortSignal,
  ): Promise<Reply>;
}

const TIMEOUT_MS = 120_000;
/** The client's own, with growing pauses, for what passes: a full house, a lost connection. */
const RETRIES = 2;
const MESSAGE_CHARACTERS_MAX = 300;

export async function openModelApi(key: string, address: string): Promise<ModelApi> {
  const { Anthropic, APIError, APIUserAbortError } = await import("@anthropic-ai/sdk");
  const client = new Anthropic({
    apiKey: key,
    authToken: null,
    baseURL: address,
    timeout: TIMEOUT_MS,
    maxRetries: RETRIES,
    logLevel: "off",
    // A key must not follow a redirection to somebody else.
    fetchOptions: { redirect: "error" },
  });
  return {
    async reply({ model, system, tokensMax, messages }, onText, signal) {
      let text = "";
      let usage: Usage = { input: 0, output: 0 };
      try {
        const stream = client.messages.stream({
          model,
          system,
          max_tokens: tokensMax,
          messages: messages.map(({ role, content }) => ({ role, content })),
          // What stays the same from one question to the next is not paid for in full again.
          cache_control: { type: "ephemeral" },
        }, signal === undefined ? {} : { signal });
        stream.on("text", (part) => {
          text += part;
          onText(part);
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
        if (error instanceof APIUserAbortError) return { text, usage, cut: "stopped" };
        if (error instanceof APIError) throw toSageError(error, address);
        throw error;
      }
    },
  };
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

function toSageError(error: { status?: number | undefined; message: string }, address: string) {
  const { host } = new URL(address);
  const { status } = error;
  const said = cut(collapse(printable(error.message)), MESSAGE_CHARACTERS_MAX);
  switch (status) {
    case 401:
    case 403:
      return new SageError("permission", `${host} does not take the key: ${said}`, {
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
        hint: "a conversation that grew too long: /clear begins anew",
        cause: error,
      });
    case undefined:
      return new SageError("unreachable", `Cannot reach ${host}: ${said}`, {
        hint: "check the connection; nothing was lost",
        cause: error,
      });
    default:
      return new SageError("unreachable", `${host} answers with ${status}: ${said}`, {
        hint: "try again in a moment",
        cause: error,
      });
  }
}
