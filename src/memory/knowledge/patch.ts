/**
 * Changes knowledge in place: a patch is applied to the current text, not to the one that was read. If
 * somebody else changed the same place meanwhile, nothing is written, and the caller is shown both.
 */
import { monotonic, rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { encode } from "../../base/utf8.ts";
import { sha256Hex } from "../../base/hash.ts";
import { LOCK_MS_MAX } from "../../base/limits.ts";
import { collapse, cut } from "../../base/text/text.ts";
import { renderDiff } from "../../base/text/diff.ts";
import { privateParts, stripPrivate } from "../../guard/private.ts";
import { editFrontMatter, splitFrontMatter } from "../../note/front_matter.ts";
import { addHistory, contentRange, subjectOf } from "../../note/knowledge.ts";
import { firstHeading } from "../../note/markdown.ts";
import {
  applyPatch,
  headingsOf,
  isAdditive,
  type Patch,
  placeIn,
  rebasePatch,
} from "../../note/patch.ts";
import { generatedValue } from "../../note/provenance.ts";
import { loadNote } from "../../store/load.ts";
import { isOverwritten } from "../../store/replace.ts";
import { replaceNote } from "../../store/store.ts";
import { countWrite, overCap } from "../write/allowance.ts";
import { HASH_DIGITS, mergeBaseOf, rememberChanged } from "../write/merge_base.ts";
import {
  type Attributed,
  attribution,
  refuseUnreadable,
  type StoredNote,
  toStored,
} from "../item.ts";
import type { Memory } from "../memory.ts";
import {
  type Author,
  type ChangedNote,
  changedNote,
  generatedBy,
  type NotSaved,
} from "../write/outcome.ts";
import { indexSaved } from "../index/reindex.ts";
import { linkedText } from "../vault/links.ts";
import { refusedToAgent } from "./agent_limits.ts";

export type PatchOutcome =
  | Patched
  | PatchConflict
  /** The note says so already; nothing was written. */
  | { readonly kind: "unchanged"; readonly id: string; readonly title: string }
  | { readonly kind: "no_section"; readonly title: string; readonly sections: readonly string[] }
  | NotSaved;

export interface Patched extends ChangedNote {
  readonly kind: "patched";
  /** Hash of the file as it is now, for the next change. */
  readonly hash: string;
  /** The note had changed elsewhere since it was read: both changes are in it. */
  readonly merged: boolean;
  /** Path of a copy with text that somebody wrote at the same moment. */
  readonly copy?: string;
  /** For a merge: notes that went in and could not be archived, each with the reason. */
  readonly notArchived?: readonly string[];
}

export interface PatchConflict extends ChangedNote, Attributed {
  readonly kind: "conflict";
  readonly reason: string;
  /** The text that was read; undefined if it is no longer known. */
  readonly loaded: string | undefined;
  readonly there: string;
  readonly yours: string;
  readonly diff: string;
  readonly hash: string;
}

export interface PatchOptions {
  /** Hash of the text that was read, or a prefix of it. */
  readonly expectedHash?: string | undefined;
  /** For the history. */
  readonly reason: string;
  /** Fail where somebody changed the text since it was read. */
  readonly asRead?: boolean;
}

/** How much of each text a conflict shows; the note itself has the rest. */
const SHOWN_CHARACTERS_MAX = 4000;

export async function patchKnowledge(
  memory: Memory,
  found: StoredNote,
  patches: readonly Patch[],
  author: Author,
  options: PatchOptions,
): Promise<PatchOutcome> {
  const refused = refusedToAgent(memory, found, author);
  if (refused !== undefined) return refused;
  refuseUnreadable(found);
  const bytes = patches.reduce((sum, patch) => sum + encode(textOf(patch)).length, 0);
  const capped = overCap(memory, author, { notes: 0, bytes });
  if (capped !== undefined) return capped;

  const { expectedHash } = options;
  const isExpected = expectedHash === undefined || found.hash.startsWith(expectedHash);
  const base = isExpected ? found.loaded.text : await mergeBaseOf(memory, found, expectedHash);
  let stored = found;
  const start = monotonic();
  for (;;) {
    const merged = await patchedText(base, stored.loaded.text, patches);
    if (merged.kind === "conflict") return conflict(stored, merged.patch, base);
    if (merged.kind === "no_section") {
      return {
        kind: "no_section",
        title: stored.note.title,
        sections: headingsOf(stored.note.body),
      };
    }
    if (merged.text === stored.loaded.text) {
      return { kind: "unchanged", id: stored.note.id, title: stored.note.title };
    }
    const text = await linkedText(
      memory,
      stored.store,
      await signed(memory, merged.text, author, options.reason, {
        isNewStatement: patches.some(changesStatement),
        isAllNew: base === stored.loaded.text && patches.some(({ kind }) => kind === "rewrite"),
      }),
      stored.loaded.text,
    );
    const outcome = await replaceNote(stored.store, stored.loaded, text);
    if (outcome.kind === "deferred") throw contended(stored);
    if (outcome.kind === "conflict" && outcome.copy === undefined) {
      if (options.asRead === true) throw changed(stored);
      if (monotonic() - start > LOCK_MS_MAX) throw contended(stored);
      stored = toStored(stored.store, outcome.current);
      continue;
    }
    countWrite(memory, author, { notes: 0, bytes }, { id: stored.note.id, hash: sha256Hex(text) });
    rememberChanged(memory, author, stored, text);
    const copy = outcome.kind === "conflict" ? outcome.copy : undefined;
    // A copy beside it is found by a walk only.
    await indexSaved(memory, stored.store, copy === undefined ? stored.path : undefined);
    const since = await overwritten(stored, text, patches);
    if (since !== undefined && monotonic() - start <= LOCK_MS_MAX) {
      stored = since;
      continue;
    }
    return {
      kind: "patched",
      ...changedNote(stored),
      title: titleSet(patches) ?? stored.note.title,
      hash: sha256Hex(text).slice(0, HASH_DIGITS),
      merged: base !== stored.loaded.text,
      ...(copy === undefined ? {} : { copy }),
    };
  }
}

/** The note as somebody left it who had not seen the patch and saved over it; undefined if it is still there. */
async function overwritten(
  { store, path }: StoredNote,
  text: string,
  patches: readonly Patch[],
): Promise<StoredNote | undefined> {
  if (!isOverwritten(store, path, encode(text))) return undefined;
  const current = await loadNote(store, path);
  const isSeen = patches.every((patch) => current.text.includes(textOf(patch).trim()));
  return isSeen ? undefined : toStored(store, current);
}

function titleSet(patches: readonly Patch[]): string | undefined {
  const set = patches.find((patch) => patch.kind === "set" && patch.key === "title");
  return set?.kind === "set" && typeof set.value === "string" ? collapse(set.value) : undefined;
}

function contended({ note }: StoredNote): SageError {
  return new SageError("locked", `Cannot change "${note.title}": somebody keeps changing it`, {
    hint: "close it in the editor, or try again",
  });
}

function changed({ note }: StoredNote): SageError {
  return new SageError("conflict", `"${note.title}" was changed meanwhile`, {
    hint: "look at it again, then repeat",
  });
}

type PatchedText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "conflict"; readonly patch: Patch }
  | { readonly kind: "no_section" };

/** `theirs` with all patches applied in order. */
async function patchedText(
  base: string | undefined,
  theirs: string,
  patches: readonly Patch[],
): Promise<PatchedText> {
  let text = theirs;
  for (const patch of patches) {
    const rebased = base === theirs || (base === undefined && isAdditive(patch))
      ? patch
      : base === undefined
      ? undefined
      : await rebasePatch(base, theirs, patch);
    if (rebased === undefined) return { kind: "conflict", patch };
    const next = await applyPatch(text, withPrivateParts(text, rebased));
    if (next === undefined) return { kind: "no_section" };
    text = next;
  }
  return { kind: "text", text };
}

/**
 * Keeps private parts when the text around them changes, because an agent that writes through Sage can
 * neither see nor repeat them.
 */
function withPrivateParts(text: string, patch: Patch): Patch {
  if (patch.kind !== "replace" && patch.kind !== "rewrite") return patch;
  // A patch that was merged with what stands there may have some of them already.
  const parts = privateParts(placeOf(text, patch) ?? "").filter((part) =>
    !patch.text.includes(part)
  );
  return parts.length === 0
    ? patch
    : { ...patch, text: [patch.text.trim(), ...parts].join("\n\n") };
}

/** Keys that are part of the statement: the title, and a status that makes an archived note hold again. */
const STATEMENT_KEYS = ["title", "status"];

/** Whether a patch updates the text's date. A tag or a keyword does not; the history records it. */
function changesStatement(patch: Patch): boolean {
  return patch.kind !== "set" || STATEMENT_KEYS.includes(patch.key);
}

/**
 * Adds author and reason. A person who adds a line to an agent's note does not vouch for the rest; who writes all
 * of it anew is its author.
 */
async function signed(
  memory: Memory,
  text: string,
  author: Author,
  reason: string,
  { isNewStatement, isAllNew }: { readonly isNewStatement: boolean; readonly isAllNew: boolean },
): Promise<string> {
  const at = rfc3339(memory.now());
  const front = await editFrontMatter(
    text,
    new Map([
      ...(isNewStatement ? [["updated", at]] as const : []),
      ...(author.by === "person" ? isAllNew ? [["generated", undefined]] as const : [] : [
        ["generated", generatedValue(generatedBy(author, at))],
        ...(isNewStatement ? [["verified", undefined]] as const : []),
      ] as const),
    ]),
  );
  return addHistory(front, at.slice(0, 10), reason);
}

function conflict(stored: StoredNote, patch: Patch, base: string | undefined): PatchConflict {
  const open = (text: string | undefined): string | undefined =>
    text === undefined
      ? undefined
      : cut(stripPrivate(placeOf(text, patch) ?? "").trim(), SHOWN_CHARACTERS_MAX);
  const there = open(stored.loaded.text) ?? "";
  const yours = textOf(patch).trim();
  return {
    kind: "conflict",
    ...changedNote(stored),
    ...attribution(stored),
    reason: base === undefined
      ? "the note is not as it was read"
      : "somebody changed the same place",
    loaded: open(base),
    there,
    yours,
    diff: cut(renderDiff(there, yours), SHOWN_CHARACTERS_MAX),
    hash: stored.hash.slice(0, HASH_DIGITS),
  };
}

/** The part of the file that a patch changes. */
function placeOf(text: string, patch: Patch): string | undefined {
  const { body, front } = splitFrontMatter(text);
  switch (patch.kind) {
    case "replace":
    case "insert": {
      const range = placeIn(body, patch.heading);
      return range === undefined ? undefined : body.slice(range.textStart, range.end);
    }
    case "set":
      return patch.key === "title" ? firstHeading(body) ?? front?.text : front?.text;
    case "append":
    case "rewrite": {
      const { start, end } = contentRange(body);
      return body.slice(start, end);
    }
  }
}

/** The text that a patch brings. */
export function textOf(patch: Patch): string {
  if (patch.kind !== "set") return patch.text;
  const { key, value } = patch;
  const said = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return `${key}: ${said}`;
}

/** Whether the note describes an entity: such a note grows, and is never written anew. */
export function isEntity({ note }: StoredNote): boolean {
  return subjectOf(note.front) === "entity";
}
