/** The status bar's line, where the editor asks for it. What goes wrong costs the line. */
import { realFs } from "../base/fs.ts";
import { parseStatusLine } from "../editor/claude_code/statusline.ts";
import { statusLine } from "../memory/statusline.ts";
import type { Env } from "./handler.ts";

export async function tellStatusLine(raw: unknown, env: Env): Promise<string> {
  return await statusLine({ fs: realFs, env, ...parseStatusLine(raw) });
}
