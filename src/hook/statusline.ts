/** The status bar's line. A failure costs the line. */
import type { Env } from "../base/environment.ts";
import { realFs } from "../base/fs.ts";
import { parseStatusLine } from "../editor/claude_code/statusline.ts";
import { statusLine } from "../memory/status/statusline.ts";

export async function statusLineFor(raw: unknown, env: Env): Promise<string> {
  return await statusLine({ fs: realFs, env, ...parseStatusLine(raw) });
}
