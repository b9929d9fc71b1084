/**
 * What a person says in `sage chat`, a message at a time. Lines that end with a backslash are one, and at a
 * terminal those of a paste: it hands them over one by one, and each would be a question that is paid for.
 */
import type { Io } from "./io.ts";

/** Nobody types a line in so short a time. */
const PASTE_MS = 50;

const SENDS = "(Enter sends it) ";

/** Where the next message comes from; undefined at the end of input. `isCommand`: stands for itself. */
export function messageReader(
  io: Io,
  isCommand: (line: string) => boolean,
): () => Promise<string | undefined> {
  let coming: Promise<string | undefined> | undefined;
  /** A paste that a command came in front of. */
  let held = "";

  function next(): Promise<string | undefined> {
    const line = coming ?? io.readLine();
    coming = undefined;
    return line;
  }

  /** Whether a line is there already that belongs to the one before; it stays the next. */
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
        // Its last line may stand in the terminal still, without an end.
        io.err(` ${SENDS}`);
        [isPaste, isWaiting] = [false, true];
      } else return text.trim();
      text += "\n";
    }
  };
}
