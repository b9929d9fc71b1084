/** A server that waits for calls finishes the sessions that a start had no time for. */
import assert from "node:assert/strict";
import { conversation } from "../support/world.ts";
import { folders } from "./connect.ts";
import { exists, makeFolder, names, writeText } from "./disk.ts";
import { start } from "./process.ts";
import { until } from "../support/within.ts";

const DEAD = ["a1111111", "b1111111"].map((head) => `${head}-0000-4000-8000-000000000001`);
const HOUR_MS = 3_600_000;

/** A home in which sessions were killed, and something has expired: once that goes, all of it is done. */
async function leftBehind(): Promise<{ at: ReturnType<typeof folders>; expired: string }> {
  const at = folders();
  const expired = `${at.home}/.sage/state/prepared/0123.json`;
  makeFolder(`${at.home}/.sage/state/prepared`);
  writeText(expired, "{}\n");
  await Deno.utime(expired, 0, 0);
  const transcripts = `${at.home}/.claude/projects/p`;
  makeFolder(transcripts);
  makeFolder(`${at.home}/.sage/state/instances`);
  makeFolder(`${at.project}/.sage`);
  const seen = Date.now() - 2 * HOUR_MS;
  for (const session of DEAD) {
    const transcriptPath = conversation(`All rows of ${session} are collected.`, {
      session,
      startMs: seen,
    }).write(transcripts);
    await Deno.utime(transcriptPath, seen / 1000, seen / 1000);
    const where = { project: "p", dir: at.project, cwd: at.project, transcriptPath };
    writeText(
      `${at.home}/.sage/state/instances/${session}.json`,
      JSON.stringify({ session, started: seen, seen, ...where }),
    );
  }
  return { at, expired };
}

const notesIn = (at: ReturnType<typeof folders>): string[] =>
  [at.project, at.home].flatMap((root) =>
    exists(`${root}/.sage/sessions`) ? names(`${root}/.sage/sessions`) : []
  );

Deno.test("a server finishes dead sessions while it waits, and then takes away what has expired", async () => {
  const { at, expired } = await leftBehind();
  const running = start({ at });
  try {
    const ended = `${at.home}/.sage/state/ended`;
    await until(
      "the end of the dead sessions",
      () => exists(ended) && names(ended).length === DEAD.length,
    );
    await until("what has expired", () => !exists(expired));
    const notes = notesIn(at);
    assert.equal(notes.length, DEAD.length, notes.join(", "));
  } finally {
    await running.closeInput();
    await running.rest();
    await running.ended();
    running.remove();
  }
});

Deno.test("a server finishes nothing of a project that is excluded", async () => {
  const { at, expired } = await leftBehind();
  writeText(`${at.project}/.sageignore`, "*\n");
  const running = start({ at });
  try {
    await until("what has expired", () => !exists(expired));
    assert.deepEqual([notesIn(at), exists(`${at.home}/.sage/state/ended`)], [[], false]);
  } finally {
    await running.closeInput();
    await running.rest();
    await running.ended();
    running.remove();
  }
});
