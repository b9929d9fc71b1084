/** A branch: a copy of a checkpoint under another name, from which to think in another direction. */
import { cutTitle } from "../../base/text/text.ts";
import { type Checkpoint, readCheckpoint } from "../../note/checkpoint.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import type { Author, SaveOutcome } from "../write/outcome.ts";
import { recordUse } from "../use.ts";
import { saveCheckpoint, TITLE_CHARACTERS_MAX } from "./save.ts";

/** Added to the title of the old one, so that a list tells the two apart. */
const BRANCH = " (branch)";

/** Saves the branch. Git, session and author are of now; the thinking is of then. */
export async function branchCheckpoint(
  memory: Memory,
  from: StoredNote,
  author: Author,
  name?: string,
): Promise<SaveOutcome> {
  const checkpoint: Checkpoint = readCheckpoint(withoutPrivate(from.note));
  const { git: _git, session: _session, generated: _generated, ...thinking } = checkpoint;
  const { messages: _messages, contextTokens: _tokens, recalled: _recalled, ...kept } = thinking;
  const outcome = await saveCheckpoint(memory, {
    ...kept,
    title: name ?? cutTitle(checkpoint.title, TITLE_CHARACTERS_MAX - BRANCH.length) + BRANCH,
    // A file that a person wrote may lack its sections; then the title says what it is about.
    thesis: checkpoint.thesis || checkpoint.title,
    trigger: "manual",
    parent: checkpoint.id,
  }, author);
  if (outcome.kind === "saved") recordUse(memory, "branched", checkpoint.id);
  return outcome;
}
