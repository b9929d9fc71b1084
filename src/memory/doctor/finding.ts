/** One finding of the doctor: all right, or what is wrong, how to mend it, and whether `--fix` can. */

import { type ErrorCode, messageOf, SageError, toldError } from "../../base/errors.ts";
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

export function wrong(level: "warning" | "error", what: string, mend: string, fix?: Fix): Finding {
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

const PERSON_MENDS: readonly ErrorCode[] = ["invalid_config", "permission"];

/**
 * The finding that a failure is. `otherwise`: what mends it, if it is not for the person to mend, like a
 * broken settings file or a closed folder: then a new index would fail as well.
 */
export function failure(
  cause: unknown,
  before: string,
  otherwise?: { readonly mend: string; readonly fix: Fix },
): Finding {
  const error = toldError(cause);
  const what = before + messageOf(error);
  const hint = error instanceof SageError ? error.hint : undefined;
  const isTheirs = error instanceof SageError && PERSON_MENDS.includes(error.code);
  if (otherwise !== undefined && !(isTheirs && hint !== undefined)) {
    return wrong("error", what, otherwise.mend, otherwise.fix);
  }
  return wrong("error", what, hint ?? "repeat with SAGE_DEBUG=1 to see where");
}
