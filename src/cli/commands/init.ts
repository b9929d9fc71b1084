/** `sage init`: creates the stores, and says on one screen what happens next. */
import { type InitReport, initStores } from "../../memory/init.ts";
import { plantTemplate, type TemplateName, TEMPLATES } from "../../memory/template.ts";
import { type Answer, bold, dim, type Line } from "../answer.ts";
import { defineCommand, type Input } from "../command.ts";
import type { Io } from "../io.ts";
import { count } from "../print.ts";
import { table } from "../table.ts";
import { withMemory } from "../with_memory.ts";

export const command = defineCommand({
  operands: [0, 0],
  options: {
    user: { type: "boolean", summary: "only your own store, nothing in this project" },
    template: {
      type: "string",
      choices: TEMPLATES,
      summary: "with a few notes that show how such work is remembered",
    },
  },
  details:
    "Creates .sage in this project, for what may be shared through git, and your own store for the rest. Nothing that exists is changed.",
  examples: ["sage init", "sage init --template software"],
  async run(input, io) {
    const { user, template } = input.options;
    const project = !user;
    const answer = await makeStores(input, io, project);
    return template === undefined
      ? answer
      : await withTemplate(input, io, { name: template, user }, answer);
  },
});

function makeStores(input: Input, io: Io, project: boolean): Promise<Answer> {
  return withMemory(input, io, async (memory): Promise<Answer> => {
    const report = await initStores(memory, { project });
    const { created, existing, projectRoot, userRoot } = report;
    const json = { created, existing, project_root: projectRoot, user_root: userRoot };
    const roots = [projectRoot, userRoot].filter((root) => root !== undefined);
    const isNew = roots.some((root) => created.includes(root));
    if (isNew) return { json, text: welcome(io, report) };
    const said = created.length === 0
      ? `Already there: ${roots.join(", ")}`
      : `Added what was missing: ${created.join(", ")}`;
    return { json, text: [said] };
  });
}

/** In the stores as they are now; of what is there already nothing is made. */
function withTemplate(
  input: Input,
  io: Io,
  { name, user }: { readonly name: TemplateName; readonly user: boolean },
  { json, text }: Answer,
): Promise<Answer> {
  return withMemory(input, io, async (memory): Promise<Answer> => {
    const { made, there } = await plantTemplate(memory, name, user ? "user" : undefined);
    const said = made.length === 0
      ? `The ${name} notes are there already`
      : `Made ${count(made.length, "starter note")} (${name}): sage graph query tag:starter`;
    return { json: { ...json, template: { name, made, there } }, text: [...text, "", said] };
  });
}

function welcome(io: Io, { projectRoot, userRoot }: InitReport): Line[] {
  const purposes = [
    ...(projectRoot === undefined ? [] : [[projectRoot, "of this project; may be shared by git"]]),
    [userRoot, "yours alone"],
  ];
  return [
    [bold("Sage"), ": don't lose your thinking."],
    "",
    ...table(io, [
      [bold("Checkpoints"), "where you are: question, conclusion, what is open"],
      [bold("Knowledge"), "what you know: facts and decisions, kept up to date"],
      [bold("Todos"), "what is to be done"],
    ], { indent: "  " }),
    "",
    "All are Markdown files. They survive compaction, crashes and the end of a session.",
    "",
    ...table(io, purposes.map(([root = "", purpose = ""]) => [root, dim(purpose)]), {
      indent: "  ",
    }),
    "",
    ["Next: ", bold("sage install claude-code")],
    "From then on Sage saves by itself, at turning points and before compaction, and each",
    "session starts with where the last one stopped.",
    "",
    dim("sage status says what is saved, sage help what else there is."),
  ];
}
