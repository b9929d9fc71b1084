/** What Claude Code puts on a status line's stdin, reduced to which session and which project. */
import { fieldsOf } from "../../base/fields.ts";
import { absolutePath } from "../payload.ts";
import { SESSION_ID } from "./payload.ts";

export interface StatusLineInput {
  readonly session?: string;
  /** Where the session started; it does not follow the agent's `cd`. */
  readonly dir?: string;
}

/** Untrusted input: invalid values are left out. */
export function parseStatusLine(raw: unknown): StatusLineInput {
  const { session_id: session, workspace, cwd } = fieldsOf(raw);
  const dir = absolutePath(fieldsOf(workspace).project_dir) ?? absolutePath(cwd);
  return {
    ...(typeof session === "string" && SESSION_ID.test(session) ? { session } : {}),
    ...(dir === undefined ? {} : { dir }),
  };
}
