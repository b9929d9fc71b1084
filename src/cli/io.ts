/**
 * The command line's only access to stdin, stdout, stderr, the environment and the working folder. Commands
 * get an Io, so tests run them in process with another one.
 */
import { type Env, namedEnv } from "../base/environment.ts";
import { buildInfo } from "../base/build_info.ts";
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { slashed } from "../base/path.ts";
import { decodeExact, encode } from "../base/utf8.ts";
import { untilInterrupted } from "../base/process_end.ts";
import { giveUpNetwork } from "../base/network.ts";
import type { Opened } from "../memory/memory.ts";

export interface Io {
  cwd(): string;
  readonly env: Env;
  readonly isTerminal: {
    readonly stdin: boolean;
    readonly stdout: boolean;
    readonly stderr: boolean;
  };
  /** The terminal's width in characters. */
  readonly columns: number;
  /** Whether stdout takes colour. */
  readonly color: boolean;
  /**
   * Gives up network access for good, except to the `host:port` in `keep`, and to `own`, where this process
   * listens. Returns whether `keep` can be reached.
   */
  disconnect(keep?: string, own?: string): boolean;
  /** Path of the compiled program; undefined when run from the sources, or for another process. */
  readonly binary: string | undefined;
  /** Kept open from one command to the next, in a process that runs several. */
  readonly opened?: Opened;
  /** Both throw BrokenPipe when the reader is gone. */
  out(text: string): void;
  err(text: string): void;
  /** A line at the end of stderr; the next write, or an empty one, removes it. */
  status(line: string): void;
  /** All of stdin as text; a SageError beyond `bytesMax`, or for invalid UTF-8 unless `isLenient`. */
  readAll(bytesMax: number, options?: { readonly isLenient?: boolean }): Promise<string>;
  /** One line that was typed, without its end; undefined at the end of input. */
  readLine(): Promise<string | undefined>;
  /** A line, or `bytesMax` of it; undefined at the end of input. */
  readRawLine(bytesMax: number): Promise<RawLine | undefined>;
  /** While it exists, Ctrl-C aborts the signal instead of ending the process. */
  interruptible(): Disposable & { readonly signal: AbortSignal };
  /** Single keys, on a terminal that can move its cursor; undefined elsewhere. */
  readonly keyboard: Keyboard | undefined;
}

export interface RawLine {
  /** Without the `\n`; valid until the next is read. */
  readonly bytes: Uint8Array;
  /** Whether the next has more of the same line. */
  readonly goesOn: boolean;
}

export interface Keyboard {
  /** The terminal's height in lines. */
  readonly rows: number;
  /**
   * Runs `body` while the terminal passes on each key as it is pressed. `next`: what the next press, or
   * several, sent; undefined at the end of input.
   */
  listen<T>(body: (next: () => Promise<string | undefined>) => Promise<T>): Promise<T>;
}

/** The reader of our output is gone (`sage search x | head`): the end of the work, not a failure. */
export class BrokenPipe extends Error {}

/** The Io of this process. */
export function processIo(): Io {
  const env = namedEnv((name) => Deno.env.get(name));
  const isTerminal = {
    stdin: Deno.stdin.isTerminal(),
    stdout: Deno.stdout.isTerminal(),
    stderr: Deno.stderr.isTerminal(),
  };
  const read = byteReader();
  return {
    cwd: workingFolder,
    env,
    isTerminal,
    get columns() {
      return terminalColumns(env);
    },
    get color() {
      return isTerminal.stdout && !env("NO_COLOR") && env("TERM") !== "dumb";
    },
    disconnect: giveUpNetwork,
    binary: buildInfo === undefined ? undefined : Deno.execPath(),
    ...withStatus({
      out: (text) => writeAll(Deno.stdout, text),
      err: (text) => writeAll(Deno.stderr, text),
    }),
    readAll: read.all,
    readLine: async () => {
      const line = await read.line();
      return line && new TextDecoder().decode(line.bytes).replace(/\r$/, "");
    },
    readRawLine: (bytesMax) => read.line(bytesMax),
    interruptible: untilInterrupted,
    get keyboard(): Keyboard | undefined {
      return isTerminal.stdin && isTerminal.stderr && env("TERM") !== "dumb"
        ? { rows: terminalRows(), listen: (body) => withRawKeys(() => body(read.some)) }
        : undefined;
    },
  };
}

async function withRawKeys<T>(body: () => Promise<T>): Promise<T> {
  Deno.stdin.setRaw(true);
  try {
    return await body();
  } finally {
    Deno.stdin.setRaw(false);
  }
}

function terminalRows(): number {
  try {
    return Deno.consoleSize().rows;
  } catch {
    return 0;
  }
}

/** Writes two streams to one terminal whose last line may be a status. */
export function withStatus(streams: Pick<Io, "out" | "err">): Pick<Io, "out" | "err" | "status"> {
  let shown = "";
  const status = (line: string): void => {
    if (line !== shown) streams.err(`\r\x1b[K${line}`);
    shown = line;
  };
  const behind = (write: (text: string) => void) => (text: string): void => {
    status("");
    write(text);
  };
  return { out: behind(streams.out), err: behind(streams.err), status };
}

function workingFolder(): string {
  try {
    return slashed(Deno.cwd());
  } catch (cause) {
    const isForeign = cause instanceof Deno.errors.InvalidData;
    if (!isForeign && systemErrorCode(cause) !== "ENOENT") {
      throw systemError(cause, "find the working folder");
    }
    const why = isForeign ? "its name is not UTF-8" : "it was removed";
    throw new SageError("io", `Cannot find the working folder: ${why}`, {
      hint: "change to another folder, then repeat",
      cause,
    });
  }
}

function terminalColumns(env: Env): number {
  const given = Number(env("COLUMNS"));
  if (Number.isInteger(given) && given >= 20) return given;
  try {
    // A terminal that nobody has told its size reports none.
    return Math.max(20, Deno.consoleSize().columns || 80);
  } catch {
    return 80;
  }
}

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
  } catch (cause) {
    if (cause instanceof Deno.errors.BrokenPipe || systemErrorCode(cause) === "EPIPE") {
      throw new BrokenPipe();
    }
    throw systemError(cause, "write the answer");
  }
}

/** Reads stdin by lines or whole, and keeps what is left over. */
function byteReader() {
  const decoder = new TextDecoder();
  let buffer = new Uint8Array(64 * 1024);
  let held = buffer.subarray(0, 0);
  const more = async (): Promise<boolean> => {
    // Moves the rest to the front of the buffer, and doubles it when full.
    const room = held.length * 2 > buffer.length ? new Uint8Array(buffer.length * 2) : buffer;
    room.set(held);
    buffer = room;
    const count = await Deno.stdin.read(buffer.subarray(held.length));
    held = buffer.subarray(0, held.length + (count ?? 0));
    return count !== null;
  };
  const takeBytes = (length: number): Uint8Array => {
    const bytes = held.subarray(0, length);
    held = held.subarray(length);
    return bytes;
  };
  const take = (length: number): string => decoder.decode(takeBytes(length));
  return {
    async all(bytesMax: number, { isLenient = false } = {}): Promise<string> {
      while (held.length <= bytesMax && await more());
      if (held.length > bytesMax) {
        throw new SageError("too_large", `Cannot read stdin: it is larger than ${bytesMax} bytes`, {
          hint: "pipe less in: a note holds one thing",
        });
      }
      if (!isLenient && decodeExact(held) === undefined) {
        throw new SageError("invalid_note", "Cannot read stdin: it is not UTF-8 text");
      }
      return take(held.length);
    },
    /** What was read already, or the next read. */
    async some(): Promise<string | undefined> {
      return held.length === 0 && !await more() ? undefined : take(held.length);
    },
    async line(bytesMax = Infinity): Promise<RawLine | undefined> {
      let end = held.indexOf(10);
      let seen = held.length;
      while (end < 0 && seen <= bytesMax && await more()) {
        end = held.indexOf(10, seen);
        seen = held.length;
      }
      if (end > bytesMax || (end < 0 && held.length > bytesMax)) {
        return { bytes: takeBytes(bytesMax), goesOn: true };
      }
      if (end >= 0) return { bytes: takeBytes(end + 1).subarray(0, end), goesOn: false };
      return held.length === 0 ? undefined : { bytes: takeBytes(held.length), goesOn: false };
    },
  };
}
