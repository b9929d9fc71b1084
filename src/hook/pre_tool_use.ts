/** Before an edit: names the one note that has the file as a source. Off by default. */
import { now } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { leaveReceipt, peekSession } from "../memory/session/state/peek.ts";
import { withMemory } from "./handler.ts";

export async function handle(input: HookInput, env: Env, stateDir: string): Promise<HookReply> {
  const file = input.editedFile;
  if (file === undefined) {
    const peek = peekSession(input.sessionId, stateDir);
    leaveReceipt(peek, now(), { hook: input.event, gate: "no_edit" });
    return {};
  }
  return await withMemory(input, env, async (memory) => {
    // The hook may still be registered after it was turned off.
    if (!memory.config.get("surfacing.before_edits")) {
      return { reply: {}, receipt: { gate: "off" } };
    }
    await memory.load();
    const { nameNote } = await import("../memory/source/point_of_action.ts");
    const named = await nameNote(memory, input.sessionId, file);
    return "gate" in named
      ? { reply: {}, receipt: { gate: named.gate } }
      : { reply: { context: named.text }, receipt: { gate: "passed", shown: 1 } };
  }, { light: true });
}
