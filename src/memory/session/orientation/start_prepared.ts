/**
 * The short start of a session, where the last one ended in order and nobody else is at work:
 * registers and prints what was prepared. Everything unusual is left to the full start
 * (hook/orient_session.ts).
 */
import { EDITOR_PID, type Env } from "../../../base/environment.ts";
import { thisHost } from "../../../base/host.ts";
import type { HookInput } from "../../../editor/editor.ts";
import { readState, writeState } from "../../../store/state.ts";
import { captureHealthOf } from "../../status/health.ts";
import { markAnnounced } from "../../question/announced.ts";
import { type Peek, peekSession } from "../state/peek.ts";
import { type Prepared, readPrepared } from "./prepared.ts";
import type { SessionState } from "../state/session_state.ts";
import { type Oriented, withTold } from "../told.ts";
import { isOfProject, LIVE_FOLDER, liveName, stateNames } from "../state/state_file.ts";

interface Started extends Pick<Oriented, "text" | "tokens" | "named" | "notice"> {
  readonly peek: Peek;
  /** The project's folder, where the person is to be asked about its old notes. */
  readonly asksIn?: string;
}

const DECISIVE = ["SAGE_BUDGET_ORIENTATION_TOKENS", "SAGE_TEACHING_ENABLED", "SAGE_OUTPUT_LEVEL"];
/** More live sessions than this are left to the full start. */
const LIVE_MAX = 16;

export function startPrepared(
  input: HookInput,
  env: Env,
  stateDir: string,
  nowMs: number,
): Started | undefined {
  // Only these begin an empty conversation.
  if (input.source !== "startup" && input.source !== "clear") return undefined;
  // It was prepared with the settings of the files; the environment may override them today.
  if (DECISIVE.some((name) => env(name) !== undefined)) return undefined;
  const peek = peekSession(input.sessionId, stateDir);
  if (peek.state !== undefined) return undefined;
  const { fs } = peek;
  const prepared = readPrepared(fs, stateDir, input.startDir ?? input.cwd, nowMs);
  if (prepared === undefined || isAnybodyHere(peek, prepared)) return undefined;
  if (!captureHealthOf(fs, stateDir, nowMs).ok) return undefined;

  const pid = Number(env(EDITOR_PID) ?? "");
  const begun: SessionState = {
    session: input.sessionId,
    project: prepared.project,
    dir: prepared.dir,
    host: thisHost(),
    started: nowMs,
    seen: nowMs,
    answeredStart: { at: nowMs, source: input.source },
    ...(input.transcriptPath === undefined ? {} : { transcriptPath: input.transcriptPath }),
    ...(pid > 0 ? { pid } : { starter: Deno.ppid }),
  };
  // The handoff is offered now, not when the text was prepared.
  const offers = prepared.offers.map((offer) => ({ ...offer, at: nowMs }));
  const state = withTold(begun, { told: prepared.told, offers }, input.source);
  writeState(fs, stateDir, liveName(input.sessionId), state, { isNew: true });
  markAnnounced(fs, stateDir, nowMs, prepared.asked);
  const { text, tokens, named, notice, asks, dir } = prepared;
  return {
    peek: { ...peek, state },
    text,
    tokens,
    named,
    ...(notice === undefined ? {} : { notice }),
    ...(asks === true ? { asksIn: dir } : {}),
  };
}

/**
 * A session of the project that is not over: alive, here or in another worktree, or dead and to be
 * recovered.
 */
function isAnybodyHere({ fs, stateDir }: Peek, { dir, project }: Prepared): boolean {
  const names = stateNames(fs, stateDir, LIVE_FOLDER);
  return names.length > LIVE_MAX || names.some((name) => {
    const state = readState<SessionState>(fs, stateDir, name);
    // One that cannot be read may be of anybody.
    return state === undefined || state.project === project ||
      isOfProject(fs, state, dir, [project]);
  });
}
