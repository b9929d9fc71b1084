/**
 * Where Cursor keeps conversations for hooks and tools: what its hooks and its history share. One file for each,
 * `~/.cursor/projects/<project>/agent-transcripts/<id>/<id>.jsonl`; those of its command line lie beside
 * these folders, as `<id>.jsonl`.
 */
import { join } from "../../base/path.ts";

export const TRANSCRIPTS = "agent-transcripts";
const FILE = new RegExp(`/${TRANSCRIPTS}/(?:([^/]+)/)?([A-Za-z0-9_-]{8,128})\\.jsonl$`);

export function projectsFolder(home: string): string {
  return join(home, ".cursor", "projects");
}

/** The name of a project's folder: its path, with a dash for whatever is no letter or digit. */
export function projectName(projectDir: string): string {
  return projectDir.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/** The conversation in a file, by its path; undefined for a subagent's and for any other file. */
export function conversationIn(path: string): string | undefined {
  const [, folder, id] = FILE.exec(path) ?? [];
  return folder === undefined || folder === id ? id : undefined;
}
