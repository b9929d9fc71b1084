/** Findings of the doctor, and what memory did for the tokens it cost. */
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { parseWhen, WHEN } from "../../base/when.ts";
import { diagnose } from "../../memory/doctor/doctor.ts";
import { measureImpact } from "../../memory/impact/impact.ts";
import { stop } from "../outcome.ts";
import { defineRoute, done } from "../route.ts";
import { finding, nothing } from "../shapes.ts";

export const doctorRoute = defineRoute({
  method: "GET",
  path: "/doctor",
  name: "readDoctor",
  summary: "The whole installation looked over, each finding with how to mend it",
  input: nothing,
  output: z.looseObject({ healthy: z.boolean(), items: z.array(finding) }),
  live: true,
  looks: true,
  async run({ memory, program }) {
    const items = await diagnose(memory, program);
    return done({ healthy: items.every(({ level }) => level !== "error"), items });
  },
});

export const impactRoute = defineRoute({
  method: "GET",
  path: "/impact",
  name: "readImpact",
  summary: "What was shown, used and overridden, and the tokens of it, counted from receipts",
  input: z.strictObject({
    /** As `sage impact --since` takes it; two weeks are kept. */
    since: z.string().optional(),
    /** The beginning of a session's id. */
    session: z.string().optional(),
  }),
  output: z.looseObject({
    since: z.string(),
    tokens: z.looseObject({
      told: z.number(),
      by: z.record(z.string(), z.number()),
      per_session_median: z.number(),
      held: z.number(),
      share: z.number().optional(),
    }),
    prompts: z.looseObject({
      total: z.number(),
      silent: z.number(),
      gates: z.record(z.string(), z.number()),
    }),
    sessions: z.array(z.looseObject({
      session: z.string(),
      started: z.string(),
      prompts: z.number(),
      silent: z.number(),
      told: z.number(),
      held: z.number().optional(),
    })),
    notes: z.array(z.looseObject({
      id: z.string(),
      short_id: z.string(),
      title: z.string().optional(),
      shown: z.array(z.looseObject({ at: z.string() })),
      used: z.array(z.looseObject({ at: z.string() })),
      overridden: z.array(z.looseObject({ at: z.string() })),
    })),
    unknown: z.array(z.string()),
  }),
  live: true,
  async run({ memory, input: { since, session } }) {
    const sinceMs = since === undefined ? undefined : parseWhen(since, memory.now());
    if (since !== undefined && sinceMs === undefined) {
      return stop(400, "usage", `"since" is ${WHEN}`);
    }
    return done({ ...await measureImpact(memory, defined({ sinceMs, session })) });
  },
});
