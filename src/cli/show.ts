/** The verb `show`, the same for every kind of note: the note as its file says it, private text left out. */
import { readNote } from "../memory/read.ts";
import type { NoteKind } from "../note/note.ts";
import { type Answer, failed } from "./answer.ts";
import { chosen, toItems } from "./choice.ts";
import { defineVerb, type Verb } from "./command.ts";
import { noneAnswer } from "./outcome.ts";
import { withMemory } from "./with_memory.ts";

export function showVerb(kind: NoteKind): Verb {
  return defineVerb({
    summary: "print one",
    usage: `sage ${kind} show <id> [--section <heading>]`,
    operands: [1, Infinity],
    options: {
      section: { type: "string", value: "heading", summary: "only this section" },
    },
    run(input, io) {
      const { options, rest, json } = input;
      return withMemory(input, io, async (memory) => {
        const show = async (ref: string): Promise<Answer> => {
          const found = await readNote(
            memory,
            ref,
            options.section === undefined ? {} : { section: options.section },
          );
          switch (found.kind) {
            case "none":
              return noneAnswer(kind, ref, found.nearest);
            case "many": {
              const items = toItems(found.items);
              return await chosen(io, items, { ref, nowMs: memory.now(), json }, show);
            }
            case "no_section":
              return failed({
                code: "not_found",
                message: `"${found.item.title}" has no section "${options.section}"`,
                hint: found.sections.length === 0
                  ? undefined
                  : `it has: ${found.sections.join(", ")}`,
              }, { json: { sections: found.sections } });
            case "one":
              return found.item.type === kind
                ? noteAnswer(found)
                : otherKind(kind, found.item.type, found.item.short_id);
          }
        };
        return await show(rest.join(" "));
      });
    },
  });
}

function noteAnswer(found: Awaited<ReturnType<typeof readNote>> & { kind: "one" }): Answer {
  const { item, author, hash, sections, text } = found;
  return { json: { note: { ...item, author, hash, sections, text } }, text: text.split("\n") };
}

function otherKind(wanted: string, type: string, shortId: string): Answer {
  const hasShow = ["checkpoint", "knowledge", "todo"].includes(type);
  return failed({
    code: "not_found",
    message: `${shortId} is no ${wanted} but a ${type} note`,
    hint: hasShow ? `sage ${type} show ${shortId}` : `sage search finds it`,
  });
}
