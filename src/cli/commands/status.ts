/** `sage status`: one line when all is well; `--verbose` says the rest. */
import type { Memory } from "../../memory/memory.ts";
import { readStatus, type Status } from "../../memory/status/status.ts";
import { listSources, sourcesText } from "../../memory/vault/sources.ts";
import { trustWords } from "../../memory/status/trust_words.ts";
import { count, cut } from "../../base/text/text.ts";
import { type Answer, bold, dim, type Line, styled } from "../terminal/answer.ts";
import { closedAnswer, unlessClosed } from "../closed.ts";
import { defineCommand } from "../command.ts";
import type { Io } from "../io.ts";
import { latelyLines } from "../lately.ts";
import { ago, countKind, fact, keptText } from "../terminal/print.ts";
import { oneLineEach, pageLines } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

/** Of what a running session is about. */
const TOPIC_CHARACTERS_MAX = 56;
/** Of a title inside a line of facts. */
const TITLE_CHARACTERS_MAX = 32;

export const command = defineCommand({
  options: { verbose: { type: "boolean", short: "v", summary: "show everything" } },
  connects: "endpoint",
  run(input, io) {
    const look = () =>
      withMemory(input, io, async (memory): Promise<Answer> => {
        const status = await readStatus(memory);
        const text = input.options.verbose ? full(io, status, memory) : brief(status);
        return { json: { ...status }, text: pageLines(io, oneLineEach(text)) };
      });
    return unlessClosed(look, (error) => closedAnswer(io, error));
  },
});

function brief({ healthy, line, next }: Status): Line[] {
  const first: Line = healthy ? line : styled(line, "yellow");
  return next === "nothing" ? [first] : [first, dim(`next: ${next}`)];
}

function full(io: Io, status: Status, memory: Memory): Line[] {
  const nowMs = memory.now();
  const { last_checkpoint: checkpoint, last_session: session, capture } = status;
  const counts = Object.entries(status.counts).map(([kind, number]) => countKind(number, kind));
  return [
    ...brief(status),
    "",
    fact("project", `${status.project.name} (${status.project.id})`),
    ...status.stores.map((store, i) =>
      fact(
        store.scope === "project" ? "shared" : "private",
        `${store.root}: ${
          store.exists
            ? `${count(store.notes, "file")}, ${trustWords(store.trust)}`
            : memory.stores[i]?.vault === undefined
            ? "not created yet"
            : "missing"
        }`,
      )
    ),
    fact("notes", counts.length === 0 ? "none yet" : counts.join(", ")),
    ...vaultLines(memory),
    fact(
      "checkpoint",
      checkpoint === undefined
        ? "none yet"
        : `${checkpoint.short_id} "${
          cut(checkpoint.title, TITLE_CHARACTERS_MAX)
        }", ${checkpoint.trigger}, ${ago(io, checkpoint.created, nowMs)}`,
    ),
    fact(
      "session",
      session === undefined
        ? "none yet"
        : `"${cut(session.title, TITLE_CHARACTERS_MAX)}", ${ago(io, session.updated, nowMs)}`,
    ),
    ...status.editors.map((editor, i) => fact(i === 0 ? "editors" : "", editorText(editor))),
    fact("capture", capture.detail),
    ...(status.compaction === undefined ? [] : [
      fact("compaction", compactionText(io, status.compaction, nowMs)),
    ]),
    fact("budget", `${status.orientation_budget} tokens at a session's start`),
    fact(
      "freshness",
      status.aged === 0
        ? "no knowledge is old enough for the archive"
        : `${count(status.aged, "note")} may be archived: sage admin prune --stale`,
    ),
    fact("index", indexText(status)),
    ...status.live_sessions.map(({ session, topic }) =>
      fact("running", `${session.slice(0, 8)} ${cut(topic, TOPIC_CHARACTERS_MAX)}`.trimEnd())
    ),
    ...section("Cannot be read", status.unread ?? []),
    ...section(
      "Cannot be read as a note",
      status.unparsable.map(({ path, reason }) => `${path}:${reason}`),
    ),
    ...section("Left out", status.skipped.map(({ path, reason }) => `${path}: ${reason}`)),
    ...(status.recent.length === 0 ? [] : [
      "",
      bold("Lately"),
      ...latelyLines(io, status.recent, nowMs),
    ]),
  ];
}

function indexText({ stores, closed, model }: Status): string {
  const files = stores.reduce((sum, { notes }) => sum + notes, 0);
  const state = closed === undefined ? "up to date" : "which cannot be written";
  return `${count(files, "file")}, ${state}, model ${model}`;
}

function vaultLines({ fs, places: { vault } }: Memory): Line[] {
  if (vault === undefined || vault.sources.length === 0) return [];
  if (fs.lstat(vault.root) === undefined) return [];
  return [fact("", sourcesText(listSources(fs, vault).length))];
}

/** The meter: what a summary dropped is given back as far as the orientation's budget goes. */
function compactionText(
  io: Io,
  { at, kept, lost }: NonNullable<Status["compaction"]>,
  nowMs: number,
): string {
  const all = kept + lost;
  const share = all === 0 ? "" : ` (${Math.round(kept / all * 100)} %)`;
  return `the summary of ${ago(io, at, nowMs)} ${keptText(kept, all)}${share}`;
}

function editorText({ title, state, scope, hooks, detail }: Status["editors"][number]): string {
  if (state !== "installed") return detail ?? `${title}: not connected`;
  const where = scope === "project" ? ", in this project" : "";
  return `${title}: ${hooks ? "hooks and tools" : "tools"}${where}`;
}

function section(heading: string, lines: readonly string[]): Line[] {
  return lines.length === 0 ? [] : ["", bold(heading), ...lines.map((line) => `  ${line}`)];
}
