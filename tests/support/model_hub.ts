/**
 * A hub on this machine that publishes a model as the real one does: a list of files at a revision, and
 * the files, in parts where asked. It can be told to misbehave.
 */
import { createHash } from "node:crypto";
import { cutAfter } from "./cut_after.ts";
import { within } from "./within.ts";

export const COMMIT = "0123456789abcdef0123456789abcdef01234567";

export interface Misbehaviour {
  /** Closes the connection after this many bytes of the weights, the first time. */
  readonly cutsAt?: number;
  /** … and every time. */
  readonly alwaysCuts?: boolean;
  /** Replaces the hash of the weights in the listing. */
  readonly sha256?: string;
  readonly size?: number;
  /** Changes the bytes that are sent of a file. */
  readonly change?: (name: string, bytes: Uint8Array) => Uint8Array;
  /** Replaces the address of the weights. */
  readonly redirect?: string;
  /** Ignores that a part was asked for. */
  readonly wholeOnly?: boolean;
  /** Answers a question for a part with another one. */
  readonly wrongPart?: boolean;
  readonly status?: number;
  readonly commit?: string;
  readonly list?: string;
}

export interface ModelHub {
  readonly url: string;
  /** `METHOD path range` of each request. */
  readonly requests: readonly string[];
  misbehave(how: Misbehaviour): void;
  /** Other files, at another commit. */
  publish(files: ReadonlyMap<string, Uint8Array>, commit: string): void;
  [Symbol.asyncDispose](): Promise<void>;
}

const WEIGHTS = "model.safetensors";

export function openHub(published: ReadonlyMap<string, Uint8Array>): ModelHub {
  let [files, commit] = [published, COMMIT];
  let how: Misbehaviour = {};
  let cuts = 0;
  const requests: string[] = [];

  const list = (): Response => {
    if (how.list !== undefined) return new Response(how.list);
    const siblings = [...files].map(([rfilename, bytes]) => {
      const isLarge = rfilename === WEIGHTS;
      const size = isLarge ? how.size ?? bytes.length : bytes.length;
      const blobId = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes)
        .digest("hex");
      const sha256 = how.sha256 ?? createHash("sha256").update(bytes).digest("hex");
      return { rfilename, size, blobId, ...(isLarge ? { lfs: { sha256, size } } : {}) };
    });
    return Response.json({ sha: how.commit ?? commit, siblings });
  };

  const send = (name: string, range: string | null): Response => {
    const stored = files.get(name);
    if (stored === undefined) return new Response("", { status: 404 });
    const bytes = how.change?.(name, stored) ?? stored;
    const asked = /^bytes=(\d+)-$/.exec(range ?? "")?.[1];
    const isPart = asked !== undefined && how.wholeOnly !== true;
    const from = isPart ? Number(asked) : 0;
    const rest = bytes.slice(from);
    const headers: Record<string, string> = isPart
      ? {
        "content-range": `bytes ${from + (how.wrongPart ? 1 : 0)}-${
          bytes.length - 1
        }/${bytes.length}`,
      }
      : {};
    const { cutsAt } = how;
    if (name !== WEIGHTS || cutsAt === undefined || (cuts > 0 && how.alwaysCuts !== true)) {
      return new Response(rest, { status: isPart ? 206 : 200, headers });
    }
    cuts++;
    return new Response(cutAfter(rest, Math.max(0, cutsAt - from)), {
      status: isPart ? 206 : 200,
      headers: { ...headers, "content-length": String(rest.length) },
    });
  };

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    const range = request.headers.get("range");
    requests.push(`${request.method} ${pathname}${range === null ? "" : ` ${range}`}`);
    if (how.status !== undefined) return new Response("", { status: how.status });
    if (pathname.startsWith("/api/models/")) return list();
    const name = /\/resolve\/[0-9a-f]{40}\/(.+)$/.exec(pathname)?.[1] ?? "";
    if (name === WEIGHTS && how.redirect !== undefined) {
      return new Response("", { status: 302, headers: { location: how.redirect } });
    }
    return send(name, range);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    misbehave(next) {
      how = next;
      cuts = 0;
    },
    publish(next, itsCommit) {
      [files, commit] = [next, itsCommit];
    },
    [Symbol.asyncDispose]: () => within("the end of the hub", server.shutdown()),
  };
}
