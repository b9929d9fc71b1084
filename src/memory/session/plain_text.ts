/** Text without what writers change when they repeat a thing: case, quotes, white space. */
import { collapse } from "../../base/text.ts";

export function plainText(text: string): string {
  return collapse(text.replace(/[`"'“”‘’*]/g, "")).toLowerCase();
}
