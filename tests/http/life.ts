/** Some of everything that the page shows, as agents and a person leave it behind. */
import assert from "node:assert/strict";
import { saveCheckpoint } from "../../src/memory/checkpoint/save.ts";
import type { KnowledgeInput } from "../../src/memory/knowledge/outcome.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { openMemory } from "../../src/memory/memory.ts";
import type { Author } from "../../src/memory/write/outcome.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { leaveToolReceipt } from "../../src/memory/tool_receipt.ts";
import { draft, OTHER, put } from "../support/world.ts";

export const GATEWAY =
  "Envoy is the gateway, because it reloads without dropping connections.\n\n- port 8443\n\n```\nenvoy -c a.yaml\n```\n";
export const STREAMS =
  "We chose Redis streams because consumer groups survive a restart of the worker.";

const PERSON: Author = { by: "person", explicit: true };
const AGENT: Author = { by: "agent", session: OTHER, explicit: true };

export async function life(home: string, cwd: string): Promise<void> {
  const env = (name: string) => ({ HOME: home } as Record<string, string>)[name];
  const memory = await openMemory({ cwd, env, holder: "test", session: OTHER });
  const know = async (input: KnowledgeInput, kind = "saved", author = PERSON): Promise<void> =>
    assert.equal((await saveKnowledge(memory, input, author)).kind, kind, input.title);
  try {
    await know({ title: "The gateway", content: GATEWAY, keywords: ["envoy"] });
    await know({
      title: "Deploy order",
      content: "Migrations, then the API behind [[the-gateway]].",
    });
    await know({
      title: "Rollback",
      content: "In reverse of the [[deploy-order]]. [[no-such-note]]",
    });
    await know({ title: "Weather", content: "It rains." });
    put(`${cwd}/src/limits.ts`, "export const MB = 200;\n");
    const sources = [{ id: "src/limits.ts", relation: "source" }];
    await know({ title: "Cache limit", content: "The cache holds 200 MB.", sources });
    const change = { title: "Cache limit", content: "The cache holds 150 MB." };
    await know({ ...change, onConflict: "update" }, "updated");
    put(`${cwd}/src/limits.ts`, "export const MB = 150;\n");
    await know({ title: "Interval", content: "Clients sync every 30 s." });
    const other = {
      title: "Interval",
      content: "Clients sync every 5 min.",
      onConflict: "contradicts",
    };
    await know(other as KnowledgeInput);
    await know({ title: "Style", content: "Two spaces." });
    const taste = {
      title: "Style",
      content: "The user prefers tabs.",
      subject: "preference",
    } as const;
    await know(taste, "proposed", AGENT);
    await know(
      { title: "Answers", content: "At most five lines.", scope: "user" },
      "proposed",
      AGENT,
    );
    await addTodo(memory, { content: "Rotate the certificate", priority: "high" }, PERSON);
    await saveCheckpoint(memory, draft({ thesis: STREAMS, coreQuestion: "Which queue?" }), AGENT);
    const call = {
      tool: "search_notes",
      outcome: "done",
      answer: "x".repeat(2000),
      milliseconds: 3,
    };
    await leaveToolReceipt(memory, call);
  } finally {
    memory.close();
  }
}

/** A preference that an agent wants to keep for another project of this home. */
export async function askElsewhere(home: string): Promise<void> {
  const cwd = `${home}/another`;
  await Deno.mkdir(cwd);
  const env = (name: string) => ({ HOME: home } as Record<string, string>)[name];
  const memory = await openMemory({ cwd, env, holder: "test", session: OTHER });
  try {
    const taste = { title: "Tabs", content: "Tabs in Go.", subject: "preference" } as const;
    assert.equal((await saveKnowledge(memory, taste, AGENT)).kind, "proposed");
  } finally {
    memory.close();
  }
}
