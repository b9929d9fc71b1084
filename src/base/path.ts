/**
 * Paths as text: in one form on every system, joined, resolved and taken apart. Asks no disk.
 */

/**
 * A path with `/`, which every system accepts, and a capital drive letter. Windows itself uses `\`, which
 * elsewhere is part of a name; editors write drives in either case, Codex with `\\?\` before them. Paths
 * from the system or a person go through this once, so that they can be compared.
 */
export function slashed(path: string, os: string = Deno.build.os): string {
  if (os !== "windows") return path;
  return path.replaceAll("\\", "/")
    .replace(/^\/\/\?\/UNC\//, "//")
    .replace(/^\/\/\?\/(?=[A-Za-z]:)/, "")
    .replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** The same for paths that a program wrote on any system, recognised by their form. */
export function slashedAsWritten(path: string): string {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path) ? slashed(path, "windows") : path;
}

/** A path in the system's own form, for shells and other programs. */
export function native(path: string, os: string = Deno.build.os): string {
  return os === "windows" ? path.replaceAll("/", "\\") : path;
}

/** Joins path segments; keeps the two slashes in front of a Windows share. */
export function join(...segments: string[]): string {
  return segments.filter((segment) => segment !== "").map((segment) => slashed(segment)).join("/")
    .replace(/(?<!^)\/{2,}/g, "/");
}

/** Whether a path is absolute on any system. */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** A path resolved against a folder, without `.` and `..`; links are not followed. */
export function resolveFrom(base: string, path: string, os: string = Deno.build.os): string {
  const parts: string[] = [];
  const full = slashed(isAbsolute(path) ? path : join(base, path), os);
  for (const part of full.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  const whole = parts.join("/");
  const isShare = os === "windows" && /^\/\/[^/]/.test(full);
  return isShare ? `/${whole}` : /^(?:[A-Za-z]:)?$/.test(whole) ? `${whole}/` : whole;
}

/** The folder of a path; of a root the root itself, so that a walk upwards ends there. */
export function dirname(path: string): string {
  const trimmed = unslashed(path);
  if (trimmed === "/" || /^(?:[A-Za-z]:|\/\/[^/]+\/[^/]+)$/.test(trimmed)) return path;
  const cut = trimmed.lastIndexOf("/");
  // A drive keeps its slash, because without it it means the drive's current folder.
  if (cut === 2 && trimmed[1] === ":") return path.slice(0, 3);
  return cut < 0 ? "." : cut === 0 ? "/" : path.slice(0, cut);
}

/** The last segment of a path. */
export function basename(path: string): string {
  const trimmed = unslashed(path);
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/** Without slashes at the end, except for a root. A loop, because a pattern takes quadratic time. */
function unslashed(path: string): string {
  const slashed = path.replaceAll("\\", "/");
  let end = slashed.length;
  while (end > 1 && slashed[end - 1] === "/") end--;
  return slashed.slice(0, end);
}
