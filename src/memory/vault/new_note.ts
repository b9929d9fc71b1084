/** What a new note needs in a vault only: links and a name that the vault's editor finds. */
import { splitFrontMatter } from "../../note/front_matter.ts";
import { safeStem } from "../../store/layout.ts";
import { type VaultNames, vaultNames } from "../../store/vault_names.ts";
import { renderEntry } from "../../base/yaml/render.ts";
import type { Memory } from "../memory.ts";
import type { NewNote } from "../write/write.ts";
import { mayLink, openLinker } from "./links.ts";

export async function inVault(
  memory: Memory,
  note: Pick<NewNote, "store" | "kind" | "stem" | "title" | "render">,
): Promise<{
  readonly render: (stem: string) => string;
  readonly isFreeName: (folded: string) => boolean;
}> {
  const { store, title, kind } = note;
  const link = kind !== "session" && mayLink(note.render(note.stem))
    ? await openLinker(memory, store)
    : undefined;
  const render = (stem: string): string => {
    // Session notes are renewed as long as they are as Sage wrote them, so they are written in their
    // final form.
    if (kind === "session") return note.render(stem);
    const text = aliased(note.render(stem), title);
    return link === undefined ? text : link(text);
  };
  // A hook has no time to look at a whole vault; its notes are named by their day.
  const names: VaultNames = memory.hook
    ? new Map()
    : vaultNames(memory.fs, store.vault?.root ?? store.root);
  return { render, isFreeName: (folded) => !names.has(folded) };
}

/** A title that cannot be a file's name becomes an alias, so that the editor offers it. */
function aliased(text: string, title: string): string {
  const { front } = splitFrontMatter(text);
  if (front === undefined || safeStem(title) === title || /^aliases:/m.test(front.text)) {
    return text;
  }
  return text.slice(0, front.end) + renderEntry("aliases", [title], 0, "\n") + "\n" +
    text.slice(front.end);
}
