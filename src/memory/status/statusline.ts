/**
 * One line for an editor's status bar: the last save, what was shown, open todos, or what is wrong.
 * Only numbers and words of ours, so that nothing of a note can stand in it. The editor asks after
 * every message, so a state file and the end of a log are read, and memory is opened only where notes
 * or settings changed since.
 */
import type { Env } from "../../base/environment.ts";
import { age, now } from "../../base/clock.ts";
import type { Fs } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import { neutralize } from "../../base/text/printable.ts";
import { collapse, count, cut } from "../../base/text/text.ts";
import { readState, writeState } from "../../store/state.ts";
import { captureHealthOf } from "./health.ts";
import type { Memory } from "../memory.ts";
import { locateState } from "../session/state/peek.ts";
import { stampPath } from "../session/orientation/prepared.ts";
import type { SessionState } from "../session/state/session_state.ts";
import { findState } from "../session/state/state_file.ts";

interface StatusLineRequest {
  readonly fs: Fs;
  readonly env: Env;
  /** The editor's; without one the line is about the machine. */
  readonly session?: string;
  readonly dir?: string;
}

/** The figures that need an open memory, and what they depend on. */
interface Known {
  readonly version: number;
  readonly stamps: readonly (readonly [path: string, stamp: string])[];
  readonly todos: number;
  readonly silent: boolean;
}

const VERSION = 1;
/** The terminal's width is unknown; this fits beside the editor's own words. */
const COLUMNS = 80;
const COLUMNS_MIN = 20;
const COLUMNS_MAX = 200;
const OPEN = ["pending", "in_progress", "blocked"] as const;

/** The line; "" if there is nothing to say. */
export async function statusLine(request: StatusLineRequest): Promise<string> {
  const { fs, env } = request;
  const stateDir = locateState(env);
  const known = await knownOf(request, stateDir);
  const health = captureHealthOf(fs, stateDir, now());
  const state = request.session === undefined
    ? undefined
    : findState(fs, stateDir, request.session);
  const parts = !health.ok
    ? [health.detail]
    : known.silent
    ? []
    : request.session === undefined
    ? [health.detail]
    : state === undefined
    ? ["no hook has run in this session"]
    : partsOf(state, known.todos);
  return parts.length === 0 ? "" : fit(`sage: ${parts.join(" · ")}`, columnsOf(env));
}

function partsOf(state: SessionState, todos: number): string[] {
  const saved = Math.max(state.lastSave?.at ?? 0, state.note === undefined ? 0 : state.noteAt ?? 0);
  const shown = Object.keys(state.shown ?? {}).length;
  return [
    saved === 0 ? "nothing to save yet" : `saved ${age(saved, now())} ago`,
    ...(shown === 0 ? [] : [`${count(shown, "note")} recalled`]),
    ...(todos === 0 ? [] : [count(todos, "todo")]),
  ];
}

/** The figures of the last time, if everything they depend on is unchanged. */
async function knownOf(request: StatusLineRequest, stateDir: string): Promise<Known> {
  const { fs, dir } = request;
  if (dir === undefined) return NOTHING;
  const name = `statusline/${sha256Hex(dir).slice(0, 16)}.json`;
  const noted = readState<Known>(fs, stateDir, name);
  const holds = noted?.version === VERSION &&
    noted.stamps.every(([path, stamp]) => stampPath(fs, path) === stamp);
  // A status bar is no reason to create a state.
  if (holds || fs.lstat(stateDir) === undefined) return noted ?? NOTHING;
  const { openMemory } = await import("../memory.ts");
  const memory = await openMemory({
    cwd: dir,
    env: request.env,
    holder: "sage statusline",
    fs,
    hook: true,
  });
  try {
    const known = await lookUp(memory);
    writeState(fs, stateDir, name, known);
    return known;
  } finally {
    memory.close();
  }
}

const NOTHING: Known = { version: VERSION, stamps: [], todos: 0, silent: false };

async function lookUp(memory: Memory): Promise<Known> {
  const { fs, places } = memory;
  const [{ knownEntries }, { indexFolder }, { VAULT_FILE }] = await Promise.all([
    import("../index/entries.ts"),
    import("../memory.ts"),
    import("../../store/layout.ts"),
  ]);
  // Stamped before it is counted: a change in between makes it out of date, not wrong.
  const stamps = [
    join(places.projectDir, ".sage"),
    join(places.userRoot, VAULT_FILE),
    ...memory.stores.flatMap((store) => [
      join(store.home, "tuning.yaml"),
      indexFolder(memory, store),
    ]),
  ].map((path) => [path, stampPath(fs, path)] as const);
  const todos = knownEntries(memory, { kinds: ["todo"], statuses: OPEN });
  const silent = memory.config.get("output.level") === "silent";
  return { version: VERSION, stamps, todos: todos.length, silent };
}

function columnsOf(env: StatusLineRequest["env"]): number {
  const given = Number(env("COLUMNS"));
  return Number.isInteger(given) && given >= COLUMNS_MIN ? Math.min(given, COLUMNS_MAX) : COLUMNS;
}

function fit(line: string, columns: number): string {
  return cut(collapse(neutralize(line)), columns);
}
