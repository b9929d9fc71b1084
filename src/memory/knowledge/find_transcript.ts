/**
 * Finds the session file that is meant. Apart from extract.ts, because few calls look into the
 * editor's history.
 */
import { SageError } from "../../base/errors.ts";
import { sessionInDatabase } from "../../editor/opencode/place.ts";
import type { Memory } from "../memory.ts";
import { historyFiles, isOf, peekPast } from "../migrate/history.ts";
import { readSession } from "../session/state/state.ts";

/** The session file of an id or a prefix of one; without either, the latest of this project. */
export function findTranscript(memory: Memory, session: string | undefined): string {
  const wanted = session ?? memory.session;
  const state = wanted === undefined ? undefined : readSession(memory, wanted);
  if (state?.transcriptPath !== undefined && isThere(memory, state.transcriptPath)) {
    return state.transcriptPath;
  }
  return session === undefined ? latestTranscript(memory) : namedTranscript(memory, session);
}

function latestTranscript(memory: Memory): string {
  for (const file of historyFiles(memory)) {
    const past = peekPast(memory, file);
    if (past !== undefined && isOf(memory, past)) return file.path;
  }
  throw new SageError("not_found", "The editor has no session of this project", {
    hint: "sage knowledge extract checkpoint, or --transcript <file>",
  });
}

/** Shorter prefixes match too much by accident. */
const PREFIX_CHARACTERS_MIN = 4;

function namedTranscript(memory: Memory, wanted: string): string {
  const isLong = wanted.length >= PREFIX_CHARACTERS_MIN;
  const found = historyFiles(memory, { all: true }).filter(({ sessionId }) =>
    sessionId === wanted || (isLong && sessionId.startsWith(wanted))
  );
  const [only, ...more] = found;
  if (only === undefined) {
    throw new SageError("not_found", `The editor has no session "${wanted}"`, {
      hint: "sage migrate --from transcripts --dry-run --all lists those it has",
    });
  }
  if (more.length > 0) {
    throw new SageError("ambiguous", `"${wanted}" matches ${found.length} sessions`, {
      hint: `type more of the id: ${found.slice(0, 3).map((one) => one.sessionId).join(", ")}`,
    });
  }
  return only.path;
}

function isThere({ fs }: Memory, path: string): boolean {
  return fs.lstat(sessionInDatabase(path)?.database ?? path)?.kind === "file";
}
