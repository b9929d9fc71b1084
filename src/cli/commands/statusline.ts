/** `sage statusline` as a person calls it; an editor's call takes the way of the hooks (main.ts). */
import { defined } from "../../base/defined.ts";
import { parsed } from "../../base/fields.ts";
import { realFs } from "../../base/fs.ts";
import { HOOK_INPUT_BYTES_MAX } from "../../base/limits.ts";
import { parseStatusLine } from "../../editor/claude_code/statusline.ts";
import { statusLine } from "../../memory/status/statusline.ts";
import { defineCommand } from "../command.ts";
import { folder } from "../folder.ts";

export const command = defineCommand({
  details:
    "Reads what Claude Code puts on a status line's stdin and says, in at most 80 columns (or COLUMNS), when the session was saved last, how many notes were recalled in it, how many todos are open, or what is wrong. sage install claude-code --statusline registers it if you have no status line yet; to keep your own, call this from it.",
  async run({ project }, io) {
    const text = io.isTerminal.stdin
      ? ""
      : await io.readAll(HOOK_INPUT_BYTES_MAX, { isLenient: true });
    const input = parseStatusLine(parsed(text));
    const dir = project === undefined ? input.dir : folder(io, project);
    const line = await statusLine({
      fs: realFs,
      env: io.env,
      ...input,
      ...defined({ dir }),
    });
    return { json: { line }, text: line === "" ? [] : [line] };
  },
});
