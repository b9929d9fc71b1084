/**
 * Opens memory for a command, and closes it whatever happens. Apart from main.ts, because only
 * commands may pay for loading memory.
 */
import { SageError } from "../base/errors.ts";
import { realFs } from "../base/fs.ts";
import { type Memory, openMemory } from "../memory/memory.ts";
import type { Author } from "../memory/outcome.ts";
import type { Answer } from "./answer.ts";
import type { Input } from "./command.ts";
import type { Io } from "./io.ts";

export async function withMemory(
  input: Pick<Input, "name" | "project">,
  io: Io,
  body: (memory: Memory) => Promise<Answer>,
  flags: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const session = sessionOf(io);
  const memory = await openMemory({
    cwd: io.cwd(),
    env: (name) => io.env(name),
    holder: input.name,
    flags,
    ...(input.project === undefined ? {} : { projectDir: folder(io, input.project) }),
    ...(session === undefined ? {} : { session }),
  });
  try {
    const answer = await body(memory);
    const warnings = memory.warnings.map((warning) => `sage: warning: ${warning}`);
    return { ...answer, notices: [...warnings, ...answer.notices ?? []] };
  } finally {
    memory.close();
  }
}

/**
 * Who is at the keyboard: an agent's shell carries its session's id, and what it saves is marked and
 * capped as the agent's. What is typed is always explicit.
 */
export function authorOf(io: Io): Author {
  const session = sessionOf(io);
  return session === undefined
    ? { by: "person", explicit: true }
    : { by: "agent", session, explicit: true };
}

function sessionOf(io: Io): string | undefined {
  return io.env("CLAUDE_CODE_SESSION_ID") || undefined;
}

/** An existing folder, absolute: a misspelt one must not quietly mean another store. */
export function folder(io: Io, typed: string): string {
  const path = typed.startsWith("/") || /^[A-Za-z]:[\\/]/.test(typed)
    ? typed
    : `${io.cwd()}/${typed}`;
  try {
    const real = realFs.realPath(path);
    if (realFs.lstat(real)?.kind === "dir") return real;
  } catch {
    // Not there, or not to be entered: said below.
  }
  throw new SageError("usage", `Cannot use "${typed}" as a project: it is no folder`);
}
