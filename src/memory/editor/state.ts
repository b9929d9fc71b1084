/** Whether an editor would run Sage, in which form, and what keeps it from doing so. */
import { ifReadable } from "../../base/attempt.ts";
import { SageError } from "../../base/errors.ts";
import { dirname, join } from "../../base/path.ts";
import { pluginPaths, pluginSetting } from "../../editor/claude_code/plugin.ts";
import { BEFORE_EDITS_EVENT } from "../../editor/claude_code/registration.ts";
import { hooksOff, settingsPaths } from "../../editor/claude_code/setup.ts";
import {
  type EditorName,
  EDITORS,
  type EditorSetup,
  type HeldBack,
  isFound,
  type Place,
  type Scope,
  SCOPES,
} from "../../editor/setup.ts";
import { SETUPS } from "../../editor/setups.ts";
import { readText, readTexts } from "./files.ts";
import type { Memory } from "../memory.ts";
import { pluginFolderOf, secondPlugin } from "./plugin.ts";

type EditorState =
  | {
    readonly kind: "installed";
    readonly binary: string;
    readonly scope: Scope;
    readonly plugin?: true;
  }
  | { readonly kind: "absent" }
  /** A plugin that a marketplace handed out; it starts the program that is on the PATH. */
  | { readonly kind: "elsewhere"; readonly plugin: string }
  | {
    readonly kind: "broken";
    readonly reason: string;
    readonly scope: Scope;
    readonly plugin?: true;
  }
  /** The file is broken, so whether it has Sage's entries cannot be known. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Whether the editor would run Sage, by the user's settings or by this project's. */
export function editorState(memory: Memory, editor: EditorName = "claude-code"): EditorState {
  try {
    return readEditorState(memory, SETUPS[editor]);
  } catch (error) {
    if (!(error instanceof SageError) || error.code === "internal") throw error;
    return { kind: "unreadable", reason: error.message };
  }
}

/** An editor that was used on this machine, or that has Sage in its settings. */
export interface KnownEditor {
  readonly name: EditorName;
  /** As people call it. */
  readonly title: string;
  /** Whether it calls hooks, or Sage is reached through the tools alone. */
  readonly hasHooks: boolean;
  readonly state: EditorState;
}

export function knownEditors(memory: Memory): KnownEditor[] {
  const place = placeOf(memory);
  return EDITORS.flatMap((name) => {
    const setup = SETUPS[name];
    const state = editorState(memory, name);
    const isKnown = ["installed", "broken", "elsewhere"].includes(state.kind) ||
      isFound(setup, place);
    const hasHooks = setup.hookEvents({}).length > 0;
    return isKnown ? [{ name, title: setup.title, hasHooks, state }] : [];
  });
}

interface Form {
  readonly scope: Scope;
  readonly paths: readonly string[];
  readonly plugin?: true;
}

function formsOf(memory: Memory, setup: EditorSetup): Form[] {
  const place = placeOf(memory);
  const forms = SCOPES.map((scope): Form => ({
    scope,
    paths: setup.files(scope, place).map(({ path }) => path),
  }));
  if (setup.name !== "claude-code") return forms;
  const { settings, mcp } = pluginPaths(pluginFolderOf(memory));
  return [...forms, { scope: "user", paths: [settings, mcp], plugin: true }];
}

function readEditorState(memory: Memory, setup: EditorSetup): EditorState {
  const chosen = { beforeEdits: memory.config.get("surfacing.before_edits") };
  const there = formsOf(memory, setup).flatMap(({ paths, ...form }) => {
    const texts = readTexts(memory, paths);
    const own = paths.map((path) => setup.format(path).own(texts.get(path) ?? "", path));
    const hooks = new Map(own.flatMap(({ hooks }) => [...hooks]));
    const server = own.find(({ server }) => server !== undefined)?.server;
    return hooks.size === 0 && server === undefined ? [] : [{ ...form, hooks, server }];
  });
  const elsewhere = setup.name === "claude-code" ? pluginElsewhere(memory) : undefined;
  const [first] = there;
  if (first === undefined) {
    return elsewhere === undefined ? { kind: "absent" } : { kind: "elsewhere", plugin: elsewhere };
  }
  const { hooks, server, ...form } = first;
  const broken = (reason: string): EditorState => ({ kind: "broken", reason, ...form });
  if (elsewhere !== undefined) {
    const twice = `Claude Code has Sage twice, once as the plugin "${elsewhere}"`;
    return broken(`${twice}: remove one of them`);
  }
  if (form.plugin !== true && there.some(({ plugin }) => plugin)) {
    return broken("Claude Code has Sage twice, in its settings and as a plugin");
  }
  const binaries = [...new Set([...hooks.values(), server])].filter((path) => path !== undefined);
  const gone = binaries.find((path) => memory.fs.lstat(path) === undefined);
  if (gone !== undefined) return broken(`${setup.title} runs ${gone}, which does not exist`);
  const events = setup.hookEvents(chosen);
  const missing = events.filter((event) => !hooks.has(event));
  const absent = [
    ...(hooks.size === 0 && events.length > 0 ? ["hooks"] : []),
    ...(server === undefined ? ["MCP server"] : []),
    ...(hooks.size === 0
      ? []
      : missing.map((event) =>
        event === BEFORE_EDITS_EVENT ? "hook before edits" : `hook ${event}`
      )),
  ];
  if (absent.length > 0) return broken(`${setup.title} lacks Sage's ${absent.join(" and ")}`);
  return { kind: "installed", binary: binaries[0] ?? "", ...form };
}

/** Codex runs the hooks of both files. These two run once what both say alike; of the others it is not known. */
const RUNS_ALIKE_ONCE: readonly EditorName[] = ["claude-code", "gemini"];

/** The person's and the project's file, if the editor is known to run the hooks of both. */
export function hooksTwice(memory: Memory, name: EditorName): readonly string[] | undefined {
  if (name !== "codex" && !RUNS_ALIKE_ONCE.includes(name)) return undefined;
  const { format } = SETUPS[name];
  const found = formsOf(memory, SETUPS[name]).filter(({ plugin }) => plugin !== true)
    .flatMap(({ paths }) => {
      const texts = readTexts(memory, paths);
      const hooks = paths.flatMap((path) => {
        const [program] = format(path).own(texts.get(path) ?? "", path).hooks.values();
        return program === undefined ? [] : [{ path, program }];
      });
      return hooks.slice(0, 1);
    });
  const isOnce = name !== "codex" && new Set(found.map(({ program }) => program)).size < 2;
  return found.length < 2 || isOnce ? undefined : found.map(({ path }) => path);
}

/** The settings file and the key that keep Claude Code from calling Sage's hooks, if any. */
export function hooksOffIn(memory: Memory): { path: string; key: string } | undefined {
  const place = placeOf(memory);
  const { settings } = settingsPaths("project", place);
  const local = join(dirname(settings), "settings.local.json");
  const folder = pluginFolderOf(memory);
  const isPlugin = ifReadable(false, () => memory.fs.lstat(folder) !== undefined);
  for (const path of [settingsPaths("user", place).settings, settings, local]) {
    try {
      const text = readText(memory, path);
      const plugin = isPlugin ? pluginSetting(text, path) : undefined;
      const key = hooksOff(text, path) ?? (plugin?.kind === "off" ? plugin.key : undefined);
      if (key !== undefined) return { path, key };
    } catch {
      // A file that cannot be read is a finding of its own.
    }
  }
  return undefined;
}

/** Why an editor that has Sage's hooks does not run them: it waits for the person to approve. */
export function heldBack(memory: Memory, name: EditorName, scope: Scope): HeldBack | undefined {
  try {
    return SETUPS[name].heldBack?.(scope, placeOf(memory), (path) => readText(memory, path));
  } catch {
    // A file that cannot be read is a finding of its own.
    return undefined;
  }
}

/** The name of a marketplace's plugin that is enabled, for the user or in this project. */
export function pluginElsewhere(memory: Memory): string | undefined {
  const paths = SCOPES.map((scope) => settingsPaths(scope, placeOf(memory)).settings);
  return secondPlugin(readTexts(memory, paths));
}

export function placeOf({ fs, places, env }: Memory): Place {
  return { fs, os: Deno.build.os, home: places.home, projectDir: places.projectDir, env };
}
