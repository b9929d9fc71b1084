/**
 * Paths in receipts (which say how Sage is taken out again), relative to the person's home. So a home
 * that was moved, or came to another machine under another name, finds its own files, and a copied home
 * does not reach into its original. Paths outside stay absolute.
 */
import { basename, dirname, resolveFrom } from "../base/path.ts";
import type { Places } from "../store/locate.ts";
import { readKept, writeState } from "../store/state.ts";
import { STORE_NAME } from "../store/user_root.ts";
import type { Memory } from "./memory.ts";

/** A receipt that is a list of such paths; empty where there is none. */
export function readReceiptPaths({ fs, places }: Memory, name: string): readonly string[] {
  const paths = readKept<string[]>(fs, places.stateDir, name, isPaths) ?? [];
  return paths.map((path) => fromReceipt(places, path));
}

/** The shape of such a receipt. */
export function isPaths(read: unknown): boolean {
  return Array.isArray(read) && read.every((path) => typeof path === "string");
}

export function writeReceiptPaths(
  { fs, places }: Memory,
  name: string,
  paths: readonly string[],
): void {
  const written = paths.map((path) => toReceipt(places, path));
  writeState(fs, places.stateDir, name, written, { durable: true });
}

export function toReceipt(places: Places, path: string): string {
  const home = `${homeOf(places)}/`;
  return path.startsWith(home) ? path.slice(home.length) : path;
}

export function fromReceipt(places: Places, path: string): string {
  return resolveFrom(homeOf(places), path);
}

/** The home that the store lies in, which may be another account's; a store may also lie in none. */
function homeOf({ userRoot, home }: Places): string {
  return basename(userRoot) === STORE_NAME ? dirname(userRoot) : home;
}
