/** `sage topic`: pages of links that people curate, and where one would help. */
import { count } from "../../base/text/text.ts";
import { openGraph, toGraphItem } from "../../memory/graph/graph.ts";
import { keepTopic, suggestTopics, type TopicOutcome } from "../../memory/topic.ts";
import { type Answer, bold, dim, type Line, type Span } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb } from "../command.ts";
import { flaggedTitle } from "../terminal/flagged.ts";
import { saveAnswer } from "../outcome.ts";
import { firstRows, renderLines } from "../terminal/print.ts";
import { canAsk, confirm } from "../terminal/prompt.ts";
import { recalledLines } from "../recalled.ts";
import { removeVerb } from "../remove.ts";
import { restoreRemovedVerb } from "../restore_removed.ts";
import { showVerb } from "../show.ts";
import { listing } from "../terminal/table.ts";
import { authorOf, withMemory } from "../with_memory.ts";

const list = defineVerb({
  summary: "the topics, and how many notes each lists",
  usage: "sage topic list",
  run(input, io) {
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const graph = await openGraph(memory);
      const items = graph.nodes.filter(({ note }) => note.kind === "topic").map(toGraphItem);
      const { shown, more } = firstRows(io, items, "topic");
      const rows = shown.map((
        item,
      ): Span[] => [dim(item.short_id), String(item.links), flaggedTitle(item)]);
      const nothing = "No topic yet. sage topic suggest says where one would help.";
      const text = listing(io, ["id", "notes", "title"], rows, nothing, { right: [1] });
      return { json: { items, total: items.length }, text: [...text, ...more] };
    });
  },
});

const suggest = defineVerb({
  summary: "propose topics where knowledge clusters",
  usage: "sage topic suggest",
  details:
    "A cluster is three notes or more with one tag, or linked with each other, that no topic lists yet. On a terminal you are asked about each; otherwise they are listed, and sage topic new makes one.",
  run(input, io) {
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const graph = await openGraph(memory);
      const items = suggestTopics(graph).map(({ title, why, nodes }) => ({
        title,
        why,
        notes: nodes.map(toGraphItem),
      }));
      const lines = items.map(({ title, why, notes }): Line[] => {
        const { shown, more } = firstRows(io, notes, "note");
        return [
          [bold(title), dim(`  ${count(notes.length, "note")}, ${why}`)],
          ...shown.map(({ short_id, title }): Line => [dim(`  ${short_id}  `), title]),
          ...more,
        ];
      });
      if (items.length > 0 && canAsk(io) && !input.json) {
        let kept = 0;
        for (const [i, { title, notes }] of items.entries()) {
          io.err(renderLines(["", ...lines[i] ?? []], io.color));
          if (!await confirm(io, "Make this topic?")) continue;
          await keepTopic(memory, title, notes.map(({ id }) => id), authorOf(io));
          kept++;
        }
        return { json: { kept }, text: [`Made ${count(kept, "topic")} of ${items.length}.`] };
      }
      const [first] = items[0]?.notes ?? [];
      const flat = items.length === 0 ? ["No group of related notes lacks a topic."] : lines.flat();
      if (first === undefined) return { json: { items }, text: flat };
      const text = items.map(({ title, why }) => `${title}: ${why}`).join("\n");
      return { json: { items }, text: recalledLines(memory, io, [{ ...first, text }], () => flat) };
    });
  },
});

const make = defineVerb({
  summary: "make one with links to notes, or add them to the one of that title",
  usage: "sage topic new <title> [<id>…]",
  operands: [1, 100],
  details: "The page is yours: Sage writes only between its own marks.",
  examples: ["sage topic new 'Git workflows' git-worktrees hooks-in-worktrees"],
  run(input, io) {
    const [title = "", ...refs] = input.rest;
    return withMemory(
      input,
      io,
      async (memory) => topicAnswer(await keepTopic(memory, title, refs, authorOf(io))),
    );
  },
});

function topicAnswer(outcome: TopicOutcome): Answer {
  if (outcome.kind !== "updated") return saveAnswer(outcome, "topic");
  const { kind, id, short_id, title, path, added } = outcome;
  return {
    json: { outcome: kind, note: { id, short_id, type: "topic", title, path }, added },
    text: [`Updated topic ${short_id}: ${title} (${count(added, "link")} added)`],
  };
}

export const command: CommandGroup = {
  verbs: {
    list,
    show: showVerb("topic"),
    suggest,
    new: make,
    rm: removeVerb("topic"),
    restore: restoreRemovedVerb("topic"),
  },
};
