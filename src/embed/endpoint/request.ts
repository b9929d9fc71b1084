/**
 * The only code that connects to an embeddings server. Its answers are checked before use, because a wrong
 * vector in an index would give wrong answers for good. No proxy and no redirect: texts go to that address
 * and nowhere else.
 */
import { SageError, systemErrorCode } from "../../base/errors.ts";
import { isObject, parsed } from "../../base/fields.ts";
import { decode } from "../../base/utf8.ts";
import { printable } from "../../base/text/printable.ts";
import { wholeOf } from "../../base/remote.ts";
import { collapse, cut } from "../../base/text/text.ts";
import { DIMENSIONS_MAX, type EndpointAddress } from "./endpoint.ts";

/** Texts of one request: with more, a slow server takes too long to answer. */
export const BATCH_TEXTS_MAX = 16;
/** Sixteen vectors of 8,192 numbers, written out. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** Names of models in a message. */
const NAMED_MAX = 8;

/** Unit vectors of at most `BATCH_TEXTS_MAX` texts. Throws `unreachable` or `invalid_model`. */
export async function requestVectors(
  address: EndpointAddress,
  texts: readonly string[],
  timeoutMs: number,
): Promise<Float32Array[]> {
  const body = JSON.stringify({ model: address.model, input: texts, encoding_format: "float" });
  const json = await send(address, "embeddings", { method: "POST", body }, timeoutMs);
  const rows = Array.isArray(json.data) ? json.data : [];
  if (rows.length !== texts.length) {
    throw wrong(address, `it answers ${texts.length} texts with ${rows.length} vectors`);
  }
  const vectors: Float32Array[] = [];
  rows.forEach((row: { index?: unknown; embedding?: unknown } | null, i) => {
    const at = typeof row?.index === "number" ? row.index : i;
    if (!(at in texts) || vectors[at] !== undefined) {
      throw wrong(address, "it miscounts its vectors");
    }
    vectors[at] = toUnit(address, row?.embedding);
  });
  return vectors;
}

/** The server's only model, for an address that names none. */
export async function requestModel(address: EndpointAddress, timeoutMs: number): Promise<string> {
  const json = await send(address, "models", { method: "GET" }, timeoutMs);
  const data: { id?: unknown }[] = Array.isArray(json.data) ? json.data : [];
  const names = data.flatMap((one) => typeof one?.id === "string" ? [one.id] : []);
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const shown = names.slice(0, NAMED_MAX).map((name) => cut(printable(name), 60)).join(", ");
  throw new SageError(
    "usage",
    names.length === 0
      ? `${address.host} does not say which model it has`
      : `${address.host} has several models: ${shown}`,
    { hint: `name one: ${address.base}#<model>` },
  );
}

async function send(
  address: EndpointAddress,
  path: string,
  init: RequestInit,
  timeoutMs: number,
): Promise<Record<string, unknown>> {
  // A connection of its own kind: otherwise the proxy of the environment would see every text.
  const { hostname, port } = new URL(`http://${address.host}`);
  const client = Deno.createHttpClient({
    proxy: {
      transport: "tcp",
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port || 80),
    },
  });
  try {
    const response = await fetch(`${address.base}/${path}`, {
      ...init,
      client,
      redirect: "manual",
      headers: { "content-type": "application/json", "accept-encoding": "identity" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = await wholeOf(response, ANSWER_BYTES_MAX, broken(address, timeoutMs));
    if (bytes === undefined) throw wrong(address, "its answer has no end");
    return read(address, response, decode(bytes));
  } catch (cause) {
    throw cause instanceof SageError ? cause : broken(address, timeoutMs)(cause);
  } finally {
    client.close();
  }
}

function read(
  address: EndpointAddress,
  { ok, status }: Response,
  text: string,
): Record<string, unknown> {
  if (!ok) {
    const said = cut(printable(collapse(text)), 120).replace(/^(?=.)/, ": ");
    throw new SageError("unreachable", `${address.host} answers with ${status}${said}`, {
      hint: `see whether the server has the model "${address.model ?? ""}"`,
    });
  }
  const json = parsed(text);
  if (isObject(json)) return json;
  throw wrong(address, "its answer is no JSON");
}

function toUnit(address: EndpointAddress, values: unknown): Float32Array {
  if (!Array.isArray(values) || values.length === 0 || values.length > DIMENSIONS_MAX) {
    throw wrong(address, "it sends something else than vectors");
  }
  let square = 0;
  for (const value of values) square += typeof value === "number" ? value * value : NaN;
  if (!(square > 0 && square < Infinity)) throw wrong(address, "its vectors are no directions");
  const length = Math.sqrt(square);
  return Float32Array.from(values, (value) => value / length);
}

function broken(address: EndpointAddress, timeoutMs: number): (cause: unknown) => SageError {
  return (cause) => {
    if (cause instanceof Deno.errors.NotCapable) {
      return new SageError("permission", `This process may not connect to ${address.host}`, {
        hint: "start it again: an address that was set later is reached from then on",
        cause,
      });
    }
    const isLate = cause instanceof DOMException && cause.name === "TimeoutError";
    const why = isLate
      ? `no answer within ${Math.round(timeoutMs / 100) / 10} s`
      : systemErrorCode(cause) ?? "the connection was refused, or it broke";
    return new SageError("unreachable", `Cannot ask ${address.host}: ${why}`, {
      hint: `${
        isLate ? "repeat it once the server is less busy" : "start the server"
      }, or go back with: sage model use static`,
      cause,
    });
  };
}

/** An answer that no embeddings server would give. */
function wrong({ host }: EndpointAddress, why: string): SageError {
  return new SageError("invalid_model", `${host} is no embeddings server: ${why}`, {
    hint: "nothing was stored; check the address and the model",
  });
}
