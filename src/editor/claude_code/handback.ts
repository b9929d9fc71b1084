/**
 * The report of a subagent. In auto mode it reports by a tool call that ends its run, and the hook at its
 * end gets no last message, so the report is only in the subagent's own transcript.
 */
import { fieldsOf, fieldsOfEach, textOf } from "../../base/fields.ts";
import type { Fs } from "../../base/fs.ts";
import { walkRecords } from "./lines.ts";

const HANDBACK = "SubagentHandback";
/** The call is among the last lines; a report is no longer than a reply. */
const END_BYTES = 256 * 1024;

/** The last report in the file at `path`; undefined if there is none. */
export function readHandback(path: string, fs: Fs): string | undefined {
  const info = fs.lstat(path);
  if (info?.kind !== "file") return undefined;
  using file = fs.open(path, { read: true });
  let report: string | undefined;
  walkRecords(file, Math.max(0, info.size - END_BYTES), info.size, ({ message }) => {
    for (const { name, input } of fieldsOfEach(fieldsOf(message).content)) {
      if (name === HANDBACK) report = textOf(fieldsOf(input).message) ?? report;
    }
  });
  return report;
}
