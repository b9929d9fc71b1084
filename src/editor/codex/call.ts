/**
 * Metadata of a tool call of Codex. It starts its MCP servers without a session id; a call names the
 * session that it belongs to.
 */
import { fieldsOf, textOf } from "../../base/fields.ts";
import { SESSION_ID } from "../claude_code/payload.ts";

/** The session in a call's `_meta`, as hooks name it. For a subagent it is that of its conversation. */
export function sessionOfCall(meta: unknown): string | undefined {
  const { session_id: session } = fieldsOf(fieldsOf(meta)["x-codex-turn-metadata"]);
  const named = textOf(session);
  return named !== undefined && SESSION_ID.test(named) ? named : undefined;
}
