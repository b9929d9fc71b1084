/**
 * What a checkpoint is to be known by in a list: the first sentence of its conclusion that names its matter,
 * else what was asked. 'Everything green — build OK, 17 packages pass' is how it went, and of nothing.
 */
import { cutTitle } from "../base/text.ts";
import { saysItsMatter } from "./intent.ts";
import { heard } from "./languages.ts";
import { stemsOf, termsOf } from "./sentences.ts";

/** As much as a title may be long: what comes after it is not seen. */
const CHARACTERS_MAX = 80;
/** Words left of it that say of what. */
const MATTER_TERMS_MIN = 2;

/** Begins a conclusion that names the ways of a choice which nobody has taken yet. */
export const OPTIONS_LABEL = "Options: ";

/** A name that nobody says by chance. */
const CODE = /`[^`\n]{2,}`|\b\w+\.[a-z]{1,4}\b|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}_\w+/;
/** A figure; one digit counts what there is of anything. */
const FIGURE = /\d\d|\d[.,]\d|\d ?%/;

/** Points to what stands before it, or tells whoever reads what to do. */
const POINTS = heard("title.points", String.raw`^(?:${OPTIONS_LABEL}|\W*{}\b)`);
/** How a check or a piece of work went. */
const STATE = heard("title.state", String.raw`\b{}\b`, "gi");

/**
 * A whole sentence, for what was forgotten is known by its sentences; whoever writes it down cuts it. `asked`
 * from first to last. Empty where neither says what it is about.
 */
export function titleOf(concluded: readonly string[], asked: readonly string[]): string {
  const wanted = stemsOf(asked.join(" "));
  const ways = concluded.filter((said) => said.startsWith(OPTIONS_LABEL)).join(" ");
  const named = concluded.filter(namesMatter);
  return named.find((said) => CODE.test(said) || FIGURE.test(said) || isAbout(said, wanted)) ??
    asked.findLast((text) =>
      saysItsMatter(text) && (ways === "" || isAbout(ways, stemsOf(text)))
    ) ?? named[0] ?? "";
}

function isAbout(text: string, stems: ReadonlySet<string>): boolean {
  return !stemsOf(text).isDisjointFrom(stems);
}

function namesMatter(sentence: string): boolean {
  const seen = cutTitle(sentence, CHARACTERS_MAX);
  const left = seen.replace(STATE, "").replace(/\b\d+\b/g, "");
  const terms = termsOf(left).size + (CODE.test(left) ? 1 : 0);
  return !POINTS.test(seen) && terms >= MATTER_TERMS_MIN;
}
