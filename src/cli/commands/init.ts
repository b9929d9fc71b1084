/** `sage init`: creates the stores, and says on one screen what happens next. */
import { SageError } from "../../base/errors.ts";
import { defined } from "../../base/defined.ts";
import { knownEditors } from "../../memory/editor/state.ts";
import { count } from "../../base/text/text.ts";
import { type InitReport, initStores } from "../../memory/init.ts";
import type { Memory } from "../../memory/memory.ts";
import { plantTemplate, type TemplateName, TEMPLATES } from "../../memory/template.ts";
import type { MoveReport } from "../../memory/vault/move.ts";
import { sourcesText } from "../../memory/vault/sources.ts";
import { type Answer, bold, dim, type Line } from "../terminal/answer.ts";
import { defineCommand, type Input } from "../command.ts";
import type { Io } from "../io.ts";
import { table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

export const command = defineCommand({
  options: {
    user: { type: "boolean", summary: "only your own store, nothing in this project" },
    template: {
      type: "string",
      choices: TEMPLATES,
      summary: "also a few sample notes for this kind of work",
    },
    obsidian: {
      type: "string",
      value: "vault",
      summary: "keep notes in this vault; any folder will do",
    },
    namespace: { type: "string", value: "folder", summary: "where in the vault (Sage)" },
    source: {
      type: "strings",
      value: "path",
      summary: "a folder of the vault to search but never write; . is all of it",
    },
    "no-obsidian": { type: "boolean", summary: "take all notes out of the vault again" },
  },
  details:
    "Creates .sage in this project, for what may be shared through git, and your own store for the rest. Nothing that exists is changed.\n\n" +
    "With --obsidian notes lie in a vault: yours in <vault>/Sage/global, this project's in <vault>/Sage/projects; notes that exist already are moved there, with versions, archive and trash. Any folder will do as a vault. Where a project's notes are shared through git, --user leaves them there. Move and rename notes as you like, within the folders of notes there; settings and machine-made state stay in .sage.",
  examples: [
    "sage init",
    "sage init --template software",
    "sage init --obsidian ~/Vault --source Research",
    "sage init --no-obsidian",
  ],
  async run(input, io) {
    const { user, template, obsidian, namespace, source, "no-obsidian": leaves } = input.options;
    if (leaves && (obsidian !== undefined || template !== undefined || user)) {
      throw new SageError("usage", "--no-obsidian cannot be combined with these options", {
        hint: "it takes the notes of every project out of the vault",
      });
    }
    if (obsidian === undefined && (namespace !== undefined || source.length > 0)) {
      throw new SageError("usage", "--namespace and --source belong to --obsidian", {
        hint: "sage init --obsidian <vault>",
      });
    }
    const answer = await withMemory(input, io, async (memory): Promise<Answer> => {
      if (leaves) return toAnswer(await (await vaultOf()).leaveVault(memory), "out of");
      const report = await initStores(memory, { project: !user });
      const moved = await moveInto(memory, report, {
        dir: obsidian,
        namespace,
        sources: source,
        project: !user,
      });
      const { created, existing, projectRoot, userRoot } = report;
      const json = { created, existing, project_root: projectRoot, user_root: userRoot };
      if (moved !== undefined) {
        const answer = toAnswer(moved, "into");
        return { ...answer, json: { ...json, ...answer.json as object } };
      }
      const roots = [projectRoot, userRoot].filter((root) => root !== undefined);
      const isNew = roots.some((root) => created.includes(root));
      const notices = user || projectRoot !== undefined ? [] : [NO_PROJECT];
      if (isNew) return { json, text: welcome(io, memory, report), notices };
      const said = created.length === 0
        ? `Already there: ${roots.join(", ")}`
        : `Added what was missing: ${created.join(", ")}`;
      return { json, text: [said], notices };
    });
    return template === undefined
      ? answer
      : await withTemplate(input, io, { name: template, user }, answer);
  },
});

const NO_PROJECT =
  "Your home folder is not a project: what is saved here is yours alone. In a project's folder, sage init makes one of it.";

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

function vaultOf() {
  return import("../../memory/vault/move.ts");
}

/** A new project joins the vault that the person's other notes lie in. */
async function moveInto(
  memory: Memory,
  { created, projectRoot }: InitReport,
  wish: {
    readonly dir: string | undefined;
    readonly namespace: string | undefined;
    readonly sources: readonly string[];
    readonly project: boolean;
  },
): Promise<MoveReport | undefined> {
  const isNew = projectRoot !== undefined && created.includes(projectRoot);
  const dir = wish.dir ?? (isNew ? memory.places.vault?.root : undefined);
  if (dir === undefined) return undefined;
  return await (await vaultOf()).enterVault(memory, { ...wish, dir });
}

function toAnswer(
  { vault, namespace, moved, left, searched }: MoveReport,
  way: "into" | "out of",
): Answer {
  const place = `${vault}/${namespace}`;
  const said = way === "into"
    ? `Notes lie in ${place}; begin with _index.md there`
    : `Notes lie in .sage again, no longer in ${place}`;
  return {
    json: { vault, namespace, moved, left, ...defined({ searched }) },
    text: [
      said,
      ...moved.filter((store) => store.files > 0).map(({ from, to, files }): Line => [
        `${count(files, "file")}  ${to}  `,
        dim(`from ${from}`),
      ]),
      ...(searched === undefined ? [] : [sourcesText(searched)]),
    ],
    notices: [
      ...left.map((path) => `sage: warning: ${path} is not a file, and stays where it is`),
      ...(way === "into" && moved.some(({ scope, files }) => scope === "project" && files > 0)
        ? [
          "Where git had this project's notes, it sees them removed; sage init --no-obsidian brings them back.",
        ]
        : []),
    ],
  };
}

function welcome(io: Io, memory: Memory, { projectRoot, userRoot }: InitReport): Line[] {
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
    ], { indent: "  ", wraps: true }),
    "",
    "All are Markdown files that survive compaction, crashes and a session's end.",
    "",
    ...table(io, purposes.map(([root = "", purpose = ""]) => [root, dim(purpose)]), {
      indent: "  ",
    }),
    "",
    ...next(memory),
    "",
    dim("sage status says what is saved, sage help what else there is."),
  ];
}

const CLAUDE_CODE = { name: "claude-code", title: "Claude Code", hasHooks: true };

function next(memory: Memory): Line[] {
  const known = knownEditors(memory);
  const connected = known.find(({ state }) => ["installed", "elsewhere"].includes(state.kind));
  const { name, title, hasHooks } = connected ?? known[0] ?? CLAUDE_CODE;
  const step = connected === undefined
    ? bold(`sage install ${name}`)
    : `start a session in ${title}`;
  return [
    ["Next: ", step],
    // Of an editor without hooks, sage install says what it cannot.
    ...(hasHooks
      ? [
        "From then on Sage saves by itself, at turning points and before compaction, and",
        "each session starts with where the last one stopped.",
      ]
      : []),
  ];
}
