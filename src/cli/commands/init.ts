/** `sage init`: creates the stores, and says on one screen what happens next. */
import { initStores } from "../../memory/init.ts";
import { type Answer, bold, dim, type Line } from "../answer.ts";
import { defineCommand } from "../command.ts";
import { withMemory } from "../with_memory.ts";

export const command = defineCommand({
  operands: [0, 0],
  options: {
    user: { type: "boolean", summary: "only your own store, nothing in this project" },
  },
  details:
    "Creates .sage in this project, for what may be shared through git, and your own store for the rest. Nothing that exists is changed.",
  run(input, io) {
    const project = !input.options.user;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const { created, existing } = await initStores(memory, { project });
      const json = { created, existing };
      if (created.length === 0) return { json, text: [`Already there: ${existing.join(", ")}`] };
      return { json, text: welcome(created) };
    });
  },
});

function welcome(created: readonly string[]): Line[] {
  return [
    [bold("Sage"), ": don't lose your thinking."],
    "",
    ["  ", bold("Checkpoints"), "  where you are: question, conclusion, what is open"],
    ["  ", bold("Knowledge"), "    what you know: facts and decisions, kept up to date"],
    ["  ", bold("Todos"), "        what is to be done"],
    "",
    "All three are Markdown files. They survive compaction, crashes and the end of a session.",
    "",
    ...created.map((path): Line => ["Created ", path]),
    "",
    [
      "Next: ",
      bold("sage install claude-code"),
      ". From then on Sage saves by itself at turning points",
    ],
    "and before compaction, and each session starts with where the last one stopped.",
    dim("sage status says what is saved, sage help what else there is."),
  ];
}
