/**
 * What a person typed, without what the client puts beside it: which file is open in the IDE and what is
 * selected in it, and marks of pasted images; and what they typed behind a command. Apart because the hook's
 * payload and the session file both have it.
 */

const BEGINS = /<ide_(?:opened_file|selection)[\s>]/;
const ENDS = "</ide_";
/**
 * What other agents of a team report, and what their client says of them, comes as a prompt. Only the words of the
 * one that leads the team ask for something.
 */
const TEAM_NOTICE =
  /<teammate-message (?!teammate_id="team-lead"[^<>]{0,400}>\s{0,4}[^\s{])[^<>]{0,400}>[\s\S]*?(?:<\/teammate-message>\s*|$)/g;

export function withoutTeamNotices(text: string): string {
  return text.startsWith("<teammate-message ") ? text.replace(TEAM_NOTICE, "") : text;
}

/** '[Image #2]', the placeholder of a pasted image, which means nothing to a later reader. */
const IMAGE_MARKS = /\[Image #\d{1,4}\] ?/g;
/** A prompt of a picture alone still says something. */
const IMAGE_ALONE = "[Image]";

/** A file that is selected may hold such an end itself: the last one counts. */
export function withoutIdeContext(text: string): string {
  const from = text.search(BEGINS);
  const end = text.lastIndexOf(ENDS);
  if (from === -1 || end < from) return text;
  const until = text.indexOf(">", end);
  return text.slice(0, from) + (until === -1 ? "" : text.slice(until + 1).trimStart());
}

export function withoutImageMarks(text: string): string {
  const rest = text.replace(IMAGE_MARKS, "");
  return rest.trim() === "" && rest !== text ? IMAGE_ALONE : rest;
}

/**
 * A command or a skill that the client handed to the model. What it did itself (/clear, /compact) names the
 * command first; what was typed behind that is for the client.
 */
const COMMAND =
  /^\s*<command-message>[^<]{0,200}<\/command-message>\s*<command-name>\/([^<]{1,200})<\/command-name>\s*(?:<command-args>([\s\S]*)<\/command-args>\s*)?$/;
/** Commands of Sage itself. */
const OWN = /^sage:/;
/** "PR 214" says nothing without "review". */
const WORDS_MIN = 4;

/**
 * The words after a command in a line of the session file, or the command itself where there are none: its name
 * says what was asked for. Undefined where the line is no command for the model.
 */
export function typedBehindCommand(text: string): string | undefined {
  const [, name = "", args = ""] = COMMAND.exec(text) ?? [];
  const words = args.trim();
  if (name === "" || OWN.test(name)) return undefined;
  if (words === "") return `/${name}`;
  return words.split(/\s+/, WORDS_MIN).length < WORDS_MIN ? `${name} ${words}` : words;
}
