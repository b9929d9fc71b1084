/**
 * What a model thought before it answered, where it stands in the answer: `<think>…</think>`. Models write
 * that if neither their server nor the agent knows their tags; and if the server's template begins the
 * thought, only its end is there. Tags in code are what the answer is about.
 */

const MARK = /```|`|<\/?(?:think|thinking|thought)>/gi;
const CODE_CHARACTERS_MAX = 400;
const BEGINS_LINE = /(?:^|\n)[ \t]{0,8}$/;
const BEFORE_CHARACTERS = 10;

/** The answer alone; "" if the model was cut off while it thought. One pass, whatever is left open. */
export function withoutReasoning(text: string): string {
  let said = "";
  let from = 0;
  let thought: number | undefined;
  let past = 0;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (index < past) continue;
    const end = index + mark.length;
    if (mark.startsWith("</")) {
      // Without a beginning, everything before it was thought.
      said = thought === undefined ? "" : said + text.slice(from, thought);
      from = end;
      thought = undefined;
    } else if (thought !== undefined) continue;
    else if (mark.startsWith("<")) {
      const before = text.slice(Math.max(0, index - BEFORE_CHARACTERS), index);
      if (BEGINS_LINE.test(before)) thought = index;
    } else past = codeEnd(text, end, mark);
  }
  if (from === 0 && thought === undefined) return text;
  const before = thought === undefined ? "" : said + text.slice(from, thought);
  return thought !== undefined && before.trim() === "" ? "" : (said + text.slice(from)).trim();
}

/** The end of a fenced block, which may be the text's, or of a span; without an end of its own it is none. */
function codeEnd(text: string, from: number, mark: string): number {
  if (mark !== "`") {
    const end = text.indexOf(mark, from);
    return end < 0 ? text.length : end + mark.length;
  }
  const [line = ""] = text.slice(from, from + CODE_CHARACTERS_MAX).split("\n", 1);
  const end = line.indexOf(mark);
  return end < 0 ? from : from + end + 1;
}
