/**
 * Text that stands ready on stdin where a command was given none. Apart from `-`, which waits as long as
 * it takes: what runs in a script may have inherited a pipe that nobody writes to and nobody closes.
 */
import { SageError } from "../base/errors.ts";
import type { Io } from "./io.ts";

/** The output of a program started together with this one has arrived by then, or is not for us. */
const PIPED_MS_MAX = 3000;

/**
 * All that was piped in; undefined from a terminal, or where there is nothing. What has not ended in time is a
 * usage error: half of a text would be kept as all of it.
 */
export async function pipedText(io: Io, bytesMax: number): Promise<string | undefined> {
  if (io.isTerminal.stdin) return undefined;
  let timer: number | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unended()), PIPED_MS_MAX);
  });
  try {
    const text = await Promise.race([io.readAll(bytesMax), late]);
    return text.trim() === "" ? undefined : text;
  } finally {
    clearTimeout(timer);
  }
}

/** A text that was typed; with `-`, or without words, that of stdin. Empty if there is none. */
export async function typedText(
  io: Io,
  words: readonly string[],
  bytesMax: number,
): Promise<string> {
  if (words.length === 1 && words[0] === "-") return await io.readAll(bytesMax);
  return words.length === 0 ? await pipedText(io, bytesMax) ?? "" : words.join(" ");
}

function unended(): SageError {
  const seconds = PIPED_MS_MAX / 1000;
  return new SageError("usage", `No text was given, and stdin did not end within ${seconds} s`, {
    hint: "give the text behind the command, or - to wait for stdin as long as it takes",
  });
}
