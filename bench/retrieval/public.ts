/**
 * LoCoMo (Maharana et al. 2024, locomo10.json): ten long conversations of two people, a note a turn,
 * and questions with the turns that answer them. It is read where the environment variable
 * SAGE_LOCOMO says it lies, and never kept here: its licence is CC BY-NC. Nothing is tuned on it, so
 * all of it is test.
 */
import { noteDocument } from "../../tests/search/notes.ts";
import type { NoteDocument } from "../../src/search/document.ts";
import type { Question, World } from "./sets.ts";

interface Sample {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, string | readonly Turn[]>>;
  readonly qa: readonly {
    readonly question: string;
    readonly evidence: readonly string[];
    readonly category: number;
  }[];
}

interface Turn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  /** What a model saw in the picture that was sent along. */
  readonly blip_caption?: string;
}

/** The dataset's own numbers. An adversarial question says of one speaker what the other said. */
const CATEGORIES = ["", "multi-hop", "temporal", "open-domain", "single-hop", "adversarial"];
const SESSION = /^session_\d+$/;

/** A world a conversation, all of one name, so that their answers are counted together; none where the set is not. */
export async function publicWorlds(): Promise<readonly World[]> {
  const path = Deno.env.get("SAGE_LOCOMO");
  if (path === undefined) return [];
  const samples = JSON.parse(await Deno.readTextFile(path)) as readonly Sample[];
  return samples.map((sample) => {
    const notes = Object.entries(sample.conversation).flatMap(([name, turns]) =>
      SESSION.test(name) && typeof turns !== "string"
        ? turns.map((turn) => noteOf(turn, String(sample.conversation[`${name}_date_time`])))
        : []
    );
    const newest = notes.map(({ updated }) => updated).sort().at(-1) ?? "";
    return {
      name: "LoCoMo",
      nowMs: Date.parse(newest),
      notes,
      questions: questionsOf(sample, new Set(notes.map(({ id }) => id))),
      prompts: [],
    };
  });
}

function noteOf(turn: Turn, when: string): NoteDocument {
  const { speaker, dia_id, text, blip_caption } = turn;
  const said = blip_caption === undefined ? text : `${text} (${blip_caption})`;
  return {
    ...noteDocument(`session/${dia_id}.md`, `${speaker}: ${said}`, { title: "" }),
    kind: "session",
    updated: timeOf(when),
  };
}

/** From '1:56 pm on 8 May, 2023', in UTC, to ISO 8601. */
function timeOf(when: string): string {
  const [clock = "", date = ""] = when.split(" on ");
  return new Date(`${date} ${clock} UTC`).toISOString();
}

/** Some evidence is written as 'D8:6; D9:17' or points nowhere; a question that is left with none is not asked. */
function questionsOf(sample: Sample, known: ReadonlySet<string>): Question[] {
  return sample.qa.flatMap(({ question, evidence, category }): Question[] => {
    const expect = evidence.flatMap((ids) => ids.match(/D\d+:\d+/g) ?? []).filter((id) =>
      known.has(id)
    );
    if (expect.length === 0) return [];
    const condition = CATEGORIES[category] === "adversarial" ? "adjacent" : "present";
    return [{
      split: "test",
      category: CATEGORIES[category] ?? "",
      condition,
      query: question,
      // The evidence of an adversarial question is about somebody else: nothing answers it.
      expect: condition === "adjacent" ? [] : expect,
    }];
  });
}
