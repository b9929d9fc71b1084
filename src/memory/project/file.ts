/** A project's own file, project.yaml: reads it whole for a person, and changes single keys. */
import { writeAtomic } from "../../base/atomic.ts";
import { messageOf, SageError, systemError } from "../../base/errors.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decodeExact, encode } from "../../base/utf8.ts";
import { LOCK_MS_MAX } from "../../base/limits.ts";
import { withLock } from "../../base/lock.ts";
import { loadYaml, YamlError } from "../../base/yaml/parse.ts";
import { editYaml } from "../../base/yaml/edit.ts";
import { readSimpleYaml } from "../../base/yaml/simple.ts";
import { isMapping } from "../../base/yaml/value.ts";
import { frontText } from "../../note/front_values.ts";
import type { Memory } from "../memory.ts";

const BYTES_MAX = 64 * 1024;

/** The project's id, or why there is none. `home`: the `.sage` folder, also if the notes lie in a vault. */
export async function readProjectFile(
  fs: Fs,
  home: string,
): Promise<{ readonly id?: string | undefined; readonly problem?: string | undefined }> {
  try {
    const text = readText(fs, join(home, "project.yaml"));
    if (text === undefined) return { problem: "there is no project.yaml: sage init makes it" };
    const map = readSimpleYaml(text) ?? await loadYaml(text);
    if (!isMapping(map)) return { problem: "project.yaml is not a list of keys and values" };
    const id = frontText(map, "id");
    return id === undefined ? { problem: "project.yaml has no id" } : { id };
  } catch (error) {
    const reason = messageOf(error);
    return { problem: `project.yaml cannot be read: ${reason}` };
  }
}

/** Sets one key; comments, order and every other key stay. */
export async function setInProjectFile(
  memory: Memory,
  home: string,
  key: string,
  value: string,
): Promise<void> {
  const { fs, places } = memory;
  const path = join(home, "project.yaml");
  const lock = join(places.stateDir, "locks", "projects.lock");
  for (;;) {
    const old = readText(fs, path);
    const next = await edited(path, old ?? "", key, value);
    if (next === old) return;
    const isWritten = withLock(fs, lock, { deadlineMs: LOCK_MS_MAX, holder: memory.holder }, () => {
      // It changed since it was read: start over, so that both changes count.
      if (readText(fs, path) !== old) return false;
      try {
        writeAtomic(fs, path, encode(next), { mode: 0o644, durable: true });
      } catch (error) {
        throw systemError(error, `write ${path}`);
      }
      return true;
    });
    if (isWritten) return;
  }
}

async function edited(path: string, text: string, key: string, value: string): Promise<string> {
  try {
    return await editYaml(text, [key], value);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new SageError("invalid_config", `Cannot change ${path}: ${error.message}`, {
      hint: "mend the file by hand",
    });
  }
}

/** Fails on a link, which may come with a clone and point anywhere. */
function readText(fs: Fs, path: string): string | undefined {
  const info = fs.lstat(path);
  if (info === undefined) return undefined;
  const bytes = info.kind === "file" ? readBytes(fs, path, BYTES_MAX + 1) : undefined;
  const text = bytes === undefined || bytes.length > BYTES_MAX ? undefined : decodeExact(bytes);
  if (text !== undefined) return text;
  throw new SageError("invalid_config", `Cannot read ${path}: it is not text, or too large`, {
    hint: "mend the file by hand",
  });
}
