/**
 * Codex's records of the hooks that a person trusted or switched off: a table for each in its own
 * `config.toml`, keyed by the hook's file, its event and its positions in two lists. Sage's are removed with
 * its hooks. Those of later hooks are renumbered: otherwise Codex would take these for changed, and stop
 * running them.
 */
import { isObject } from "../../base/fields.ts";
import { slashedAsWritten } from "../../base/path.ts";
import { parseObject } from "../jsonc.ts";
import { isOwnHook } from "../own.ts";
import type { FileTexts } from "../setup.ts";
import { moveTables, parseTomlObject } from "../toml.ts";

const STATE = ["hooks", "state"];
/** Matches `/home/me/.codex/hooks.json:session_start:0:0`, also with a Windows path. */
const PLACE = /:[a-z_]+:\d+:\d+$/;

/** The config's text without records of Sage's hooks, which the files in `texts` hold. */
export function withoutTrust(text: string, file: string, texts: FileTexts): string {
  const moves = new Map(
    [...texts].flatMap(([path, hooks]) =>
      hooks === undefined || !path.endsWith("/hooks.json") ? [] : [...movesIn(path, hooks)]
    ),
  );
  if (moves.size === 0) return text;
  parseTomlObject(text, file);
  const moved = moveTables(text, STATE, (key) => {
    const place = slashedAsWritten(key);
    if (!moves.has(place)) return key;
    const to = moves.get(place);
    return to === undefined ? undefined : key.replace(PLACE, () => to);
  });
  if (moved === text) return text;
  try {
    parseTomlObject(moved, file);
    return moved;
  } catch {
    // Written in a way that cannot be edited by line: it stays, which is harmless.
    return text;
  }
}

/**
 * Counts Sage's hooks that were not trusted, and those that were switched off. `paths`: the file of the
 * hooks, by each name that it has. Only Codex knows whether a hook is still the one that was trusted.
 */
export function countTrusted(
  text: string,
  file: string,
  hooks: string,
  paths: readonly string[],
): { readonly all: number; readonly untrusted: number; readonly off: number } {
  const table = parseTomlObject(text, file).hooks;
  const state = isObject(table) && isObject(table.state) ? table.state : {};
  const noted = new Map(
    Object.entries(state).map(([key, value]) => [slashedAsWritten(key), value]),
  );
  const ours = [...movesIn("", hooks)].flatMap(([place, to]) => to === undefined ? [place] : []);
  const notes = ours.map((place) =>
    paths.map((path) => noted.get(path + place)).find((note) => note !== undefined)
  );
  const isOff = (note: unknown): boolean => isObject(note) && note.enabled === false;
  return {
    all: ours.length,
    untrusted:
      notes.filter((note) =>
        !isOff(note) && !(isObject(note) && typeof note.trusted_hash === "string")
      ).length,
    off: notes.filter(isOff).length,
  };
}

/** The key of each hook in the file, and its key once Sage's are removed; undefined for Sage's. */
function* movesIn(path: string, text: string): Iterable<[string, string | undefined]> {
  const { hooks } = parseObject(text, path);
  for (const [event, groups] of Object.entries(isObject(hooks) ? hooks : {})) {
    const name = event.replace(/(?<!^)(?=[A-Z])/g, "_").toLowerCase();
    let groupsLeft = 0;
    for (const [g, group] of (Array.isArray(groups) ? groups : []).entries()) {
      const handlers = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
      let left = 0;
      for (const [h, handler] of handlers.entries()) {
        const to = isOwnHook(handler) ? undefined : `:${name}:${groupsLeft}:${left++}`;
        yield [`${path}:${name}:${g}:${h}`, to];
      }
      // A group is removed with the last of its hooks.
      if (left > 0 || handlers.length === 0) groupsLeft++;
    }
  }
}
