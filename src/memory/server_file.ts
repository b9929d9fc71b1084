/**
 * How programs of the same person find a running `sage serve` and its token: one file a process, for
 * nobody else's eyes. It is new at each start and goes with the process; what a killed one left is
 * taken away by the next.
 */
import { rfc3339 } from "../base/clock.ts";
import { join } from "../base/fs.ts";
import { readState, removeState, writeState } from "../store/state.ts";
import type { Memory } from "./memory.ts";

export interface ServerFile {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  /** The folder whose project is served. */
  readonly project: string;
  readonly started: string;
}

const FOLDER = "serve";
const NAME = /^\d{1,10}\.json$/;

/** Absolute path of what was written. */
export function writeServerFile(memory: Memory, facts: Omit<ServerFile, "started">): string {
  const { fs, places } = memory;
  removeDead(memory);
  const name = nameOf(facts.pid);
  writeState(fs, places.stateDir, name, { ...facts, started: rfc3339(memory.now()) });
  return join(places.stateDir, name);
}

export function removeServerFile({ fs, places }: Memory, pid: number): void {
  removeState(fs, places.stateDir, nameOf(pid));
}

function nameOf(pid: number): string {
  return `${FOLDER}/${pid}.json`;
}

/** Only where the system says which processes there are. */
function removeDead({ fs, places }: Memory): void {
  const folder = join(places.stateDir, FOLDER);
  if (fs.lstat("/proc/self") === undefined || fs.lstat(folder)?.kind !== "dir") return;
  for (const { name } of fs.list(folder)) {
    if (!NAME.test(name)) continue;
    const pid = readState<ServerFile>(fs, places.stateDir, `${FOLDER}/${name}`)?.pid;
    if (pid === undefined || fs.lstat(`/proc/${pid}`) === undefined) {
      removeState(fs, places.stateDir, `${FOLDER}/${name}`);
    }
  }
}
