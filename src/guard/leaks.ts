/**
 * What must not be committed or pushed: secrets in any file; in the notes of a store also private parts
 * and personal data; and some paths whatever they contain.
 */
import { type Finding, locate, mergeMatches } from "./finding.ts";
import { findPersonal } from "./personal.ts";
import { privateRanges, unpairedTag } from "./private.ts";
import { scanSecrets } from "./scan.ts";

/** The rule of text between private tags, and of a tag without its other half. */
const PRIVATE_TEXT = "private-text";
/** The rule of a path that must stay on this machine. */
export const PRIVATE_PATH = "private-path";

/** Whether a person may allow a finding of this rule, with a reason; never if it is private. */
export function mayBeAllowed(rule: string): boolean {
  return rule !== PRIVATE_TEXT && rule !== PRIVATE_PATH;
}

/** `personal`: look for personal data in any file, not only in notes. */
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

/** How many names are scanned as one text: nearly all have no findings. */
const NAMES_AT_ONCE = 1000;

/** Findings in names of files, branches and tags; names without any are not in the map. */
export async function secretsInNames(
  names: Iterable<string>,
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const found = new Map<string, readonly Finding[]>();
  const all = [...new Set(names)];
  for (let from = 0; from < all.length; from += NAMES_AT_ONCE) {
    const some = all.slice(from, from + NAMES_AT_ONCE);
    const together = await scanSecrets(some.map((name) => name.replaceAll("\n", " ")).join("\n"));
    // Scanned again alone, because a match across two names does not count.
    for (const line of new Set(together.map(({ line }) => line))) {
      const name = some[line - 1] ?? "";
      const findings = await scanSecrets(name);
      if (findings.length > 0) found.set(name, findings);
    }
  }
  return found;
}

/** Whether it is a note in a project's store, which git may share. */
export function isNotePath(path: string): boolean {
  return /(?:^|\/)\.sage\/.*\.md$/i.test(path);
}

/** Folders of a store that stay on this machine, and folders called `_PRIVATE` anywhere. */
export function isPrivatePath(path: string): boolean {
  return /(?:^|\/)_PRIVATE\//.test(path) ||
    /(?:^|\/)\.sage\/(?:(?:local|\.trash|\.inbox|state)\/|(?:.*\/)?_private\/)/i.test(path);
}
