/**
 * Shared by `sage ask` and `sage chat`: the connection to the model, and how its answer reaches a terminal.
 */
import { SageError } from "../../base/errors.ts";
import { printable } from "../../base/text/printable.ts";
import { count } from "../../base/text/text.ts";
import { readKey } from "../../chat/key.ts";
import { type ModelApi, openModelApi, type Reply, type Usage } from "../../chat/model_api.ts";
import { costOf } from "../../chat/talk.ts";
import type { RecallItem } from "../../memory/knowledge/answer.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Answer, dim, type Line } from "../terminal/answer.ts";
import type { Input } from "../command.ts";
import type { Io } from "../io.ts";
import { renderLines } from "../terminal/print.ts";
import { withMemory } from "../with_memory.ts";

/** Opens memory in a process that can reach the model API and nothing else. */
export function withModelApi(
  input: Input,
  io: Io,
  body: (memory: Memory, api: ModelApi) => Promise<Answer>,
): Promise<Answer> {
  return withMemory(
    input,
    io,
    async (memory) => {
      const address = addressOf(memory);
      const { hostname, port, protocol } = new URL(address);
      const host = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
      if (!io.disconnect(host)) {
        throw new SageError("permission", `This program may not connect to ${host}`);
      }
      const key = await readKey(io.env, memory.fs, memory.places.userRoot);
      return await body(memory, await openModelApi(key, address));
      // The address is known once memory is open: until then nothing may be reached.
    },
    { confine: () => false },
  );
}

/** If the configured address is wrong, nothing is sent to another one. */
function addressOf({ config, warnings }: Memory): string {
  const ignored = warnings.find((warning) => warning.includes("chat.address"));
  if (ignored !== undefined) throw new SageError("invalid_config", ignored);
  return config.get("chat.address");
}

/** On stderr: stdout belongs to the answer. */
export function showRecalled(io: Io, items: readonly RecallItem[]): void {
  if (items.length === 0) return;
  const lines: Line[] = [
    dim(`Knowledge recalled (${items.length})`),
    ...items.map((item) =>
      dim(`  ${item.short_id} ${item.title} (${count(item.tokens, "token")})`)
    ),
  ];
  io.err(renderLines(lines, io.color && io.isTerminal.stderr));
}

/** Writes an answer as it arrives, without control characters. */
export function streamTo(io: Io): { text(part: string): void; end(): void } {
  let last = "\n";
  let held = "";
  return {
    text(part) {
      // A sequence may arrive in two parts; its possible beginning waits for the next part.
      const whole = held + part;
      // deno-lint-ignore no-control-regex
      const open = /\x1b[^\n]{0,64}$/.exec(whole)?.index ?? whole.length;
      held = whole.slice(open);
      write(whole.slice(0, open));
    },
    end() {
      write(held);
      held = "";
      if (last !== "\n") write("\n");
    },
  };

  function write(text: string): void {
    const clean = printable(text);
    if (clean === "") return;
    io.out(clean);
    last = clean.slice(-1);
  }
}

/** Why an answer is not whole. */
export function cutNotice({ cut, text }: Reply): string | undefined {
  switch (cut) {
    case "tokens":
      return "The answer was cut at chat.max_tokens: sage config set chat.max_tokens <n>";
    case "refused":
      return "The model refused to continue";
    case "stopped":
      return "Stopped";
    case undefined:
      return text.trim() === "" ? "The model said nothing" : undefined;
  }
}

/** `1,204 tokens read, 310 written`, with the cost if prices are set. */
export function usageText(memory: Memory, usage: Usage): string {
  const cost = costOf(memory, usage);
  const paid = cost === undefined ? "" : `, cost ${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
  return `${count(usage.input, "token")} read, ${count(usage.output, "token")} written${paid}`;
}

export function usageFacts(memory: Memory, usage: Usage): Record<string, unknown> {
  return { inputTokens: usage.input, outputTokens: usage.output, cost: costOf(memory, usage) };
}
