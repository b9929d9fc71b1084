/**
 * Whose number a process id is. A home may be a volume of several containers, or shared by machines over a
 * network: the same number is another process there, and a number that is nobody's here may be alive.
 */
import { type Fs, realFs } from "./fs.ts";
import { given } from "./given.ts";

/** A process as it is written down. */
export interface ProcessOf {
  readonly pid?: number;
  /** Left out by older versions: then it is taken for one of here. */
  readonly host?: string;
}

/** `pid:[4026531836]` is what Linux calls the processes of every machine itself. */
const MACHINE_SPACE = 4026531836;

let space: string | undefined;
let host: string | undefined;

/**
 * Which of the containers that run on a machine this is: those who are in one call each other by the same
 * numbers. Empty on the machine itself.
 */
export function processSpace(): string {
  return space ??= spaceOf();
}

/**
 * The machine, or the container on it: the same for all processes that call each other by the same numbers,
 * also after a restart of the machine, but not of a container. Empty where the system does not tell.
 */
export function thisHost(): string {
  return host ??= Deno.build.os === "linux" ? hostOf(realFs, processSpace()) : "";
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
  // When the system was installed; or when the container began, for its number is given anew.
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

/** How files are called that belong to a process: no other of those that share a home has this name. */
export function processName({ pid, host = thisHost() }: ProcessOf): string {
  return host === "" ? `${pid}` : `${pid}-${host}`;
}

/** The process that a file is named by. */
export function processNamed(name: string): ProcessOf | undefined {
  const [, pid, host] = /^(\d{1,10})(?:-([0-9a-z]+-[0-9a-z]+))?$/.exec(name) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), ...given({ host }) };
}
