/** `sage uninstall --all`: removes everything but the notes, and nothing without a yes. */
import { dataName } from "../base/assets.ts";
import { fileStamp } from "../base/clock.ts";
import { SageError } from "../base/errors.ts";
import { dirname, join, native } from "../base/path.ts";
import { exportText } from "../chat/keep.ts";
import { type UnendedTalk, unendedTalks } from "../chat/log.ts";
import { EDITORS } from "../editor/setup.ts";
import { writeExport } from "../memory/checkpoint/export.ts";
import { installedFolders, uninstallAllHooks } from "../memory/guard/git_hooks.ts";
import { uninstallEditors, type UninstallOutcome } from "../memory/editor/install.ts";
import { unregisterDrivers } from "../memory/team/share.ts";
import type { Memory } from "../memory/memory.ts";
import { packageManager } from "../memory/release/placed.ts";
import {
  listResidue,
  removeResidue,
  type Residue,
  rootsWithNotes,
} from "../memory/sweep/residue.ts";
import { type Answer, dim, type Line, undone } from "./terminal/answer.ts";
import type { Input } from "./command.ts";
import { entryLines, fileDiffs, gitLines, leftLines } from "./installed.ts";
import type { Io } from "./io.ts";
import { canAsk, confirm } from "./terminal/prompt.ts";
import { renderLines } from "./terminal/print.ts";
import { withMemory } from "./with_memory.ts";

type Chosen = Input & {
  readonly options: Readonly<Record<"yes" | "verbose" | "dry-run", boolean>>;
};

export function uninstallAll(input: Chosen, io: Io): Promise<Answer> {
  const { yes, verbose, "dry-run": dryRun } = input.options;
  return withMemory(input, io, async (memory): Promise<Answer> => {
    const plan = await planAll(memory, io);
    const json = {
      outcome: dryRun ? "planned" : "uninstalled",
      files: plan.editors.files,
      git_hooks: plan.folders,
      git_configs: plan.drivers,
      removed: plan.residues.map(({ what, paths }) => ({ what, paths })),
      kept: plan.kept,
      conversations: plan.talks.map(({ path }) => path),
      edited: plan.editors.edited,
      shared: plan.editors.shared,
    };
    const lines = goingLines(io, plan, dryRun || verbose);
    const left = [
      ...leftLines({ ...plan.editors, kept: plan.kept }),
      ...plan.talks.map(({ path }) => `What you said in a chat that did not end stays: ${path}`),
    ];
    if (dryRun) return { json, text: [...lines, "Nothing was changed.", ...left] };
    if (lines.length > 0 && !yes) {
      if (input.json || !canAsk(io)) {
        throw new SageError("usage", "This cannot be undone, and there is nobody to ask", {
          hint: "sage uninstall --all --dry-run shows it; --yes does it",
        });
      }
      io.err(renderLines([...lines, ...left], io.color));
      if (!await confirm(io, "Remove all of this for good?")) {
        return undone(["Nothing was changed."]);
      }
    }
    await takeOut(memory, plan);
    const said = lines.length === 0 ? "Nothing to remove." : "Removed.";
    return {
      json,
      text: [...(yes ? lines : []), said, ...left],
      notices: programNotice(io.binary === undefined ? undefined : memory.fs.realPath(io.binary)),
    };
  });
}

interface Plan {
  readonly editors: UninstallOutcome;
  /** The folders where git finds Sage's hooks, and the files that name its merge driver. */
  readonly folders: readonly string[];
  readonly drivers: readonly string[];
  readonly residues: readonly Residue[];
  /** The folders in which notes stay. */
  readonly kept: readonly string[];
  /** The text of an unfinished chat, and the page it becomes. */
  readonly talks: readonly (UnendedTalk & { readonly path: string })[];
}

async function planAll(memory: Memory, io: Io): Promise<Plan> {
  return {
    editors: uninstallEditors(memory, EDITORS, { dryRun: true }),
    folders: installedFolders(memory),
    drivers: unregisterDrivers(memory, { dryRun: true }),
    residues: await listResidue(memory, io.binary),
    kept: await rootsWithNotes(memory),
    talks: unendedTalks(memory).map((talk) => ({ ...talk, path: pathOf(memory, talk) })),
  };
}

function goingLines(io: Io, { editors, folders, drivers, residues }: Plan, whole: boolean): Line[] {
  return [
    ...(whole ? fileDiffs(editors.files) : entryLines(io, editors.entries)),
    ...gitLines(folders, drivers),
    ...residues.flatMap(({ what, paths }): Line[] => [
      `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`,
      ...paths.map((path): Line => [dim(`  ${path}`)]),
    ]),
  ];
}

async function takeOut(memory: Memory, { residues, talks }: Plan): Promise<void> {
  for (const { path, said } of talks) {
    // Written by a run that was interrupted.
    if (memory.fs.lstat(path) !== undefined) continue;
    writeExport(memory, path, await exportText(memory, said));
  }
  // The hooks first: the state, which goes last, knows where they are.
  uninstallAllHooks(memory);
  unregisterDrivers(memory, { dryRun: false });
  uninstallEditors(memory, EDITORS, { dryRun: false });
  await removeResidue(memory, residues);
}

/** Beside the notes, for people: nothing reads it back. A new file if more was said since. */
function pathOf({ places }: Memory, { id, said }: UnendedTalk): string {
  const name = `chat-${fileStamp(said[0]?.at ?? 0)}-${id.slice(0, 8)}-${said.length}.md`;
  return join(places.userRoot, name);
}

/** How the program itself goes, which cannot delete itself everywhere, and should not anywhere. */
function programNotice(program: string | undefined): string[] {
  if (program === undefined) return [];
  const managed = packageManager(program)?.remove;
  if (managed !== undefined) return [`The program itself: ${managed}`];
  const data = dataName();
  const files = data === undefined ? [program] : [program, join(dirname(program), data)];
  // `del` of both shells of Windows takes one file, as it is written there.
  const remove = Deno.build.os === "windows" ? "del" : "rm";
  return files.map((path) => `The program itself: ${remove} "${native(path)}"`);
}
