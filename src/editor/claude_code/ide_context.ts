/**
 * What an IDE puts into a prompt beside what was typed: which file is open and what is selected in it.
 * Apart because the hook's payload and the session file both have it.
 */

const BEGINS = /<ide_(?:opened_file|selection)[\s>]/;
const ENDS = "</ide_";

/** What a person typed. A file that is selected may hold such an end itself: the last one counts. */
export function withoutIdeContext(text: string): string {
  const from = text.search(BEGINS);
  const end = text.lastIndexOf(ENDS);
  if (from === -1 || end < from) return text;
  const until = text.indexOf(">", end);
  return text.slice(0, from) + (until === -1 ? "" : text.slice(until + 1).trimStart());
}
