/**
 * Groups modules into packs, so that a run reads few packs and little that it does not need: modules that
 * the training runs loaded together share a pack, and a module that no run loaded gets its own.
 */
import { brotliCompressSync } from "node:zlib";
import { concat } from "../../src/base/concat.ts";
import type { Module } from "./modules.ts";

/** A classic script, whose value is a function that stores the pack's modules in an array by number. */
export interface Pack {
  readonly modules: readonly number[];
  readonly source: Uint8Array;
  /** V8's bytecode; empty if no run loaded the module. */
  readonly bytecode: Uint8Array;
  /** How many training calls load it; a hook, which an editor waits for, counts `HOOK_USERS` times. */
  readonly users: number;
}

/** Where the door finds the modules. */
export interface Layout {
  /** The first modules of the program and of its worker. */
  readonly entries: readonly [main: number, worker: number];
  /** Module → pack. */
  readonly packOf: readonly number[];
  readonly packs: readonly Place[];
}

/**
 * The place of a pack in its file: source, then bytecode. They are stored compressed together if
 * `storedBytes` is less than their sum.
 */
export type Place = readonly [
  at: number,
  storedBytes: number,
  sourceBytes: number,
  bytecodeBytes: number,
];

/** V8 copies bytecode that is not aligned. */
const ALIGNMENT = 8;

/** The measured cost of reading a pack, in microseconds: a constant, and for each byte of source. */
const PACK_COST = 60;
const BYTE_COST = 0.018;

/** The modules that a training run loaded, and how frequent such a run is. */
export interface Run {
  readonly loaded: ReadonlySet<number>;
  readonly weight: number;
}

/**
 * The modules of each pack. Greedy: starts with a pack for each set of modules that were always loaded
 * together, and joins the two packs that save most as long as the total cost of all runs falls.
 */
export function groupModules(modules: readonly Module[], runs: readonly Run[]): number[][] {
  const groups = new Map<string, Group>();
  const alone: number[][] = [];
  modules.forEach(({ code }, number) => {
    const users = new Set(runs.filter((run) => run.loaded.has(number)));
    if (users.size === 0) return alone.push([number]);
    const key = runs.map((run) => users.has(run) ? "1" : "0").join("");
    const one = { modules: [number], bytes: code.length, users };
    groups.set(key, join(groups.get(key), one));
  });
  const packs = [...groups.values()];
  for (let pair = bestPair(packs); pair !== undefined; pair = bestPair(packs)) {
    const [a, b] = pair;
    packs[a] = join(packs[a], packs.splice(b, 1)[0]);
  }
  return [...packs.map((pack) => pack.modules), ...alone];
}

interface Group {
  readonly modules: number[];
  readonly bytes: number;
  readonly users: ReadonlySet<Run>;
}

function join(a: Group | undefined, b: Group | undefined): Group {
  const [one, other] = [a ?? NONE, b ?? NONE];
  return {
    modules: [...one.modules, ...other.modules],
    bytes: one.bytes + other.bytes,
    users: one.users.union(other.users),
  };
}

const NONE: Group = { modules: [], bytes: 0, users: new Set() };

/** The indices of the two packs whose joining saves most, ascending; undefined if none saves anything. */
function bestPair(packs: readonly Group[]): [number, number] | undefined {
  let [best, saved]: [[number, number] | undefined, number] = [undefined, 0];
  for (const [a, one] of packs.entries()) {
    for (let b = a + 1; b < packs.length; b++) {
      const other = packs[b] ?? NONE;
      const saving = cost(one) + cost(other) - cost(join(one, other));
      if (saving > saved) [best, saved] = [[a, b], saving];
    }
  }
  return best;
}

function cost({ bytes, users }: Group): number {
  const times = [...users].reduce((sum, { weight }) => sum + weight, 0);
  return times * (PACK_COST + bytes * BYTE_COST);
}

/**
 * Decompressing costs about 6 µs a KB: little for packs that are loaded seldom, or that run for long. Brotli
 * makes of these packs 83 % of what deflate does, and is no slower to read.
 */
const COMPRESSED_FROM_BYTES = 256 * 1024;
const SELDOM_USERS_MAX = 3;
/** What a hook counts as a user: no pack that one loads is compressed for being loaded seldom. */
export const HOOK_USERS = SELDOM_USERS_MAX + 1;

function toStored({ source, bytecode, users }: Pack): Uint8Array {
  const whole = concat([source, bytecode]);
  if (users > SELDOM_USERS_MAX && source.length < COMPRESSED_FROM_BYTES) return whole;
  const compressed = brotliCompressSync(whole);
  return compressed.length < whole.length ? compressed : whole;
}

/** The script of a pack, padded with spaces so that the bytecode after it is aligned. */
export function scriptOf(group: readonly number[], modules: readonly Module[]): Uint8Array {
  const functions = group.map((number) =>
    `m[${number}]=function(module,exports,require){${modules[number]?.code}\n};`
  );
  const script = new TextEncoder().encode(`(function(m){${functions.join("")}})`);
  const padded = new Uint8Array(Math.ceil(script.length / ALIGNMENT) * ALIGNMENT).fill(0x20);
  padded.set(script);
  return padded;
}

/** Module → pack. */
export function tableOf(groups: readonly (readonly number[])[]): number[] {
  const table: number[] = [];
  groups.forEach((modules, pack) => modules.forEach((module) => table[module] = pack));
  return table;
}

/** All packs back to back, and their layout if they begin at `start` of their file. */
export function layPacks(
  packs: readonly Pack[],
  modules: readonly Module[],
  entries: readonly [main: string, worker: string],
  start: number,
): { blob: Uint8Array; layout: Layout } {
  const laid = packs.map((pack) => ({ ...pack, stored: toStored(pack) }));
  let at = 0;
  const places = laid.map(({ source, stored, bytecode }): Place => {
    const place = [start + at, stored.length, source.length, bytecode.length] as const;
    at += stored.length;
    return place;
  });
  const [main, worker] = entries;
  const layout: Layout = {
    entries: [numberOf(main, modules), numberOf(worker, modules)],
    packOf: tableOf(packs.map((pack) => pack.modules)),
    packs: places,
  };
  return { blob: concat(laid.map(({ stored }) => stored)), layout };
}

export function numberOf(wanted: string, modules: readonly Module[]): number {
  const number = modules.findIndex(({ name }) => name === wanted);
  if (number < 0) throw new Error(`No module is called ${wanted}`);
  return number;
}
