/**
 * Whether a session's editor still runs, where the system does not list its processes: on Windows
 * and macOS, and in other containers and machines that share the home. The server that the editor
 * started holds a kernel lock on a file named after the editor's process while both live. No file
 * proves nothing.
 */
import { discard } from "../../base/atomic.ts";
import { now } from "../../base/clock.ts";
import type { Fs } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { encode } from "../../base/utf8.ts";
import { processName, processNamed, type ProcessOf } from "../../base/host.ts";
import { holdLock } from "../../base/lock.ts";

export type Liveness = "alive" | "dead" | "unknown";

/** Below the state folder. */
const FOLDER = "lives";
/** Clocks of files and of processes differ by this much at most. */
export const CLOCK_MS_MAX = 2000;
/** A reader holds the lock for far less than this. */
const HOLD_MS_MAX = 500;
/** Files are kept for this long. Without one a silent session counts as dead sooner than that. */
const KEPT_MS = 60 * 60 * 1000;

/** Shows that `pid` lives, for as long as this process does or until released. Never throws. */
export function showLiveness(
  fs: Fs,
  stateDir: string,
  pid: number,
): { release(): void } | undefined {
  const path = lifePath(stateDir, { pid });
  try {
    // Where Sage has kept nothing yet there are no sessions.
    if (pid <= 0 || fs.lstat(stateDir) === undefined) return undefined;
    fs.makeDir(join(stateDir, FOLDER), 0o700);
    sweep(fs, stateDir);
    const file = fs.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
    file.close();
    fs.setTime(path, now());
    // The lock is shared with other servers of the same editor; a reader takes it for a moment.
    const held = holdLock(fs, path, { deadlineMs: HOLD_MS_MAX, exclusive: false });
    return {
      release() {
        held.release();
        endInOrder(fs, path);
      },
    };
  } catch {
    return undefined;
  }
}

/** Marks the file, empty otherwise, to say that its servers ended in order, at the file's time. */
function endInOrder(fs: Fs, path: string): void {
  try {
    const file = fs.open(path, { read: true, write: true });
    try {
      if (file.tryLock(true)) file.write(encode("\n"));
    } finally {
      file.close();
    }
  } catch {
    // Without the mark it looks as after a kill.
  }
}

/** What is known of the editor with this process, last heard of at `seenMs`. */
export function livenessOf(fs: Fs, stateDir: string, of: ProcessOf, seenMs: number): Liveness {
  const path = lifePath(stateDir, of);
  const info = fs.lstat(path);
  if (info?.kind !== "file") return "unknown";
  const isNewer = info.mtimeMs > seenMs + CLOCK_MS_MAX;
  // Pids are reused: a server that came later may be another editor's.
  if (isHeld(fs, path)) return isNewer ? "unknown" : "alive";
  // The editor ended its server and went on, as when a person switches it off.
  return info.size > 0 && info.mtimeMs + CLOCK_MS_MAX < seenMs ? "unknown" : "dead";
}

/**
 * Whether the system lists the processes of this host. On Windows `/proc` would be a folder of the
 * current drive or share: on a share of a Linux machine it lists that one's processes, and every
 * session would seem dead.
 */
export function knowsProcesses(fs: Pick<Fs, "lstat">, os: string = Deno.build.os): boolean {
  return os === "linux" && fs.lstat("/proc/self") !== undefined;
}

function lifePath(stateDir: string, of: ProcessOf): string {
  return join(stateDir, FOLDER, processName(of));
}

function isHeld(fs: Fs, path: string): boolean {
  try {
    const file = fs.open(path, { read: true, write: true });
    try {
      return !file.tryLock(true);
    } finally {
      file.close();
    }
  } catch {
    // It cannot be opened, so nothing can be told of its holder.
    return true;
  }
}

function sweep(fs: Fs, stateDir: string): void {
  const folder = join(stateDir, FOLDER);
  for (const { name, kind } of fs.list(folder)) {
    const path = join(folder, name);
    if (kind !== "file" || processNamed(name) === undefined) continue;
    const isOld = now() - (fs.lstat(path)?.mtimeMs ?? now()) > KEPT_MS;
    if (isOld && !isHeld(fs, path)) discard(fs, path);
  }
}
