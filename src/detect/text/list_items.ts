/**
 * Numbered and lettered lists as people and agents write them, one line per item or all in one line: '1) … 2)
 * …', 'a. … b. …'. Shared by numbered answers and positional choices.
 */

/** At least two items. In Chinese no space follows the mark. */
export const NUMBERED_LIST =
  /(?:^|\s)1(?:[.)] |[.)、．](?=[\u3001-\uffff]))[^]{0,2000}?\s2(?:[.)] |[.)、．](?=[\u3001-\uffff]))/;

/**
 * The text after each mark, up to the next one. A mark's first group is its number or letter; marks count
 * from 1 or A. Of several lists it is the last with two items; empty if none has two.
 */
export function listItems(text: string, marks: Iterable<RegExpExecArray>): string[] {
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
