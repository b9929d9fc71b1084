/**
 * Sends lines between two processes of one person, over a Unix socket: only who may enter its folder can
 * connect. On a system without such sockets, or with a path too long for one, nobody is ever connected.
 */
import { type Fs, realFs, removeIfThere } from "./fs.ts";
import { dirname } from "./path.ts";
import { decode, encode } from "./utf8.ts";

export interface LocalSocket {
  /** The next line without its end; undefined if the other end is gone, or sends more than `bytesMax`. */
  readLine(bytesMax: number): Promise<string | undefined>;
  /** Returns false if the other end is gone. */
  writeLine(line: string): Promise<boolean>;
  close(): void;
}

/** The limit of `sockaddr_un` on all systems, without the final zero. */
const PATH_BYTES_MAX = 103;
const READ_BYTES = 16 * 1024;
const NEWLINE = 0x0a;

/** Connects to a listener. Undefined if nobody listens, or somebody else might. */
export async function connectLocal(path: string): Promise<LocalSocket | undefined> {
  if (!isPossible(realFs, path)) return undefined;
  try {
    return lineSocket(await Deno.connect({ transport: "unix", path }));
  } catch {
    return undefined;
  }
}

/**
 * Listens until it is closed, in place of an earlier listener at the path. Undefined if the system or the
 * file system has no such sockets.
 */
export function listenLocal(
  fs: Fs,
  path: string,
  serve: (socket: LocalSocket) => Promise<void>,
): { close(): void } | undefined {
  // `path` has the host in it, because a process of another container may have the same id.
  const own = `${path.replace(/\.sock$/, "")}.${Deno.pid}`;
  if (!isPossible(fs, path)) return undefined;
  let listener: Deno.UnixListener | undefined;
  try {
    removeIfThere(fs, own);
    const made = listener = Deno.listen({ transport: "unix", path: own });
    const inode = fs.lstat(own)?.inode;
    fs.rename(own, path);
    accept(made, serve);
    return {
      close() {
        made.close();
        if (fs.lstat(path)?.inode === inode) removeIfThere(fs, path);
      },
    };
  } catch {
    if (listener !== undefined) {
      listener.close();
      removeIfThere(fs, own);
    }
    return undefined;
  }
}

async function accept(
  listener: Deno.UnixListener,
  serve: (socket: LocalSocket) => Promise<void>,
): Promise<void> {
  try {
    for await (const connection of listener) {
      const socket = lineSocket(connection);
      serve(socket).catch(() => {}).finally(() => socket.close());
    }
  } catch {
    // Closed.
  }
}

function isPossible(fs: Fs, path: string): boolean {
  return Deno.build.os !== "windows" && encode(path).length <= PATH_BYTES_MAX &&
    isOwn(fs, dirname(path));
}

/**
 * Whether only this person can enter the folder. If root works in somebody's home, as in a container, it may
 * belong to the home's owner.
 */
function isOwn(fs: Fs, folder: string): boolean {
  const info = fs.lstat(folder);
  const self = Deno.uid();
  return info?.kind === "dir" && (info.uid === self || self === 0) && (info.mode & 0o077) === 0;
}

function lineSocket(connection: Deno.UnixConn): LocalSocket {
  let held = new Uint8Array(READ_BYTES);
  let length = 0;
  return {
    async readLine(bytesMax) {
      for (let seen = 0;;) {
        const end = held.subarray(seen, length).indexOf(NEWLINE) + seen;
        if (end >= seen) {
          const line = decode(held.subarray(0, end));
          held.copyWithin(0, end + 1, length);
          length -= end + 1;
          return line;
        }
        seen = length;
        if (length > bytesMax) return undefined;
        if (length === held.length) {
          const longer = new Uint8Array(length * 2);
          longer.set(held);
          held = longer;
        }
        const count = await connection.read(held.subarray(length)).catch(() => null);
        if (count === null) return undefined;
        length += count;
      }
    },
    async writeLine(line) {
      const bytes = encode(line + "\n");
      try {
        for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
        return true;
      } catch {
        return false;
      }
    },
    close() {
      try {
        connection.close();
      } catch {
        // Closed already by the other end.
      }
    },
  };
}
