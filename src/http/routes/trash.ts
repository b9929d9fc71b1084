/** The way back out of the trash, for notes of every kind. */
import { z } from "zod";
import { INDEXED_KINDS } from "../../note/note.ts";
import { afterCursor } from "../../memory/index/entries.ts";
import { listRemoved, restoreRemoved } from "../../memory/removal/removed.ts";
import { listRoute } from "../list_route.ts";
import { stop } from "../outcome.ts";
import { defineRoute, done } from "../route.ts";
import { noteItem, nothing, removedItem } from "../shapes.ts";

export const listTrashRoute = listRoute({
  path: "/trash",
  name: "listTrash",
  summary: "What was removed and can be brought back, the last removed first",
  item: removedItem,
  filter: { type: z.enum(INDEXED_KINDS).optional() },
  // What lies in the trash is not indexed.
  live: true,
  async list(memory, { type, cursor, limit }) {
    return afterCursor(await listRemoved(memory, type), cursor).slice(0, limit);
  },
});

export const restoreRemovedRoute = defineRoute({
  method: "POST",
  path: "/trash/{id}/restore",
  name: "restoreRemoved",
  summary: "Bring a note back from the trash, as it was when it was last removed",
  input: nothing,
  output: z.looseObject({ restored: noteItem }),
  async run({ memory, params: { id = "" } }) {
    const outcome = await restoreRemoved(memory, undefined, id);
    switch (outcome.kind) {
      case "restored":
        return done({ restored: outcome.item });
      case "taken": {
        const detail = `another note has its id: "${outcome.title}"; remove that one, then repeat`;
        return stop(409, "taken", detail, { id: outcome.id });
      }
      case "many": {
        const items = outcome.items.map(({ id, title, path }) => ({ id, title, path }));
        return stop(409, "ambiguous", `"${id}" matches ${items.length} removed notes`, { items });
      }
      case "none":
        return stop(404, "not_found", `nothing in the trash has the name "${id}"`, {
          nearest: outcome.nearest,
        });
    }
  },
});
