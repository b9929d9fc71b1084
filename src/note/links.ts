/** A note's links to other notes: those in its text, and those in its front matter. */
import { firstOfEach } from "../base/first_of_each.ts";
import { percentDecoded } from "../base/text/text.ts";
import { frontLines } from "./front_values.ts";
import { links, withoutCode } from "./markdown.ts";
import type { FrontValue, Note } from "./note.ts";
import { readSources } from "./provenance.ts";

export interface NoteLink {
  /** As written: an id, a title, a file name, an alias, a path. */
  readonly target: string;
  /** `link` for a link in the text, a key of the front matter, or the relation of a source. */
  readonly relation: string;
}

/** Keys whose values are ids of other notes. */
const KEYS = ["parent", "supersedes", "recalled", "checkpoints", "source"] as const;
/** Links that are read of one note. */
const LINKS_MAX = 500;
/** A relative Markdown link to a Markdown file, which editors write instead of a wikilink; `#` ends its path. */
const FILE_LINK = /(?<!!)\]\(<?([^()\s<>:#]+?\.md)(?:#[^()\s]*)?>?\)/g;

/** The links of a note, in order, each pair of target and relation once. */
export function noteLinks({ front, body }: Note): NoteLink[] {
  const found: NoteLink[] = [
    ...links(body).map(({ target }) => ({ target, relation: "link" })),
    ...fileLinks(body).map((target) => ({ target, relation: "link" })),
    ...readSources(front).map(({ id, relation }) => {
      // `id: relation` in one scalar, as tools and people write it.
      const [, target = id, said = "source"] = /^(.+?):[ \t]+(.+)$/.exec(id) ?? [];
      return { target: bare(relation === "" ? target : id), relation: relation || said };
    }),
    ...KEYS.flatMap((key) =>
      frontLines(front, key).map((id) => ({ target: bare(id), relation: key }))
    ),
    ...[...front].flatMap(([key, value]) =>
      wikilinksIn(value).map((target) => ({ target, relation: key }))
    ),
  ];
  const named = found.filter(({ target }) => target !== "");
  return firstOfEach(named, ({ target, relation }) => `${relation}\n${target}`).slice(0, LINKS_MAX);
}

function fileLinks(body: string): string[] {
  if (!body.includes(".md")) return [];
  return [...withoutCode(body).matchAll(FILE_LINK)].map((match) => decoded(match[1] ?? ""));
}

/** Changes the paths in a text's links to files; `change` returns undefined to leave one as it is. */
export function fileLinksTo(text: string, change: (path: string) => string | undefined): string {
  if (!text.includes(".md")) return text;
  let out = "";
  let done = 0;
  for (const match of withoutCode(text).matchAll(FILE_LINK)) {
    const written = match[1] ?? "";
    const next = change(decoded(written));
    if (next === undefined) continue;
    const start = match.index + match[0].indexOf(written, 2);
    out += text.slice(done, start) + encodeURI(next).replace(/[()]/g, percent);
    done = start + written.length;
  }
  return out + text.slice(done);
}

/** Encodes round brackets, which would end the address of a link. */
function percent(bracket: string): string {
  return bracket === "(" ? "%28" : "%29";
}

function decoded(path: string): string {
  return percentDecoded(path).replace(/^\.\//, "");
}

/** Targets of `[[x]]` in a value, at any depth: what Obsidian calls a link property. */
function wikilinksIn(value: FrontValue): string[] {
  if (typeof value === "string") {
    return value.includes("[[") ? links(value).map(({ target }) => target) : [];
  }
  return [...value.values()].flatMap(wikilinksIn);
}

/** The name in `[[name|shown]]`, or the text itself. */
function bare(text: string): string {
  return links(text)[0]?.target ?? text.trim();
}
