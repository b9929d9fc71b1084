/**
 * Finds the note of a session whose state was deleted while it ran, so that it gets no second note. By file
 * name, because the index was deleted with the state.
 */
import { listIfDir } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import { kindFolder } from "../../store/layout.ts";
import { loadNote } from "../../store/load.ts";
import { homeStore, type Memory } from "../memory.ts";
import { isWrittenSince, rememberOwn } from "./own_bytes.ts";
import type { SessionState } from "./state/session_state.ts";
import { readSession } from "./state/state.ts";

/** The state with the session's note; undefined where it has none. */
export async function adopt(memory: Memory, session: string): Promise<SessionState | undefined> {
  const store = homeStore(memory);
  const folder = join(store.root, kindFolder("session"));
  const end = `-${session.slice(0, 8)}.md`;
  for (const { name } of listIfDir(memory.fs, folder).filter(({ name }) => name.endsWith(end))) {
    const loaded = await loadNote(store, `${kindFolder("session")}/${name}`).catch(() => undefined);
    if (loaded?.note.front.get("session") !== session) continue;
    const { note, bytes } = loaded;
    // A file that is newer than its front matter says was edited by a person.
    const isOwn = !isWrittenSince(loaded, note.updated);
    rememberOwn(memory, store, session, {
      id: note.id,
      path: join(folder, name),
      hash: isOwn ? sha256Hex(bytes) : "",
      scope: store.scope,
    });
    return readSession(memory, session);
  }
  return undefined;
}
