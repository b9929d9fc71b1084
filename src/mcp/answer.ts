/**
 * What a tool answers, and how memory's outcomes are worded for a model. A client may show a model
 * the structured part only, or the text only; so each carries everything, and a failure is text.
 */
import { isSystemError, messageOf, SageError, unnamedError } from "../base/errors.ts";
import { defined } from "../base/defined.ts";
import type { Missed, NotFound } from "../memory/find.ts";
import type { NotLocated } from "../memory/graph/answer.ts";
import { type NoteItem, publicItems } from "../memory/item.ts";
import { IGNORED_NOTE, type NotSaved, type Saved, TORN_TAG } from "../memory/write/outcome.ts";
import { quoted } from "./fenced.ts";

export type Answer =
  | { readonly kind: "done"; readonly text: string; readonly data: Data }
  | { readonly kind: "failed"; readonly text: string };

export type Data = Readonly<Record<string, unknown>>;

/** A result with its outcome and one line of text. */
export function say(outcome: string, message: string, data: Data = {}): Answer {
  return { kind: "done", text: message, data: { outcome, message, ...data } };
}

/** An error result. Lone surrogates are replaced, since clients may reject them. */
export function failed(text: string): Answer {
  return { kind: "failed", text: text.toWellFormed() };
}

/** The outcome of a save, of any kind of note. */
export function saved(noun: string, outcome: Saved | NotSaved): Answer {
  switch (outcome.kind) {
    case "saved": {
      const { id, short_id, title, scope, redactions, unlinked, ignored, retired } = outcome;
      const masked = redactions === 0
        ? ""
        : ` ${redactions} secret${redactions === 1 ? " was" : "s were"} masked.`;
      const alone = unlinked === undefined ? "" : ` Linked to no other note: ${unlinked}.`;
      const lost = ignored === undefined ? "" : ` But ${IGNORED_NOTE}: tell the person.`;
      const where = `in the ${scope} store.${masked}${alone}${beside(retired)}${lost}`;
      const message = `Saved ${noun} ${short_id} ${quoted(title)} ${where}`;
      const old = retired?.id;
      return say("saved", message, { id, short_id, scope, ...defined({ unlinked, retired: old }) });
    }
    case "duplicate": {
      const { of, similarity } = outcome;
      const message = `Not saved: ${noun} ${of.short_id} ${quoted(of.title)} already says this ` +
        `(similarity ${similarity.toFixed(2)}). Nothing to do; save only what is new.`;
      return say("duplicate", message, { id: of.id, short_id: of.short_id, similarity });
    }
    case "thin":
      return say(
        "thin",
        `Not saved: too thin. Add ${list(outcome.missing)}, then call again; or let it be.`,
        { missing: outcome.missing },
      );
    case "invalid":
      return failed(`Not saved: ${outcome.reason}. Put it right, then call again.`);
    case "refused": {
      const places = outcome.findings.slice(0, 5).map(({ field, rule, line }) =>
        `${argument(field)} line ${line} (${rule})`
      );
      if (outcome.findings.some(({ rule }) => rule === TORN_TAG)) {
        return failed(
          `Not saved: a <private> part begins in one argument and ends in another: ${
            list(places)
          }. Leave private text out altogether, then call again.`,
        );
      }
      return failed(
        `Not saved: it holds what looks like a secret: ${
          list(places)
        }. Leave the value out, say where it is ` +
          "kept instead, then call again.",
      );
    }
    case "forgotten":
      return failed("Not saved: the person had Sage forget this. Do not save it again.");
    case "excluded":
      return failed(`Not saved: ${outcome.reason}.`);
    case "over_cap":
      return failed(`Not saved: ${outcome.reason}; ${outcome.hint}.`);
  }
}

/** Names an archived note of the same title. */
function beside(retired: Saved["retired"]): string {
  if (retired === undefined) return "";
  const { short_id, replaced_by: next } = retired;
  const how = next === undefined
    ? `the person brings it back with \`sage knowledge restore ${short_id}\``
    : `it was replaced by ${next.short_id} ${quoted(next.title)}`;
  return ` Archived knowledge has the same title, ${short_id}: ${how}.`;
}

/** Said of a note in which the agent's change and somebody else's were merged. */
export const BOTH_STAND = "It had been changed since; both changes stand.";

/** Says where the text is that somebody wrote at the same moment; empty where nobody did. */
export function keptBeside(copy: string | undefined): string {
  return copy === undefined
    ? ""
    : ` What somebody wrote in the same moment is kept in ${copy}: tell the person.`;
}

/** Refuses a write, because a person edited the note meanwhile. */
export function edited(id: string, reason: string): Answer {
  return failed(
    `Not written: ${reason}. Read it with get_note {"id": "${id}"}, then decide with the person.`,
  );
}

/** No note has that name. */
export function unknown(noun: string, ref: string, { nearest, moved, removed }: Missed): Answer {
  if (moved !== undefined) {
    const what = `${quoted(moved.title)} left this project on ${quoted(moved.moved.slice(0, 10))}`;
    return failed(
      `No ${noun} ${quoted(ref)}. ${what}, for the own store of who promoted it. Ask the person.`,
    );
  }
  if (removed !== undefined) {
    const on = `It was removed on ${removed.removed.slice(0, 10)}`;
    return failed(`No ${noun} ${quoted(ref)}. ${on}, and the person can bring it back.`);
  }
  const names = nearest.map(({ short_id, title }) => `${short_id} ${quoted(title)}`);
  const hint = names.length === 0
    ? "search_notes finds notes by what they say."
    : `Nearest: ${list(names)}. Call again with one of their ids, or use search_notes.`;
  return failed(`No ${noun} ${quoted(ref)}. ${hint}`);
}

/** No note has that name, or several have. */
export function notFound(noun: string, ref: string, found: NotFound | NotLocated): Answer {
  return found.kind === "many"
    ? ambiguous(ref, publicItems(found.items))
    : unknown(noun, ref, found);
}

/** A name that several notes have. */
function ambiguous(ref: string, notes: readonly NoteItem[]): Answer {
  // Projects may share an id that is made of a title, and a copied file has its original's id.
  const isUnique = new Set(notes.map(({ id }) => id)).size === notes.length;
  const names = notes.slice(0, 10).map(({ id, path, title }) =>
    `${isUnique ? id : path} ${quoted(title)}`
  );
  const fits = names.length === 1 ? "only begins a note's id" : `names ${notes.length} notes`;
  const what = isUnique ? "full id" : "path as the id";
  return failed(`${quoted(ref)} ${fits}: ${list(names)}. Call again with one ${what}.`);
}

/** An error as a model is told: what went wrong, and what to do. */
export function explain(error: unknown): string {
  if (error instanceof SageError && error.code !== "internal") {
    const hint = error.hint === undefined ? "" : `; ${error.hint}`;
    return `${error.message}${hint}`.replace(/[^?]$/, "$&.");
  }
  if (isSystemError(error)) return explain(unnamedError(error));
  const what = messageOf(error);
  return `Sage failed inside (${what}). Go on without it, and tell the person to run \`sage doctor\`.`;
}

/** The name that a draft's field has as a tool's argument. */
function argument(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function list(parts: readonly string[]): string {
  return parts.join(", ");
}
