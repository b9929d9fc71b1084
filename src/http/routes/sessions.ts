/** Sessions, and what happened in them. */
import { z } from "zod";
import { findSession, listSessions, showSession } from "../../memory/session/list.ts";
import { listRoute } from "../list_route.ts";
import { notFound, unknown } from "../outcome.ts";
import { defineRoute, done } from "../route.ts";
import { flag, nothing, sessionItem } from "../shapes.ts";

export const listSessionsRoute = listRoute({
  path: "/sessions",
  name: "listSessions",
  summary: "Sessions, the last at work first",
  item: sessionItem,
  filter: { all: flag },
  counts: true,
  // The state says whether a session has ended, if its note does not.
  live: true,
  list: listSessions,
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
    if (found.kind !== "one") return notFound(id, found);
    const shown = await showSession(memory, found.item);
    if (shown === undefined) return unknown(id, { nearest: [] });
    const { item, text, hash, about } = shown;
    return done({ note: { ...item, text, hash }, ...about }, hash);
  },
});
