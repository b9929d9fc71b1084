/**
 * Promotes a note of one project to every project, and takes it back. A redirect in the old place
 * says where it is, so that links by the old id keep working.
 */
import { rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { asNoteId } from "../../base/id.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { mapEach } from "../../base/map_each.ts";
import { editFrontMatter } from "../../note/front_matter.ts";
import { frontMap, frontText, mapOrNothing } from "../../note/front_values.ts";
import type { FrontChanges, FrontValue } from "../../note/note.ts";
import { statedId } from "../../note/parse.ts";
import type { Store } from "../../store/handle.ts";
import { kindFolder, numberedStem, stemOf, titleStem } from "../../store/layout.ts";
import { moveNote } from "../../store/move.ts";
import { listRedirects } from "../../store/redirects.ts";
import { updateNote } from "../../store/store.ts";
import { isForgotten } from "../../store/tombstones.ts";
import { listTrash } from "../../store/trash.ts";
import { everyEntry } from "../catalogue.ts";
import { refreshOtherProjects } from "../other_projects.ts";
import { isOfProject } from "../index/entries.ts";
import { refOf, type StoredNote } from "../item.ts";
import type { ChangedNote } from "../write/outcome.ts";
import type { Memory } from "../memory.ts";
import { stillHere } from "./promoted.ts";
import { indexSaved, refreshAll } from "../index/reindex.ts";
import { isShared } from "../team/share.ts";
import { trashedId } from "../write/write.ts";
import { timesBorrowed } from "./borrow.ts";

export interface Promoted extends Omit<ChangedNote, "scope"> {
  readonly kind: "promoted" | "demoted" | "unchanged";
  /** Its former id, if another note has that here. */
  readonly before?: string;
}

/** Moves it from its project to the person's own store, where it holds everywhere. */
export async function promoteKnowledge(
  memory: Memory,
  stored: StoredNote,
  options: { readonly fromTeam?: boolean } = {},
): Promise<Promoted> {
  const { store, note, loaded } = stored;
  const { id, title, project } = note;
  if (store.scope === "user" && project === undefined) return unchanged(stored);
  refuseImmovable(stored);
  if (note.status === "archived") {
    throw new SageError("refused", `"${title}" is archived, so it would be recalled nowhere`, {
      hint: `sage knowledge restore ${id}, then repeat`,
    });
  }
  if (isShared(store) && options.fromTeam !== true) {
    throw new SageError("refused", `"${title}" is shared with others, who would lose it`, {
      hint: `to promote it anyway: sage knowledge promote ${id} --from-team`,
    });
  }
  const at = rfc3339(memory.now());
  const uses = timesBorrowed(memory, id);
  const said = (path: string | undefined): FrontChanges =>
    new Map<string, FrontValue | undefined>([
      ["project", undefined],
      ...(uses === 0 ? [] : [["cross_project_recalls", String(uses)]] as const),
      [
        "promoted",
        mapOrNothing([
          ["from", project ?? memory.places.projectId],
          ["id", path === undefined ? undefined : id],
          ["path", path],
          ["at", at],
        ]),
      ],
    ]);
  if (store.scope === "user") {
    return await changeInPlace(memory, stored, said(undefined), "promoted");
  }
  const to = memory.user;
  const newId = await freeId(memory, to, id, store);
  const text = await editFrontMatter(
    loaded.text,
    new Map([...idChange(note, newId), ...said(loaded.path)]),
  );
  const target = {
    store: to,
    id: newId,
    stem: newStem(to, stemOf(basename(loaded.path)), note, newId),
    folder: newFolder(loaded.path),
    text,
  };
  const redirect = { id, to: newId, path: loaded.path, title, moved: at };
  return await moved(memory, stored, target, redirect);
}

/** An archived note is active again. */
function newFolder(path: string): string {
  const [own, folder] = [kindFolder("knowledge"), dirname(path)];
  return `${folder}/`.startsWith(`${own}/`) ? folder : own;
}

/** A file named by its id gets the new one; in a vault files are named by titles. */
function newStem(
  to: Store,
  stem: string,
  { id, title }: { readonly id: string; readonly title: string },
  newId: string,
): string {
  if (to.vault !== undefined) return stem === id ? titleStem("knowledge", title, newId) : stem;
  return newId === id ? stem : newId;
}

/** Moves it back to the project it came from, which must be the current one. */
export async function demoteKnowledge(memory: Memory, stored: StoredNote): Promise<Promoted> {
  const { store, note, loaded } = stored;
  const origin = store.scope === "user" ? frontMap(note.front, "promoted") : undefined;
  if (origin === undefined && isOfProject(memory, stored)) return unchanged(stored);
  if (origin === undefined) {
    throw new SageError("usage", `"${note.title}" was never promoted, so it cannot be demoted`);
  }
  refuseImmovable(stored);
  const from = frontText(origin, "from") ?? "";
  if (!memory.places.projectIds.includes(from)) {
    throw new SageError("refused", `"${note.title}" came from the project ${from}`, {
      hint: "repeat it there, or with --project <its folder>",
    });
  }
  const path = frontText(origin, "path");
  const said: FrontChanges = new Map([["promoted", undefined], ["project", from]]);
  if (path === undefined) return await changeInPlace(memory, stored, said, "demoted");
  const to = memory.project;
  if (to === undefined) {
    throw new SageError("not_found", `The store that "${note.title}" came from is gone`, {
      hint: "sage init makes one",
    });
  }
  const here = stillHere(memory, everyEntry(memory)).find(({ own }) => own.note.id === note.id);
  if (here !== undefined) {
    throw new SageError(
      "conflict",
      `"${note.title}" still exists here, in ${here.left.note.path}`,
      {
        hint:
          `it was promoted on another branch; remove your own copy: sage knowledge rm ${stored.absolutePath}`,
      },
    );
  }
  const redirects = listRedirects(to);
  const redirect = redirects.find((one) => one.to === note.id) ??
    { id: note.id, to: note.id, path, title: note.title, moved: rfc3339(memory.now()) };
  const wanted = asNoteId(frontText(origin, "id") ?? "") ?? note.id;
  const newId = await freeId(memory, to, wanted, memory.user);
  const text = await editFrontMatter(
    loaded.text,
    new Map([...idChange(note, newId), ...aliasChange(note, newId), ...said]),
  );
  const target = { store: to, id: newId, ...placeBack(to, stored, { path, wanted, newId }), text };
  return await moved(memory, stored, target, redirect);
}

/** Its old folder and name, unless a person renamed it since. */
function placeBack(
  to: Store,
  { note, loaded, store }: StoredNote,
  { path, wanted, newId }: {
    readonly path: string;
    readonly wanted: string;
    readonly newId: string;
  },
): { readonly folder: string; readonly stem: string } {
  const [was, is] = mapEach([path, loaded.path], (one) => stemOf(basename(one)));
  const given = [was, note.id, newStem(store, was, { ...note, id: was }, note.id)];
  const isOurs = given.includes(is) || given.includes(is.replace(/-\d{1,4}$/, ""));
  return {
    folder: dirname(loaded.path) === newFolder(path) ? dirname(path) : newFolder(loaded.path),
    stem: isOurs ? newStem(to, was, { ...note, id: wanted }, newId) : is,
  };
}

async function moved(
  memory: Memory,
  stored: StoredNote,
  target: Parameters<typeof moveNote>[2],
  redirect: Parameters<typeof moveNote>[3],
): Promise<Promoted> {
  const { store, note, loaded } = stored;
  const isBack = target.store.scope === "project";
  const outcome = await moveNote(store, loaded, target, redirect, { isBack });
  if (outcome.kind !== "moved") throw outcome.kind === "gone" ? gone(stored) : changed(stored);
  await indexSaved(memory, store);
  await indexSaved(memory, target.store, outcome.path);
  return {
    kind: isBack ? "demoted" : "promoted",
    ...refOf({ id: target.id, title: note.title }),
    ...(target.id === note.id ? {} : { before: note.id }),
    path: join(target.store.root, outcome.path),
  };
}

/** For a project without a store of its own: its notes lie in the person's already, so only keys change. */
async function changeInPlace(
  memory: Memory,
  stored: StoredNote,
  changes: FrontChanges,
  kind: "promoted" | "demoted",
): Promise<Promoted> {
  const { store, loaded } = stored;
  const isPromoted = kind === "promoted";
  const outcome = await updateNote(
    store,
    loaded.path,
    async ({ note, text }) =>
      // Another process did the same first.
      note.front.has("promoted") === isPromoted ? undefined : await editFrontMatter(text, changes),
  );
  if (outcome.kind === "unchanged") return unchanged(stored);
  if (outcome.kind !== "written") throw changed(stored);
  await indexSaved(memory, store, loaded.path);
  return { ...unchanged(stored), kind };
}

function unchanged({ note, absolutePath: path }: StoredNote): Promoted {
  return { kind: "unchanged", ...refOf(note), path };
}

/** The id, if no other note has it here or in a project that may see both; else the next free one. */
async function freeId(memory: Memory, to: Store, id: string, from: Store): Promise<string> {
  await refreshAll(memory);
  const taken = new Set<string | undefined>(
    everyEntry(memory).filter(({ store }) => store !== from).map(({ note }) => note.id),
  );
  for (const { store } of to.scope === "user" ? await refreshOtherProjects(memory) : []) {
    for (const note of memory.index(store).notes()) taken.add(note.id);
  }
  for (const trashed of listTrash(to)) taken.add(trashedId(to, trashed));
  const { fs, places } = memory;
  for (let n = 1;; n++) {
    const name = n === 1 ? id : numberedStem(id, n);
    if (!taken.has(name) && !isForgotten(fs, places.stateDir, { id: name, store: to })) return name;
  }
}

/** Sets the new id in the front matter, also where it only followed from the file's name. */
function idChange({ id, front }: StoredNote["note"], newId: string): [string, FrontValue][] {
  return newId === id && statedId(front) === id ? [] : [["id", newId]];
}

/** Links by the temporary id keep working. */
function aliasChange({ id, aliases }: StoredNote["note"], newId: string): [string, FrontValue][] {
  return newId === id ? [] : [["aliases", [...new Set([...aliases, id])]]];
}

function refuseImmovable({ note, loaded, store }: StoredNote): void {
  if (store.trust === "unknown") {
    throw new SageError("untrusted", `The store of "${note.title}" is not trusted`, {
      hint: "read it, then sage trust",
    });
  }
  if (note.kind !== "knowledge") {
    throw new SageError("usage", `"${note.title}" is a ${note.kind}: only knowledge is promoted`);
  }
  if (loaded.readOnly === undefined) return;
  throw new SageError("invalid_note", `Cannot move "${note.title}": ${loaded.readOnly}`, {
    hint: "mend the file by hand",
  });
}

function changed({ note }: StoredNote): SageError {
  return new SageError("conflict", `"${note.title}" was changed meanwhile, and stays where it is`, {
    hint: "look at it again, then repeat",
  });
}

function gone({ note }: StoredNote): SageError {
  return new SageError("conflict", `"${note.title}" was moved or removed meanwhile`, {
    hint: `where it is by now: sage knowledge show ${note.id}`,
  });
}
