/**
 * R6: an editor that saves while Sage patches the same notes. Each token of the person's is in the note, in
 * a conflict copy or in the history: all of them where there is a second between two edits, and all but two
 * in a thousand where there are three milliseconds and the file's time hides that somebody is at work.
 */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import type { Store } from "../../src/store/handle.ts";
import { createNote, updateNote } from "../../src/store/store.ts";
import { depth } from "../support/depth.ts";
import { filesIn, noteText, tempStore, writeOld } from "../support/temp_store.ts";
import { read } from "../support/world.ts";
import { orKilled, WAIT_MS_MAX } from "../support/within.ts";

const PERSON = new URL("person.ts", import.meta.url).pathname;

/** A note that grows for ever would make a history of its own size squared. */
const EDITS = 400;
const ROUNDS = depth(1, 25);
/**
 * A few hundred edits say nothing certain about two in a thousand, and nothing at all where a busy machine
 * let Sage have no turn: more are made.
 */
const ROUNDS_MAX = ROUNDS + 9;
const LOST_RATE = 0.002;
/** Standard deviations of a count that is chance (Poisson); without the last look it is twelve in 400. */
const CHANCE = 4;
/** No agent is quicker; a patch between any two edits loses 12 of 4,000 to the call before the rename. */
const PATCH_PAUSE_MS = 10;
/** With what a busy machine adds to each edit. */
const EDITOR_MS_MAX = depth(3, 60) * WAIT_MS_MAX;
/** Fewer would be no race. */
const PATCHES_MIN = 4;

for (const how of ["in-place", "atomic"]) {
  Deno.test(`R6: an ${how} editor that saves every 3 ms, and hides that it does`, async () => {
    const sum = { lost: 0, patches: 0 };
    let rounds = 0;
    const saysNothing = () => sum.lost > lostMax(rounds) || sum.patches < PATCHES_MIN;
    while (rounds < ROUNDS || (saysNothing() && rounds < ROUNDS_MAX)) {
      const { lost, patches } = await race(1, [how, String(EDITS), "3", "3", "old"]);
      sum.lost += lost.length;
      sum.patches += patches;
      rounds++;
    }
    say(`${how}, every 3 ms: ${sum.lost} of ${rounds * EDITS} lost, ${sum.patches} patches`);
    assert.ok(sum.patches >= PATCHES_MIN, `${sum.patches} patches`);
    assert.ok(sum.lost <= lostMax(rounds), `${sum.lost} of ${rounds * EDITS} lost`);
  });

  Deno.test(`R6: an ${how} editor that rests a second or more`, async () => {
    const edits = depth(24, 2_400);
    const notes = depth(12, 120);
    // To each note it comes back after a few seconds, so that Sage has its turns.
    const pause = String(4000 / notes);
    const { lost, patches } = await race(notes, [how, String(edits), pause, pause]);
    say(`${how}, at rest: ${lost.length} of ${edits} lost, ${patches} patches`);
    assert.ok(patches >= PATCHES_MIN, `${patches} patches`);
    assert.deepEqual(lost, []);
  });
}

/** Of so many rounds at the rate that may be. */
function lostMax(rounds: number): number {
  const mean = rounds * EDITS * LOST_RATE;
  return mean + CHANCE * Math.sqrt(mean);
}

/** The number is the result: docs/RELIABILITY.md has it. */
function say(line: string): void {
  // deno-lint-ignore no-console -- as above
  console.log(line);
}

/** Sage patches one note after the other until the editor is done. */
async function race(
  notes: number,
  args: readonly string[],
): Promise<{ readonly lost: readonly string[]; readonly patches: number }> {
  const store = tempStore();
  const paths = Array.from({ length: notes }, (_, n) => makeNote(store, `note-${n}`));
  const editor = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", PERSON, `${store.root}/knowledge`, ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let isDone = false;
  const told = orKilled("the end of the editor", editor, editor.output(), EDITOR_MS_MAX)
    .finally(() => isDone = true);
  const mine: string[] = [];
  for (let n = 0; !isDone; n++) {
    const token = `sage-${n} .`;
    if (await patch(store, paths[n % notes] ?? "", token)) mine.push(token);
    await new Promise((resolve) => setTimeout(resolve, PATCH_PAUSE_MS));
  }
  const { code, stdout } = await told;
  assert.equal(code, 0);
  const all = filesIn(store.root).filter((path) => path.endsWith(".md"))
    .map((path) => read(`${store.root}/${path}`)).join("\n");
  const theirs = new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
  return { lost: theirs.filter((token) => !all.includes(`${token} .`)), patches: mine.length };
}

function makeNote(store: Store, stem: string): string {
  const { path } = createNote(store, { kind: "knowledge", stem, text: (id) => noteText(id) });
  writeOld(`${store.root}/${path}`, read(`${store.root}/${path}`));
  return path;
}

/** False where the person keeps at it: nothing was acknowledged. */
async function patch(store: Store, path: string, token: string): Promise<boolean> {
  try {
    const outcome = await updateNote(
      store,
      path,
      ({ text, readOnly }) =>
        readOnly === undefined ? `${text.trimEnd()}\nSage: ${token}\n` : undefined,
    );
    return outcome.kind === "written" ||
      (outcome.kind === "conflict" && outcome.copy !== undefined);
  } catch (error) {
    if (error instanceof SageError && ["locked", "invalid_note"].includes(error.code)) return false;
    throw error;
  }
}
