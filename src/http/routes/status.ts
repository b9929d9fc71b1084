/** The state of memory, and the known projects. */
import { z } from "zod";
import { knownProjects } from "../../memory/project/list.ts";
import { readStatus } from "../../memory/status/status.ts";
import { defineRoute, done } from "../route.ts";
import { listOf, nothing } from "../shapes.ts";

export const readStatusRoute = defineRoute({
  method: "GET",
  path: "/status",
  name: "readStatus",
  summary: "Whether memory works here, what there is, and what to do next",
  input: nothing,
  output: z.looseObject({
    healthy: z.boolean(),
    line: z.string(),
    next: z.string(),
    counts: z.record(z.string(), z.number()),
    project: z.looseObject({ id: z.string(), name: z.string(), dir: z.string() }),
  }),
  live: true,
  looks: true,
  run: async ({ memory }) => done({ ...await readStatus(memory) }),
});

export const listProjectsRoute = defineRoute({
  method: "GET",
  path: "/projects",
  name: "listProjects",
  summary: "The projects that Sage has seen, the last seen first",
  input: nothing,
  output: listOf(z.looseObject({
    id: z.string(),
    name: z.string(),
    root: z.string(),
    last_seen: z.string(),
    current: z.boolean(),
  })),
  live: true,
  run: async ({ memory }) => done({ items: await knownProjects(memory) }),
});
