/** Memory's outcomes for an HTTP client, whatever the kind of note. */
import { defined } from "../base/defined.ts";
import { findNote, type Missed, type NotFound } from "../memory/find.ts";
import { type NoteItem, publicItems, type StoredNote } from "../memory/item.ts";
import type { NotLocated } from "../memory/graph/answer.ts";
import type { Memory } from "../memory/memory.ts";
import type { NotSaved, Saved } from "../memory/write/outcome.ts";
import { removedHint } from "../memory/removal/trashed.ts";
import { duplicateIdHint } from "../memory/write/duplicate_ids.ts";
import type { NoteKind } from "../note/note.ts";
import { problem } from "./problem.ts";
import { done, type Reply } from "./route.ts";

export function saved(outcome: Saved | NotSaved): Reply {
  switch (outcome.kind) {
    case "saved": {
      const { kind, ignored: _, ...note } = outcome;
      return done({ outcome: kind, ...note });
    }
    case "duplicate": {
      const { of, similarity } = outcome;
      return stop(409, "duplicate", `${of.short_id} already says this`, { of, similarity });
    }
    case "thin":
      return stop(422, "thin", `add ${outcome.missing.join(", ")}`, { missing: outcome.missing });
    case "invalid":
      return stop(422, "invalid", outcome.reason);
    case "refused": {
      const places = outcome.findings.map(({ field, rule, line }) => ({ field, rule, line }));
      return stop(422, "secret", "it holds what looks like a secret", { findings: places });
    }
    case "forgotten":
      return stop(409, "forgotten", "this was forgotten for good");
    case "excluded":
      return stop(403, "excluded", outcome.reason);
    case "over_cap":
      return stop(403, "over_cap", `${outcome.reason}; ${outcome.hint}`);
  }
}

/** Refuses a write, because the note was edited meanwhile. */
export function edited(reason: string): Reply {
  return stop(412, "edited", `${reason}: read it again, then decide`);
}

export function unknown(ref: string, { nearest, moved, removed }: Missed): Reply {
  const gone = moved === undefined
    ? removed === undefined ? "" : `: ${removedHint(removed)}`
    : `: "${moved.title}" left this project for the own store of who promoted it`;
  return stop(404, "not_found", `No note "${ref}"${gone}`, {
    nearest,
    ...defined({ moved, removed }),
  });
}

/** Answers with the note that a path parameter names, or a problem if there is none or several. */
export async function withNote(
  memory: Memory,
  kind: NoteKind,
  ref: string,
  answer: (stored: StoredNote) => Reply | Promise<Reply>,
): Promise<Reply> {
  const found = await findNote(memory, ref, [kind]);
  return found.kind === "one" ? await answer(found.item) : notFound(ref, found);
}

/** No note has that name, or several have. */
export function notFound(ref: string, found: NotFound | NotLocated): Reply {
  return found.kind === "many" ? ambiguous(ref, publicItems(found.items)) : unknown(ref, found);
}

function ambiguous(ref: string, items: readonly NoteItem[]): Reply {
  const fits = items.map(({ id, title, path }) => ({ id, title, path }));
  const detail = fits.length === 1
    ? `"${ref}" is only a prefix of an id`
    : twins(items) ?? `"${ref}" matches ${fits.length} notes`;
  return stop(409, "ambiguous", detail, { items: fits });
}

/** Two notes with one id: the page, which uses ids, can open neither until a person changes one. */
function twins(items: readonly NoteItem[]): string | undefined {
  const [first] = items;
  if (first === undefined || items.some(({ id }) => id !== first.id)) return undefined;
  const paths = items.map(({ path }) => path);
  const mend = duplicateIdHint(first.type, paths.at(-1) ?? "");
  return `${paths.join(" and ")} have the same id; ${mend}`;
}

export function stop(
  status: number,
  code: string,
  detail: string,
  more?: Readonly<Record<string, unknown>>,
): Reply {
  return { kind: "problem", problem: problem(status, code, detail, more) };
}
