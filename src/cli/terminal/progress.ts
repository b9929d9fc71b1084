/**
 * The one line that says how far long work is: on stderr, on a terminal only, and gone afterwards. Work
 * that is long by nature says its steps; of all other work the files that it opens are counted once it
 * has taken a second, so that no command has to think of it.
 */
import { monotonic } from "../../base/clock.ts";
import { type Fs, realFs } from "../../base/fs.ts";
import { neutralize } from "../../base/text/printable.ts";
import { collapse, cut } from "../../base/text/text.ts";
import type { Io } from "../io.ts";

/** Shorter waits show no progress. */
const PATIENCE_MS = 1000;
/** A line that changes faster cannot be read. */
const PAINT_MS = 100;

export interface Progress {
  say(what: string): void;
  /** Reports how many files were opened, unless something better is reported. */
  opened(): void;
  /** Removes the line; `withMemory` calls it at the end. */
  end(): void;
}

/** One for each terminal, because it has one last line. */
const known = new WeakMap<Io, Progress>();

export function progress(io: Io, clock: () => number = monotonic): Progress {
  const made = known.get(io) ?? (io.isTerminal.stderr ? painter(io, clock) : SILENT);
  known.set(io, made);
  return made;
}

/** The disk, counting how many files are opened. */
export function watchedDisk(io: Io, clock: () => number = monotonic): Fs {
  if (!io.isTerminal.stderr) return realFs;
  const { opened } = progress(io, clock);
  return {
    ...realFs,
    open(path, options) {
      opened();
      return realFs.open(path, options);
    },
  };
}

const SILENT: Progress = { say: () => {}, end: () => {}, opened: () => {} };

function painter(io: Io, clock: () => number): Progress {
  let [files, isTold] = [0, false];
  let [began, last, painted] = [clock(), clock(), -Infinity];
  const paint = (what: string): void => {
    if (clock() - painted < PAINT_MS) return;
    painted = clock();
    io.status(cut(neutralize(collapse(what)), io.columns - 1));
  };
  return {
    say(what) {
      isTold = true;
      paint(what);
    },
    opened() {
      // Nothing for this long: the person was thinking about a question, not waiting.
      if (clock() - last >= PATIENCE_MS) [files, began] = [0, clock()];
      last = clock();
      files++;
      if (!isTold && clock() - began >= PATIENCE_MS) paint(`Reading, ${files} files`);
    },
    end() {
      io.status("");
      [files, isTold, began] = [0, false, clock()];
    },
  };
}
