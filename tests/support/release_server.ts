/**
 * A release as scripts/release.ts makes it, of a program that says its version, and a server on this
 * machine that hands it out. It can be told to misbehave.
 */
import { makeRelease, pages } from "../../scripts/release.ts";
import { newKeys } from "../../scripts/release/sign.ts";
import { type Target, TARGETS } from "../../scripts/release/targets.ts";
import { cutAfter } from "./cut_after.ts";
import { tempDir } from "./temp_store.ts";
import { within } from "./within.ts";

export const VERSION = "9.9.9";

export interface MadeRelease {
  readonly folder: string;
  readonly publicKey: string;
}

/** The same for every platform: a shell script in the program's place, padded so that it can be cut. */
export async function madeRelease(
  options: { readonly version?: string; readonly program?: string; readonly signingKey?: string } =
    {},
): Promise<MadeRelease> {
  const { version = VERSION, program = `#!/bin/sh\necho "sage ${version}"\n` } = options;
  const { privateKey, publicKey } = await newKeys();
  const padding = crypto.getRandomValues(new Uint8Array(32 * 1024));
  const noise = [...padding].map((byte) => byte.toString(16)).join("");
  const bytes = new TextEncoder().encode(`${program}# ${noise}\n`);
  const built = await Promise.all(TARGETS.map(async (target: Target) => ({
    target,
    files: new Map([
      [target.os === "win32" ? "sage.exe" : "sage", bytes],
      ...target.os === "linux" ? [] : [["sage-0123abcd.assets", padding] as const],
      ...await pages(),
    ]),
  })));
  const folder = tempDir();
  await makeRelease(folder, built, {
    version,
    url: "https://example.org/sage",
    homepage: "https://example.org",
    signingKey: options.signingKey ?? privateKey,
  });
  return { folder, publicKey };
}

export interface Misbehaviour {
  /** Another answer for a file, by the end of its name. */
  readonly instead?: Readonly<Record<string, Uint8Array<ArrayBuffer> | string>>;
  /** Missing, by the end of their names. */
  readonly missing?: readonly string[];
  /** Closes the connection after this many bytes of an archive: the first time, or each time. */
  readonly cutsAt?: number;
  readonly alwaysCuts?: boolean;
  /** Replaces the address of archives. */
  readonly redirect?: string;
}

export interface ReleaseServer {
  readonly url: string;
  readonly requests: readonly string[];
  misbehave(how: Misbehaviour): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export function openReleases({ folder }: MadeRelease): ReleaseServer {
  let how: Misbehaviour = {};
  let cuts = 0;
  const requests: string[] = [];
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const server = Deno.serve(options, async (request) => {
    const name = new URL(request.url).pathname.slice(1);
    const range = request.headers.get("range");
    requests.push(range === null ? name : `${name} ${range}`);
    const bytes = await Deno.readFile(`${folder}/${name}`).catch(() => undefined);
    if (bytes === undefined || how.missing?.some((end) => name.endsWith(end))) {
      return new Response("", { status: 404 });
    }
    const other = Object.entries(how.instead ?? {}).find(([end]) => name.endsWith(end))?.[1];
    if (other !== undefined) return new Response(other);
    const isArchive = /\.(?:tar\.gz|zip)$/.test(name);
    if (isArchive && how.redirect !== undefined) {
      return new Response("", { status: 302, headers: { location: how.redirect } });
    }
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    const rest = bytes.slice(from);
    const headers: Record<string, string> = { "content-length": String(rest.length) };
    if (from > 0) headers["content-range"] = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
    const status = from > 0 ? 206 : 200;
    const isCut = isArchive && how.cutsAt !== undefined && (cuts === 0 || how.alwaysCuts === true);
    if (!isCut) return new Response(rest, { status, headers });
    cuts++;
    return new Response(cutAfter(rest, Math.max(0, (how.cutsAt ?? 0) - from)), { status, headers });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    misbehave(next) {
      how = next;
      cuts = 0;
    },
    [Symbol.asyncDispose]: () => within("the end of the release server", server.shutdown()),
  };
}
