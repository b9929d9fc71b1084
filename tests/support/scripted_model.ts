/**
 * A model that is a script, in the forms that agents speak: OpenAI's Responses and chat completions, and
 * Gemini's. Each answer is one text, streamed in one piece.
 */
import { within } from "./within.ts";

export interface ScriptedModel extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  /** What it was sent with tools, oldest first: an agent's own small requests have none. */
  readonly sent: readonly string[];
  /** Undefined: requests with tools get none, as from a model that thinks for as long as the client waits. */
  answer: string | undefined;
}

export function scriptedModel(): ScriptedModel {
  const sent: string[] = [];
  const model: { answer: string | undefined; sent: string[] } = { answer: "", sent };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (req) => {
    const { pathname } = new URL(req.url);
    const body = req.method === "POST" ? await req.text() : "";
    const form = FORMS.find(({ path }) => path.test(pathname));
    // The client asks for more than the model: which models there are, how many tokens a text has.
    if (form === undefined) return Response.json({ data: [], models: [], totalTokens: 1000 });
    const isAsked = /"tools":\s*\[\s*\{/.test(body);
    if (isAsked) sent.push(body);
    const headers = { "content-type": "text/event-stream" };
    if (isAsked && model.answer === undefined) {
      return new Response(new ReadableStream({ type: "bytes" }), { headers });
    }
    const events = form.events(model.answer ?? "").map((event) =>
      `data: ${JSON.stringify(event)}\n\n`
    );
    const end = form.end ?? "";
    return new Response(events.join("") + end, { headers });
  });
  const { port } = server.addr;
  return Object.assign(model, {
    address: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => within("the end of the scripted model", server.shutdown()),
  });
}

interface Form {
  readonly path: RegExp;
  events(text: string): readonly unknown[];
  readonly end?: string;
}

const FORMS: readonly Form[] = [
  { path: /\/responses$/, events: responses },
  { path: /\/chat\/completions$/, events: completions, end: "data: [DONE]\n\n" },
  { path: /:streamGenerateContent$/, events: generated },
];

function responses(text: string): readonly unknown[] {
  const content = [{ type: "output_text", text, annotations: [] }];
  const item = { type: "message", role: "assistant", id: "m1", status: "completed", content };
  const usage = { input_tokens: 1000, output_tokens: 20, total_tokens: 1020 };
  const response = { id: "r1", status: "completed", output: [item], usage };
  return [
    { type: "response.created", response: { id: "r1" } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
    { type: "response.output_text.delta", item_id: "m1", output_index: 0, delta: text },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ];
}

function completions(text: string): readonly unknown[] {
  const chunk = { id: "c1", object: "chat.completion.chunk", created: 1, model: "m" };
  const usage = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };
  const delta = { role: "assistant", content: text };
  return [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage },
  ];
}

function generated(text: string): readonly unknown[] {
  const content = { role: "model", parts: [{ text }] };
  const usage = { promptTokenCount: 1000, candidatesTokenCount: 20, totalTokenCount: 1020 };
  return [{ candidates: [{ content, finishReason: "STOP", index: 0 }], usageMetadata: usage }];
}
