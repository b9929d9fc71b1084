/** `sage mcp`: hands stdin and stdout to the MCP server, which is loaded only here. */
import { SETTINGS } from "../../config/keys.ts";
import { defineCommand } from "../command.ts";
import { folder } from "../folder.ts";

export const command = defineCommand({
  options: {
    tools: {
      type: "string",
      choices: SETTINGS["mcp.tools"].choices,
      summary: "how many tools the agent sees",
    },
  },
  details: "After sage install the editor starts it; it ends when its stdin ends.",
  connects: "endpoint",
  async run({ options: { tools }, project }, io) {
    const { main } = await import("../../mcp/main.ts");
    const code = await main({
      profile: tools,
      project: project === undefined ? undefined : folder(io, project),
      async answerCommand(asked, env, opened) {
        const { answerFor } = await import("../answer_for.ts");
        return await answerFor(asked, env, opened);
      },
    });
    return code === 0 ? undefined : { json: {}, text: [], code };
  },
});
