/** Whether capture works, from the receipts of hooks: a tool that saves nothing must say so first. */
import { age, parseTime } from "../../base/clock.ts";
import { isSystemError, unnamedError } from "../../base/errors.ts";
import type { Fs } from "../../base/fs.ts";
import { defined } from "../../base/defined.ts";
import { type LogLine, logTails } from "../../base/log.ts";
import { storeWithoutVault } from "../vault/missing_folder.ts";
import type { Memory } from "../memory.ts";

export interface CaptureHealth {
  readonly ok: boolean;
  readonly detail: string;
  /** What to do, if not just `sage doctor`. */
  readonly mend?: string;
  readonly lastHookAt?: string;
  /** The receipts cannot be read. */
  readonly isUnknown?: true;
}

const DAYS = 7;
/** This many failures in a row are not an accident. */
const FAILURES_MIN = 3;
/** Nor are this many sessions without anything to read. */
const SESSIONS_MIN = 3;
/** Gates of turns of which nothing could be read, and why. */
const BLIND: ReadonlyMap<unknown, string> = new Map([
  ["no transcript", "no transcript where the editor said"],
  ["no turns", "the editor's transcripts have a form that this version of Sage cannot read"],
]);
const NOTHING_NEW = "nothing new";
/** A session may have begun the day before, and its turns are there. */
const TURNLESS_MIN = 2;
const SAVING: readonly string[] = ["stop", "pre-compact", "session-end"];

/** `own`: the session that asks; its own file does not tell whether hooks run. */
export async function captureHealth(memory: Memory, own?: string): Promise<CaptureHealth> {
  const { fs, places, now } = memory;
  const health = captureHealthOf(fs, places.stateDir, now());
  const lost = storeWithoutVault(memory);
  if (lost !== undefined) {
    const detail = `nothing can be saved: "${lost.root}" in the vault is missing; run sage doctor`;
    return { ok: false, detail, ...defined({ lastHookAt: health.lastHookAt }) };
  }
  if (!health.ok) return health;
  try {
    const { unseenSessions } = await import("./unseen.ts");
    const unseen = await unseenSessions(memory, own);
    return unseen === undefined ? health : { ...health, ok: false, ...unseen };
  } catch {
    // The editor's files cannot be read, so the receipts must be enough.
    return health;
  }
}

/** The health as the receipts show it, without an open memory. */
export function captureHealthOf(fs: Fs, stateDir: string, nowMs: number): CaptureHealth {
  try {
    return healthByReceipts(fs, stateDir, nowMs);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // Notes may be saved all the same. `sage status` and the doctor tell of the file.
    const detail = `not known: ${unnamedError(error).message}`;
    return { ok: true, isUnknown: true, detail };
  }
}

function healthByReceipts(fs: Fs, stateDir: string, nowMs: number): CaptureHealth {
  const blindness = new Blindness();
  // People who work once a day have three sessions in three days; once one is found, no more is read. A
  // command that a person typed today makes a day of receipts in which no hook ran.
  const days = logTails(fs, stateDir, nowMs, DAYS).map((lines) => lines.filter(isHook))
    .filter((lines) => lines.length > 0);
  const hooks = days.next().value ?? [];
  blindness.look(hooks);
  while (!blindness.isDecided) {
    const { value, done } = days.next();
    if (done === true) break;
    blindness.look(value);
  }
  const last = hooks.at(-1);
  if (last === undefined) return { ok: true, detail: "no hook has run in the last 7 days" };
  const lastHookAt = last.at;
  const broken = (detail: string, mend?: string): CaptureHealth => ({
    ok: false,
    detail: `${detail}; run sage doctor`,
    ...defined({ mend }),
    lastHookAt,
  });

  // Hooks of prompts, and of turns that add nothing, work even on a full disk; those that save tell.
  const saving = hooks.filter(({ hook, gate }) =>
    SAVING.includes(String(hook)) && gate !== NOTHING_NEW
  );
  const failed = [hooks, saving].map((some) => streak(some, ({ outcome }) => outcome === "failed"))
    .find(({ length }) => length >= FAILURES_MIN);
  if (failed !== undefined) {
    const error = failed.at(-1)?.error;
    const code = typeof error === "string" ? `: ${error}` : "";
    return broken(`the last ${failed.length} hooks failed${code} (for ${lasting(failed, nowMs)})`);
  }
  const saves = streak(
    hooks.filter(({ save }) => save !== undefined),
    ({ save }) => save === "failed",
  );
  if (saves.length >= FAILURES_MIN) {
    return broken(`the last ${saves.length} saves failed (for ${lasting(saves, nowMs)})`);
  }
  if (blindness.isBlind) {
    return broken(`the last ${SESSIONS_MIN} sessions saved nothing: ${blindness.reason}`);
  }
  if (turnless(hooks).length >= TURNLESS_MIN) {
    return broken(
      "the last sessions began and ended, and no turn of theirs came to Sage",
      "connect the MCP server in the editor (/mcp), or sage install claude-code --via process",
    );
  }
  return { ok: true, detail: `last hook ${lasting([last], nowMs)} ago`, lastHookAt };
}

/**
 * The newest sessions with a conversation whose prompts and turns left no receipt. Of Claude Code: its hooks
 * may be calls of the server, and other editors report no turn that was stopped.
 */
function turnless(hooks: readonly LogLine[]): readonly LogLine[] {
  const isTurn = ({ hook }: LogLine): boolean => hook === "stop" || hook === "user-prompt-submit";
  const withTurns = new Set(hooks.filter(isTurn).map(({ session }) => session));
  const ended = hooks.filter(({ hook, note, agent }) =>
    hook === "session-end" && note === "written" && agent === undefined
  );
  return streak(ended, ({ session }) => !withTurns.has(session));
}

/** The last lines, as long as they are of one kind. */
function streak(lines: readonly LogLine[], isIt: (line: LogLine) => boolean): readonly LogLine[] {
  return lines.slice(lines.findLastIndex((line) => !isIt(line)) + 1);
}

function lasting([first]: readonly LogLine[], nowMs: number): string {
  return age(parseTime(first?.at ?? "") ?? nowMs, nowMs);
}

/** An event that Sage does not know captures nothing, and tells nothing about the others. */
function isHook({ event, hook }: LogLine): boolean {
  return event === "hook" && hook !== undefined;
}

/** Whether of all of the last sessions nothing could be read when their turns ended. */
class Blindness {
  readonly #sessions = new Set<string>();
  isDecided = false;
  /** Of the newest. */
  reason: string | undefined;

  get isBlind(): boolean {
    return this.#sessions.size === SESSIONS_MIN;
  }

  /** Takes the hooks of an earlier day, in front of those seen so far. */
  look(hooks: readonly LogLine[]): void {
    for (const line of hooks.toReversed()) {
      const { session } = line;
      if (this.isDecided || typeof session !== "string") continue;
      const isOlder = !this.#sessions.has(session) && this.isBlind;
      if (isOlder) this.isDecided = true;
      else if (BLIND.has(line.gate)) {
        this.#sessions.add(session);
        this.reason ??= BLIND.get(line.gate);
      } else if (hasSeen(line)) {
        this.#sessions.clear();
        this.isDecided = true;
      }
    }
  }
}

function hasSeen({ hook, outcome, note, save }: LogLine): boolean {
  const hasSaved = save === "saved" || note === "written" || note === "unchanged";
  return outcome === "done" && (hook === "stop" || (SAVING.includes(String(hook)) && hasSaved));
}
