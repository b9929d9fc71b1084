/** What happened, session by session. */
import { z } from "zod";
import { given } from "../../mcp/tools/shapes.ts";
import {
  aboutSession,
  findSession,
  listSessions,
  toSessionItem,
} from "../../memory/session/list.ts";
import { readNote } from "../../memory/read.ts";
import { ambiguous, unknown } from "../outcome.ts";
import { defineRoute, done } from "../route.ts";
import { flag, listOf, nothing, page, PAGE_LIMIT, pageOf, sessionItem } from "../shapes.ts";

export const listSessionsRoute = defineRoute({
  method: "GET",
  path: "/sessions",
  name: "listSessions",
  summary: "Sessions, the last at work first",
  input: z.strictObject({ ...page, all: flag }),
  output: listOf(sessionItem).extend({ total: z.number() }),
  async run({ memory, input: { limit = PAGE_LIMIT, cursor, all } }) {
    const { items, total } = await listSessions(memory, {
      ...given({ cursor }),
      all: all === "true",
      limit: limit + 1,
    });
    return done({ ...pageOf(items, limit), total });
  },
});

export const showSessionRoute = defineRoute({
  method: "GET",
  path: "/sessions/{id}",
  name: "showSession",
  summary: "One session: its note, and the checkpoints saved in it",
  input: nothing,
  output: z.looseObject({
    note: sessionItem.extend({ text: z.string(), hash: z.string() }),
    checkpoints: z.array(z.looseObject({ id: z.string(), title: z.string(), created: z.string() })),
  }),
  live: true,
  async run({ memory, params: { id = "" } }) {
    const found = await findSession(memory, id);
    if (found.kind === "many") return ambiguous(id, found.items);
    if (found.kind === "none") return unknown(id, found.nearest);
    const item = toSessionItem(found.item);
    const read = await readNote(memory, item.id);
    if (read.kind !== "one") return unknown(id, []);
    const about = await aboutSession(memory, item.session);
    const { text, hash } = read;
    return done({ note: { ...item, text, hash }, ...about }, hash);
  },
});
