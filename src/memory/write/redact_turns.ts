/**
 * Cleans a conversation before sentences are extracted from it. Removes what could not be recognised
 * afterwards: secrets that only their line gives away (`STRIPE=…` of an environment file), forgotten
 * sentences, and paths outside the project, which its store must not name. The rest is done on the
 * draft (clean_draft.ts).
 */
import { mapChanged } from "../../base/map_changed.ts";
import type { ToolUse, Turn } from "../../editor/editor.ts";
import { environmentLines } from "../../guard/assignments.ts";
import { redactSync } from "../../guard/redact.ts";
import { isAbsolute } from "../../base/path.ts";
import { realRoot } from "../../store/handle.ts";
import { withoutForgotten } from "./forgotten.ts";
import { homeStore, type Memory } from "../memory.ts";

/** Removes secrets by the built-in rules, unless the person turned that off. */
export function redactor({ config }: Memory): (text: string) => string {
  return config.get("privacy.redact") ? (text) => redactSync(text).text : String;
}

export function redactTurns(memory: Memory, turns: readonly Turn[]): readonly Turn[] {
  const redact = redactor(memory);
  const forget = withoutForgotten(memory);
  const isShared = homeStore(memory).scope === "project";
  return mapChanged(turns, (turn) => {
    const said = forget === undefined ? turn.text : forget(turn.text);
    const text = environmentLines(said).length > 0 ? redact(said) : said;
    const tools = isShared ? mapChanged(turn.tools, (tool) => ofProject(memory, tool)) : turn.tools;
    return text === turn.text && tools === turn.tools ? turn : { ...turn, text, tools };
  });
}

/** The tool without its path where that leads out of the project; a link into it is resolved. */
function ofProject({ fs, places }: Memory, tool: ToolUse): ToolUse {
  const { filePath, ...rest } = tool;
  if (filePath === undefined || !isAbsolute(filePath)) return tool;
  const inside = places.projectDir + "/";
  if (filePath.startsWith(inside) && !filePath.includes("/../")) return tool;
  try {
    const real = realRoot(fs, filePath);
    return real.startsWith(inside) ? { ...rest, filePath: real } : rest;
  } catch {
    return rest;
  }
}
