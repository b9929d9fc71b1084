/** `sage project`: what a project is called and known by, what is told first in it, who shares it. */
import { assert, SageError } from "../../base/errors.ts";
import { count } from "../../base/text/text.ts";
import { initStores } from "../../memory/init.ts";
import type { Memory } from "../../memory/memory.ts";
import { claimProject, unplacedProjects } from "../../memory/project/claim.ts";
import { type ProjectInfo, projectInfo } from "../../memory/project/info.ts";
import { findProjects, knownProjects, type ProjectItem } from "../../memory/project/list.ts";
import { pinNote } from "../../memory/project/pin.ts";
import { renameProject } from "../../memory/project/rename.ts";
import { plannedDriver, readSharing, registerDriver, shareStore } from "../../memory/team/share.ts";
import { findNote } from "../../memory/find.ts";
import { trustWords } from "../../memory/status/trust_words.ts";
import { type Answer, bold, dim, failed, type Line, type Span } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb, type Verb } from "../command.ts";
import { program } from "../installed.ts";
import type { Io } from "../io.ts";
import { withFound } from "../note_operand.ts";
import { changedAnswer } from "../outcome.ts";
import { countKind, fact, renderLines, when, whenHeading } from "../terminal/print.ts";
import { canAsk, confirm } from "../terminal/prompt.ts";
import { listing, oneLineEach, pageLines } from "../terminal/table.ts";
import { authorOf, refuseAgents, withMemory } from "../with_memory.ts";

const init = defineVerb({
  summary: "create .sage in this project; with --team, for several people",
  usage: "sage project init [--team] [--yes]",
  options: {
    team: { type: "boolean", summary: "let git merge notes that several people change" },
    yes: { type: "boolean", short: "y", summary: "register the merge driver without asking" },
  },
  details:
    "Nothing that exists is changed. --team makes Sage the merge driver for notes in .sage/.gitattributes, and asks before it registers the driver in this repository's git configuration; each of you runs it once. A merge then keeps the lines of both sides, and marks where both changed the same place. Without it git merges notes like any text. sage uninstall removes it from git again.",
  examples: ["sage project init", "sage project init --team"],
  run(input, io) {
    const { team, yes } = input.options;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const { created, projectRoot } = await initStores(memory);
      if (projectRoot === undefined) {
        throw new SageError(
          "usage",
          "Your home folder is not a project: its store is yours alone",
          { hint: "go to the project's folder first" },
        );
      }
      const isNew = created.includes(projectRoot);
      const said = isNew ? `Created ${projectRoot}` : `Already there: ${projectRoot}`;
      const json = { created, project_root: projectRoot };
      if (!team) return { json, text: [said] };
      return await withMemory(input, io, (there) => share(there, io, { json, said, yes }));
    });
  },
});

async function share(
  memory: Memory,
  io: Io,
  { json, said, yes }: { readonly json: Answer["json"]; readonly said: string; yes: boolean },
): Promise<Answer> {
  const { project } = memory;
  assert(project !== undefined, "it was made just now");
  shareStore(project);
  const before = readSharing(memory);
  const text: Line[] = [said, `${project.root}/.gitattributes: Sage merges its notes`];
  if (before.driver === undefined) {
    return {
      json: { ...json, driver: "no_repository" },
      text,
      notices: ["there is no git repository yet: repeat this in one, so that git calls Sage"],
    };
  }
  const binary = program(io, undefined);
  const planned = plannedDriver(memory, binary);
  if (planned.isThere) {
    const already = `Git calls Sage already: ${planned.config}`;
    return { json: { ...json, driver: "registered" }, text: [...text, already] };
  }
  if (before.driver === "other") {
    throw new SageError("conflict", `[merge "sage"] in ${planned.config} calls another program`, {
      hint: "take it out of there, then repeat",
    });
  }
  const shown = [`${planned.config}:`, ...planned.text.split("\n").map((line) => `  ${line}`)];
  if (!yes && canAsk(io)) io.err(renderLines(["", ...shown], io.color));
  const isWanted = authorOf(io).by === "person" &&
    (yes || (canAsk(io) && await confirm(io, "Have git call Sage in this repository?")));
  if (!isWanted) {
    return {
      json: { ...json, driver: before.driver, config: planned.config, section: planned.text },
      text: [...text, "", "Git does not call Sage yet. It would with this:", ...shown],
      notices: ["sage project init --team --yes, typed by a person, writes it"],
    };
  }
  registerDriver(memory, binary);
  return {
    json: { ...json, driver: "registered", config: planned.config, section: planned.text },
    text: [...text, "", "Git calls Sage here now:", ...shown],
    notices: [SHARED],
  };
}

const SHARED = "commit .sage where that is new; each of you runs this once";

const info = defineVerb({
  summary: "how this project is identified, what it holds, and whether a team shares it",
  usage: "sage project info",
  run(input, io) {
    return withMemory(input, io, async (memory) => {
      const known = await projectInfo(memory);
      return { json: { project: known }, text: pageLines(io, oneLineEach(infoLines(known))) };
    });
  },
});

function infoLines(info: ProjectInfo): Line[] {
  const { store, sharing, counts, pinned } = info;
  const kinds = Object.entries(counts).map(([kind, number]) => countKind(number, kind));
  const optional = (name: string, text: string | undefined): Line[] =>
    text === undefined || text === "" ? [] : [fact(name, text)];
  return [
    bold(info.name),
    fact("id", `${info.id} (from ${info.known_by})`),
    ...optional("also", info.other_ids.join(", ")),
    fact("folder", info.dir),
    ...optional("worktree", info.worktree),
    ...optional("remote", info.remote),
    ...optional("forked from", info.forked_from),
    ...info.checkouts.map(({ root }) => fact("checkout", root)),
    fact(
      "store",
      store === undefined
        ? `none of its own: its notes are in yours${
          info.known_by === "folder"
            ? ", by this path; sage init before you move it, or sage project claim after"
            : ""
        }`
        : `${store.root} (${trustWords(store.trust)})`,
    ),
    fact("notes", kinds.length === 0 ? "none yet" : kinds.join(", ")),
    ...pinned.map(({ short_id, title }) => fact("pinned", `${short_id} ${title}`)),
    ...(sharing.isShared ? [fact("team", TEAM[sharing.driver ?? "missing"])] : []),
    ...optional("problem", info.problem),
  ];
}

const TEAM = {
  registered: "notes merge by themselves: git calls Sage",
  gone: "git calls a sage that does not exist: sage project init --team",
  other: "git calls another program for notes here",
  missing: "git does not call Sage here yet: sage project init --team",
} as const;

const list = defineVerb({
  summary: "the projects that Sage has seen",
  usage: "sage project list",
  run(input, io) {
    return withMemory(input, io, async (memory) => {
      const items = await knownProjects(memory);
      const unplaced = await unplacedProjects(memory);
      const own = (id: string): string => {
        const notes = unplaced.find((one) => one.id === id)?.notes;
        return notes === undefined ? "" : `: ${count(notes, "note")} in your own store`;
      };
      const rows = items.map((item): Span[] => [
        item.current ? "*" : " ",
        item.name,
        when(io, item.last_seen, memory.now()),
        item.exists ? item.root : dim(`${item.root} (gone)${own(item.id)}`),
      ]);
      const others = unplaced.filter(({ id }) => items.every((item) => item.id !== id));
      const placeless = others.map(({ id, name, updated }): Span[] => [
        " ",
        name,
        when(io, updated, memory.now()),
        dim(`not known${own(id)}`),
      ]);
      const heading = ["", "name", whenHeading(io), "folder"];
      const nothing = "No project yet: sage project init makes one.";
      return {
        json: { items, total: items.length, unplaced },
        text: listing(io, heading, [...rows, ...placeless], nothing),
        notices: unplaced.length === 0
          ? []
          : ["sage project claim <name>, typed in its folder, takes such notes over"],
      };
    });
  },
});

const switchTo = defineVerb({
  summary: "print the folder of a project, to go there",
  usage: "sage project switch <name|id>",
  operands: [1, Infinity],
  details:
    "There is no current project to switch: commands use the project of the folder they run in, or of --project. So this prints the folder, for your shell to go there.",
  examples: ['cd "$(sage project switch tool)"', "sage search tokens --project ~/code/tool"],
  run(input, io) {
    const wanted = input.rest.join(" ");
    return withMemory(input, io, async (memory) => {
      const found = await findProjects(memory, wanted);
      const [only] = found;
      if (only === undefined || found.length > 1) return several(wanted, found);
      return {
        json: { project: only },
        text: [only.root],
        notices: io.isTerminal.stdout ? [`cd "$(sage project switch ${wanted})" goes there`] : [],
      };
    });
  },
});

function several(wanted: string, items: readonly ProjectItem[]): Answer {
  return failed({
    code: "ambiguous",
    message: `"${wanted}" names ${items.length} folders`,
    hint: "repeat with one of them",
  }, { json: { items }, text: items.map(({ root }) => root) });
}

const rename = defineVerb({
  summary: "rename this project; its notes and links stay",
  usage: "sage project rename <name>",
  operands: [1, Infinity],
  details:
    "Changes the name in .sage/project.yaml. Notes know their project by its id, which stays, so nothing else changes; neither does the folder.",
  examples: ["sage project rename 'Morpho research'"],
  run(input, io) {
    refuseAgents(io, "Only a person may name a project");
    return withMemory(input, io, async (memory) => {
      const { id, from, to } = await renameProject(memory, input.rest.join(" "));
      return {
        json: { id, from, name: to },
        text: [from === to ? `It is called ${to} already.` : `${from} is called ${to} now.`],
      };
    });
  },
});

const claim = defineVerb({
  summary: "take over the notes of a folder that was moved here",
  usage: "sage project claim <name|id>",
  operands: [1, Infinity],
  details:
    "A folder without git and without a store of its own is known by its path, and recognised after a rename. Where it is another folder, as on another disk or machine, its notes are still in your own store, and sage project list shows them without a folder. Run in the new folder, this assigns them to this project; the notes stay as they are. The entry is in ~/.sage/projects.yaml (former), where it can be removed again.",
  examples: ["cd ~/new/place && sage project claim thesis"],
  run(input, io) {
    refuseAgents(io, "Only a person may claim notes for a project");
    const wanted = input.rest.join(" ");
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const items = await claimProject(memory, wanted);
      const [only] = items;
      if (only !== undefined && items.length === 1) {
        const { notes, name } = only;
        const here = memory.places.projectDir;
        return {
          json: { claimed: only },
          text: [
            `${count(notes, "note")} of ${name} ${notes === 1 ? "is" : "are"} of ${here} now.`,
          ],
        };
      }
      return failed({
        code: "ambiguous",
        message: `"${wanted}" names ${items.length} projects`,
        hint: "repeat with one of these ids",
      }, { json: { items }, text: items.map(({ id, notes }) => `${id}  ${count(notes, "note")}`) });
    });
  },
});

function pinVerb(pinned: boolean): Verb {
  const name = pinned ? "pin" : "unpin";
  return defineVerb({
    summary: pinned ? "have every session start with a note" : "unpin a note",
    usage: `sage project ${name} <id>`,
    operands: [1, Infinity],
    details: pinned
      ? "Sets pinned: true in the note, whatever its kind; its text stays as it is."
      : "Removes pinned: true (or always: true) from the note; its text stays as it is.",
    run(input, io) {
      refuseAgents(io, "Only a person may pin a note");
      return withMemory(input, io, (memory) => {
        const operand = { kind: "note", ref: input.rest.join(" "), json: input.json } as const;
        const find = (ref: string) => findNote(memory, ref);
        return withFound(memory, io, operand, find, async (stored): Promise<Answer> => {
          const { id, title } = stored.note;
          const outcome = await pinNote(memory, stored, pinned);
          if (outcome === "edited") return changedAnswer();
          const was = outcome === "unchanged";
          const state = pinned
            ? was ? "already pinned" : "pinned"
            : was
            ? "not pinned"
            : "not pinned any more";
          return { json: { id, pinned, outcome }, text: [`${title} is ${state}.`] };
        });
      });
    },
  });
}

export const command: CommandGroup = {
  verbs: {
    init,
    info,
    list,
    pin: pinVerb(true),
    unpin: pinVerb(false),
    switch: switchTo,
    rename,
    claim,
  },
};
