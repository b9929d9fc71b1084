/** A real store in a temporary folder, and a note to put into it. Temporary folders go with the process. */
import { type Fs, realFs } from "../../src/base/fs.ts";
import { openStore, type Store } from "../../src/store/handle.ts";
import { createNote } from "../../src/store/store.ts";

const made: string[] = [];
globalThis.addEventListener("unload", () => {
  for (const folder of made) {
    try {
      Deno.removeSync(folder, { recursive: true });
    } catch {
      // Made unreadable by a test, or gone.
    }
  }
});

export function tempDir(prefix = "sage-test-"): string {
  const folder = realFs.realPath(Deno.makeTempDirSync({ prefix }));
  made.push(folder);
  return folder;
}

/** `like` opens the same store as another process would. */
export function tempStore(
  options: { hook?: boolean; scope?: "user" | "project"; like?: Store } = {},
): Store {
  const { hook = false, scope = "user", like } = options;
  const root = like?.root ?? `${tempDir()}/.sage`;
  const stateDir = like?.stateDir ?? (scope === "user" ? `${root}/state` : `${tempDir()}/state`);
  return openStore({ root, scope, stateDir, holder: "test", hook, fs: realFs });
}

const AT = "2026-01-13T14:30:00Z";

/** A whole note with this id. */
export function noteText(id: string, body = "text", updated = AT): string {
  return `---\nid: ${id}\ntype: knowledge\ncreated: ${AT}\nupdated: ${updated}\n---\n# ${id}\n\n${body}\n`;
}

/** Creates knowledge called `stem`; returns its path. */
export function newNote(store: Store, stem: string, body?: string): string {
  return createNote(store, { kind: "knowledge", stem, text: (id) => noteText(id, body) }).path;
}

/** A file as a person or a tool leaves it, long enough ago to be quiet. */
export function writeOld(path: string, text: string | Uint8Array): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  if (typeof text === "string") Deno.writeTextFileSync(path, text);
  else Deno.writeFileSync(path, text);
  age(path, 60_000);
}

/** Sets a file's times back. */
export function age(path: string, milliseconds: number): void {
  const then = new Date(Date.now() - milliseconds);
  Deno.utimeSync(path, then, then);
}

/** The disk, on which this account may not read one file: modes keep nothing from root. */
export function closedFile(path: string): Fs {
  return {
    ...realFs,
    open(asked, options) {
      if (asked === path) throw Object.assign(new Error(`denied: ${path}`), { code: "EACCES" });
      return realFs.open(asked, options);
    },
  };
}

/** Every file below a folder, relative to it, sorted. */
export function filesIn(folder: string, prefix = ""): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesIn(`${folder}/${name}`, `${prefix}${name}/`) : [`${prefix}${name}`]
  ).sort();
}
