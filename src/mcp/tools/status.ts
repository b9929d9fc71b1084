/** Read-only tools about Sage itself: its state, and its settings. */
import { z } from "zod";
import { neutralize } from "../../base/text/printable.ts";
import { explainSetting, listSettings } from "../../memory/settings.ts";
import { readStatus } from "../../memory/status/status.ts";
import { say } from "../answer.ts";
import { defineTool, READS } from "../tool.ts";
import { label } from "./shapes.ts";

const shape = z.looseObject({ outcome: z.string(), message: z.string() });

export const statusTool = defineTool({
  name: "sage_status",
  title: "Memory status",
  description: "Whether memory works here: counts, last save, what needs attention.",
  input: z.strictObject({}),
  output: shape,
  annotations: READS,
  async run(memory) {
    const { healthy, line, next, counts, unparsable, project } = await readStatus(memory);
    const message = neutralize(`${line}. Next, for the person: ${next}.`);
    const data = { counts, unparsable: unparsable.length, project: project.id };
    return say(healthy ? "healthy" : "needs_attention", message, data);
  },
});

export const configTool = defineTool({
  name: "sage_config",
  title: "Settings",
  description:
    "Which settings hold, or what one key does. Changing them is the person's: `sage config set`.",
  input: z.strictObject({ key: label.optional() }),
  output: shape,
  annotations: READS,
  run(memory, { key }) {
    if (key === undefined) {
      const settings = listSettings(memory).map(({ key, value, source }) => ({
        key,
        value,
        source,
      }));
      const lines = settings.map(({ key, value, source }) => `${key} = ${value} (${source})`);
      return Promise.resolve({
        kind: "done",
        text: lines.join("\n"),
        data: { outcome: "listed", message: `${settings.length} settings.`, settings },
      });
    }
    const { setting, value, source, range, ...rest } = explainSetting(memory, key);
    const message =
      `${rest.key} = ${value} (from ${source}, default ${setting.default}, takes ${range}): ` +
      `${setting.summary}; ${setting.lever}. To change it: \`sage config set ${rest.key} <value>\`.`;
    return Promise.resolve(say("explained", message, { key: rest.key, value, source, range }));
  },
});
