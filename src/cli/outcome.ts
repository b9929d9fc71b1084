/** The outcome of a save for a person: one line if it worked, else what to do. */
import { dayOf } from "../base/clock.ts";
import { SageError } from "../base/errors.ts";
import { defined } from "../base/defined.ts";
import { count, cut } from "../base/text/text.ts";
import {
  type Edited,
  IGNORED_NOTE,
  type NotSaved,
  type Saved,
  type SaveOutcome,
  TORN_TAG,
} from "../memory/write/outcome.ts";
import type { Missed } from "../memory/find.ts";
import { removedHint } from "../memory/removal/trashed.ts";
import { type Answer, failed } from "./terminal/answer.ts";

/** Of a title that is only a reminder. */
const TITLE_CHARACTERS_MAX = 40;

/** What has no field of its own is named by its place in the file. */
const PARTS_OF_A_FILE: Readonly<Record<string, string>> = {
  "file.front": "front matter",
  "file.history": "history",
};

/** `noun` is the kind of note, under which help is found. */
export function saveAnswer(outcome: SaveOutcome, noun: string): Answer {
  return outcome.kind === "saved" ? savedAnswer(outcome, noun) : notSavedAnswer(outcome, noun);
}

export function savedAnswer(
  saved: Omit<Saved, "kind" | "id"> & { readonly kind: string; readonly id: string },
  noun: string,
): Answer {
  const { id, short_id, title, path, scope, redactions, unlinked, ignored, retired } = saved;
  const verb = saved.kind === "updated" ? "Updated" : "Saved";
  return {
    json: {
      outcome: saved.kind,
      note: { id, short_id, type: noun, title, path, scope, redactions },
      ...defined({ unlinked, retired }),
    },
    text: [
      `${verb} ${noun} ${short_id}: ${title}` +
      (redactions > 0 ? ` (${count(redactions, "secret")} redacted)` : ""),
    ],
    notices: [
      ...(unlinked === undefined ? [] : [`Linked to no other note: ${unlinked}.`]),
      ...(retired === undefined ? [] : [besideRetired(retired)]),
      ...(ignored === undefined ? [] : [`sage: ${IGNORED_NOTE}`]),
    ],
    ...(noun === "checkpoint" || noun === "knowledge" ? { concept: noun } : {}),
  };
}

/** Names an archived note of the same title. */
function besideRetired({ short_id, replaced_by: next }: NonNullable<Saved["retired"]>): string {
  const how = next === undefined
    ? `sage knowledge restore ${short_id} brings it back.`
    : `${next.short_id} "${next.title}" replaced it.`;
  return `Archived knowledge has the same title, ${short_id}: ${how}`;
}

/** The verb that saves one, if it is not `add`. */
const SAVED_BY: Readonly<Record<string, string>> = { checkpoint: "save", topic: "new" };

function notSavedAnswer(outcome: NotSaved, noun: string): Answer {
  const json = { outcome: outcome.kind };
  switch (outcome.kind) {
    case "duplicate":
      return {
        json: { ...json, of: outcome.of, similarity: outcome.similarity },
        text: [
          `Nothing new: ${noun} ${outcome.of.short_id} says the same ` +
          `(${outcome.similarity.toFixed(2)}): ${outcome.of.title}`,
        ],
      };
    case "thin":
      return failed({
        code: "usage",
        message: `Not saved, too thin: it lacks ${outcome.missing.join(", ")}`,
        hint: `sage help ${noun} ${SAVED_BY[noun] ?? "add"}`,
      }, { json: { ...json, missing: outcome.missing } });
    case "invalid":
      return failed({ code: "usage", message: `Not saved: ${outcome.reason}` }, {
        json: { ...json, reason: outcome.reason },
      });
    case "refused":
      return failed({
        code: "refused",
        message: `Not saved, it holds ${
          outcome.findings.map(({ rule, field, line }) =>
            `${rule} (${PARTS_OF_A_FILE[field] ?? field}, line ${line})`
          ).join(" and ")
        }`,
        hint: outcome.findings.some(({ rule }) => rule === TORN_TAG)
          ? "close <private> with </private> in the field in which it opens"
          : "take the secret out, or put it between <private> and </private>, which is never stored",
      }, { json: { ...json, findings: outcome.findings } });
    case "forgotten":
      return failed({
        code: "refused",
        message: `Not saved: "${outcome.id}" was forgotten, and stays so`,
        hint: "reword it to save it again",
      }, { json });
    case "excluded":
      return failed({ code: "refused", message: `Not saved: ${outcome.reason}` }, { json });
    case "over_cap":
      return failed({
        code: "refused",
        message: `Not saved: ${outcome.reason}`,
        hint: outcome.hint,
      }, { json });
  }
}

/** Somebody's change of the file stays, and the command did nothing. */
export function editedAnswer(what: string, { id, path, reason }: Edited): Answer {
  return failed({
    code: "conflict",
    message: `${what}, ${reason}: ${path}`,
    hint: "look at it, then repeat",
  }, { json: { outcome: "edited", id, path } });
}

/** The note was there, but has changed or gone. */
export function changedAnswer(): Answer {
  return failed({ code: "conflict", message: "The note changed meanwhile", hint: "repeat" });
}

/** A checkpoint is printed whole or in short. */
export function bothDetails(): SageError {
  return new SageError("usage", "--full and --summary exclude each other", {
    hint: "give one of them; without either it is --full",
  });
}

/** No note has this name: the nearest ones, and exit code 3. */
export function noneAnswer(
  noun: string,
  ref: string,
  { nearest, moved, removed }: Missed,
  list = `sage ${noun} list`,
): Answer {
  const json = { nearest, ...defined({ moved, removed }) };
  const message = `No ${noun} matches "${ref}"`;
  if (moved !== undefined) {
    const { id, title, moved: at } = moved;
    const on = `"${cut(title, TITLE_CHARACTERS_MAX)}" left this project on ${dayOf(at)}`;
    const hint =
      `${on}, for the own store of who promoted it: sage knowledge promote ${id} --back, by them`;
    return failed({ code: "not_found", message, hint }, { json });
  }
  if (removed !== undefined) {
    return failed({ code: "not_found", message, hint: removedHint(removed) }, { json });
  }
  return failed({
    code: "not_found",
    message,
    hint: nearest.length === 0
      ? noun === "note" ? "sage search finds notes by what they say" : `${list} shows what there is`
      : `nearest: ${
        nearest.map(({ short_id, title }) => `${short_id} "${cut(title, TITLE_CHARACTERS_MAX)}"`)
          .join(", ")
      }`,
  }, { json });
}
