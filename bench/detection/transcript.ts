/**
 * A labelled conversation as the editor would have written it, line by line, and read back by the code
 * that ships: what is measured is what a stop sees.
 */
import { exchangesOf } from "../../src/detect/text/exchanges.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { TranscriptBuilder } from "../../tests/support/transcript.ts";
import type { Conversation } from "./conversation.ts";
import { CWD, tell } from "./tell.ts";

const folder = Deno.makeTempDirSync({ prefix: "sage-detection-" });
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
let written = 0;

/** The turns, and for each step the index behind its last turn. */
export function readBack(conversation: Conversation): { turns: readonly Turn[]; ends: number[] } {
  const id = `${String(++written).padStart(8, "0")}-0000-4000-8000-000000000001`;
  const builder = new TranscriptBuilder({ sessionId: id, cwd: CWD });
  tell(builder, conversation);
  const { turns } = readTranscript(builder.write(folder), { tailBytes: Infinity });
  const starts = exchangesOf(turns).map(({ start }) => start);
  if (starts.length !== conversation.steps.length) {
    throw new Error(`"${conversation.name}": not every prompt came back from the transcript`);
  }
  return { turns, ends: [...starts.slice(1), turns.length] };
}
