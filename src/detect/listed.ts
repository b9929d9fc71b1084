/**
 * Lists as people and agents write them, a line for each item or all in one: '1) … 2) …', 'a. … b. …'. Apart
 * from who reads them: what a reply answers one by one, and what it takes by its place.
 */

/** Has two items at least, as answers one by one have. */
export const LISTED = /(?:^|\s)1[.)] [^]{0,2000}?\s2[.)] /;

/**
 * What stands behind each of the marks of a text, whose first group is a number or a letter: those that count
 * from 1 or A on. Of several lists the last that has two items; none where none has.
 */
export function itemsBehind(text: string, marks: Iterable<RegExpExecArray>): string[] {
  let list: RegExpExecArray[] = [];
  let before = list;
  for (const found of marks) {
    const mark = found[1] ?? "";
    const place = Number(mark) || mark.toLowerCase().charCodeAt(0) - 96;
    if (place === 1) {
      if (list.length > 1) before = list;
      list = [];
    }
    if (place === list.length + 1) list.push(found);
  }
  const items = list.length > 1 ? list : before;
  return items.map(({ index, 0: mark }, i) => text.slice(index + mark.length, items[i + 1]?.index));
}
