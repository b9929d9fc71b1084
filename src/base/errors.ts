/**
 * The catalogue of failures. A failure is thrown; a regular outcome is a value (decision 0005). Each surface
 * translates codes once, at its edge.
 */

/** What each code means to a shell and to an HTTP client. */
export const ERRORS = {
  internal: { exit: 1, http: 500 },
  usage: { exit: 2, http: 400 },
  not_found: { exit: 3, http: 404 },
  conflict: { exit: 4, http: 409 },
  ambiguous: { exit: 4, http: 409 },
  refused: { exit: 1, http: 403 },
  untrusted: { exit: 1, http: 403 },
  invalid_note: { exit: 1, http: 422 },
  invalid_config: { exit: 1, http: 422 },
  invalid_model: { exit: 1, http: 422 },
  unsafe_path: { exit: 1, http: 400 },
  too_large: { exit: 1, http: 413 },
  locked: { exit: 1, http: 503 },
  disk_full: { exit: 1, http: 507 },
  permission: { exit: 1, http: 403 },
  unreachable: { exit: 1, http: 502 },
  io: { exit: 1, http: 500 },
  interrupted: { exit: 130, http: 499 },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** A failure that says what and where (`message`), and what to do (`hint`). */
export class SageError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SageError";
    this.code = code;
    this.hint = options.hint;
  }
}

/** The hint in brackets, behind a space; empty without a hint. */
export function bracketed({ hint }: SageError): string {
  return hint === undefined ? "" : ` (${hint})`;
}

/**
 * The code for a receipt: ours, or the system's (`ENOSPC`), also in place of `io`, which would not say what
 * happened.
 */
export function codeOf(error: unknown): string {
  if (!(error instanceof SageError)) return systemErrorCode(error) ?? "internal";
  return error.code === "io" ? systemErrorCode(error.cause) ?? error.code : error.code;
}

/**
 * Turns an operating system error into a SageError that names the action: `Cannot <action>: …`. Goes by the
 * error's code, because the runtime has no class for ENOSPC, EMFILE or ENAMETOOLONG.
 */
export function systemError(
  cause: unknown,
  action: string,
  // The web page has this module too, and runs without Deno.
  os: string | undefined = globalThis.Deno?.build.os,
): SageError {
  if (cause instanceof SageError) return cause;
  if (isKeptOut(cause)) {
    const why = "the runtime lets no program work below /dev, /proc and /sys";
    return new SageError("permission", `Cannot ${action}: ${why}`, { hint: "go elsewhere", cause });
  }
  const name = systemErrorCode(cause) ?? (cause instanceof Error ? cause.name : "unknown error");
  const known = meaningOf(name, os);
  if (known === undefined) {
    const why = /^E\d/.test(name) ? (cause as Error).message.split(": ")[0] : name;
    return new SageError("io", `Cannot ${action}: ${why}`, { cause });
  }
  const [code, what, hint] = known;
  return new SageError(code, `Cannot ${action}: ${what} (${name})`, {
    ...(hint === undefined ? {} : { hint }),
    cause,
  });
}

/**
 * The same for an error that nobody gave an action, with the path from the runtime's message: `Permission
 * denied (os error 13): mkdir '/x/.sage'`, or `Requires all access to "/dev/x"` if the runtime refuses.
 */
export function unnamedError(cause: unknown): SageError {
  const message = cause instanceof Error ? cause.message : "";
  const [, at, refused] = / '(.+)'$|^Requires all access to "(.+?)", /s.exec(message) ?? [];
  const paths = at ?? refused;
  return systemError(cause, paths === undefined ? "do this" : `use "${paths.split("' -> '")[0]}"`);
}

/** The error as a person is told it: one of the system with its path, any other as it is. */
export function toldError(thrown: unknown): unknown {
  return isSystemError(thrown) ? unnamedError(thrown) : thrown;
}

/** The error for a link to nowhere, as when a disk is not mounted or a sync folder is missing. */
export function lostLink(path: string): SageError {
  return new SageError("invalid_config", `Cannot use "${path}": it is a link to nowhere`, {
    hint: "bring back what it leads to, or take the link away",
  });
}

type Known = readonly [code: ErrorCode, what: string, hint?: string];

const FULL: Known = ["disk_full", "no room is left on the disk", "free some space, then repeat"];
const CLOSED: Known = [
  "permission",
  "this account may not",
  "check owner and mode, also of the folders above",
];
/** Windows reports the same if somebody has the file open. */
const HELD: Known = [
  "permission",
  "this account may not, or a program has it open",
  "close it there, or see its rights",
];
/** On macOS EPERM means its privacy rules; missing rights are EACCES. */
const PRIVACY: Known = [
  "permission",
  "macOS keeps this folder from the program that started sage",
  "allow it in System Settings, Privacy & Security, Files and Folders",
];
const AWAY: Known = [
  "io",
  "the disk or share that it lies on is gone",
  "mount it anew, then repeat",
];
const CROWDED: Known = ["io", "too many files are open", "raise the open-file limit (ulimit -n)"];

/** What the system's error codes mean, and what to do. */
const SYSTEM: Readonly<Record<string, Known>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: FULL,
  EACCES: CLOSED,
  EPERM: CLOSED,
  EBUSY: ["io", "another program has it open", "close it there, then repeat"],
  EROFS: ["permission", "the disk is read-only", "make it writable, or go elsewhere"],
  ENOTDIR: ["io", "a file is in the way", "move away what stands where a folder should be"],
  EISDIR: ["io", "a folder is in the way", "move away what stands where a file should be"],
  ELOOP: ["io", "a link is in the way", "move away what stands where a file should be"],
  ENAMETOOLONG: ["io", "its name is too long", "use a shorter one"],
  ENOENT: ["not_found", "there is no such file or folder"],
  EMFILE: CROWDED,
  ENFILE: CROWDED,
  ENOLCK: [
    "io",
    "its disk gives no locks",
    "mount it with locks, or set SAGE_HOME to another disk",
  ],
  ENOTCONN: AWAY,
  ESTALE: AWAY,
};

function meaningOf(name: string, os: string | undefined): Known | undefined {
  if (os === "darwin" && name === "EPERM") return PRIVACY;
  const known = Object.hasOwn(SYSTEM, name) ? SYSTEM[name] : undefined;
  return os === "windows" && known === CLOSED ? HELD : known;
}

/** The POSIX name of an operating-system error (`ENOSPC`), or undefined. */
export function systemErrorCode(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | null | undefined)?.code;
  if (typeof code === "string") return code;
  if (cause instanceof Deno.errors.NotFound) return "ENOENT";
  if (cause instanceof Deno.errors.AlreadyExists) return "EEXIST";
  if (cause instanceof Deno.errors.PermissionDenied) return "EACCES";
  if (isKeptOut(cause)) return "EPERM";
  const number = cause instanceof Error ? NUMBERED.exec(cause.message)?.[1] : undefined;
  if (number === undefined) return undefined;
  const [, name] = new RegExp(`\\b${number} (\\w+)`).exec(NUMBERS[Deno.build.os] ?? "") ?? [];
  return name ?? `E${number}`;
}

/**
 * The runtime's message for an error without a code: `Disk quota exceeded (os error 122): open '/x'`. That
 * of a failed request begins with an address and a colon, and does not count.
 */
const NUMBERED = /^[^:]*\(os error (\d+)\)/;
/** Codes of error numbers, which differ by system. */
const NUMBERS: Readonly<Record<string, string>> = {
  linux: "27 EFBIG 31 EMLINK 37 ENOLCK 38 ENOSYS 116 ESTALE 122 EDQUOT",
  darwin: "27 EFBIG 69 EDQUOT 70 ESTALE 77 ENOLCK 78 ENOSYS",
};

/** Whether the runtime itself refused a path, such as those in /proc. */
function isKeptOut(cause: unknown): boolean {
  return cause instanceof Deno.errors.NotCapable && cause.message.startsWith("Requires all access");
}

/** Whether it is an operating system error; the runtime's own codes begin with `ERR_`. */
export function isSystemError(error: unknown): boolean {
  return /^E(?!RR_)[A-Z0-9]+$/.test(systemErrorCode(error) ?? "");
}

/** For conditions that only a bug can violate. */
export function assert(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new SageError("internal", `Broken assumption: ${claim}`);
}

/** Whether the system ran out of memory or file handles, which says nothing about the file. */
export function isShortage(error: unknown): boolean {
  const code = systemErrorCode(error instanceof SageError ? error.cause : error) ?? "";
  return ["EMFILE", "ENFILE", "ENOMEM"].includes(code);
}

/** What was thrown, in words: not everything that is thrown is an error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
