/**
 * Which host a pid belongs to. A home may be a volume of several containers, or shared by machines over
 * a network: there the same number is another process, and a number unused here may be alive.
 */
import { type Fs, realFs } from "./fs.ts";
import { defined } from "./defined.ts";

/** A process as it is written down. */
export interface ProcessOf {
  readonly pid?: number;
  /** Left out by older versions: then it counts as one of this host. */
  readonly host?: string;
}

/** `pid:[4026531836]` is Linux's name for the process namespace of the machine itself. */
const MACHINE_SPACE = 4026531836;

let space: string | undefined;
let host: string | undefined;

/**
 * The process namespace of a container: processes in one see each other under the same numbers. Empty
 * on the machine itself.
 */
export function pidNamespace(): string {
  return space ??= spaceOf();
}

/**
 * The machine, or the container on it: the same for all processes that see each other under the same
 * numbers, also after a restart of the machine, but not of a container. Empty where the system does not
 * tell.
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
  // When the system was installed; or when the container began, because its namespace number is reused.
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
