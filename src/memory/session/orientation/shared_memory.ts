/** shared_memory.md, which a person keeps for every session, as far as an orientation has room for it. */
import { readBytes } from "../../../base/fs.ts";
import { join } from "../../../base/path.ts";
import { decode } from "../../../base/utf8.ts";
import { stripPrivate } from "../../../guard/private.ts";
import type { Memory } from "../../memory.ts";
import { quote } from "../../recalled.ts";
import type { Candidate } from "./pack.ts";
import { priceOf } from "./pack.ts";

/** Its name in the person's own store. */
export const SHARED_MEMORY = "shared_memory.md";

/** The rest of a longer file is for reading on demand. */
export const SHARED_MEMORY_BYTES_MAX = 2000;
const SHARED_CHARACTERS_MAX = 600;
const SHARED_CHARACTERS_MIN = 60;
/** About 200 characters. */
const SHARED_TOKENS_MIN = 60;

export function sharedMemory(memory: Memory): Candidate[] {
  const { path, size } = fileOf(memory);
  if (size === undefined || size > SHARED_MEMORY_BYTES_MAX) return [];
  const text = stripPrivate(decode(readBytes(memory.fs, path, SHARED_MEMORY_BYTES_MAX))).trim();
  if (text === "") return [];
  const whole = sharedLine(text, SHARED_CHARACTERS_MAX);
  const fit = (tokensMax: number, othersTokens: number): string => {
    // Leaves room for what follows, unless hardly any of this would be left.
    const share = Math.max(tokensMax - othersTokens, SHARED_TOKENS_MIN);
    return cutShared(text, Math.min(tokensMax, share));
  };
  return [{ priority: 4, text: whole, fit }];
}

/** The file, if it is too long for any session to be told of it. */
export function untoldSharedMemory(memory: Memory): string | undefined {
  const { named, size = 0 } = fileOf(memory);
  return size > SHARED_MEMORY_BYTES_MAX ? named : undefined;
}

/** Size in bytes, undefined where there is no file. */
function fileOf(
  { fs, places }: Memory,
): { readonly named: string; readonly path: string; readonly size: number | undefined } {
  const named = join(places.userRoot, SHARED_MEMORY);
  // It may be a link into the person's dotfiles.
  const path = fs.lstat(named) === undefined ? named : fs.realPath(named);
  const info = fs.lstat(path);
  return { named, path, size: info?.kind === "file" ? info.size : undefined };
}

/** As much of it as the tokens allow; a few words of it help nobody. */
function cutShared(text: string, tokensMax: number): string {
  for (let length = SHARED_CHARACTERS_MAX; length >= SHARED_CHARACTERS_MIN; length -= 20) {
    const line = sharedLine(text, length);
    if (priceOf(line) <= tokensMax) return line;
  }
  return "";
}

function sharedLine(text: string, charactersMax: number): string {
  return `- From the person's shared_memory.md: ${quote(text, charactersMax)}`;
}
