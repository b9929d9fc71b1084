/** Checkpoints: the timeline, one of them, the difference between two, and a new one. */
import { z } from "zod";
import { saveCheckpointInput, toCheckpointDraft } from "../../mcp/tools/checkpoint.ts";
import { diffNotes } from "../../memory/checkpoint/diff.ts";
import { listCheckpoints } from "../../memory/checkpoint/list.ts";
import { saveCheckpoint } from "../../memory/checkpoint/save.ts";
import { listRoute } from "../list_route.ts";
import { saved, withNote } from "../outcome.ts";
import { defineRoute, done } from "../route.ts";
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
    return saved(await saveCheckpoint(memory, toCheckpointDraft({ ...input, trigger }), author));
  },
});

export const diffCheckpointsRoute = defineRoute({
  method: "GET",
  path: "/checkpoints/{id}/diff/{other}",
  name: "diffCheckpoints",
  summary: "What changed from one to the other, by meaning",
  input: nothing,
  output: z.looseObject({ diff: checkpointDiff }),
  run: ({ memory, params: { id = "", other = "" } }) =>
    withNote(
      memory,
      "checkpoint",
      id,
      (before) =>
        withNote(memory, "checkpoint", other, (after) =>
          done({ diff: diffNotes(memory, before, after) })),
    ),
});
