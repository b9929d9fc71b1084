/** The verb `show`, the same for every kind of note: the note as in its file, without private text. */
import { dayOf } from "../base/clock.ts";
import { defined } from "../base/defined.ts";
import { type ChainLink, parentChain } from "../memory/checkpoint/chain.ts";
import { findNote } from "../memory/find.ts";
import type { DatedRef, StaleSource } from "../memory/item.ts";
import { settle } from "../memory/index/settle.ts";
import type { Memory } from "../memory/memory.ts";
import { readNote, type ReadOutcome } from "../memory/read.ts";
import { describeStale } from "../memory/source/stale.ts";
import { frontText } from "../note/front_values.ts";
import type { NoteKind } from "../note/note.ts";
import { type Answer, failed, type Line, styled } from "./terminal/answer.ts";
import { chainLines } from "./checkpoint/chain.ts";
import { defineVerb, type Verb } from "./command.ts";
import type { Io } from "./io.ts";
import { notOne } from "./note_operand.ts";
import { changedAnswer } from "./outcome.ts";
import { recalledPage } from "./recalled.ts";
import { withMemory } from "./with_memory.ts";

export function showVerb(kind: NoteKind): Verb {
  return defineVerb({
    summary: "print one",
    usage: `sage ${kind} show <id> [--section <heading>]`,
    operands: [1, Infinity],
    options: { section: { type: "string", value: "heading", summary: "only this section" } },
    run(input, io) {
      const { options: { section }, rest, json } = input;
      return withMemory(input, io, async (opened) => {
        const memory = await settle(opened);
        const show = async (ref: string): Promise<Answer> => {
          const operand = { kind, ref, json };
          const found = await findNote(memory, ref, [kind]);
          if (found.kind === "none") {
            const read = await readNote(memory, ref, defined({ section }));
            if (read.kind === "many") return await notOne(memory, io, operand, read, show);
            return "item" in read && read.item.type === kind
              ? noteAnswer(memory, io, read, section, [])
              : await notOne(memory, io, operand, found, show);
          }
          if (found.kind === "many") return await notOne(memory, io, operand, found, show);
          const { absolutePath, note: { front } } = found.item;
          // Another note may have its id.
          const read = await readNote(
            memory,
            absolutePath,
            { forChange: true, ...defined({ section }) },
          );
          // A section is asked for to be used as it is.
          const parent = section === undefined ? frontText(front, "parent") : undefined;
          const chain = kind === "checkpoint" ? await parentChain(memory, parent) : [];
          return noteAnswer(memory, io, read, section, chain);
        };
        return await show(rest.join(" "));
      });
    },
  });
}

function noteAnswer(
  memory: Memory,
  io: Io,
  found: ReadOutcome,
  section: string | undefined,
  chain: readonly ChainLink[],
): Answer {
  if (found.kind === "one") {
    const { item, hash, sections, text, of, raised, partly } = found;
    const lines = [
      ...(of === undefined ? [] : [`Of the project ${of}`, ""]),
      ...(chain.length === 0 ? [] : [...chainLines(chain), ""]),
      ...(item.stale === undefined ? [] : [staleLine(item.stale), ""]),
      ...(item.contradicted_by ?? []).flatMap((rival) => [contradictedLine(rival), ""]),
      ...text.split("\n"),
    ];
    return {
      json: { note: { ...item, hash, sections, text, ...(chain[0] && { chain }) } },
      text: recalledPage(memory, io, item, lines),
      notices: [
        ...(partly === undefined ? [] : [partly]),
        ...(raised === undefined
          ? []
          : [`${raised.question} sage inbox accept, later or drop ${raised.id}`]),
      ],
    };
  }
  if (found.kind !== "no_section") return changedAnswer();
  const { item, sections, partly } = found;
  const also = partly === undefined ? "" : `: ${partly}`;
  return failed({
    code: "not_found",
    message: `"${item.title}" has no section "${section}"${also}`,
    hint: sections.length === 0 ? undefined : `it has: ${sections.join(", ")}`,
  }, { json: { sections } });
}

function staleLine(stale: readonly StaleSource[]): Line {
  return styled(`Stale: ${describeStale(stale)}`, "yellow");
}

function contradictedLine({ title, short_id, updated }: DatedRef): Line {
  return styled(`Contradicted by ${short_id} of ${dayOf(updated)}: ${title}`, "yellow");
}
