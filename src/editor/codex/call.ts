/**
 * What Codex says beside a call of a tool. Its servers are started without a session, and those of several
 * conversations are alike; a call names the one that it is of.
 */
import { fieldsOf, textOf } from "../../base/fields.ts";
import { SESSION_ID } from "../claude_code/payload.ts";

/** The session of a call with this `_meta`, as the hooks name it; a subagent's is that of its conversation. */
export function sessionOfCall(meta: unknown): string | undefined {
  const { session_id: session } = fieldsOf(fieldsOf(meta)["x-codex-turn-metadata"]);
  const named = textOf(session);
  return named !== undefined && SESSION_ID.test(named) ? named : undefined;
}
