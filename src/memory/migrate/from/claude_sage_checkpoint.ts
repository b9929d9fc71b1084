/** A checkpoint of the first Sage: fields as YAML or JSON, or a conversation from which they are extracted. */
import { parseTime, rfc3339 } from "../../../base/clock.ts";
import { type Fields, fieldsOf, fieldsOfEach } from "../../../base/fields.ts";
import { basename, join } from "../../../base/path.ts";
import { collapse, cutTitle, slug } from "../../../base/text/text.ts";
import { extractCheckpoint } from "../../../detect/checkpoint/extract.ts";
import type { Turn } from "../../../editor/editor.ts";
import { joinedText } from "../../../editor/turn_list.ts";
import { type CheckpointDraft, readTrigger, renderCheckpoint } from "../../../note/checkpoint.ts";
import type { Found, Place } from "../item.ts";
import { BY, projectOf, sourcesOf } from "./claude_sage_data.ts";
import { momentSaid, numberSaid, said, textsSaid } from "./values.ts";

/** Its names of triggers, where they differ from this Sage's. */
const TRIGGERS: Readonly<Record<string, string>> = {
  constraint: "constraint_discovered",
  transition: "topic_shift",
  explicit: "manual",
};

export function ofCheckpoint(place: Place, path: string, fields: Fields, raw: string): Found {
  const meta = fieldsOf(fields.metadata);
  const action = fieldsOf(fields.action);
  const stem = said(fields, "id") ?? basename(path).replace(/\.\w+$/, "");
  const created = momentSaid(fields.ts) ?? momentSaid(fields.timestamp) ?? stampOf(stem) ??
    rfc3339(place.fs.lstat(join(place.path, path))?.mtimeMs ?? 0);
  const known = conversation(place, fields);
  const draft: CheckpointDraft = {
    title: said(fields, "title", "description"),
    coreQuestion: said(fields, "core_question") ?? known?.coreQuestion ?? "",
    thesis: said(fields, "thesis") ?? known?.thesis ?? said(fields, "description") ?? "",
    confidence: numberSaid(fields, "confidence") ?? 0.5,
    trigger: readTrigger(triggerOf(said(fields, "trigger"))),
    keyEvidence: [
      ...textsSaid(fields.key_evidence),
      ...known?.keyEvidence ?? [],
      ...fieldsOfEach(fields.unique_contributions).flatMap((one) => joined(one, "type", "content")),
      ...fieldsOfEach(fields.sources).filter((one) => said(one, "take") !== undefined)
        .flatMap((one) => joined(one, "id", "take")),
    ],
    reasoningTrace: said(fields, "reasoning_trace") ?? known?.reasoningTrace ?? "",
    openQuestions: [...textsSaid(fields.open_questions), ...known?.openQuestions ?? []],
    tensions: [...textsSaid(fields.tensions), ...fieldsOfEach(fields.tensions).flatMap(tension)],
    sources: sourcesOf(fields.sources),
    decisions: known?.decisions,
    nextStep: said(action, "goal") ?? said(fields, "action_goal") ?? known?.nextStep,
    skill: said(meta, "skill") ?? said(fields, "skill"),
    parent: said(meta, "parent_checkpoint") ?? said(fields, "parent_checkpoint", "continues_from"),
    messages: numberSaid(meta, "message_count") ?? numberSaid(fields, "message_count"),
    contextTokens: numberSaid(fields, "context_tokens"),
    recalled: textsSaid(fields.knowledge_recalled),
    generated: { by: BY, at: created },
  };
  if (collapse(draft.thesis) === "") {
    return { key: path, reason: "it is not a checkpoint: it has neither a thesis nor messages" };
  }
  const title = draft.title ?? cutTitle(collapse(draft.coreQuestion || draft.thesis), 100);
  return {
    key: path,
    kind: "checkpoint",
    title,
    stem: slug(stem, 110) === stem.toLowerCase() ? stem : stem.replace(/[^A-Za-z0-9._-]+/g, "-"),
    raw,
    state: raw,
    project: projectOf(place, said(meta, "project") ?? said(fields, "project")),
    render: (id) => renderCheckpoint(draft, { id, created }),
  };
}

/** What a conversation says, if that is all that was kept. The messages themselves are not imported. */
function conversation(place: Place, fields: Fields): ReturnType<typeof extractCheckpoint> {
  const turns = fieldsOfEach(fields.messages).flatMap((message, i): Turn[] => {
    const role = said(message, "role");
    const text = joinedText(message.content);
    return (role !== "user" && role !== "assistant") || text.trim() === ""
      ? []
      : [{ uuid: String(i), role, at: said(message, "timestamp", "ts") ?? "", text, tools: [] }];
  });
  if (turns.length === 0) return undefined;
  const { embedder } = place;
  return extractCheckpoint(turns, { embedder, tokensMax: 1500, effortMin: 0 }) ?? {
    title: "",
    coreQuestion: turns.find(({ role }) => role === "user")?.text ?? "",
    thesis: turns.findLast(({ role }) => role === "assistant")?.text ?? "",
    keyEvidence: [],
    decisions: [],
    openQuestions: [],
    reasoningTrace: "",
    nextStep: undefined,
  };
}

function triggerOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : TRIGGERS[name] ?? name;
}

function tension(fields: Fields): string[] {
  const between = textsSaid(fields.between).join(" vs ");
  const nature = said(fields, "nature");
  if (nature === undefined && between === "") return [];
  const resolution = said(fields, "resolution");
  const text = [between, nature].filter((part) => part !== undefined && part !== "").join(": ");
  return [resolution === undefined ? text : `${text} (${resolution})`];
}

function joined(fields: Fields, ...keys: string[]): string[] {
  const parts = keys.flatMap((key) => said(fields, key) ?? []);
  return parts.length === 0 ? [] : [parts.join(": ")];
}

/** `2026-01-13T14-30-00` at the head of a name. */
function stampOf(stem: string): string | undefined {
  const [, date, hours, minutes, seconds] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})/.exec(stem) ?? [];
  const ms = parseTime(`${date}T${hours}:${minutes}:${seconds}Z`);
  return ms === undefined ? undefined : rfc3339(ms);
}
