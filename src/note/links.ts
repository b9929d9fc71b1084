/** What a note says of other notes: links in its text, and the keys of its front matter that name one. */
import { firstOfEach } from "../base/first_of_each.ts";
import { percentDecoded } from "../base/text.ts";
import { frontLines } from "./front_values.ts";
import { links, withoutCode } from "./markdown.ts";
import type { FrontValue, Note } from "./note.ts";
import { readSources } from "./provenance.ts";

export interface NoteLink {
  /** As written: an id, a title, a file name, an alias, a path. */
  readonly target: string;
  /** `link` in the text; of front matter the key, of a source what was said of it. */
  readonly relation: string;
}

/** Keys that hold ids of other notes, and nothing else. */
const KEYS = ["parent", "supersedes", "recalled", "checkpoints", "source"] as const;
/** A note that says more names nothing by it. */
const LINKS_MAX = 500;
/** A relative link to a Markdown file, as editors write it instead of a wikilink; `#` ends its path. */
const FILE_LINK = /(?<!!)\]\(<?([^()\s<>:#]+?\.md)(?:#[^()\s]*)?>?\)/g;

/** The links of a note, each target and relation once, in order. */
export function noteLinks({ front, body }: Note): NoteLink[] {
  const found: NoteLink[] = [
    ...links(body).map(({ target }) => ({ target, relation: "link" })),
    ...fileLinks(body).map((target) => ({ target, relation: "link" })),
    ...readSources(front).map(({ id, relation }) => {
      // `id: relation` in one text, as tools and people write it.
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

/** The text with other files in its links to files; undefined leaves one as it is. */
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

/** Brackets end the address of a link. */
function percent(bracket: string): string {
  return bracket === "(" ? "%28" : "%29";
}

function decoded(path: string): string {
  return percentDecoded(path).replace(/^\.\//, "");
}

/** `[[x]]` in a value of any key: what Obsidian calls a link property. */
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
