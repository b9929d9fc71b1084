/** Versions of knowledge, what it replaces and contradicts; archiving and restoring. */
import { z } from "zod";
import { archiveKnowledge, unarchiveKnowledge } from "../../memory/knowledge/archive.ts";
import { listContradictions } from "../../memory/knowledge/contradictions.ts";
import {
  lineageOf,
  restoreVersion,
  versionItems,
  versionsOf,
} from "../../memory/knowledge/history.ts";
import { publicItem, type StoredNote } from "../../memory/item.ts";
import { HTTP_PAGE_ITEMS_MAX } from "../../base/limits.ts";
import { shortId } from "../../base/id.ts";
import { patchReply } from "../knowledge_outcome.ts";
import { edited, saved, withNote } from "../outcome.ts";
import { type Call, defineRoute, done, type Reply } from "../route.ts";
import { flag, listOf, noteItem, nothing, related, statement, version } from "../shapes.ts";

const changed = z.looseObject({ outcome: z.string(), id: z.string(), title: z.string() });

export const listVersionsRoute = defineRoute({
  method: "GET",
  path: "/knowledge/{id}/versions",
  name: "listVersions",
  summary: "Every version that is kept, newest first, with what each changed; what it replaces",
  input: nothing,
  output: z.looseObject({
    note: noteItem,
    versions: z.array(version),
    replaces: z.array(related),
    replaced_by: z.array(related),
    contradicts: z.array(related),
  }),
  // Versions are not part of the index.
  live: true,
  run: ({ memory, params: { id = "" } }) =>
    withNote(memory, "knowledge", id, async (stored) => {
      const versions = versionItems(await versionsOf(stored), true);
      const lineage = await lineageOf(memory, stored);
      return done({ note: publicItem(stored), versions, ...lineage }, stored.hash);
    }),
});

export const restoreVersionRoute = defineRoute({
  method: "POST",
  path: "/knowledge/{id}/restore",
  name: "restoreVersion",
  summary: "Its text becomes what it was in a version; without one, it comes back from the archive",
  input: z.strictObject({ version: z.int().min(1).optional() }),
  output: changed,
  replaces: true,
  run: (call) =>
    unchanged(call, async (stored) => {
      const { memory, author, input: { version } } = call;
      if (version === undefined) {
        return patchReply(await unarchiveKnowledge(memory, stored, author), "restored");
      }
      const outcome = await restoreVersion(memory, stored, version, author);
      const { id, title } = stored.note;
      switch (outcome.kind) {
        case "restored":
        case "same":
          return done({ outcome: outcome.kind, id, short_id: shortId(id), title, version });
        case "edited":
          return edited("the file changed since it was read");
        default:
          return saved(outcome);
      }
    }),
});

export const archiveRoute = defineRoute({
  method: "POST",
  path: "/knowledge/{id}/archive",
  name: "archiveKnowledge",
  summary: "Put it away: search finds it, recall does not",
  input: nothing,
  output: changed,
  replaces: true,
  run: (call) =>
    unchanged(
      call,
      async (stored) =>
        patchReply(await archiveKnowledge(call.memory, stored, call.author), "archived"),
    ),
});

export const listContradictionsRoute = defineRoute({
  method: "GET",
  path: "/contradictions",
  name: "listContradictions",
  summary: "Statements that contradict each other while both stand, as dated pairs",
  input: z.strictObject({ limit: z.int().min(1).max(HTTP_PAGE_ITEMS_MAX).optional(), all: flag }),
  output: listOf(z.looseObject({ older: statement, newer: statement }))
    .extend({ total: z.number() }),
  // Their texts are read from the files.
  live: true,
  async run({ memory, input: { limit = HTTP_PAGE_ITEMS_MAX, all = false } }) {
    return done({ ...await listContradictions(memory, { limit, all }) });
  },
});

/** The note, if it is unchanged since the caller read it. */
function unchanged(
  { memory, params: { id = "" }, expected }: Call<unknown>,
  change: (stored: StoredNote) => Promise<Reply>,
): Promise<Reply> {
  return withNote(
    memory,
    "knowledge",
    id,
    async (stored) =>
      stored.hash === expected
        ? await change(stored)
        : edited("the file changed since it was read"),
  );
}
