/**
 * What an index holds of the same notes, pinned with its version. An index that another version made is only
 * left alone where that version said so: rules of reading that changed without it, of what is private above
 * all, would not hold for any note that was there before.
 */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { sha256Hex, sha256Parts } from "../../src/base/hash.ts";
import { toDocument } from "../../src/memory/index/document.ts";
import type { NoteDocument } from "../../src/search/document.ts";
import { embedderHash, FORMAT_VERSION } from "../../src/search/segment/format.ts";
import { writeSegment } from "../../src/search/segment/segment_writer.ts";
import { embedNotes, rowBytes } from "../../src/search/segment/vectors.ts";
import { loadNote } from "../../src/store/load.ts";
import { NOW, put, world } from "../support/world.ts";

const PINNED = {
  format: 9,
  segment: "7ad07c0ae058a84fc0a9bf33621b91ed537c4ad4110e8a3bbfe58c645a4a5bba",
};

const FRONT = "created: 2026-01-13T14:30:00Z\nupdated: 2026-01-14T14:30:00Z\n";

function note(id: string, type: string, front: string, body: string): string {
  return `---\nid: ${id}\ntype: ${type}\n${FRONT}${front}---\n\n${body}`;
}

/** One for each thing that is read out of a note. */
const NOTES: Readonly<Record<string, string>> = {
  "knowledge/whole.md": note(
    "whole",
    "knowledge",
    `status: active
project: web
tags: [Release, "#ops"]
aliases: [The other name]
keywords: [dead letter, Warteschlange]
patterns: ["\\\\bDLQ-\\\\d+"]
skills: [deploying]
subject: decision
supersedes: [older]
verified: {by: person, at: 2026-01-14T10:00:00Z}
generated: {by: agent, at: 2026-01-13T14:30:00Z, session: s1}
sources:
  - {path: src/queue.ts, relation: supports, hash: 00ff, commit: abc}
  - {id: rival, relation: contradicts}
owner: {team: ops, area: [queues, mail]}
`,
    "# Dead letters\n\nThey wait in [[queues|the queue]], see [the file](../other.md). #inline\n\n" +
      "## Why\n\nThe relay's retries don't end — “never”.\n\n```sh\n# no heading\n[[no link]] #notag\n```\n\n" +
      "## History\n\n### 2026-01-13\n\nThey were dropped.\n",
  ),
  "knowledge/private.md": note(
    "private",
    "knowledge",
    'pinned: true\ntags: ["<private>a", "b</private>", open]\nextra: "<private>"\n',
    "# A private title\n\nHidden.\n</private>\n\n# The open one\n\nSeen <private>not this</private> again.\n",
  ),
  "knowledge/always.md": note("always", "knowledge", "always: true\n", "# Told first\n\nTabs.\n"),
  "knowledge/words.md": note(
    "words",
    "knowledge",
    "",
    "# Größe und Straße\n\nCafé naïve Ελλάς ﬁne.\n\n記憶力のガラス、がか。\n\nระบบค้นหาภาษาไทย กำลัง\n\n한국어 텍스트\n",
  ),
  "knowledge/long.md": note(
    "long",
    "knowledge",
    "",
    "# Long\n\n" +
      Array.from(
        { length: 60 },
        (_, i) =>
          `${i % 7 === 0 ? `## Part ${i}\n\n` : ""}Sentence ${i} says that step ${i} takes ${
            i * 7
          } seconds.\n\n`,
      )
        .join(""),
  ),
  "knowledge/merged.md": note(
    "merged",
    "knowledge",
    "",
    "# Port\n\n<<<<<<< ours\nport 80\n=======\nport 90\n>>>>>>> theirs\n",
  ),
  "knowledge/broken.md": "---\nid: [\ntags: {\n---\n\n# Broken\n\nStill found.\n",
  "knowledge/bare.md": "\ufeff# Bare\r\n\r\nNo front matter, other line ends.\r\n",
  "todos/keys.md": note(
    "keys",
    "todo",
    "status: in_progress\npriority: high\ndue: 2026-02-01\nsource: whole\n",
    "# Rotate the keys\n\nBefore the audit.\n",
  ),
  "checkpoints/slow.md": note(
    "slow",
    "checkpoint",
    "trigger: synthesis\nconfidence: 0.8\nsession: s1\nparent: earlier\n",
    "# Why is it slow?\n\n## Core Question\n\nWhy?\n\n## Thesis\n\nN+1 queries.\n\n## Decisions\n\n- A join\n",
  ),
  "sessions/day.md": note(
    "day",
    "session",
    "session: s1\nstarted: 2026-01-13T14:00:00Z\nended: 2026-01-13T15:00:00Z\nfiles_touched: [a.ts]\n",
    "# A day\n\n## Summary\n\nDone.\n\n## Decisions\n\n- Poll it (takes back: “Push it” of [[whole]])\n",
  ),
  "topics/queues.md": note("queues", "topic", "", "# Queues\n\n- [[whole]]\n"),
};

Deno.test("toDocument() and writeSegment() make other bytes of the same notes only under another version", async () => {
  using on = await world();
  const store = on.memory.project ?? on.memory.user;
  const notes: NoteDocument[] = [];
  for (const [path, text] of Object.entries(NOTES)) {
    put(`${store.root}/${path}`, text);
    realFs.setTime(`${store.root}/${path}`, NOW);
    const loaded = await loadNote(store, path);
    const stamp = { size: text.length, mtimeMs: NOW, ctimeMs: NOW, inode: 1, racy: false };
    notes.push(toDocument({ ...loaded, stamp }, sha256Hex(loaded.bytes)));
  }
  const embedder = on.memory.builtIn();
  const { rows, scales } = embedNotes(notes, embedder);
  let segment = "";
  writeSegment({
    embedder: embedderHash(embedder.id),
    dims: rowBytes(embedder.dimensions),
    notes,
    vectors: rows,
    scales,
  }, (parts) => void (segment = sha256Parts(parts)));
  assert.deepEqual(
    { format: FORMAT_VERSION, segment },
    PINNED,
    "what an index holds of a note is another: raise FORMAT_VERSION in src/search/segment/format.ts, so that " +
      "what older versions indexed is indexed again, then pin it here",
  );
});
