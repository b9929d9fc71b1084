/**
 * The form of ask_person.ts in the revision without a handshake, where a server sends no requests:
 * a call that raises a question is answered with the form, and the client repeats the call with the
 * person's answer. The tool ran the first time; its result waits here, under a name that only the
 * client has.
 */
// @ts-types="@modelcontextprotocol/sdk/types"
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { fieldsOf } from "../base/fields.ts";
import { formOf, readSaid, withAnswer } from "./ask_person.ts";
import type { Methods, Params, Result } from "./methods.ts";

/** Beyond it, the oldest result that waits is dropped. */
const WAITING_MAX = 32;
const ANSWER = "answer";

interface Waiting {
  readonly id: string;
  /** The tool's result, and what to say where the person did not answer. */
  readonly result: Result;
  readonly asked: Result;
}

/** The methods for a client that can show forms. */
export function askByRetry(methods: Methods): Methods {
  const waiting = new Map<string, Waiting>();
  const call = methods.byName.get("tools/call");
  if (call === undefined) return methods;
  return { ...methods, byName: new Map([...methods.byName, ["tools/call", callOrResume]]) };

  async function callOrResume(params: Params): Promise<Result> {
    const { requestState: state } = params;
    if (state !== undefined) return await resume(state, fieldsOf(params["inputResponses"]));
    const result = await call?.(params) ?? {};
    const form = formOf(result);
    return form === undefined ? result : ask(result, form);
  }

  function ask(result: Result, { id, params }: NonNullable<ReturnType<typeof formOf>>): Result {
    const requestState = crypto.randomUUID();
    const form = { method: "elicitation/create", params: { mode: "form", ...params } };
    const asked = { resultType: "input_required", inputRequests: { [ANSWER]: form }, requestState };
    waiting.set(requestState, { id, result, asked });
    for (const oldest of waiting.keys()) {
      if (waiting.size <= WAITING_MAX) break;
      waiting.delete(oldest);
    }
    return asked;
  }

  async function resume(state: unknown, replies: Params): Promise<Result> {
    const found = waiting.get(String(state));
    if (found === undefined) {
      const what = "requestState belongs to no waiting call: call again without it";
      throw new McpError(ErrorCode.InvalidParams, what);
    }
    if (!(ANSWER in replies)) return found.asked;
    waiting.delete(String(state));
    const said = readSaid(replies[ANSWER]);
    if (said === undefined) return found.result;
    return withAnswer(found.result, said, await methods.answer(found.id, said));
  }
}
