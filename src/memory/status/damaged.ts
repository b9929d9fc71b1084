/**
 * Files of the state that can be read and are damaged, of those that nobody can make again: what a person
 * decided or was asked, and where Sage wrote beside its own folders. Until they are moved away they stay as
 * they are. Everything else in the state is made anew, silently.
 */
import { listIfReadable } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { isDamaged } from "../../store/state.ts";
import { unreadableTrust } from "../../store/trust.ts";
import { isWhole } from "../editor/receipts.ts";
import type { Memory } from "../memory.ts";
import { damagedQuestions } from "../question/question.ts";
import { isPaths } from "../receipt_paths.ts";

interface Damaged {
  readonly path: string;
  readonly what: string;
  readonly mend: string;
}

const RECEIPTS = "install";

export function damagedHere(memory: Memory): Damaged[] {
  const { fs, places: { stateDir } } = memory;
  const trust = unreadableTrust(fs, stateDir);
  return [
    ...(trust === undefined || fs.lstat(trust)?.kind !== "file" ? [] : [{
      path: trust,
      what: `${trust} cannot be read`,
      mend: "move it away, then sage trust",
    }]),
    ...damagedQuestions(memory).map((path) => ({
      path,
      what: `${path} is damaged: a question for you, or your no to one, cannot be read`,
      mend: "delete it; then it may be asked again",
    })),
    ...listIfReadable(fs, join(stateDir, RECEIPTS))
      .filter(({ name }) => isDamagedReceipt(memory, name))
      .map(({ name }) => {
        const path = join(stateDir, RECEIPTS, name);
        const what = `${path} is damaged: where Sage wrote is not known`;
        return { path, what, mend: "move it away, then repeat what you installed" };
      }),
  ];
}

/** That of an editor, or a list of folders of git. */
function isDamagedReceipt({ fs, places }: Memory, name: string): boolean {
  const isEither = (kept: unknown): boolean => isPaths(kept) || isWhole(kept);
  return name.endsWith(".json") &&
    isDamaged(fs, places.stateDir, `${RECEIPTS}/${name}`, isEither);
}
