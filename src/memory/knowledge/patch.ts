/**
 * Knowledge grows in place: a patch is made to what stands there by now, not to what was read. Where
 * somebody was faster at the same place nothing is written, and the caller is shown both.
 */
import { rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { encode } from "../../base/fs.ts";
import { sha256Hex } from "../../base/hash.ts";
import { collapse, cut } from "../../base/text.ts";
import { renderDiff } from "../../base/diff.ts";
import { privateParts, stripPrivate } from "../../guard/private.ts";
import { editFrontMatter, splitFrontMatter } from "../../note/front_matter.ts";
import { frontText } from "../../note/front_values.ts";
import { addHistory, contentRange } from "../../note/knowledge.ts";
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
import { replaceNote } from "../../store/store.ts";
import { countWrite, overCap } from "../allowance.ts";
import { HASH_DIGITS, mergeBaseOf } from "../merge_base.ts";
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
} from "../outcome.ts";
import { indexSaved } from "../reindex.ts";
import { linkedText } from "../vault/links.ts";
import { refusedToAgent } from "./agent_limits.ts";

export type PatchOutcome =
  | Patched
  | PatchConflict
  /** It says so already; nothing was written. */
  | { readonly kind: "unchanged"; readonly id: string; readonly title: string }
  | { readonly kind: "no_section"; readonly title: string; readonly sections: readonly string[] }
  | NotSaved;

export interface Patched extends ChangedNote {
  readonly kind: "patched";
  /** Of the file as it is now, for the next change. */
  readonly hash: string;
  /** Somebody had changed the note since it was read, elsewhere: both changes stand. */
  readonly merged: boolean;
  /** Where the text lies that somebody wrote in the same moment. */
  readonly copy?: string;
  /** Of a merge: the notes that went in and could not be put away, each with the reason. */
  readonly notArchived?: readonly string[];
}

export interface PatchConflict extends ChangedNote, Attributed {
  readonly kind: "conflict";
  readonly reason: string;
  /** Undefined where nobody knows any more what was read. */
  readonly loaded: string | undefined;
  readonly there: string;
  readonly yours: string;
  readonly diff: string;
  readonly hash: string;
}

export interface PatchOptions {
  /** Of the text that was read; a beginning of it will do. */
  readonly expectedHash?: string | undefined;
  /** What the history says. */
  readonly reason: string;
  /** Not made to a text that somebody wrote since. */
  readonly asRead?: boolean;
}

/** Of each text in a conflict: whoever decides opens the note itself where that is not enough. */
const SHOWN_CHARACTERS_MAX = 4000;
/** Each try is lost to somebody who wrote in between. */
const TRIES_MAX = 8;

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
  for (let tries = 0;; tries++) {
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
      await signed(memory, merged.text, author, options.reason, patches.some(saysAnew)),
      stored.loaded.text,
    );
    const outcome = await replaceNote(stored.store, stored.loaded, text);
    if (outcome.kind === "deferred" || tries === TRIES_MAX) throw held(stored);
    if (outcome.kind === "conflict" && outcome.copy === undefined) {
      if (options.asRead === true) throw changed(stored);
      stored = toStored(stored.store, outcome.current);
      continue;
    }
    countWrite(memory, author, { notes: 0, bytes }, {
      id: stored.note.id,
      hash: sha256Hex(text),
    });
    await indexSaved(memory, stored.store);
    const copy = outcome.kind === "conflict" ? outcome.copy : undefined;
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

function titleSet(patches: readonly Patch[]): string | undefined {
  const set = patches.find((patch) => patch.kind === "set" && patch.key === "title");
  return set?.kind === "set" && typeof set.value === "string" ? collapse(set.value) : undefined;
}

function held({ note }: StoredNote): SageError {
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

/** The patches, one upon the other, made to `theirs`. */
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

/** What nobody who writes through Sage can see or say again outlives the text around it. */
function withPrivateParts(text: string, patch: Patch): Patch {
  if (patch.kind !== "replace" && patch.kind !== "rewrite") return patch;
  const parts = privateParts(placeOf(text, patch) ?? "");
  return parts.length === 0
    ? patch
    : { ...patch, text: [patch.text.trim(), ...parts].join("\n\n") };
}

/** Keys that say something: a title what the note says, the status that what was archived holds again. */
const SAYING = ["title", "status"];

/** A tag or a keyword makes no old text new: that it was set, and when, is in the history. */
function saysAnew(patch: Patch): boolean {
  return patch.kind !== "set" || SAYING.includes(patch.key);
}

/** Who wrote it and why. A person who adds a line to an agent's note does not vouch for the rest. */
async function signed(
  memory: Memory,
  text: string,
  author: Author,
  reason: string,
  isAnew: boolean,
): Promise<string> {
  const at = rfc3339(memory.now());
  const front = await editFrontMatter(
    text,
    new Map([
      ...(isAnew ? [["updated", at]] as const : []),
      ...(author.by === "person" ? [] : [
        ["generated", generatedValue(generatedBy(author, at))],
        ...(isAnew ? [["verified", undefined]] as const : []),
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
      ? "the note is not the one that was read"
      : "somebody changed the same place",
    loaded: open(base),
    there,
    yours,
    diff: cut(renderDiff(there, yours), SHOWN_CHARACTERS_MAX),
    hash: stored.hash.slice(0, HASH_DIGITS),
  };
}

/** What of a note's file a patch is about. */
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

/** What a patch says. */
export function textOf(patch: Patch): string {
  if (patch.kind !== "set") return patch.text;
  const { key, value } = patch;
  const said = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return `${key}: ${said}`;
}

/** Whether the note is about a thing that is there to stay: it grows, and is never written anew. */
export function isEntity({ note }: StoredNote): boolean {
  const { front } = note;
  return frontText(front, "subject") === "entity" ||
    frontText(front, "type")?.toLowerCase() === "entity";
}
