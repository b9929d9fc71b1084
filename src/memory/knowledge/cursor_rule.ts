/** Reads a rule of Cursor (`.mdc`): Markdown, but `globs: *.ts` lacks the quotes that YAML wants. */
import { splitFrontMatter } from "../../note/front_matter.ts";

const BARE_GLOBS = /^(globs:[ \t]*)([^\s"'\[][^"\r\n]*)$/m;

/** The text of an `.mdc` file with its globs quoted; of any other file unchanged. */
export function readableRule(path: string, text: string): string {
  if (!/\.mdc$/i.test(path)) return text;
  const { bodyStart } = splitFrontMatter(text);
  const head = text.slice(0, bodyStart).replace(
    BARE_GLOBS,
    (_, key: string, globs: string) => `${key}"${globs.trimEnd()}"`,
  );
  return head + text.slice(bodyStart);
}
