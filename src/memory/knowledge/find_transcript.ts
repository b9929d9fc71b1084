/**
 * Finds the session file that is meant. Apart from extract.ts, because few calls look into the
 * editors' histories.
 */
import { SageError } from "../../base/errors.ts";
import { sessionInDatabase } from "../../editor/opencode/place.ts";
import type { Memory } from "../memory.ts";
import { isOf, Past } from "../migrate/history.ts";
import { readSession } from "../session/state/state.ts";

/** The session file of an id or a prefix of one; without either, the latest of this project. */
export async function findTranscript(
  memory: Memory,
  session: string | undefined,
): Promise<string> {
  const wanted = session ?? memory.session;
  const state = wanted === undefined ? undefined : readSession(memory, wanted);
  if (state?.transcriptPath !== undefined && isThere(memory, state.transcriptPath)) {
    return state.transcriptPath;
  }
  const history = new Past(memory);
  try {
    return session === undefined
      ? await latestTranscript(memory, history)
      : await namedTranscript(history, session);
  } finally {
    await history.close();
  }
}

async function latestTranscript(memory: Memory, history: Past): Promise<string> {
  for (const file of await history.files({ all: false })) {
    const past = isThere(memory, file.path) ? await history.look(file) : undefined;
    if (past !== undefined && isOf(memory, past)) return file.path;
  }
  throw new SageError("not_found", "No editor has a session of this project", {
    hint: "sage knowledge extract checkpoint, or --transcript <file>",
  });
}

/** Shorter prefixes match too much by accident. */
const PREFIX_CHARACTERS_MIN = 4;

async function namedTranscript(history: Past, wanted: string): Promise<string> {
  const isLong = wanted.length >= PREFIX_CHARACTERS_MIN;
  const found = (await history.files({ all: true })).filter(({ sessionId }) =>
    sessionId === wanted || (isLong && sessionId.startsWith(wanted))
  );
  const [only, ...more] = found;
  if (only === undefined) {
    throw new SageError("not_found", `No editor has a session "${wanted}"`, {
      hint: "sage migrate --from transcripts --dry-run --all lists those that are there",
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
