/**
 * Whether what Sage writes would be written: folders that take a file and give it back, of our account
 * and nobody else's to read, room on the disk, and a clock that does not go backwards.
 */
import { ifReadable } from "../../base/attempt.ts";
import { discard, tempPath } from "../../base/atomic.ts";
import { DAY_MS, parseTime, rfc3339 } from "../../base/clock.ts";
import { type SageError, systemErrorCode } from "../../base/errors.ts";
import { freeBytes, type Fs, readBytes, writeInto } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decode, encode } from "../../base/utf8.ts";
import type { Env } from "../../base/environment.ts";
import { findHome } from "../../base/home.ts";
import { randomHex } from "../../base/hash.ts";
import { logTails } from "../../base/log.ts";
import { count } from "../../base/text/text.ts";
import { NOTE_FOLDERS } from "../../store/layout.ts";
import { locateUserRoot } from "../../store/user_root.ts";
import type { Memory } from "../memory.ts";
import { ENDED_FOLDER, LIVE_FOLDER } from "../session/state/state_file.ts";
import { openFolders } from "../status/folders.ts";
import { type Unread, unreadPaths } from "../status/unread.ts";
import { type Finding, ok, wrong } from "./finding.ts";

/** Below this a save may fail at any moment. */
const FREE_BYTES_MIN = 16 * 1024 * 1024;
/** Below this it is worth a warning. */
const FREE_BYTES_LOW = 256 * 1024 * 1024;
/** Clocks of two machines that share a store differ by less. */
const CLOCK_MS_MAX = 5 * 60 * 1000;
const CLOCK_DAYS = 7;
/** Folders of the machine's state: a write that fails there is reported to nobody. */
const STATE_FOLDERS = ["log", "index", "locks", LIVE_FOLDER, ENDED_FOLDER];

/**
 * The findings, and one for each path that cannot be read. A check that failed because of such a path says
 * nothing new, and one that mends it says more.
 */
export function besides(findings: readonly Finding[], unread: readonly Unread[]): Finding[] {
  const isMending = (path: string) => (one: Finding): boolean =>
    one.level !== "ok" && one.fix?.kind === "chmod" && one.fix.path === path;
  const isAbout = ({ path }: Unread, { what }: Finding): boolean =>
    new RegExp(String.raw`${RegExp.escape(path)}(?![\w.-])`).test(what);
  return [
    ...findings.filter((one) =>
      one.level === "ok" || one.fix !== undefined || !unread.some((path) => isAbout(path, one))
    ),
    ...unread.filter(({ path }) => !findings.some(isMending(path))).map(unreadFinding),
  ];
}

/** What cannot be read where memory cannot be opened, or why it cannot. */
export function closedFindings(fs: Fs, env: Env, { message, hint }: SageError): Finding[] {
  const unread = ifReadable([], () => {
    const home = findHome(env);
    return home === "" ? [] : unreadPaths(fs, [locateUserRoot(home, env, fs)]);
  });
  return unread.length > 0
    ? unread.map(unreadFinding)
    : [wrong("error", message, hint ?? "mend what it names, then repeat")];
}

function unreadFinding({ path, what, mend, mode }: Unread): Finding {
  return wrong("error", what, mend, mode === undefined ? undefined : { kind: "chmod", path, mode });
}

export function diskFindings(memory: Memory): Finding[] {
  const { fs, places } = memory;
  const areThere = (paths: readonly string[]): string[] =>
    paths.filter((path) => fs.lstat(path)?.kind === "dir");
  // A folder of another account is reported as that, and not also as one that cannot be written.
  const troubles = (path: string): Finding[] => {
    const ofAnother = ownerFinding(memory, path);
    return ofAnother.length > 0 ? ofAnother : writeFinding(memory, path);
  };
  const folders = areThere([...memory.stores.map(({ root }) => root), places.stateDir]);
  const wrong = folders.flatMap((path) => {
    const own = troubles(path);
    // What is wrong with the store itself is not repeated for each of its folders.
    if (own.length > 0) return own;
    const inside = [...NOTE_FOLDERS, ...STATE_FOLDERS].map((folder) => join(path, folder));
    return [
      ...areThere(inside).flatMap(troubles),
      ...inside.filter((folder) => (fs.lstat(folder)?.kind ?? "dir") !== "dir").map(noFolder),
    ];
  });
  return [
    ...wrong,
    ...(wrong.length === 0 && folders.length > 0
      ? [ok(`${count(folders.length, "folder")} can be written to and read back`)]
      : []),
    ...openFinding(memory),
    ...disksOf(memory, folders.length > 0 ? folders : [places.home]).flatMap(spaceFinding),
  ];
}

function noFolder(path: string): Finding {
  return wrong("error", `${path} is not a folder`, "move it away, then repeat");
}

function ownerFinding({ fs }: Memory, path: string): Finding[] {
  const self = Deno.uid();
  const uid = fs.lstat(path)?.uid;
  if (self === null || self === 0 || uid === self) return [];
  const what = `${path} belongs to account ${uid}, and this is account ${self}`;
  return [wrong("error", what, `sudo chown -R ${self} ${path}`)];
}

/** Writes a file, reads it back and removes it. If this process dies here, a sweep knows the name. */
function writeFinding({ fs }: Memory, path: string): Finding[] {
  const probe = tempPath(join(path, "doctor"), randomHex(8));
  try {
    writeInto(fs, probe, { write: true, createNew: true, mode: 0o600 }, [encode(probe)], true);
    if (decode(readBytes(fs, probe, probe.length * 4)) === probe) return [];
    const what = `${path} returns other bytes than were written`;
    return [wrong("error", what, "check that disk before you save anything on it")];
  } catch (error) {
    const mode = fs.lstat(path)?.mode ?? 0;
    const isClosed = (mode & 0o300) !== 0o300;
    const what = `cannot write in ${path} (${systemErrorCode(error) ?? "unknown"})`;
    if (!isClosed) {
      return [wrong("error", what, "check that the disk is neither full nor read-only")];
    }
    const fix = { kind: "chmod", path, mode: (mode | 0o700) & 0o777 } as const;
    return [wrong("error", what, `chmod u+rwx ${path}`, fix)];
  } finally {
    discard(fs, probe);
  }
}

function openFinding(memory: Memory): Finding[] {
  return openFolders(memory).map((path) => {
    const what = `${path} may be read by other accounts`;
    if (!keepsModes(memory, path)) {
      const mend = "mount it for this account alone (umask=077), or set SAGE_HOME to another disk";
      return wrong("warning", `${what}, because its disk stores no file modes`, mend);
    }
    return wrong("warning", what, `chmod 700 ${path}`, { kind: "chmod", path, mode: 0o700 });
  });
}

/** Disks formatted for other systems (FAT, NTFS) give every file the same mode. */
function keepsModes({ fs }: Memory, path: string): boolean {
  const probe = tempPath(join(path, "doctor"), randomHex(8));
  try {
    fs.open(probe, { write: true, createNew: true, mode: 0o600 }).close();
    return ((fs.lstat(probe)?.mode ?? 0) & 0o077) === 0;
  } catch {
    // Another finding says that nothing can be written there.
    return true;
  } finally {
    discard(fs, probe);
  }
}

/** One folder of each disk: the project may lie on another than the home. */
function disksOf({ fs }: Memory, folders: readonly string[]): string[] {
  const disks = new Map(folders.toReversed().map((path) => [fs.lstat(path)?.device, path]));
  return [...disks.values()].reverse();
}

function spaceFinding(path: string): Finding[] {
  const free = freeBytes(path);
  if (free === undefined) return [];
  const megabytes = Math.round(free / 1e6);
  const room = megabytes < 10_000 ? `${megabytes} MB` : `${Math.round(megabytes / 1000)} GB`;
  const what = `${room} are free on the disk of ${path}`;
  if (free >= FREE_BYTES_LOW) return [ok(what)];
  const level = free < FREE_BYTES_MIN ? "error" : "warning";
  return [wrong(level, what, "make room: what cannot be written whole is not saved")];
}

/** Receipts from the future were written before the clock was set back, or while it ran ahead. */
export function clockFinding({ fs, places, now }: Memory): Finding {
  const nowMs = now();
  // A day ahead: receipts of a clock that ran ahead lie in tomorrow's file.
  const latest = [...logTails(fs, places.stateDir, nowMs + DAY_MS, CLOCK_DAYS)].flat()
    .reduce((most, { at }) => Math.max(most, parseTime(at) ?? 0), 0);
  if (latest <= nowMs + CLOCK_MS_MAX) return ok(`clock: ${rfc3339(nowMs)}`);
  const what = `the clock says ${rfc3339(nowMs)}, and a receipt is from ${rfc3339(latest)}`;
  return wrong("warning", what, "set the clock; notes of that time keep their dates");
}
