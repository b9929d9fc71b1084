/**
 * Sage's entries in settings that are JSON, with or without comments: an MCP server under the editor's key
 * for servers, and hooks in lists by event. Shapes that the editor itself would refuse are errors here, so
 * that nothing is overwritten.
 */
import { isObject } from "../base/fields.ts";
import {
  appendValue,
  type JsonObject,
  type JsonPath,
  parseObject,
  removeValue,
  setValue,
} from "./jsonc.ts";
import {
  hookProgram,
  isOwnHook,
  SERVER_NAME,
  serverProgram,
  takenName,
  wrongShape,
} from "./own.ts";
import type { Format, SetupFile, Wanted } from "./setup.ts";

export interface JsonShape {
  /** Key of the object that holds MCP servers by name. */
  readonly servers: string;
  /** Whether a list holds groups with `hooks` in them, as Claude Code's do, or handlers directly. */
  readonly hooks: "grouped" | "flat";
  /** Whether a value is Sage's status line, if the editor has one. */
  readonly isOwnStatusLine?: (value: unknown) => boolean;
}

/** An entry for an event's list, by the editor's name of the event. */
export type HookEntries = readonly (readonly [string, JsonObject])[];

interface OwnHook {
  readonly event: string;
  readonly path: JsonPath;
  readonly handler: JsonObject;
  /** Which kinds of its event it is for. */
  readonly matcher: unknown;
  /** How many handlers its group has. If it is the only one, the group is removed with it. */
  readonly beside: number;
}

export function jsonFormat(shape: JsonShape): Format {
  return {
    parse: parseObject,
    own(text, file) {
      const root = parseObject(text, file);
      const hooks = ownHooks(root, file, shape).map(({ event, handler }) =>
        [event, hookProgram(handler)] as const
      );
      return {
        hooks: new Map(hooks),
        server: serverProgram(serversOf(root, file, shape)[SERVER_NAME]),
        hasStatusLine: shape.isOwnStatusLine?.(root.statusLine) ?? false,
      };
    },
    containers: (text, file) => containersOf(parseObject(text, file), shape),
    remove(text, file, made) {
      let edited = removeHooks(text, file, shape, () => true);
      let root = parseObject(edited, file);
      if (shape.isOwnStatusLine?.(root.statusLine)) edited = removeValue(edited, ["statusLine"]);
      // A merge of both sides may have it twice.
      while (serverProgram(serversOf(root, file, shape)[SERVER_NAME]) !== undefined) {
        edited = removeValue(edited, [shape.servers, SERVER_NAME]);
        root = parseObject(edited, file);
      }
      // Innermost first: `hooks` is empty only after its lists are removed.
      const inner = [...made].sort((a, b) => b.split(".").length - a.split(".").length);
      for (const path of inner.map((name) => name.split("."))) {
        const left = parseObject(edited, file);
        const isUnused = path[0] === "version" ? isIdle(left) : isEmpty(at(left, path));
        if (isUnused) edited = removeValue(edited, path);
      }
      return edited;
    },
  };
}

/** The steps that register the hooks: existing ones are updated, missing ones added. */
export function* withHooks(
  text: string,
  file: string,
  shape: JsonShape,
  entries: HookEntries,
): Iterable<string> {
  const wanted = new Map(entries);
  // Of several for one event, and of events that are no longer ours, only the first known stays. One
  // that is told of too little goes as well: others may stand under the same matcher.
  let edited = removeHooks(
    text,
    file,
    shape,
    ({ event, path, handler, matcher }, all) =>
      !wanted.has(event) || !lets(matcher, wanted.get(event)?.matcher) ||
      handler.type !== handlerOf(wanted.get(event), shape).type ||
      all.find((hook) => hook.event === event)?.path !== path,
  );
  yield edited;
  const kept = new Set<string>();
  for (const { event, path, handler } of ownHooks(parseObject(edited, file), file, shape)) {
    kept.add(event);
    const entry = handlerOf(wanted.get(event), shape);
    for (const key of ["command", "args", "input"]) {
      if (JSON.stringify(handler[key]) === JSON.stringify(entry[key])) continue;
      yield edited = entry[key] === undefined
        ? removeValue(edited, [...path, key])
        : setValue(edited, [...path, key], entry[key]);
    }
  }
  for (const [event, entry] of wanted) {
    if (kept.has(event)) continue;
    yield edited = appendValue(edited, ["hooks", event], entry);
  }
}

/** Ours follows the program; somebody else's of the same name is an error. */
export function withServer(
  text: string,
  file: string,
  shape: JsonShape,
  entry: JsonObject,
): string {
  const present = serversOf(parseObject(text, file), file, shape)[SERVER_NAME];
  const path = [shape.servers, SERVER_NAME];
  if (present === undefined) return setValue(text, path, entry);
  if (!isObject(present) || serverProgram(present) === undefined) {
    throw takenName(file, shape.servers);
  }
  const at = [...path, "command"];
  const { command } = present;
  // The first item of a list is the program; arguments that a person added stay.
  if (Array.isArray(command) && Array.isArray(entry.command)) {
    return command[0] === entry.command[0] ? text : setValue(text, [...at, 0], entry.command[0]);
  }
  return command === entry.command ? text : setValue(text, at, entry.command);
}

/** A file of servers only. `more`: further fields of the entry, such as its transport. */
export function serverFile(path: string, shape: JsonShape, more: JsonObject = {}): SetupFile {
  return {
    path,
    add: (text, { command }) => [
      withServer(text, path, shape, { type: "stdio", command, args: ["mcp"], ...more }),
    ],
  };
}

/** A file of hooks only, with the version of its format. */
export function hooksFile(
  path: string,
  shape: JsonShape,
  entries: (wanted: Wanted) => HookEntries,
): SetupFile {
  return {
    path,
    *add(text, wanted) {
      const versioned = withVersion(text, path);
      yield versioned;
      yield* withHooks(versioned, path, shape, entries(wanted));
    },
  };
}

/** A file with others' hooks is of the version that they want. */
function withVersion(text: string, file: string): string {
  const root = parseObject(text, file);
  return root.version === undefined && isIdle(root) ? setValue(text, ["version"], 1) : text;
}

/** Whether the file has no hook for any event. */
function isIdle({ hooks }: JsonObject): boolean {
  return hooks === undefined || isObject(hooks) && Object.values(hooks).every(isEmpty);
}

/** Sage's handlers of all events, in file order. */
function ownHooks(root: JsonObject, file: string, shape: JsonShape): OwnHook[] {
  return [...listsOf(root, file)].flatMap(([event, list]) =>
    list.flatMap((item, i): OwnHook[] => {
      const isGroup = shape.hooks === "grouped";
      const { matcher, hooks } = isObject(item) ? item : {};
      const handlers = !isGroup ? [item] : Array.isArray(hooks) ? hooks : [];
      return handlers.flatMap((handler, h): OwnHook[] => {
        if (!isOwnHook(handler)) return [];
        const path = ["hooks", event, i, ...isGroup ? ["hooks", h] : []];
        return [{ event, path, handler, matcher, beside: handlers.length }];
      });
    })
  );
}

/** Whether a matcher covers the wanted one: exact names, or a pattern, as Claude Code reads it. */
function lets(matcher: unknown, wanted: unknown): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*" || matcher === wanted) return true;
  if (typeof matcher !== "string" || typeof wanted !== "string") return false;
  const names = /^[\w ,|-]+$/.test(matcher)
    ? matcher.split(/[,|]/).map((name) => name.trim())
    : undefined;
  try {
    const pattern = new RegExp(matcher);
    return wanted.split("|").every((kind) => names?.includes(kind) ?? pattern.test(kind));
  } catch {
    return false;
  }
}

/** Removes Sage's handlers that match `isMeant`, one by one; a group with its only handler. */
function removeHooks(
  text: string,
  file: string,
  shape: JsonShape,
  isMeant: (hook: OwnHook, all: readonly OwnHook[]) => boolean,
): string {
  let edited = text;
  while (true) {
    const own = ownHooks(parseObject(edited, file), file, shape);
    const hook = own.findLast((candidate) => isMeant(candidate, own));
    if (hook === undefined) return edited;
    edited = removeValue(edited, hook.beside === 1 ? hook.path.slice(0, 3) : hook.path);
  }
}

function handlerOf(entry: JsonObject | undefined, shape: JsonShape): JsonObject {
  if (shape.hooks === "flat") return entry ?? {};
  return (entry?.hooks as JsonObject[] | undefined)?.[0] ?? {};
}

/** The list of each event. */
function listsOf({ hooks }: JsonObject, file: string): Map<string, unknown[]> {
  if (hooks === undefined) return new Map();
  if (!isObject(hooks)) throw wrongShape(file, "hooks", "an object");
  return new Map(
    Object.entries(hooks).flatMap(([event, list]) => {
      // A switch beside the events, as some editors have.
      if (typeof list === "boolean") return [];
      if (!Array.isArray(list)) throw wrongShape(file, `hooks.${event}`, "a list");
      return [[event, list]];
    }),
  );
}

function serversOf(root: JsonObject, file: string, { servers: key }: JsonShape): JsonObject {
  const servers = root[key];
  if (servers === undefined) return {};
  if (!isObject(servers)) throw wrongShape(file, key, "an object");
  return servers;
}

function containersOf(root: JsonObject, shape: JsonShape): string[] {
  return [
    ...(isObject(root.hooks)
      ? ["hooks", ...Object.keys(root.hooks).map((event) => `hooks.${event}`)]
      : []),
    ...(root[shape.servers] === undefined ? [] : [shape.servers]),
    ...(root.version === undefined ? [] : ["version"]),
  ];
}

function at(root: unknown, path: readonly string[]): unknown {
  return path.reduce((value: unknown, key) => isObject(value) ? value[key] : undefined, root);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : isObject(value) && Object.keys(value).length === 0;
}
