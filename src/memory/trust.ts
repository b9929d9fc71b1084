/** Trusts a project store that came from elsewhere, on a person's word. */
import { SageError } from "../base/errors.ts";
import { join } from "../base/path.ts";
import { formerRemote, isOurs, recordTrust, unreadableTrust, wasTrusted } from "../store/trust.ts";
import { STORE_NAME } from "../store/user_root.ts";
import type { Memory } from "./memory.ts";

export function trustProject(memory: Memory): { readonly root: string; readonly trust: string } {
  const store = memory.project;
  if (store === undefined) {
    throw new SageError("not_found", `No .sage store in ${memory.places.projectDir} or above it`, {
      hint: "sage init makes one",
    });
  }
  const uid = memory.fs.lstat(store.home)?.uid;
  if (uid !== undefined && !isOurs(uid)) {
    const what = `Cannot trust ${store.home}: it belongs to account ${uid}`;
    throw new SageError("permission", what, {
      hint: "that account can change it at any time: clone the project into a folder of your own",
    });
  }
  const trust = store.trust === "own" ? "own" : "trusted";
  recordTrust(memory.fs, memory.places.stateDir, store.home, trust);
  return { root: store.home, trust };
}

/** The remote for which this project's notes were trusted, where they are not any more because it changed. */
export function remoteTrusted({ fs, places, project }: Memory): string | undefined {
  return project?.trust === "unknown" ? formerRemote(fs, places.stateDir, project.home) : undefined;
}

/** The file that says which notes are trusted, where that is why these are not: it cannot be read. */
export function closedTrust({ fs, places, project }: Memory): string | undefined {
  return project?.trust === "unknown" ? unreadableTrust(fs, places.stateDir) : undefined;
}

/** The project's store that a person made or trusted here, if it is gone: deleted, or not on this branch. */
export function lostStore({ fs, places, project }: Memory): string | undefined {
  if (project !== undefined || places.vault !== undefined) return undefined;
  return [places.here, places.projectDir].map((dir) => join(dir, STORE_NAME)).find((path) =>
    fs.lstat(path) === undefined && wasTrusted(fs, places.stateDir, path)
  );
}
