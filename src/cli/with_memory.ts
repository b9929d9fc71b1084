/**
 * Opens memory for a command, and closes it whatever happens. Apart from main.ts, because only
 * commands may pay for loading memory.
 */
import { defined } from "../base/defined.ts";
import { SageError } from "../base/errors.ts";
import { isAgentShell } from "../editor/agent_shell.ts";
import { type Confine, isBuiltInSet, type Memory, openMemory } from "../memory/memory.ts";
import { mapVault, settleVault } from "../memory/vault/keep.ts";
import type { Author } from "../memory/write/outcome.ts";
import type { Answer } from "./terminal/answer.ts";
import type { Input } from "./command.ts";
import { folder } from "./folder.ts";
import type { Io } from "./io.ts";
import { progress, watchedDisk } from "./terminal/progress.ts";

export async function withMemory(
  input: Input,
  io: Io,
  body: (memory: Memory) => Answer | Promise<Answer>,
  { flags = {}, confine = reach(io) }: {
    /** Settings for this call alone. */
    readonly flags?: Readonly<Record<string, string>>;
    readonly confine?: Confine;
  } = {},
): Promise<Answer> {
  const memory = await openHere(input, io, flags, confine);
  try {
    const unsettled = await settleVault(memory);
    const answer = await body(memory);
    const unmapped = answer.error === undefined ? await mapVault(memory) : undefined;
    const warnings = [...memory.warnings, unsettled, unmapped].flatMap((warning) =>
      warning === undefined ? [] : [`sage: warning: ${warning}`]
    );
    const isSilent = memory.config.get("output.level") === "silent";
    const notices = (answer.notices ?? []).filter((notice) =>
      !isSilent || !notice.startsWith("Tip: ")
    );
    const said = [...warnings, ...notices, ...await taught(memory, io, answer)];
    // A command that goes on as another opens memory twice, and is warned twice.
    return { ...answer, notices: [...new Set(said)] };
  } finally {
    memory.close();
    progress(io).end();
  }
}

/** Explanations are for people: not for scripts, and not for who has just been told what failed. */
async function taught(memory: Memory, io: Io, answer: Answer): Promise<readonly string[]> {
  const { concept } = answer;
  if (concept === undefined || answer.error !== undefined || !io.isTerminal.stderr) return [];
  const { explain } = await import("../memory/teaching.ts");
  const { COLUMNS_MAX, wrap } = await import("./terminal/table.ts");
  const columns = Math.min(io.columns, COLUMNS_MAX);
  return explain(memory, concept).flatMap((line) => wrap(line, columns));
}

/**
 * Gives up all network access but what the model in use needs, or `host`. If the network was given up before,
 * nothing is left to keep.
 */
export function reach(io: Io, host?: string): Confine {
  return (wanted) => io.disconnect(host ?? wanted) && (host ?? wanted) === wanted;
}

/** Memory as this call sees it. Close it. */
export async function openHere(
  input: Input,
  io: Io,
  flags: Readonly<Record<string, string>>,
  confine: Confine = reach(io),
): Promise<Memory> {
  const memory = await openMemory({
    cwd: io.cwd(),
    env: io.env,
    holder: input.name,
    flags,
    confine,
    fs: watchedDisk(io),
    opened: io.opened,
    light: io.opened !== undefined,
    waits: (what) => progress(io).say(what),
    warns: true,
    ...defined({
      projectDir: input.project === undefined ? undefined : folder(io, input.project),
      session: sessionOf(io),
    }),
  });
  if (io.opened === undefined) return memory;
  // Any other is opened for each call: for seconds, some of them.
  if (!isBuiltInSet(memory)) {
    throw new SageError("refused", "Another model needs a process of its own");
  }
  await memory.load();
  return memory;
}

/**
 * Whether a person or an agent is at the keyboard: an agent's shell says so, Claude Code's and Codex's with
 * the session's id, and what it saves is marked and capped as the agent's. A typed command is always
 * explicit.
 */
export function authorOf(io: Io): Author {
  const session = sessionOf(io);
  if (session !== undefined) return { by: "agent", session, explicit: true };
  return { by: isAgentShell(io.env) ? "agent" : "person", explicit: true };
}

/** For what only a person may say. `command` is what the agent may ask them to run. */
export function refuseAgents(io: Io, message: string, command = "it"): void {
  if (authorOf(io).by === "person") return;
  throw new SageError("refused", message, {
    hint: `ask them to run ${command} in a terminal of their own`,
  });
}

function sessionOf(io: Io): string | undefined {
  return io.env("CLAUDE_CODE_SESSION_ID") || io.env("CODEX_SESSION_ID") || undefined;
}
