/**
 * Where Sage's entries stand in somebody's settings, and how single ones are removed. Shapes that the
 * client itself would refuse are errors here, so that nothing is written over them.
 */
import { SageError } from "../../base/errors.ts";
import { isObject, type JsonObject, type JsonPath, parseObject, removeValue } from "../jsonc.ts";
import { isOwnHook } from "./registration.ts";

export interface OwnHook {
  readonly event: string;
  readonly path: JsonPath;
  readonly handler: JsonObject;
  /** How many handlers its group has. */
  readonly group: number;
}

/** Our handlers under any event, in file order. */
export function ownHooks(settings: JsonObject, file: string): OwnHook[] {
  return [...listsOf(settings, file)].flatMap(([event, groups]) =>
    groups.flatMap((group, g) => {
      const handlers = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
      return handlers.flatMap((handler, h): OwnHook[] =>
        isOwnHook(handler)
          ? [{ event, path: ["hooks", event, g, "hooks", h], handler, group: handlers.length }]
          : []
      );
    })
  );
}

/** Removes our handlers that `isMeant`, one after the other; a group goes with its only handler. */
export function removeHooks(
  text: string,
  file: string,
  isMeant: (hook: OwnHook, all: readonly OwnHook[]) => boolean,
): string {
  let edited = text;
  while (true) {
    const own = ownHooks(parseObject(edited, file), file);
    const hook = own.findLast((candidate) => isMeant(candidate, own));
    if (hook === undefined) return edited;
    edited = removeValue(edited, hook.group === 1 ? hook.path.slice(0, 3) : hook.path);
  }
}

/** The list of each event. */
export function listsOf(settings: JsonObject, file: string): Map<string, unknown[]> {
  const { hooks } = settings;
  if (hooks === undefined) return new Map();
  if (!isObject(hooks)) throw misshapen(file, "hooks", "an object");
  return new Map(
    Object.entries(hooks).map(([event, list]) => {
      if (!Array.isArray(list)) throw misshapen(file, `hooks.${event}`, "a list");
      return [event, list];
    }),
  );
}

export function serversOf(config: JsonObject, file: string): JsonObject {
  const { mcpServers } = config;
  if (mcpServers === undefined) return {};
  if (!isObject(mcpServers)) throw misshapen(file, "mcpServers", "an object");
  return mcpServers;
}

function misshapen(file: string, key: string, wanted: string): SageError {
  return new SageError("invalid_config", `Cannot edit "${file}": "${key}" is not ${wanted}`, {
    hint: "mend the file, then repeat; nothing was changed",
  });
}
