/**
 * What a person says in `sage chat`, a message at a time. Lines that end with a backslash are one, and at a
 * terminal those of a paste: it hands them over one by one, and each would be a question that is paid for.
 */
import type { Io } from "../io.ts";

/** Nobody types a line this fast. */
const PASTE_MS = 50;

const SENDS = "(Enter sends it) ";

/**
 * Returns a function that reads the next message; undefined at the end of input. `isCommand`: such a line is
 * a message of its own.
 */
export function messageReader(
  io: Io,
  isCommand: (line: string) => boolean,
): () => Promise<string | undefined> {
  let coming: Promise<string | undefined> | undefined;
  /** A line that was read before a command. */
  let held = "";

  function next(): Promise<string | undefined> {
    const line = coming ?? io.readLine();
    coming = undefined;
    return line;
  }

  /** Whether a line that belongs to the one before has arrived; it stays the next one. */
  async function isFollowed(): Promise<boolean> {
    if (!io.isTerminal.stdin) return false;
    coming ??= io.readLine();
    // The one who awaits it handles the error.
    coming.catch(() => {});
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => timer = setTimeout(resolve, PASTE_MS));
    try {
      const line = await Promise.race([coming, late]);
      return line !== undefined && !isCommand(line);
    } finally {
      clearTimeout(timer);
    }
  }

  return async () => {
    let text = held;
    let isPaste = false;
    let isWaiting = held !== "";
    held = "";
    io.err(isWaiting ? `> ${SENDS}` : "> ");
    for (;;) {
      const line = await next();
      if (line === undefined) {
        if (io.isTerminal.stdin) io.err("\n");
        return text === "" ? undefined : text.trim();
      }
      if ((text === "" || isWaiting) && isCommand(line)) {
        held = text;
        return line.trim();
      }
      isWaiting = false;
      const goesOn = line.endsWith("\\");
      text += goesOn ? line.slice(0, -1) : line;
      if (goesOn) io.err(". ");
      else if (await isFollowed()) isPaste = true;
      else if (isPaste) {
        // The last line of a paste may still be without its end in the terminal.
        io.err(` ${SENDS}`);
        [isPaste, isWaiting] = [false, true];
      } else return text.trim();
      text += "\n";
    }
  };
}
