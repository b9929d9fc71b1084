/**
 * What installing Sage into an editor would change: its entries in settings or, for Claude Code, a plugin in
 * their place. Writes nothing.
 */
import { SageError } from "../../base/errors.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { statusLineOf } from "../../editor/claude_code/setup.ts";
import {
  type FileChange,
  planInstall,
  planUninstall,
  type Receipt,
  receiptOf,
} from "../../editor/plan.ts";
import type { EditorSetup, FileTexts, Scope, SetupFile, Via } from "../../editor/setup.ts";
import type { Memory } from "../memory.ts";
import { readTexts } from "./files.ts";
import { isInPlugin, pluginSetupFiles, refuseEdited } from "./plugin.ts";
import { filesWithUs, receipt } from "./receipts.ts";
import { placeOf, pluginElsewhere } from "./state.ts";

/** What is to be registered, and where. */
export interface Form {
  readonly scope: Scope;
  /** Absolute path of the program to register. */
  readonly binary: string;
  /** The status line too, where the person has none. */
  readonly statusLine?: boolean;
  /** Claude Code: as a plugin, which brings a skill and commands, instead of entries of its settings. */
  readonly plugin?: boolean;
  /** Claude Code: who answers prompts and ends of turns; as it is registered where missing. */
  readonly via?: Via | undefined;
}

interface FormPlan {
  readonly plan: readonly FileChange[];
  /** The receipt afterwards. */
  readonly made: Receipt;
  readonly hasOtherStatusLine: boolean;
}

/** The changes for one form. They remove the other form, since both would run each hook twice. */
export function planForm(
  memory: Memory,
  setup: EditorSetup,
  { scope, binary, statusLine = false, plugin = false, via }: Form,
): FormPlan {
  const place = placeOf(memory);
  const isClaudeCode = setup.name === "claude-code";
  const entries = setup.files(scope, place);
  const settings = entries[0]?.path ?? "";
  // Where Sage is registered by now, in either form.
  const known = isClaudeCode ? filesWithUs(memory, setup.name) : [];
  const pluginFiles = plugin ? pluginSetupFiles(memory, settings, false) : [];
  const texts = readTexts(memory, pathsOf([...entries, ...known, ...pluginFiles]));
  const line = isClaudeCode ? statusLineIn(entries, texts) : undefined;
  const files = plugin ? pluginSetupFiles(memory, settings, statusLine || line === "own") : entries;
  if (isClaudeCode) refuseSecond(memory);
  if (plugin) refuseEdited(pluginFiles, texts, known);

  const leaving = filesToLeave(memory, known, { entries, files, plugin });
  const out = planUninstall(setup, texts, { files: leaving });
  const left = new Map([...texts, ...out.map(({ path, after }) => [path, after] as const)]);
  const brought = planInstall(files, left, {
    command: binary,
    os: place.os,
    beforeEdits: memory.config.get("surfacing.before_edits"),
    statusLine,
    via,
  });
  const rest = (receipt(memory, setup.name)?.files ?? []).filter(({ path }) =>
    !pathsOf(leaving).includes(path)
  );
  return {
    plan: inOneStep(out, brought, texts),
    made: receiptOf(setup, brought, { files: rest }),
    hasOtherStatusLine: line === "other",
  };
}

function pathsOf(files: readonly { readonly path: string }[]): string[] {
  return files.map(({ path }) => path);
}

/** Whose status line the settings have: Sage's own or another; undefined where they have none. */
function statusLineIn(
  entries: readonly SetupFile[],
  texts: FileTexts,
): "own" | "other" | undefined {
  const lines = pathsOf(entries).map((path) => statusLineOf(texts.get(path), path));
  return lines.find((line) => line !== "none");
}

/** The files from which Sage's entries are removed: the other form's, and those this form no longer has. */
function filesToLeave(
  memory: Memory,
  known: Receipt["files"],
  { entries, files, plugin }: {
    readonly entries: readonly SetupFile[];
    readonly files: readonly SetupFile[];
    readonly plugin: boolean;
  },
): Receipt["files"] {
  const wanted = new Set(pathsOf(files));
  const others = otherProfiles(pathsOf(known), pathsOf(entries));
  return known.filter(({ path }) =>
    isInPlugin(memory, path) ? !plugin || !wanted.has(path) : plugin && !others.has(path)
  );
}

/** Removals and additions as one change for each file, from its present text. */
function inOneStep(
  out: readonly FileChange[],
  brought: readonly FileChange[],
  texts: FileTexts,
): FileChange[] {
  return [
    ...out.filter(({ path }) => !pathsOf(brought).includes(path)),
    ...brought.map((change) => ({ ...change, before: texts.get(change.path) })),
  ].filter(({ before, after }) => before !== after);
}

/** A person's Claude Code files that belong to a profile other than this one. */
function otherProfiles(paths: readonly string[], own: readonly string[]): Set<string> {
  const folders = paths.filter((path) => basename(path) === ".claude.json" && !own.includes(path))
    .map(dirname);
  const files = [".claude.json", "settings.json", ".claude/settings.json"];
  return new Set(folders.flatMap((folder) => files.map((name) => join(folder, name))));
}

function refuseSecond(memory: Memory): void {
  const elsewhere = pluginElsewhere(memory);
  if (elsewhere === undefined) return;
  throw new SageError("conflict", `Claude Code has Sage as the plugin "${elsewhere}" already`, {
    hint: `claude plugin uninstall ${elsewhere}, then repeat; or leave it as it is`,
  });
}
