/**
 * A note as a concept of the Open Knowledge Format 0.2, and back. A concept is the note with its keys in
 * OKF's terms and its wikilinks also as links that any Markdown reader follows. The key `sage` keeps Sage's
 * own terms, so that nothing is lost on the way back. Both directions keep what somebody else added.
 */
import { collapse, firstSentence } from "../../base/text/text.ts";
import { isMapping, isSequence } from "../../base/yaml/value.ts";
import { editFrontMatter, readFrontMatter, splitFrontMatter } from "../../note/front_matter.ts";
import { frontLines, frontList, frontMap, frontText } from "../../note/front_values.ts";
import { links, withoutTitle } from "../../note/markdown.ts";
import type { FrontChanges, FrontMap, FrontValue, Note } from "../../note/note.ts";
import { statedId } from "../../note/parse.ts";

/** The key for what OKF has no terms for; `sage_2` if a person has a key of that name. */
const OURS = "sage";
const DESCRIPTION_CHARACTERS_MAX = 200;
const STATUSES: Readonly<Record<string, string>> = { active: "stable", archived: "deprecated" };
/** `[[[name|shown]]](/path.md)` */
const LINKED = /\[(\[\[[^\[\]\n]{1,700}\]\])\]\(<\/[^<>\n]*>\)/g;

interface Concept {
  readonly text: string;
  readonly description: string;
}

/** `pathOf` gives the path in the bundle of the note that a link names. */
export async function toConcept(
  text: string,
  note: Note,
  scope: "project" | "user",
  pathOf: (target: string) => string | undefined,
): Promise<Concept> {
  const { front, kind, id, title, body } = note;
  const description = frontText(front, "description") ?? describe(body);
  const added = ["title", "description"].filter((key) =>
    !front.has(key) && (key === "title" ? title : description) !== ""
  );
  const linked = withLinks(body, pathOf);
  const isLinked = linked !== body && withoutLinks(linked) === body;
  const status = frontText(front, "status");
  const okfStatus = status === undefined ? undefined : STATUSES[status];
  const actors = ["generated", "verified"].flatMap((key) => {
    const said = frontMap(front, key);
    const by = said === undefined ? undefined : frontText(said, "by");
    return said === undefined || by === undefined || /[/:]/.test(by) ? [] : [{ key, said, by }];
  });
  const ours = new Map<string, FrontValue>([
    ["scope", scope],
    ...(added.length === 0 ? [] : [["added", added] as const]),
    ...(status === undefined ? [] : [["status", status] as const]),
    ...actors.map(({ key, by }) => [key, by] as const),
    ...(isLinked ? [["links", "true"] as const] : []),
  ]);
  const changes: FrontChanges = new Map([
    ...(statedId(front) === undefined ? [["id", String(id)] as const] : []),
    ...(front.has("type") ? [] : [["type", kind] as const]),
    ...added.map((key) => [key, key === "title" ? title : description] as const),
    ...(okfStatus === undefined ? [] : [["status", okfStatus] as const]),
    ...actors.map(({ key, said, by }) => [key, new Map([...said, ["by", actorOf(by)]])] as const),
    ...sourceChanges(front, withResource),
    [freeKey(front), ours],
  ]);
  const whole = isLinked ? text.slice(0, splitFrontMatter(text).bodyStart) + linked : text;
  return { text: await editFrontMatter(whole, changes), description };
}

/** The first sentence as plain text. */
function describe(body: string): string {
  const text = withoutTitle(body).replace(/^#+ .*$/gm, "")
    .replace(/\[\[(?:[^\[\]\n|]*\|)?([^\[\]\n]*)\]\]/g, "$1");
  return collapse(firstSentence(text, DESCRIPTION_CHARACTERS_MAX)).replace(/^[-*+>] /, "");
}

function freeKey(front: FrontMap): string {
  let key = OURS;
  for (let n = 2; front.has(key); n++) key = `${OURS}_${n}`;
  return key;
}

/** The last one, because Sage's key is written below a person's key of that name. */
function findOurs(front: FrontMap): { readonly key: string; readonly ours: FrontMap } | undefined {
  for (const key of [...front.keys()].reverse()) {
    const ours = /^sage(?:_\d+)?$/.test(key) ? frontMap(front, key) : undefined;
    const scope = ours === undefined ? undefined : frontText(ours, "scope");
    if (ours !== undefined && (scope === "project" || scope === "user")) return { key, ours };
  }
  return undefined;
}

/** Whether a concept was a note of ours. */
export function isOurs(front: FrontMap): boolean {
  return findOurs(front) !== undefined && frontText(front, "id") !== undefined;
}

/** The store that the note was in. */
export function scopeOf(front: FrontMap): "project" | "user" {
  const found = findOurs(front);
  return found !== undefined && frontText(found.ours, "scope") === "user" ? "user" : "project";
}

/** The note that a concept was made of. What somebody changed in the concept stays changed. */
export async function fromConcept(text: string): Promise<string> {
  const read = await readFrontMatter(text);
  const front = "map" in read ? read.map : new Map();
  const { key: own, ours } = findOurs(front) ?? { key: OURS, ours: new Map() };
  const changes = new Map<string, FrontValue | undefined>([
    ...statusChange(front, frontText(ours, "status")),
  ]);
  for (const key of frontList(ours, "added")) changes.set(key, undefined);
  for (const key of ["generated", "verified"]) {
    const [said, by] = [frontMap(front, key), frontText(ours, key)];
    if (said !== undefined && by !== undefined && frontText(said, "by") === actorOf(by)) {
      changes.set(key, new Map([...said, ["by", by]]));
    }
  }
  for (const [key, value] of sourceChanges(front, withoutResource)) changes.set(key, value);
  changes.set(own, undefined);
  const { body, bodyStart } = splitFrontMatter(text);
  const isLinked = frontText(ours, "links") === "true";
  const whole = isLinked ? text.slice(0, bodyStart) + withoutLinks(body) : text;
  return await editFrontMatter(whole, changes);
}

/** The status in Sage's terms. `was`: the one that the export translated. */
export function statusChange(front: FrontMap, was?: string): FrontChanges {
  const said = frontText(front, "status");
  if (said === undefined) return new Map();
  const named = Object.keys(STATUSES).find((ours) => STATUSES[ours] === said);
  const status = was !== undefined && (STATUSES[was] ?? was) === said ? was : named;
  return status === undefined ? new Map() : new Map([["status", status]]);
}

function actorOf(by: string): string {
  if (by === "person") return "human:person";
  return by === "agent" || by === "sage" ? `sage/${by}` : `process:${by}`;
}

function sourceChanges(front: FrontMap, change: (source: FrontValue) => FrontValue): FrontChanges {
  const sources = front.get("sources");
  return isSequence(sources) ? new Map([["sources", sources.map(change)]]) : new Map();
}

function withResource(source: FrontValue): FrontValue {
  if (typeof source === "string") return new Map([["resource", source]]);
  if (!isMapping(source) || source.has("resource")) return source;
  const named = nameOf(source);
  return named === undefined ? source : new Map([...source, ["resource", named]]);
}

function withoutResource(source: FrontValue): FrontValue {
  if (!isMapping(source)) return source;
  const resource = source.get("resource");
  const rest = new Map([...source].filter(([key]) => key !== "resource"));
  if (typeof resource === "string" && rest.size === 0) return resource;
  return resource === undefined || nameOf(rest) !== resource ? source : rest;
}

/** The `path` of a source, its `id`, or its first value. */
function nameOf(source: FrontMap): string | undefined {
  const [named] = [...frontLines(source, "path"), ...frontLines(source, "id"), ...source.values()];
  return typeof named === "string" ? named : undefined;
}

function withLinks(body: string, pathOf: (target: string) => string | undefined): string {
  let text = body;
  for (const { target, start } of links(body).toReversed()) {
    const path = pathOf(target);
    const end = text.indexOf("]]", start) + 2;
    // An embed, or a link in brackets already, is left alone.
    if (path === undefined || end < 2 || /[!\[]/.test(text.charAt(start - 1))) continue;
    text = `${text.slice(0, start)}[${text.slice(start, end)}](</${path}>)${text.slice(end)}`;
  }
  return text;
}

function withoutLinks(body: string): string {
  return body.replace(LINKED, "$1");
}
