/**
 * Choosing with keys instead of a typed line: what each key does, and how the list is painted. Pure, so that
 * tests need no terminal; prompt.ts reads the keys and paints.
 */

/** `up`, `down`, `enter`, `escape` or `interrupt`; any other is the typed character. */
export type Key = string;

const SEQUENCES: Readonly<Record<string, Key>> = {
  "\x1b[A": "up",
  "\x1bOA": "up",
  "\x1b[B": "down",
  "\x1bOB": "down",
  "\r": "enter",
  "\n": "enter",
  "\x1b": "escape",
  "\x03": "interrupt",
  "\x04": "interrupt",
};

/** The keys in one read of the terminal: several if somebody types ahead. */
export function keysOf(text: string): Key[] {
  // Escape, and what a terminal writes behind it; or one character.
  // deno-lint-ignore no-control-regex -- what terminals send is control characters
  const parts = text.match(/\x1b(?:\[[0-9;]*[ -/]*[@-~]|O.)?|[^]/gu) ?? [];
  return parts.map((part) => SEQUENCES[part] ?? part);
}

/** The index of the mark, and the digits of a number typed so far. */
export interface Picking {
  readonly at: number;
  readonly digits: string;
}

export type Picked = number | "none" | "all";

/** The effect of a key: the mark moves, or something is chosen; `all` only if it is offered. */
export function press(
  { at, digits }: Picking,
  key: Key,
  count: number,
  offersAll: boolean,
): Picking | Picked {
  if (key === "enter") return at;
  if (key === "escape" || key === "q") return "none";
  if (key === "a" && offersAll) return "all";
  if (key === "up" || key === "k") return { at: (at + count - 1) % count, digits: "" };
  if (key === "down" || key === "j") return { at: (at + 1) % count, digits: "" };
  if (!/^\d$/.test(key)) return { at, digits };
  for (const typed of [digits + key, key]) {
    const number = Number(typed);
    if (number < 1 || number > count) continue;
    // A number that can have no further digit is complete.
    return number * 10 > count ? number - 1 : { at: number - 1, digits: typed };
  }
  return { at, digits: "" };
}
