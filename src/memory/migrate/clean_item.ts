/**
 * What of an item may be kept as a note: private text is removed, a secret or forgotten text excludes the whole
 * item, and an agent cannot import what only a person grants. The note records where it came from.
 */

import { collapse, slug } from "../../base/text/text.ts";
import { renderScalar } from "../../base/yaml/render.ts";
import { stripPrivate } from "../../guard/private.ts";
import { scanSecrets } from "../../guard/scan.ts";
import { editFrontMatter, splitFrontMatter } from "../../note/front_matter.ts";
import { mapOrNothing } from "../../note/front_values.ts";
import { withoutTitle } from "../../note/markdown.ts";
import type { FrontValue } from "../../note/note.ts";
import { isForgotten } from "../../store/tombstones.ts";
import { saysForgotten } from "../write/forgotten.ts";
import { OF_A_PERSON } from "../knowledge/given_file.ts";
import type { Memory } from "../memory.ts";
import type { Item } from "./item.ts";
import { IMPORTED, type Origin } from "./known.ts";

interface CleanItem {
  readonly kind: "clean";
  /** Without an id yet: see `withId`. */
  readonly text: string;
  /** Private text was left out. */
  readonly isWithheld: boolean;
  /** Whether it claims to be pinned. */
  readonly insists: boolean;
}

type CleanOutcome =
  | CleanItem
  | { readonly kind: "unreadable" | "kept"; readonly reason: string }
  | { readonly kind: "refused"; readonly rule: string; readonly line: number };

interface Given {
  readonly origin: Origin;
  /** The project that it belongs to from now on. */
  readonly project: string | undefined;
  readonly isAgent: boolean;
}

/** Placeholder until a free id is found: the front matter's first scalar of that form. */
const ID = "id-to-be-given";
const INSISTS = /^(?:always|pinned):[ \t]*["']?(?:true|yes|on|1)\b/im;

export async function cleanItem(memory: Memory, item: Item, given: Given): Promise<CleanOutcome> {
  const rendered = await item.render(ID);
  const open = stripPrivate(rendered);
  const isWithheld = open !== rendered;
  const { front, body } = splitFrontMatter(open);
  if (front?.text.includes(ID) !== true) {
    return { kind: "unreadable", reason: "a private part covers its front matter" };
  }
  if (isWithheld && /^[\s*>-]*$/.test(withoutTitle(body))) {
    return { kind: "kept", reason: "all of it is private" };
  }
  const text = await marked(open, item, given);
  const [secret] = await scanSecrets(text);
  if (secret !== undefined) {
    return { kind: "refused", rule: secret.rule, line: await lineOf(item, secret) };
  }
  if (isForgottenHere(memory, item.stem, open)) {
    return { kind: "kept", reason: "it was forgotten here" };
  }
  return { kind: "clean", text, isWithheld, insists: !given.isAgent && INSISTS.test(front.text) };
}

/** The item with private text removed from its key, title and file name. */
export function cleanName(item: Item): Item {
  const [key, title] = [stripPrivate(item.key), stripPrivate(item.title)];
  const stem = title === item.title ? item.stem : slug(title) || item.kind;
  return { ...item, key, title: collapse(title), stem };
}

export function withId(text: string, id: string): string {
  return text.replace(ID, () => renderScalar(id, true));
}

/** The text with the keys that only Sage may set. */
async function marked(text: string, item: Item, given: Given): Promise<string> {
  const { from, place, item: key, hash } = given.origin;
  const changes = new Map<string, FrontValue | undefined>();
  if (item.keepsId !== true) {
    const origin = mapOrNothing([["from", from], ["place", place], ["item", key], ["hash", hash]]);
    changes.set(IMPORTED, origin);
  }
  // A note of every project stays one.
  if (item.keepsId !== true || item.project !== undefined) changes.set("project", given.project);
  if (given.isAgent) { for (const key of OF_A_PERSON) changes.set(key, undefined); }
  return await editFrontMatter(text, changes);
}

/**
 * The secret's line in the source: where the same rule matches, otherwise where the item begins. Its line in
 * the note, if the item has no text in the source.
 */
async function lineOf(
  { raw, line = 1 }: Item,
  secret: { readonly rule: string; readonly line: number },
): Promise<number> {
  if (raw === undefined) return secret.line;
  const found = (await scanSecrets(raw)).find(({ rule }) => rule === secret.rule);
  return line + (found?.line ?? 1) - 1;
}

/** Whether the note of that name, or any sentence of it, was forgotten here. */
function isForgottenHere(memory: Memory, id: string, text: string): boolean {
  const { fs, places: { stateDir }, stores } = memory;
  return stores.some((store) => isForgotten(fs, stateDir, { id, store })) ||
    saysForgotten(memory, text);
}
