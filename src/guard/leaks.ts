/**
 * What in a file must not leave the machine: secrets anywhere; in a store's notes also what is marked
 * as private, and personal data. And which paths must not leave it at all, whatever they hold.
 */
import { type Finding, locate, mergeMatches } from "./finding.ts";
import { findPersonal } from "./personal.ts";
import { privateRanges, unpairedTag } from "./private.ts";
import { scanSecrets } from "./scan.ts";

/** The rule of text between private tags, and of half of a pair of them. */
const PRIVATE_TEXT = "private-text";
/** The rule of a path that stays on this machine. */
export const PRIVATE_PATH = "private-path";

/** What a person may accept with a reason; what is private stays private. */
export function mayBeAllowed(rule: string): boolean {
  return rule !== PRIVATE_TEXT && rule !== PRIVATE_PATH;
}

/** `personal` asks for personal data in any file; in notes it is always looked for. */
export async function findLeaks(
  path: string,
  text: string,
  options: { readonly personal: boolean },
): Promise<Finding[]> {
  const isNote = isNotePath(path);
  const secrets = await scanSecrets(text);
  const personal = isNote || options.personal ? findPersonal(text) : [];
  const found = mergeMatches([...secrets, ...personal]);
  if (!isNote) return locate(text, found);
  const torn = unpairedTag(text);
  const hidden = [
    ...privateRanges(text),
    ...(torn === undefined ? [] : [{ start: torn.offset, end: torn.offset + 1 }]),
  ];
  const open = found.filter(({ start }) =>
    !hidden.some((range) => range.start <= start && start < range.end)
  );
  const whole = mergeMatches(hidden.map((range) => ({ rule: PRIVATE_TEXT, ...range })));
  return locate(text, mergeMatches([...open, ...whole]));
}

/** How many names are scanned together: nearly all of them contain nothing. */
const NAMES_AT_ONCE = 1000;

/** The secrets in names: of files with their folders, of branches and tags. Those that hold none are not in it. */
export async function secretsInNames(
  names: Iterable<string>,
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const found = new Map<string, readonly Finding[]>();
  const all = [...new Set(names)];
  for (let from = 0; from < all.length; from += NAMES_AT_ONCE) {
    const some = all.slice(from, from + NAMES_AT_ONCE);
    const together = await scanSecrets(some.map((name) => name.replaceAll("\n", " ")).join("\n"));
    // A match across two names is none; so each name is scanned again alone.
    for (const line of new Set(together.map(({ line }) => line))) {
      const name = some[line - 1] ?? "";
      const findings = await scanSecrets(name);
      if (findings.length > 0) found.set(name, findings);
    }
  }
  return found;
}

/** A note of a store that is shared by git. */
export function isNotePath(path: string): boolean {
  return /(?:^|\/)\.sage\/.*\.md$/i.test(path);
}

/** What lies in a store for one person or one moment only, and folders that are called `_PRIVATE`. */
export function isPrivatePath(path: string): boolean {
  return /(?:^|\/)_PRIVATE\//.test(path) ||
    /(?:^|\/)\.sage\/(?:(?:local|\.trash|\.inbox|state)\/|(?:.*\/)?_private\/)/i.test(path);
}
