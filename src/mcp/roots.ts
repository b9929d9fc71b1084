/**
 * The client's project folder, for editors that start a server elsewhere, often at home, and tell
 * the open folder by `roots/list`. Asked after the handshake; calls before the answer wait for it,
 * within bounds.
 */
import type { Server } from "@modelcontextprotocol/sdk/server";
// @ts-types="@modelcontextprotocol/sdk/types"
import { RootsListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { realFs } from "../base/fs.ts";
import { slashedAsWritten } from "../base/path.ts";
import { followRenames } from "../base/renamed_folder.ts";
import { percentDecoded } from "../base/text/text.ts";

/** A client that does not answer in this time counts as having no roots. */
const ANSWER_MS_MAX = 1000;

export interface Folder {
  /** The project's folder, as far as known. */
  now(): Promise<string>;
  /** To be called with the client's capabilities, at the handshake. */
  greet(capabilities: unknown): void;
  follow(server: Server): void;
}

/** `started`: the folder in which the client started the server. */
export function clientFolder(started: string): Folder {
  const follow = followRenames(started);
  let named: Promise<string | undefined> = Promise.resolve(undefined);
  let hasRoots = false;
  return {
    now: async () => await named ?? follow(),
    greet(capabilities) {
      hasRoots = typeof capabilities === "object" && capabilities !== null &&
        "roots" in capabilities;
    },
    follow(server) {
      const ask = (): void => {
        if (hasRoots) named = folderOf(server, started);
      };
      server.oninitialized = ask;
      server.setNotificationHandler(RootsListChangedNotificationSchema, ask);
    },
  };
}

/** The first of the client's folders; undefined if the server was started inside one of them. */
async function folderOf(server: Server, started: string): Promise<string | undefined> {
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ANSWER_MS_MAX });
    const folders = roots.flatMap(({ uri }) => toPath(uri) ?? [])
      .filter((path) => realFs.lstat(path) !== undefined);
    const isThere = folders.some((path) => `${started}/`.startsWith(`${path}/`));
    return isThere ? undefined : folders[0];
  } catch {
    // The client has roots and names none: the folder that the server was started in is used.
    return undefined;
  }
}

/** `file:///home/me/my%20project`, `file:///c%3A/Users/me`, of a share `file://server/share`. */
export function toPath(uri: string): string | undefined {
  const [, server = "", path] = /^file:\/\/(?:localhost(?=\/))?([^/]*)(\/.*)$/i.exec(uri) ?? [];
  if (path === undefined) return undefined;
  const plain = percentDecoded(path);
  const whole = server === "" ? plain.replace(/^\/(?=[A-Za-z]:)/, "") : `//${server}${plain}`;
  return slashedAsWritten(whole).replace(/([^:/])\/+$/, "$1");
}
