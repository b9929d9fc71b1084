/**
 * How programs of the same person find a running `sage serve` and its token: one private file a
 * process. It is new at each start and removed at the end; that of a killed process is removed by the
 * next.
 */
import { rfc3339 } from "../base/clock.ts";
import { listIfDir } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { isOfHere, processName, processNamed } from "../base/host.ts";
import { removeState, writeState } from "../store/state.ts";
import type { Memory } from "./memory.ts";
import { knowsProcesses, livenessOf, showLiveness } from "./session/liveness.ts";

interface ServerFile {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  /** The folder whose project is served. */
  readonly project: string;
  readonly started: string;
}

const FOLDER = "serve";
const NAME_END = ".json";

/** Absolute path of the file that was written, which the server removes at its end. */
export function writeServerFile(
  memory: Memory,
  facts: Omit<ServerFile, "started">,
): { readonly path: string; release(): void } {
  const { fs, places } = memory;
  removeDead(memory);
  const name = nameOf(facts.pid);
  writeState(fs, places.stateDir, name, { ...facts, started: rfc3339(memory.now()) });
  const life = showLiveness(fs, places.stateDir, facts.pid);
  return { path: join(places.stateDir, name), release: () => life?.release() };
}

export function removeServerFile({ fs, places }: Memory, pid: number): void {
  removeState(fs, places.stateDir, nameOf(pid));
}

function nameOf(pid: number): string {
  return `${FOLDER}/${processName({ pid })}${NAME_END}`;
}

function removeDead({ fs, places }: Memory): void {
  for (const { name } of listIfDir(fs, join(places.stateDir, FOLDER))) {
    const server = name.endsWith(NAME_END)
      ? processNamed(name.slice(0, -NAME_END.length))
      : undefined;
    if (server === undefined) continue;
    const isGone = isOfHere(server) && knowsProcesses(fs)
      ? fs.lstat(`/proc/${server.pid}`) === undefined
      : livenessOf(fs, places.stateDir, server, Infinity) !== "alive";
    if (isGone) removeState(fs, places.stateDir, `${FOLDER}/${name}`);
  }
}
