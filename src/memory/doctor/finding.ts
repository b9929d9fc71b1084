/** One finding of the doctor: all right, or what is wrong, how to mend it, and whether `--fix` can. */

import { defined } from "../../base/defined.ts";
import { count } from "../../base/text/text.ts";
import type { EditorName, Scope } from "../../editor/setup.ts";

export type Finding =
  | { readonly level: "ok"; readonly what: string; readonly mend?: string }
  | {
    readonly level: "warning" | "error";
    readonly what: string;
    /** The command that mends it, or what to do. */
    readonly mend: string;
    /** What `--fix` does about it, after the person agreed. */
    readonly fix?: Fix;
  };

export type Fix =
  | { readonly kind: "chmod"; readonly path: string; readonly mode: number }
  /** Registers the running program with the editor anew. */
  | {
    readonly kind: "install";
    readonly editor: EditorName;
    readonly scope: Scope;
    readonly plugin: boolean;
  }
  | { readonly kind: "rebuild" };

export function ok(what: string, mend?: string): Finding {
  return { level: "ok", what, ...defined({ mend }) };
}

export function wrong(
  level: "warning" | "error",
  what: string,
  mend: string,
  fix?: Fix,
): Finding {
  return { level, what, mend, ...defined({ fix }) };
}

/** More findings of one kind are only counted: after these are fixed, the next run shows the rest. */
const PATHS_MAX = 10;

export function listed(
  paths: readonly string[],
  what: (path: string) => string,
  mend: string,
): Finding[] {
  const told = paths.slice(0, PATHS_MAX).map((path) => wrong("warning", what(path), mend));
  const more = paths.length - told.length;
  const rest = `${count(more, "more note")} of this kind, not listed`;
  return more === 0
    ? told
    : [...told, wrong("warning", rest, "mend those above, then sage doctor")];
}
