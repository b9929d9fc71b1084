/** What a new note has in a vault that it has not elsewhere: links and a name that the vault's editor finds. */
import { splitFrontMatter } from "../../note/front_matter.ts";
import { safeStem } from "../../store/layout.ts";
import { type VaultNames, vaultNames } from "../../store/vault_names.ts";
import { renderEntry } from "../../base/yaml_render.ts";
import type { Memory } from "../memory.ts";
import type { NewNote } from "../write.ts";
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
    // Renewed as long as it is what Sage wrote, so it is written as it will be renewed.
    if (kind === "session") return note.render(stem);
    const text = aliased(note.render(stem), title);
    return link === undefined ? text : link(text);
  };
  // A hook has no time to look at a whole vault; what it writes is called by its day.
  const names: VaultNames = memory.hook
    ? new Map()
    : vaultNames(memory.fs, store.vault?.root ?? store.root);
  return { render, isFreeName: (folded) => !names.has(folded) };
}

/** A title that no file can be called by is an alias, so that the editor offers it. */
function aliased(text: string, title: string): string {
  const { front } = splitFrontMatter(text);
  if (front === undefined || safeStem(title) === title || /^aliases:/m.test(front.text)) {
    return text;
  }
  return text.slice(0, front.end) + renderEntry("aliases", [title], 0, "\n") + "\n" +
    text.slice(front.end);
}
