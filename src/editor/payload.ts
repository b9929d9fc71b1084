/**
 * Shared by the hook payloads of all editors. Everything in them is untrusted: a path counts only if it is
 * absolute and valid. An answer that is too long is cut at a line.
 */
import { ifReadable } from "../base/attempt.ts";
import type { Env } from "../base/environment.ts";
import { realFs } from "../base/fs.ts";
import { slashedAsWritten } from "../base/path.ts";
import { findHome } from "../base/home.ts";
import { HOOK_OUTPUT_CHARACTERS_MAX } from "../base/limits.ts";
import { toJson } from "../base/text/text.ts";
import type { HookReply } from "./editor.ts";

const PATH_CHARACTERS_MAX = 4096;

/** Why an input was refused, used as error codes. */
export const REFUSALS = [
  "unknown_event",
  "unknown_editor",
  "unreadable_payload",
  "unfit_payload",
] as const;

/** An error for the receipt, which repeats nothing of the input. */
export function refusal(code: typeof REFUSALS[number]): Error {
  return Object.assign(new Error("the input is not an event of an editor"), { code });
}

/** The value, if it is an absolute path; nothing else is ever used as one. */
export function absolutePath(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > PATH_CHARACTERS_MAX) return undefined;
  // deno-lint-ignore no-control-regex -- a path with control characters is hostile or broken
  if (/[\u0000-\u001f\u007f]/.test(value)) return undefined;
  return /^\/|^[A-Za-z]:[\\/]|^\\\\[^\\]/.test(value) ? slashedAsWritten(value) : undefined;
}

/** The folder that a variable names, if absolute: a relative one would depend on the working folder. */
export function folderNamed(env: Env, variable: string): string | undefined {
  return absolutePath(env(variable));
}

/** The path, if it is a file of that name inside the editor's own folder; otherwise undefined. */
export function fileInside(value: unknown, folder: string, name: RegExp): string | undefined {
  const path = absolutePath(value);
  if (path === undefined) return undefined;
  const tidied = tidy(path);
  if (!name.test(tidied) || tidied.split("/").includes("..")) return undefined;
  if (isBelow(tidied, folder)) return path;
  // Codex resolves links in CODEX_HOME.
  return isBelow(tidied, ifReadable(folder, () => realFs.realPath(folder))) ? path : undefined;
}

function isBelow(path: string, folder: string): boolean {
  // Claude Code gives its folder in NFC, whatever the form of HOME.
  const [whole, above] = [path.normalize("NFC"), `${folder.normalize("NFC")}/`];
  const isWindows = /^[A-Za-z]:/.test(folder);
  return isWindows ? whole.toLowerCase().startsWith(above.toLowerCase()) : whole.startsWith(above);
}

/** `absolutePath`, normalized for comparison. */
export function tidyPath(value: unknown): string | undefined {
  const path = absolutePath(value);
  return path === undefined ? undefined : tidy(path);
}

export function homeOf(env: Env): string | undefined {
  return tidyPath(findHome(env));
}

/** Normalizes separators: one kind, none doubled, none at the end. */
function tidy(path: string): string {
  return slashedAsWritten(path).replace(/(?<!^)\/{2,}/g, "/").replace(/\/+$/, "");
}

export function notice(reply: HookReply): { systemMessage?: string } {
  return reply.notice === undefined || reply.notice === ""
    ? {}
    : { systemMessage: reply.notice.slice(0, 500) };
}

/** The JSON of the largest object within the limit whose text ends at a line end. */
export function fit(text: string, build: (text: string) => object): string {
  let kept = text.slice(0, HOOK_OUTPUT_CHARACTERS_MAX);
  if (kept !== text) kept = cutAtLine(kept, 0);
  let json = toJson(build(kept));
  while (json.length > HOOK_OUTPUT_CHARACTERS_MAX) {
    // One character takes at most six in JSON, so at least a sixth of the excess has to go.
    kept = cutAtLine(kept, Math.ceil((json.length - HOOK_OUTPUT_CHARACTERS_MAX) / 6));
    json = toJson(build(kept));
  }
  return json === "{}" ? "" : json;
}

/** The text, shorter by at least `excess` UTF-16 units: by whole lines if possible, otherwise by characters. */
function cutAtLine(text: string, excess: number): string {
  const end = Math.max(0, text.length - excess);
  const lineEnd = text.lastIndexOf("\n", end);
  if (lineEnd > 0) return text.slice(0, lineEnd);
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}
