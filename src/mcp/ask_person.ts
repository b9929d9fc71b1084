/**
 * Asks the person a question by the client's own form. What comes back was chosen there and not
 * said by the model, so it counts as the person's. Where the client has no forms, or nobody
 * answers, the question stays open and the tool's answer says how to answer it.
 */
import { fieldsOf, isObject } from "../base/fields.ts";
import { cut } from "../base/text/text.ts";
import type { Memory } from "../memory/memory.ts";
import { acceptQuestion, isDone } from "../memory/question/accept.ts";
import { decline, findQuestion, putOff } from "../memory/question/question.ts";
import type { Data } from "./answer.ts";

const SAID = ["yes", "later", "never"] as const;
export type Said = typeof SAID[number];

/** How long a call waits for the person's answer. */
export const ELICIT_MS_MAX = 120_000;
const TEXT_CHARACTERS_MAX = 1500;

/** Whether the client can show a form; a capability without a mode means that it can. */
export function hasForms(capabilities: unknown): boolean {
  const { elicitation } = fieldsOf(capabilities);
  return isObject(elicitation) && ("form" in elicitation || !("url" in elicitation));
}

/** The form; undefined if the tool's result raises no question. */
export function formOf(result: Data): { id: string; params: Record<string, unknown> } | undefined {
  const data = result["structuredContent"] as Record<string, unknown> | undefined;
  const id = data?.["question_id"];
  if (typeof id !== "string") return undefined;
  const [question, text] = [data?.["question"], data?.["text"]].map((part) => String(part ?? ""));
  const answer = {
    type: "string",
    title: "Your answer",
    enum: [...SAID],
    enumNames: ["yes", "later: keep it waiting", "never: do not ask again"],
  };
  return {
    id,
    params: {
      message: [question, cut(text ?? "", TEXT_CHARACTERS_MAX)].filter(Boolean).join("\n\n"),
      requestedSchema: { type: "object", properties: { answer }, required: ["answer"] },
    },
  };
}

/** The person's answer; undefined if they closed the form. */
export function readSaid(reply: unknown): Said | undefined {
  const { action, content } = (reply ?? {}) as { action?: unknown; content?: unknown };
  const answer = (content as Record<string, unknown> | undefined)?.["answer"];
  return action === "accept" ? SAID.find((said) => said === answer) : undefined;
}

/** Carries out the person's answer; returns the result in words for the model. */
export async function answerQuestion(memory: Memory, id: string, said: Said): Promise<string> {
  const question = findQuestion(memory, id);
  switch (said) {
    case "never":
      decline(memory, question);
      return "The person was asked, and said no: do not ask again.";
    case "later":
      putOff(memory, question);
      return "The person was asked, and wants to decide later: go on without it.";
    case "yes": {
      const accepted = await acceptQuestion(memory, question);
      const { kind } = accepted.outcome;
      return isDone(accepted)
        ? "The person was asked, and said yes: it is done."
        : `The person said yes, but it could not be done (${kind}): it waits in sage inbox.`;
    }
  }
}

/** The tool's result, with the person's answer in place of the words about asking. */
export function withAnswer(result: Data, said: Said, message: string): Data {
  const data = result["structuredContent"] as Record<string, unknown>;
  const [first] = result["content"] as readonly { readonly text: string }[];
  const before = String(data["message"] ?? "");
  // A note that was read keeps its text; a write that waited has no other.
  const isWish = data["outcome"] === "proposed";
  const text = isWish ? message : `${message}\n\n${(first?.text ?? "").replace(before, "").trim()}`;
  return {
    ...result,
    content: [{ type: "text", text }],
    structuredContent: { ...data, message, answer: said },
  };
}
