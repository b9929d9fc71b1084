/**
 * What Codex keeps of the hooks that a person trusted or switched off: a table each in its own
 * `config.toml`, under the file of the hook, its event and its places in two lists. Ours go with our
 * hooks. Those of hooks behind ours move up with them: else Codex would hold these for changed, and run
 * them no more.
 */
import { isObject } from "../../base/fields.ts";
import { slashedAsWritten } from "../../base/fs.ts";
import { parseObject } from "../jsonc.ts";
import { isOwnHook } from "../own.ts";
import type { FileTexts } from "../setup.ts";
import { moveTables, parseTomlObject } from "../toml.ts";

const STATE = ["hooks", "state"];
/** Of `/home/me/.codex/hooks.json:session_start:0:0`, whose file may be written as on Windows. */
const PLACE = /:[a-z_]+:\d+:\d+$/;

/** The text as it is without our hooks in those of `texts` that hold hooks. */
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
    // Written in a way that lines cannot follow: it is Codex's, and stays.
    return text;
  }
}

/**
 * Of our hooks those that nobody trusted, and those that somebody switched off. `paths`: the file of the
 * hooks, by each name that it has. Whether a hook is still the one that was trusted, only Codex can say.
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

/** Where each hook of the file stands, and where it will when ours are gone; undefined for ours. */
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
      // A group goes with the last of its hooks.
      if (left > 0 || handlers.length === 0) groupsLeft++;
    }
  }
}
