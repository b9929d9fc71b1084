/** Every tool, in the order in which clients list them, and the smallest profile that has it. */
import { includes, type Profile } from "../profile.ts";
import type { Tool } from "../tool.ts";
import {
  autosaveCheckTool,
  listCheckpointsTool,
  loadCheckpointTool,
  saveCheckpointTool,
} from "./checkpoint.ts";
import { loadContextTool } from "./context.ts";
import { graphTool } from "./graph.ts";
import {
  archiveKnowledgeTool,
  listKnowledgeTool,
  recallKnowledgeTool,
  removeKnowledgeTool,
  saveKnowledgeTool,
} from "./knowledge.ts";
import { getNoteTool, updateNoteTool } from "./note.ts";
import { findSimilarNotesTool, searchNotesTool } from "./search.ts";
import { sessionNoteTool } from "./session.ts";
import { configTool, statusTool } from "./status.ts";
import { todoTool } from "./todo.ts";

const TABLE: readonly (readonly [Profile, Tool])[] = [
  ["minimal", saveCheckpointTool],
  ["standard", autosaveCheckTool],
  ["minimal", loadCheckpointTool],
  ["standard", listCheckpointsTool],
  ["minimal", saveKnowledgeTool],
  ["minimal", recallKnowledgeTool],
  ["standard", listKnowledgeTool],
  ["standard", removeKnowledgeTool],
  ["standard", todoTool],
  ["minimal", searchNotesTool],
  ["standard", getNoteTool],
  ["standard", findSimilarNotesTool],
  ["full", loadContextTool],
  ["full", sessionNoteTool],
  ["full", archiveKnowledgeTool],
  ["full", updateNoteTool],
  ["full", graphTool],
  ["full", statusTool],
  ["full", configTool],
];

export function toolsOf(profile: Profile): Tool[] {
  return TABLE.filter(([smallest]) => includes(profile, smallest)).map(([, tool]) => tool);
}
