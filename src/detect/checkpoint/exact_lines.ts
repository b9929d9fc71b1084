/**
 * Exact details as lines of a checkpoint. The best of each kind come first and the kinds take turns, so that
 * a small budget holds some of each. Decisions and numbers are left out, because the checkpoint has them in
 * its sentences.
 */
import type { Turn } from "../../editor/editor.ts";
import { linksOf, verdictsOf } from "./evidence.ts";
import { type ExactDetail, exactStrings } from "./exact.ts";

export interface ExactLine {
  readonly kind: "line" | "Changed" | "Also changed" | "Named" | "Ran" | "Commit";
  readonly text: string;
}

/** How many of each kind. */
const ERRORS_MAX = 3;
const VERDICTS_MAX = 3;
const LINKS_MAX = 2;
const COMMITS_MAX = 3;
const FILES_MAX = 12;
const NAMES_MAX = 14;
const COMMANDS_MAX = 6;

/** How many characters around a name may show that it is a secret. */
const AROUND = 160;
const PLACES_MAX = 20;

export interface ExactOptions {
  /** Text that the checkpoint has already. */
  readonly known: string;
  /** Paths below it become relative. */
  readonly cwd: string | undefined;
  /** Redacts secrets. It gets the words around a name too, which may be the only sign. */
  readonly redact: ((text: string) => string) | undefined;
}

/** In the order of their value. */
export function exactLines(turns: readonly Turn[], options: ExactOptions): ExactLine[] {
  const { known, redact = String } = options;
  const things = exactStrings(turns, options.cwd ?? "");
  const best = (kind: ExactDetail["kind"]): string[] =>
    things.filter((thing) => thing.kind === kind).map(({ text }) => text);
  const verdicts = verdictsOf(turns).slice(-VERDICTS_MAX);
  const told = `${known}\n${verdicts.join("\n")}`;
  const commits = best("commit").slice(0, COMMITS_MAX);
  const names = best("name").filter((name, i, all) =>
    !known.includes(name) && !isPartOf(name, all.slice(0, i)) &&
    !hasLongerName(name, turns) && !commits.some((commit) => commit.startsWith(name)) &&
    isOpen(name, turns, redact)
  );
  const commands = best("command").filter((text) => !told.includes(text) && redact(text) === text);
  const files = best("file");
  // What the checkpoint names already is left out: then the list is not all that was changed.
  const isWhole = files.length <= FILES_MAX && !files.some((file) => known.includes(file));
  const kinds: readonly (readonly [ExactLine["kind"], readonly string[], round: number])[] = [
    // Commits are few, and whoever continues needs them.
    ["Commit", commits, 1],
    ["line", best("error").slice(0, ERRORS_MAX), 1],
    ["line", verdicts, 1],
    [isWhole ? "Changed" : "Also changed", files.slice(0, FILES_MAX), 4],
    ["Named", names.slice(0, NAMES_MAX), 4],
    ["Ran", commands.slice(0, COMMANDS_MAX), 2],
    ["line", linksOf(turns).slice(-LINKS_MAX), 1],
  ];
  const rounds = Math.max(...kinds.map(([, texts, round]) => Math.ceil(texts.length / round)));
  const all = Array.from(
    { length: rounds },
    (_, i) =>
      kinds.flatMap(([kind, texts, round]) =>
        texts.slice(i * round, (i + 1) * round).map((text): ExactLine => ({ kind, text }))
      ),
  ).flat();
  return all.filter(({ text }, i) =>
    !known.includes(text) && all.findIndex((other) => other.text === text) === i
  );
}

/** Files, names and commands share a line for each kind; other kinds have a line for each. */
export function renderExact(all: readonly ExactLine[]): string[] {
  const of = (kind: ExactLine["kind"]): string[] =>
    all.filter((one) => one.kind === kind).map(({ text }) => text);
  const list = (kind: ExactLine["kind"], texts: readonly string[]): string[] =>
    texts.length === 0 ? [] : [`${kind}: ${texts.join(", ")}`];
  return [
    ...of("line"),
    ...list("Changed", of("Changed")),
    ...list("Also changed", of("Also changed")),
    ...list("Named", of("Named").map((name) => `\`${name}\``)),
    ...list("Ran", of("Ran").map((command) => `\`${command}\``)),
    ...of("Commit").map((commit) => `Commit ${commit}`),
  ];
}

/** `createCharge` beside `createCharge()`, `api.ts` beside `api.ts:14`, `law.md` beside `5b Poor law.md`. */
function isPartOf(name: string, others: readonly string[]): boolean {
  return others.some((other) => other.startsWith(name) || other.endsWith(` ${name}`));
}

/** Whether it is only ever the end of a longer name in code, with a space in it. */
function hasLongerName(name: string, turns: readonly Turn[]): boolean {
  const places = turns.filter(({ text }) => text.includes(name));
  return places.length > 0 &&
    places.every(({ text }) =>
      !text.replace(/`[^`\n ]* [^`\n]*`/g, (span) => span.endsWith(` ${name}\``) ? "" : span)
        .includes(name)
    );
}

/** Whether no context of the name makes it a secret. */
export function isOpen(
  name: string,
  turns: readonly Turn[],
  redact: (text: string) => string,
): boolean {
  const places = turns.flatMap(({ text }) => {
    const at = text.indexOf(name);
    return at < 0 ? [] : [text.slice(Math.max(0, at - AROUND), at + name.length + AROUND)];
  });
  return places.slice(0, PLACES_MAX).every((place) => redact(place).includes(name));
}
