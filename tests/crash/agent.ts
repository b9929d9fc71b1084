/**
 * An agent as a process of its own: changes notes of one project in every way there is until its time is
 * up and some changes are made, and prints each token that was acknowledged.
 *
 *   agent.ts <home> <project> <name> <ms> <notes>
 */
// deno-lint-ignore-file no-console -- what it prints is what it acknowledges
import { SageError } from "../../src/base/errors.ts";
import { editKnowledge, type NoteEdit } from "../../src/memory/knowledge/edit.ts";
import { openMemory } from "../../src/memory/memory.ts";
import type { Author } from "../../src/memory/write/outcome.ts";
import { readNote } from "../../src/memory/read.ts";

const [home = "", cwd = "", name = "", ms = "0", notes = "1"] = Deno.args;
/** What one session may write is not what is tried here. */
const author: Author = { by: "agent", explicit: true, accepted: true };
const HEADINGS = ["Gotchas", "Recent Changes", "Related"];
const end = performance.now() + Number(ms);
/** A slow machine takes longer for as much. */
const LEAST = 5;
let acknowledged = 0;

for (let i = 0; performance.now() < end || acknowledged < LEAST; i++) {
  const memory = await openMemory({
    cwd,
    env: (key) => key === "HOME" ? home : undefined,
    holder: `agent ${name}`,
  });
  const token = `${name}-${i}-token`;
  const ref = `note-${Math.floor(Math.random() * Number(notes))}`;
  try {
    const read = await readNote(memory, ref, { forChange: true });
    if (read.kind !== "one") throw new Error(`${ref} is ${read.kind}`);
    // An agent thinks before it writes; meanwhile others do.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    const edit = { ...changeOf(i, token), expectedHash: read.hash };
    const { kind } = await editKnowledge(memory, ref, edit, author);
    if (kind === "patched" || kind === "saved") {
      console.log(token);
      acknowledged++;
    }
  } catch (error) {
    // Somebody kept changing the note: it was not acknowledged, and may be tried again.
    if (!(error instanceof SageError && error.code === "locked")) throw error;
  } finally {
    memory.close();
  }
}

function changeOf(i: number, token: string): NoteEdit {
  const heading = HEADINGS[i % HEADINGS.length] ?? "";
  const onConflict = i % 2 === 0 ? "append" : "new";
  switch (i % 4) {
    case 0:
      return { patch: { kind: "append", text: `Said ${token}.` } };
    case 1:
      return { patch: { kind: "replace", heading, text: `- all new: ${token}` }, onConflict };
    default:
      return { patch: { kind: "insert", heading, text: `- ${token}` } };
  }
}
