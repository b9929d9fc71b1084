/**
 * Renders and reads the front matter that all kinds of notes share: identity, sources, and which agent made
 * the note.
 */
import { collapse } from "../base/text/text.ts";
import { isMapping, isSequence } from "../base/yaml/value.ts";
import { readList } from "./fields.ts";
import { frontMap, frontText, listOrNothing, mapOrNothing } from "./front_values.ts";
import type { FrontMap, FrontValue, NoteKind, NoteStatus } from "./note.ts";

/** The common keys of a note that is about to be written. */
export interface Header {
  readonly id: string;
  /** RFC 3339, UTC. */
  readonly created: string;
  readonly updated?: string | undefined;
  readonly project?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly aliases?: readonly string[] | undefined;
}

/** Something that a note rests on: a note, a file, a query, an address. */
export interface Source {
  readonly id: string;
  /** `supports`, `primary`, `contradicts`, …; empty when nothing was said. */
  readonly relation: string;
  /** For a file, whose path from the project's folder is `id`: SHA-256 of the content that the note rests on. */
  readonly hash?: string | undefined;
  /** The commit that was checked out then. */
  readonly commit?: string | undefined;
}

/** The relation of a source of which nothing more was said. */
export const DEFAULT_RELATION = "informs";

/** A file of the project that a note rests on; with a hash it is anchored to a content. */
export interface FileSource {
  readonly path: string;
  readonly hash?: string | undefined;
  readonly commit?: string | undefined;
}

/** Which agent wrote a note; set by Sage, never by content. */
export interface Generated {
  readonly by: string;
  readonly at: string;
  readonly session?: string | undefined;
}

type Entry = readonly [string, FrontValue | undefined];

/** The common keys, in the order of every file. */
export function headerEntries(
  kind: NoteKind,
  header: Header,
  status: NoteStatus = "active",
): Entry[] {
  return [
    ["id", header.id],
    ["type", kind],
    ["created", header.created],
    ["updated", header.updated ?? header.created],
    ["status", status],
    ["project", header.project],
    ["tags", listOrNothing(header.tags)],
    ["aliases", listOrNothing(header.aliases)],
  ];
}

export function generatedValue(generated: Generated | undefined): FrontValue | undefined {
  return mapOrNothing([
    ["by", generated?.by],
    ["at", generated?.at],
    ["session", generated?.session],
  ]);
}

export function readGenerated(front: FrontMap): Generated | undefined {
  const map = frontMap(front, "generated");
  if (map === undefined) return undefined;
  return {
    by: frontText(map, "by") ?? "",
    at: frontText(map, "at") ?? "",
    session: frontText(map, "session"),
  };
}

/**
 * Sources as front matter: `{id, relation}`, or the bare id without a relation; for an anchored file
 * `{path, relation, hash, commit}`.
 */
export function sourcesValue(sources: readonly Source[]): FrontValue | undefined {
  return listOrNothing(
    sources.map(({ id, relation, hash, commit }) =>
      relation === "" && hash === undefined ? id : mapOrNothing([
        [hash === undefined ? "id" : "path", id],
        ["relation", relation],
        ["hash", hash],
        ["commit", commit],
      ]) ?? id
    ),
  );
}

/** The files among sources, by their form: they are neither an address nor a note's id. */
export function fileSources(sources: readonly Source[]): FileSource[] {
  return sources.filter(({ id, hash }) =>
    hash !== undefined || /[/.]/.test(id) && !id.includes("://") && !/\s/.test(id)
  ).map(({ id, hash, commit }) => ({ path: id, hash, commit }));
}

/** Reads sources: texts, `{id, relation}`, `{checkpoint: id}`, or OKF's `{resource}`. */
export function readSources(front: FrontMap): Source[] {
  const value = front.get("sources");
  const items = isSequence(value) ? value : value ? [value] : [];
  return items.flatMap((item): Source[] => {
    if (typeof item === "string") return item === "" ? [] : [{ id: item, relation: "" }];
    if (!isMapping(item)) return [];
    const path = frontText(item, "path");
    if (path !== undefined) return [toAnchored(item, path)];
    const id = frontText(item, "resource") ?? frontText(item, "id");
    if (id !== undefined) return [{ id, relation: frontText(item, "relation") ?? "" }];
    const [relation, named] = [...item][0] ?? [];
    return typeof named === "string" && relation ? [{ id: named, relation }] : [];
  });
}

function toAnchored(map: FrontMap, path: string): Source {
  const hex = (key: string, form: RegExp): string | undefined => {
    const text = frontText(map, key)?.toLowerCase();
    return text !== undefined && form.test(text) ? text : undefined;
  };
  return {
    id: path,
    relation: frontText(map, "relation") ?? "",
    hash: hex("hash", /^[0-9a-f]{64}$/),
    commit: hex("commit", /^[0-9a-f]{7,64}$/),
  };
}

/** Sources as a list for people: `- [[id]] (relation)`; addresses and paths are no links. */
export function renderSourceList(sources: readonly Source[]): string {
  return sources.map(({ id, relation }) => {
    const oneLine = collapse(id);
    const link = /[\/\\[\]|#^:]/.test(oneLine) ? oneLine : `[[${oneLine}]]`;
    return `- ${link}${relation === "" ? "" : ` (${relation.replace(/\s+/gu, " ")})`}`;
  }).join("\n");
}

/** Reads sources from such a list, for files whose front matter has none. */
export function readSourceList(content: string | undefined): Source[] {
  return readList(content).flatMap((item) => {
    const match = /^(?:\[\[([^\]|]+)(?:\|[^\]]*)?\]\]|(\S+))[ \t]*(?:\(([^()]*)\))?/.exec(item);
    const id = (match?.[1] ?? match?.[2] ?? "").trim();
    return id === "" ? [] : [{ id, relation: match?.[3]?.trim() ?? "" }];
  });
}
