/** Reads the key of the model API, from the environment or the person's own config.yaml only. */
import type { Env } from "../base/environment.ts";
import { SageError } from "../base/errors.ts";
import { type Fs, readBytes } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decode, withoutBom } from "../base/utf8.ts";
import { loadYaml, YamlError } from "../base/yaml/parse.ts";
import { isMapping } from "../base/yaml/value.ts";

const FILE_BYTES_MAX = 64 * 1024;
/** Somebody else may read it. */
const SHARED_MODE = 0o077;

export async function readKey(env: Env, fs: Fs, userRoot: string): Promise<string> {
  const path = join(userRoot, "config.yaml");
  const key = env("ANTHROPIC_API_KEY")?.trim() || await keyIn(fs, path);
  if (key !== undefined && key !== "") return key;
  throw new SageError("permission", "There is no key for the model API", {
    hint: `set ANTHROPIC_API_KEY, or write api_key: <key> into ${path} (chmod 600)`,
  });
}

async function keyIn(fs: Fs, path: string): Promise<string | undefined> {
  const info = fs.lstat(path);
  if (info === undefined) return undefined;
  if (info.kind === "file" && (info.mode & SHARED_MODE) !== 0) {
    throw new SageError("permission", `${path} holds a key, and others may read it`, {
      hint: `chmod 600 ${path}`,
    });
  }
  try {
    const value = await loadYaml(withoutBom(decode(readBytes(fs, path, FILE_BYTES_MAX))));
    const key = isMapping(value) ? value.get("api_key") : undefined;
    return typeof key === "string" ? key.trim() : undefined;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new SageError("invalid_config", `Cannot read ${path}: ${error.message}`, {
      cause: error,
    });
  }
}
