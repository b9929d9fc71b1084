/**
 * Paths in what says how Sage is taken out again, as seen from the person's home. So a home that was moved,
 * or came to another machine under another name, finds its own files, and one that was copied does not
 * reach into the one that it is a copy of. Paths outside stay whole.
 */
import { basename, dirname, resolveFrom } from "../base/fs.ts";
import type { Places } from "../store/locate.ts";
import { STORE_NAME } from "../store/user_root.ts";

export function toReceipt(places: Places, path: string): string {
  const home = `${homeOf(places)}/`;
  return path.startsWith(home) ? path.slice(home.length) : path;
}

export function fromReceipt(places: Places, path: string): string {
  return resolveFrom(homeOf(places), path);
}

/** The one that the store lies in: another account's may use it too. A store may also lie in none. */
function homeOf({ userRoot, home }: Places): string {
  return basename(userRoot) === STORE_NAME ? dirname(userRoot) : home;
}
