/** Recent events as rows of time, event, session and outcome. */
import type { LogLine } from "../base/log.ts";
import { eventOf, outcomeOf } from "../memory/status/activity.ts";
import { dim, type Line, type Span } from "./terminal/answer.ts";
import type { Io } from "./io.ts";
import { ago } from "./terminal/print.ts";
import { table } from "./terminal/table.ts";

/** Enough of a session's id to tell it from others. */
const ID_CHARACTERS = 8;

/** Rows, newest last. */
export function latelyLines(io: Io, lines: readonly LogLine[], nowMs: number): Line[] {
  const rows = lines.map((line): Span[] => [
    ago(io, line.at, nowMs),
    eventOf(line),
    dim(String(line.session ?? "").slice(0, ID_CHARACTERS) || "-"),
    outcomeOf(line),
  ]);
  return table(io, rows, { indent: "  " });
}
