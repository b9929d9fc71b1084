/**
 * What the payloads of all editors' hooks have in common: everything in them is outside data, a path is
 * one only when it is absolute and whole, and an answer fits or is cut at a line.
 */
import type { Env } from "../base/environment.ts";
import { slashedAsWritten } from "../base/fs.ts";
import { findHome } from "../base/home.ts";
import { HOOK_OUTPUT_CHARACTERS_MAX } from "../base/limits.ts";
import { toJson } from "../base/text.ts";
import type { HookReply } from "./editor.ts";

const PATH_CHARACTERS_MAX = 4096;

/** Why nothing could be made of what came in, in place of an error's code. */
export const REFUSALS = [
  "unknown_event",
  "unknown_editor",
  "unreadable_payload",
  "unfit_payload",
] as const;

/** For the receipt: it says what was wrong, and repeats nothing of it. */
export function refusal(code: typeof REFUSALS[number]): Error {
  return Object.assign(new Error("the input is not an event of an editor"), { code });
}

/** Nothing else is ever taken for a path. */
export function absolutePath(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > PATH_CHARACTERS_MAX) return undefined;
  // deno-lint-ignore no-control-regex -- a path with control characters is hostile or broken
  if (/[\u0000-\u001f\u007f]/.test(value)) return undefined;
  return /^\/|^[A-Za-z]:[\\/]|^\\\\[^\\]/.test(value) ? slashedAsWritten(value) : undefined;
}

/** The folder that a variable names; of one that is no whole path, each folder would have its own. */
export function folderNamed(env: Env, variable: string): string | undefined {
  return absolutePath(env(variable));
}

/** A file of that name inside a folder of the editor's own; undefined for every other path. */
export function fileInside(value: unknown, folder: string, name: RegExp): string | undefined {
  const path = absolutePath(value);
  if (path === undefined) return undefined;
  const tidied = tidy(path);
  if (!name.test(tidied) || tidied.split("/").includes("..")) return undefined;
  // Claude Code says its folder in NFC, whatever HOME is in.
  const [whole, inside] = [tidied.normalize("NFC"), `${folder.normalize("NFC")}/`];
  const isWindows = /^[A-Za-z]:/.test(folder);
  const isInside = isWindows
    ? whole.toLowerCase().startsWith(inside.toLowerCase())
    : whole.startsWith(inside);
  return isInside ? path : undefined;
}

/** `absolutePath` in the form that can be compared. */
export function tidyPath(value: unknown): string | undefined {
  const path = absolutePath(value);
  return path === undefined ? undefined : tidy(path);
}

export function homeOf(env: Env): string | undefined {
  return tidyPath(findHome(env));
}

/** One kind of separator, none doubled, none at the end: for comparing. */
function tidy(path: string): string {
  return slashedAsWritten(path).replace(/(?<!^)\/{2,}/g, "/").replace(/\/+$/, "");
}

export function notice(reply: HookReply): { systemMessage?: string } {
  return reply.notice === undefined || reply.notice === ""
    ? {}
    : { systemMessage: reply.notice.slice(0, 500) };
}

/** The largest object within the limit whose text ends at the end of a line. */
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

/** Shorter by at least `excess` units: whole lines where there are any, else whole characters. */
function cutAtLine(text: string, excess: number): string {
  const end = Math.max(0, text.length - excess);
  const lineEnd = text.lastIndexOf("\n", end);
  if (lineEnd > 0) return text.slice(0, lineEnd);
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}
