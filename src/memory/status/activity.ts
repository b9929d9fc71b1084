/**
 * The log in plain words, for a terminal and the page: what happened, and what came of it. It only words the
 * lines; what is logged is decided where it is logged.
 */
import type { LogLine } from "../../base/log.ts";
import { count, many } from "../../base/text/text.ts";

/** What people call the editor's events. */
const HOOKS: Readonly<Record<string, string>> = {
  "session-start": "session started",
  "user-prompt-submit": "prompt",
  "stop": "turn ended",
  "subagent-stop": "subagent ended",
  "pre-compact": "compaction",
  "pre-tool-use": "edit",
  "session-end": "session ended",
};

/** Why nothing was done. */
const GATES: Readonly<Record<string, string>> = {
  "mode off": "nothing: detection is off",
  "stop hook active": "nothing: the turn was ending already",
  "too shallow": "too little for a checkpoint",
  "cooling down": "nothing: something was saved a moment ago",
  "seen before": "nothing: seen before",
  "about memory": "nothing: the talk was about memory itself",
  "structural": "no turning point",
  "linguistic": "no turning point for sure",
  "no transcript": "nothing: no transcript",
  "no turns": "nothing: the transcript cannot be read",
  "off": "silent: surfacing is off",
  "short": "silent: too short to be about something",
  "slash_command": "silent: a command",
  "conversational": "silent: small talk",
  "no_specific_term": "silent: names nothing in particular",
  "mode": "silent: an order on the work at hand",
  "same_topic": "silent: still the same topic",
  "nothing_relevant": "silent: no note is about it",
  "shown_before": "silent: shown before",
  "no_edit": "silent: no file is edited",
  "no_note": "silent: no note rests on the file",
};

const SAVES: Readonly<Record<string, string>> = {
  saved: "checkpoint saved",
  duplicate: "checkpoint was there already",
  nothing: "nothing new to save",
};

/** The text that comes with the server itself, before any tool is called. */
function isConnection({ tool, outcome }: LogLine): boolean {
  return tool === "instructions" && outcome === "done";
}

/** What happened. */
export function eventOf(line: LogLine): string {
  if (line.event === "tool") return isConnection(line) ? "MCP connected" : "agent asked";
  if (line.event !== "hook") return line.event;
  return HOOKS[text(line.hook)] ?? (text(line.hook) || "unknown event");
}

/** What came of it. */
export function outcomeOf(line: LogLine): string {
  // A tool's reason for refusing is only in its answer, which receipts do not have.
  if (line.outcome === "failed" && line.event !== "tool") {
    return `failed: ${text(line.error) || "unknown"}`;
  }
  switch (line.event) {
    case "save":
      return `${line.kind === "session" ? "session note" : text(line.kind)} ${
        text(line.short_id)
      } by ${byOf(text(line.by))}${redacted(line)}`;
    case "recovery":
      return line.error === undefined ? text(line.detail) : `failed: ${text(line.error)}`;
    case "forget":
      return `${text(line.short_id)} erased`;
    case "hook":
      return hookOutcome(line);
    case "tool":
      return (isConnection(line) ? "" : `${text(line.tool)}: ${text(line.outcome)}, `) +
        `told ${tokens(line)}`;
    default:
      return text(line.detail);
  }
}

function hookOutcome(line: LogLine): string {
  const parts = [
    line.shown === undefined
      ? gateOf(text(line.gate))
      : `${count(Number(line.shown), "note")} shown`,
    line.save === undefined ? "" : SAVES[text(line.save)] ?? `checkpoint ${text(line.save)}`,
    line.note === "written" ? "session note written" : "",
    startOf(line),
    line.agent === undefined ? "" : text(line.agent),
    line.lost === undefined
      ? ""
      : `summary kept ${text(line.kept)} of ${Number(line.kept) + Number(line.lost)} exact things`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "done" : parts.join(", ");
}

/** A gate's name, a context threshold, or a trigger with its confidence. */
function gateOf(gate: string): string {
  const found = /^(\w+) (0\.\d+|1\.00)(, asked enough|, unattended)?$/.exec(gate);
  if (found !== null) {
    const why = found[3]?.replace("asked enough", "asked often enough") ?? "";
    return `${(found[1] ?? "").replaceAll("_", " ")} (${found[2]})${why}`;
  }
  return GATES[gate] ?? gate;
}

/** Why a prompt was shown nothing, under a heading that says so. */
export function silenceOf(gate: string): string {
  return gateOf(gate).replace(/^silent: /, "");
}

function startOf(line: LogLine): string {
  if (line.tokens === undefined) return "";
  const told = line.tokens === 0 ? "told nothing" : `told ${tokens(line)}`;
  return text(line.source) === "" ? told : `${text(line.source)}, ${told}`;
}

function tokens(line: LogLine): string {
  return `${many(Number(line.tokens))} tokens`;
}

function byOf(author: string): string {
  return author === "sage" ? "Sage" : author === "person" ? "you" : `the ${author || "agent"}`;
}

function redacted(line: LogLine): string {
  return typeof line.redactions === "number" && line.redactions > 0
    ? `, ${count(line.redactions, "secret")} redacted`
    : "";
}

function text(value: LogLine[string]): string {
  return value === undefined ? "" : String(value);
}
