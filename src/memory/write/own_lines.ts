/**
 * The lines that Sage itself writes into notes: what was done to one, by whom, and headings of its own. They
 * stand in many notes in the same words, so no note is recognised by them.
 */

const BY = "by (?:person|agent|sage)";

/** The reasons that the verbs of memory/knowledge give for a history; `.+` is a heading or a title. */
const REASONS = [
  "replaced by a newer statement",
  `(?:updated(?: beside other changes)?|added(?: to|, not merged,)?|archived|taken back from the archive) ${BY}`,
  `(?:added under|merged with) .+ ${BY}`,
  `.+ (?:replaced|set) ${BY}`,
  String.raw`restored version \d+ of [\d-]+`,
];

const DAY = String.raw`\d{4}-\d{2}-\d{2}`;

const LINES = [
  `${DAY}: (?:${REASONS.join("|")})`,
  // Headings of what was merged, and of what could not be.
  String.raw`updates \(unmerged(?: ${DAY})?\)`,
  String.raw`.+ \(merged ${DAY}\)`,
  // A text that was saved beside a note instead.
  String.raw`.+ \(alternative\)`,
  String.raw`an alternative to \[\[[^\]]*\]\]`,
  // The files of a session or a checkpoint, nothing else: the words begin a person's sentence as well.
  String.raw`(?:also )?changed: [^\s,]+(?:, [^\s,]+)*(?: and \d+ more)?`,
];

const OWN = new RegExp(`^(?:${LINES.join("|")})$`);

/** `said`: without bullet and heading marks, in small letters, without quotes and the full stop at its end. */
export function isOwnLine(said: string): boolean {
  return OWN.test(said);
}
