/** States of thinking: the timeline, one of them, how two differ, and a new one. */
import { z } from "zod";
import { isCause, saveCheckpointInput, toCheckpointDraft } from "../../mcp/tools/checkpoint.ts";
import { diffCheckpoints } from "../../memory/checkpoint/diff.ts";
import { listCheckpoints } from "../../memory/checkpoint/list.ts";
import { saveCheckpoint } from "../../memory/checkpoint/save.ts";
import { findNote } from "../../memory/find.ts";
import type { StoredNote } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { withoutPrivate } from "../../memory/open_part.ts";
import { readCheckpoint } from "../../note/checkpoint.ts";
import { listRoute } from "../list_route.ts";
import { ambiguous, saved, unknown } from "../outcome.ts";
import { defineRoute, done, type Reply } from "../route.ts";
import { checkpointDiff, checkpointItem, flag, nothing, saveOutcome } from "../shapes.ts";

export const listCheckpointsRoute = listRoute({
  path: "/checkpoints",
  name: "listCheckpoints",
  summary: "The timeline, newest first",
  item: checkpointItem,
  filter: {
    /** The beginning of a session's id. */
    session: z.string().optional(),
    skill: z.string().optional(),
    all: flag,
  },
  list: listCheckpoints,
});

export const saveCheckpointRoute = defineRoute({
  method: "POST",
  path: "/checkpoints",
  name: "saveCheckpoint",
  summary: "Save where the thinking stands",
  input: saveCheckpointInput,
  output: saveOutcome,
  creates: true,
  async run({ memory, input, author }) {
    const { trigger = "manual" } = input;
    const draft = toCheckpointDraft({ ...input, trigger: isCause(trigger) ? trigger : "manual" });
    return saved(await saveCheckpoint(memory, draft, author));
  },
});

export const diffCheckpointsRoute = defineRoute({
  method: "GET",
  path: "/checkpoints/{id}/diff/{other}",
  name: "diffCheckpoints",
  summary: "What changed from one to the other, by meaning",
  input: nothing,
  output: z.looseObject({ diff: checkpointDiff }),
  async run({ memory, params: { id = "", other = "" } }) {
    const before = await find(memory, id);
    if ("kind" in before) return before;
    const after = await find(memory, other);
    if ("kind" in after) return after;
    const [from, to] = [before, after].map(({ note }) => readCheckpoint(withoutPrivate(note)));
    if (from === undefined || to === undefined) return unknown(id, []);
    return done({ diff: diffCheckpoints(from, to, memory.embedder()) });
  },
});

async function find(memory: Memory, ref: string): Promise<StoredNote | Reply> {
  const found = await findNote(memory, ref, ["checkpoint"]);
  if (found.kind === "one") return found.item;
  return found.kind === "many" ? ambiguous(ref, found.items) : unknown(ref, found.nearest);
}
