/**
 * An embeddings server on this machine that speaks OpenAI's dialect, as Ollama and others do. Its model is
 * a sum of hashed words, so that texts which share words are near. It can be told to misbehave.
 */
import { within } from "./within.ts";

export interface Behaviour {
  /** Seed of the model: another one has other directions. */
  readonly seed?: number;
  readonly dimensions?: number;
  readonly waitMs?: number;
  readonly status?: number;
  /** Changes the answer's JSON, or its text. */
  readonly answer?: (vectors: number[][]) => unknown;
  readonly text?: string;
  /** Refuses longer texts, as servers do that do not cut. */
  readonly charactersMax?: number;
  /** Ends after this many requests. */
  readonly dies?: number;
  readonly redirect?: string;
}

export interface EmbeddingsServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly base: string;
  readonly port: number;
  /** `METHOD path texts` of each request. */
  readonly requests: readonly string[];
  /** Every text that was sent. */
  readonly texts: readonly string[];
  behave(how: Behaviour): void;
  [Symbol.asyncDispose](): Promise<void>;
}

const DIMENSIONS = 64;

export function openEmbeddings(models: readonly string[] = ["words"]): EmbeddingsServer {
  let how: Behaviour = {};
  let left = Infinity;
  const requests: string[] = [];
  const texts: string[] = [];

  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET") {
      requests.push(`GET ${pathname}`);
      return Response.json({ data: models.map((id) => ({ id })) });
    }
    const { input, model }: { input: string[]; model: string } = await request.json();
    requests.push(`POST ${pathname} ${input.length}`);
    if (left-- <= 0) return new Response(broken(), { headers: { "content-length": "99999" } });
    texts.push(...input);
    const { waitMs, status, text, charactersMax = Infinity, redirect } = how;
    if (waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (redirect !== undefined) {
      return new Response("", { status: 307, headers: { location: redirect } });
    }
    if (status !== undefined) return Response.json({ error: "broken" }, { status });
    if (!models.includes(model)) return Response.json({ error: "no such model" }, { status: 404 });
    if (input.some(({ length }) => length > charactersMax)) {
      return Response.json({ error: "input is too long" }, { status: 400 });
    }
    if (text !== undefined) return new Response(text);
    const vectors = input.map((one) => embed(one, how.seed ?? 0, how.dimensions ?? DIMENSIONS));
    return Response.json(
      how.answer?.(vectors) ??
        { data: vectors.map((embedding, index) => ({ index, embedding })) },
    );
  };

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
  return {
    base: `http://127.0.0.1:${server.addr.port}/v1`,
    port: server.addr.port,
    requests,
    texts,
    behave(next) {
      how = next;
      left = next.dies ?? Infinity;
    },
    [Symbol.asyncDispose]: () => within("the end of the embeddings server", server.shutdown()),
  };
}

function broken(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"data":[{"index":0,"embedding":[0.1,'));
      setTimeout(() => controller.error(new Error("gone")), 10);
    },
  });
}

function embed(text: string, seed: number, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0.01);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    let hash = 0x811c9dc5 ^ seed;
    for (const character of word) {
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
    }
    for (let i = 0; i < dimensions; i++) {
      hash = Math.imul(hash ^ (hash >>> 13) ^ i, 0x5bd1e995);
      vector[i] = (vector[i] ?? 0) + ((hash >>> 8) % 2001 - 1000) / 1000;
    }
  }
  return vector;
}
