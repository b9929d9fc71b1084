/**
 * Identifies processes across hosts. A home folder may be a volume of several containers, or shared by
 * machines over a network: there the same process id means another process.
 */
import { type Fs, realFs } from "./fs.ts";
import { defined } from "./defined.ts";

/** A process as it is recorded in files. */
export interface ProcessOf {
  readonly pid?: number;
  /** Missing in files of older versions: then it counts as this host. */
  readonly host?: string;
}

/** The number of the process namespace of the machine itself on Linux: `pid:[4026531836]`. */
const MACHINE_SPACE = 4026531836;

let space: string | undefined;
let host: string | undefined;

/**
 * The process namespace of the container that we are in, within which process ids are unique. Empty on the
 * machine itself.
 */
export function pidNamespace(): string {
  return space ??= spaceOf();
}

/**
 * Identifies the machine, or the container on it: the same for all processes that share process ids. It
 * survives a restart of the machine, but not of a container. Empty if the system does not tell.
 */
export function thisHost(): string {
  return host ??= Deno.build.os === "linux" ? hostOf(realFs, pidNamespace()) : "";
}

function spaceOf(): string {
  try {
    const number = Number(/\d+/.exec(Deno.readLinkSync("/proc/self/ns/pid"))?.[0]);
    return number === MACHINE_SPACE ? "" : Math.abs(number - MACHINE_SPACE).toString(36);
  } catch {
    return "";
  }
}

function hostOf(fs: Pick<Fs, "lstat">, space: string): string {
  // The time of installation; or of the container's start, because namespace numbers are reused.
  const made = fs.lstat(space === "" ? "/etc/machine-id" : "/proc")?.mtimeMs ?? 0;
  return `${space || "0"}-${Math.floor(made / 1000).toString(36)}`;
}

export function isOfHere({ host }: ProcessOf): boolean {
  return host === undefined || host === thisHost();
}

export function isSameProcess(a: ProcessOf, b: ProcessOf): boolean {
  return a.pid !== undefined && a.pid === b.pid &&
    (a.host ?? thisHost()) === (b.host ?? thisHost());
}

/** The names of files that belong to a process, unique among all that share a home. */
export function processName({ pid, host = thisHost() }: ProcessOf): string {
  return host === "" ? `${pid}` : `${pid}-${host}`;
}

/** The process that a file is named after. */
export function processNamed(name: string): ProcessOf | undefined {
  const [, pid, host] = /^(\d{1,10})(?:-([0-9a-z]+-[0-9a-z]+))?$/.exec(name) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), ...defined({ host }) };
}
