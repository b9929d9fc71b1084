/** A rule of Cursor (`.mdc`): Markdown, but `globs: *.ts` stands without the quotes that YAML wants. */
import { splitFrontMatter } from "../../note/front_matter.ts";

const BARE_GLOBS = /^(globs:[ \t]*)([^\s"'\[][^"\r\n]*?)[ \t]*$/m;

/** The text of a file as YAML reads its keys; below them nothing is touched, nor in any other file. */
export function readableRule(path: string, text: string): string {
  if (!/\.mdc$/i.test(path)) return text;
  const { bodyStart } = splitFrontMatter(text);
  return text.slice(0, bodyStart).replace(BARE_GLOBS, '$1"$2"') + text.slice(bodyStart);
}
