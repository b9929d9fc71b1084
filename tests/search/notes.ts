/** Documents for the tests of search: short to write, complete in every field. */
import type { NoteDocument } from "../../src/search/document.ts";

export function noteDocument(
  path: string,
  text: string,
  more: Partial<NoteDocument> = {},
): NoteDocument {
  const title = more.title ?? path.replace(/^.*\//, "").replace(/\.md$/, "").replaceAll("-", " ");
  return {
    id: path.replace(/^.*\//, "").replace(/\.md$/, ""),
    kind: "knowledge",
    title,
    path,
    created: "2026-01-01T00:00:00Z",
    updated: "2026-01-02T00:00:00Z",
    status: "active",
    project: undefined,
    tags: [],
    keywords: [],
    patterns: [],
    pinned: false,
    always: false,
    skills: [],
    subject: undefined,
    supersedes: [],
    author: undefined,
    stamp: { size: text.length, mtimeMs: 1000, ctimeMs: 1000, inode: 1, racy: false },
    contentHash: `hash of ${text}`,
    chunks: text.split("\n\n").map((part) => ({ heading: title, text: part })),
    problem: false,
    ...more,
  };
}
