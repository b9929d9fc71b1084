/** `sage search`: ranked hits over every note, with the passage that matched. */
import { SageError } from "../../base/errors.ts";
import { INDEXED_KINDS } from "../../note/note.ts";
import { defineCommand, type Options } from "../command.ts";

export const OPTIONS = {
  type: { type: "string", choices: INDEXED_KINDS, summary: "only this kind of note" },
  tag: { type: "string", value: "tag", summary: "only notes with this tag" },
  after: {
    type: "string",
    value: "when",
    summary: "only notes from then on: 30d, yesterday, last week, 2026-01-13",
  },
  also: {
    type: "strings",
    value: "text",
    summary: "the same question in other words, which the note may use",
  },
  limit: {
    type: "number",
    min: 1,
    max: 1000,
    summary: "this many, even if they match poorly; without it at most 10 that match well",
  },
  all: { type: "boolean", summary: "also other projects' notes" },
  explain: { type: "boolean", summary: "show how each score is computed" },
} as const satisfies Options;

export const command = defineCommand({
  operands: [0, Infinity],
  options: OPTIONS,
  details:
    "Filters among the words narrow: type:todo tag:release project:web after:2026-01 before:2026-02-15; alone they list the newest, as --type, --tag and --after do. A date is a day where you are; after:, before: and --after also take a span back from now (12h, 30d, 8w, 6m, 1y) and words (today, yesterday, last-week). A \"quoted phrase\" or a time (last week, latest) puts the best matches first and hides nothing; so does a kind of note with its day (last session, checkpoint of 18 June, todos from 2026-01). A time alone, or with only a kind (last week, todos from today), shows first what was written then, the newest first. There is no negation.\n\n--also asks the same question in other words: a note's score is the mean over all phrasings. Give the words that its writer may have used, such as the technical terms, or the answer as it may be worded. Filters, phrases and times are read from the query alone.\n\nThe number at each hit is how likely it answers, 0 to 1. What hardly matches is left out, and if nothing matches well, the nearest are shown and marked as such, the first three with the passage.\n\nSearches the project's store and your own (~/.sage). Your own also holds notes of projects without a store: of those, only this project's are shown. --all adds the others', and notes in the stores of other projects that you made or trusted; project:<name> searches one of them.",
  examples: [
    "sage search token refresh",
    "sage search --type knowledge worktrees",
    "sage search 'tag:release \"dead letter\" last week'",
    "sage search 'why are we logged out so often' --also 'session timeout' --also 'token lifetime'",
  ],
  connects: "endpoint",
  isServed: true,
  async run(input, io) {
    const { options, rest } = input;
    const query = rest.join(" ");
    if (query === "" && [options.type, options.tag, options.after].every((one) => !one)) {
      throw new SageError("usage", "The query is missing", {
        hint: "sage search <words>, or a filter: sage search type:todo",
      });
    }
    const { searchAnswer } = await import("../search_answer.ts");
    return await searchAnswer(input, io, query, options);
  },
});
