/** Commits, as git prints them or as the command tells where git was quiet. */
import type { ToolUse } from "../../editor/editor.ts";
import { hereTexts, programOf, stepsOf } from "./shell.ts";

export interface Commit {
  /** Empty where nothing says it. */
  readonly hash: string;
  /** Empty where nothing says it. */
  readonly subject: string;
  readonly amends: boolean;
}

const SUBJECT_CHARACTERS_MAX = 180;

/** A command that commits. */
interface Committing {
  readonly subject: string;
  readonly isQuiet: boolean;
  readonly amends: boolean;
}

const COMMITS =
  /\bgit(?: -[cC] ?(?:"[^"\n]{1,300}"|'[^'\n]{1,300}'|\S{1,300})| --[\w=./-]{1,100}){0,4} (?:cherry-pick|commit|revert)\b(?!-)/;
const AMENDS = /\s--amend\b/;
/** With this flag git prints nothing. */
const QUIET = /\s(?:-[a-z]{0,4}q[a-z]{0,3}|--quiet)(?=\s|$)/;
/** Ends here, or goes on in a text that is fed to it. */
const MESSAGE = /\s(?:-[a-z]{0,4}m|--message)[ =]?(?:"(?!\$\()([^"\n]+)|'([^'\n]+))/;
const FED_MESSAGE =
  /\s(?:(?:-[a-z]{0,4}m|--message)[ =]?(?:"\$\(cat <<|@["'])|(?:-[a-z]{0,4}F|--file)[ =]?-)/;
const NOT_COMMITTED = /\bnothing (?:added )?to commit\b|\bno changes added\b|^(?:fatal|error):/m;
const PRINTED = /^\[[^\]]{1,200}? ([0-9a-f]{7,40})\] (.+)/;
/** A line of `git log --oneline`. */
const LOGGED = /^([0-9a-f]{7,40}) (?:\([^)]{1,200}\) )?(.+)/;

/** The commits that a call made, in order. */
export function commitsOf({ command = "", result = "", failed }: ToolUse): Commit[] {
  if (!COMMITS.test(command)) return [];
  const made = committingIn(command);
  const lines = result.split("\n").map((line) => line.trimEnd());
  const printed = lines.flatMap((line): Commit[] => {
    const [, hash, subject] = PRINTED.exec(line) ?? [];
    return hash === undefined || subject === undefined
      ? []
      : [{ hash, subject: subject.slice(0, SUBJECT_CHARACTERS_MAX), amends: false }];
  });
  if (printed.length > 0) {
    return printed.map((one, i) => ({ ...one, amends: made[i]?.amends === true }));
  }
  if (failed !== false || NOT_COMMITTED.test(result)) return [];
  const logged = lines.flatMap((line) => {
    const [, hash = "", subject] = LOGGED.exec(line) ?? [];
    return subject === undefined ? [] : [{ hash, subject }];
  });
  return made.filter(({ isQuiet }) => isQuiet)
    .map(({ subject, amends }) => ({ ...loggedAs(subject, logged), amends }))
    .filter(({ subject, amends }) => subject !== "" || amends);
}

type Logged = Pick<Commit, "hash" | "subject">;

/** As the log shows it right behind; the newest, where the command does not tell the message. */
function loggedAs(subject: string, logged: readonly Logged[]): Logged {
  const shown = subject === ""
    ? logged[0]
    : logged.find((one) => one.subject.startsWith(subject) || subject.startsWith(one.subject));
  return { hash: shown?.hash ?? "", subject: subject || (shown?.subject ?? "") };
}

function committingIn(command: string): Committing[] {
  const texts = hereTexts(command);
  return stepsOf(command).flatMap((step): Committing[] => {
    const text = FED.test(step) ? texts.shift() : undefined;
    const [subcommand] = COMMITS.exec(step) ?? [];
    if (programOf(step) !== "git" || subcommand === undefined) return [];
    const options = step.slice(step.indexOf(subcommand) + subcommand.length);
    const said = FED_MESSAGE.test(options)
      ? text?.trimStart().split("\n", 1)[0]
      : MESSAGE.exec(options)?.slice(1).find((one) => one !== undefined);
    const bare = options.replace(/"[^"]*"|'[^']*'/g, "");
    return [{
      subject: (said ?? "").trim().slice(0, SUBJECT_CHARACTERS_MAX),
      isQuiet: QUIET.test(bare),
      amends: AMENDS.test(bare),
    }];
  });
}

/** A text is fed to it. */
const FED = /(?<!<)<<(?!<)|@["']/;

/** Where git stands may be elsewhere afterwards. */
const MOVES = /\bgit\b[^\n;&|]{0,200}?\b(?:checkout|merge|pull|rebase|reset|switch)\b/;

/**
 * The commits of several calls that are left at the end: of one that was amended or made anew the last, none
 * that is folded into another, and none that was only saved on the way to others.
 */
export function commitsLeft(tools: readonly ToolUse[]): Commit[] {
  let made: Commit[] = [];
  let isAtLast = false;
  for (const tool of tools) {
    for (const commit of commitsOf(tool)) {
      const before = commit.amends ? amended(made, commit, isAtLast) : undefined;
      const subject = commit.subject || (before?.subject ?? "");
      made = made.filter((one) => one !== before && one.subject !== subject);
      if (subject !== "") made.push({ ...commit, subject });
      isAtLast = true;
    }
    if (MOVES.test(tool.command ?? "")) isAtLast = false;
  }
  const subjects = new Set(made.map(({ subject }) => subject));
  const isFolded = ({ subject }: Commit): boolean =>
    FOLDED.test(subject) && subjects.has(subject.replace(FOLDED, ""));
  const final = made.filter((one) => !isFolded(one));
  const worded = final.filter(({ subject }) => !SAVED_ONLY.test(subject));
  return worded.length > 0 ? worded : final;
}

/** The commit in whose place an amended one is. */
function amended(
  made: readonly Commit[],
  { subject }: Commit,
  isAtLast: boolean,
): Commit | undefined {
  return made.findLast((one) => one.subject === subject) ?? (isAtLast ? made.at(-1) : undefined);
}

/** The subject that git gives to a part of another commit. */
const FOLDED = /^(?:(?:amend|fixup|squash)! )+/;
const SAVED_ONLY = /^\W{0,3}wip\b/i;
