/**
 * Finds the note of a session whose state was deleted while it ran, so that it gets no second note. By file
 * name, because the index was deleted with the state.
 */
import { listIfDir } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import type { Store } from "../../store/handle.ts";
import { kindFolder } from "../../store/layout.ts";
import { loadNote } from "../../store/load.ts";
import type { Memory } from "../memory.ts";
import { isWrittenSince, type OwnNote, rememberOwn } from "./own_bytes.ts";
import type { SessionState } from "./state/session_state.ts";
import { readSession } from "./state/state.ts";

/** The state with the session's note; undefined where it has none. */
export async function adopt(memory: Memory, session: string): Promise<SessionState | undefined> {
  // It is in the person's own where the project got its store later.
  for (const store of memory.stores) {
    const note = await findIn(store, session);
    if (note === undefined) continue;
    rememberOwn(memory, store, session, note);
    return readSession(memory, session);
  }
  return undefined;
}

async function findIn(store: Store, session: string): Promise<OwnNote | undefined> {
  const folder = join(store.root, kindFolder("session"));
  const end = `-${session.slice(0, 8)}.md`;
  for (const { name } of listIfDir(store.fs, folder).filter(({ name }) => name.endsWith(end))) {
    const loaded = await loadNote(store, `${kindFolder("session")}/${name}`).catch(() => undefined);
    if (loaded?.note.front.get("session") !== session) continue;
    const { note: { id, updated }, bytes } = loaded;
    // A file that is newer than its front matter says was edited by a person.
    const hash = isWrittenSince(loaded, updated) ? "" : sha256Hex(bytes);
    return { id, path: join(folder, name), hash, scope: store.scope };
  }
  return undefined;
}
