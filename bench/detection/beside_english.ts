/**
 * Portuguese and Italian: what the note of a session tells of a prompt that is put into it, and the points of a few
 * conversations in the first. Of the test halves only figures are printed, so that nobody tunes on them:
 * `deno run -A bench/detection/beside_english.ts [--test]`.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { PORTUGUESE } from "./sets.ts";
import { type Beginning, printPoints, tells, toldOf } from "./told.ts";

const PARTS = ["decided", "wishes", "open", "next", "nothing"] as const;
type Part = typeof PARTS[number];

/** What a session begins with. */
const BEGINNINGS = {
  portuguese: {
    language: "pt",
    prompt: "dá uma olhada em src/worker.ts, por que os jobs saem da fila um por um?",
    answer: "O worker pega um job por vez, porque `prefetch` vale 1.",
    thanks: "Certo.",
  },
  italian: {
    language: "it",
    prompt: "dai un'occhiata a src/worker.ts, perché i job escono dalla coda uno alla volta?",
    answer: "Il worker prende un job alla volta, perché `prefetch` vale 1.",
    thanks: "Certo.",
  },
} as const satisfies Readonly<Record<string, Beginning>>;
type Language = keyof typeof BEGINNINGS;

const embedder = openStaticEmbedder();
for (const language of ["portuguese", "italian"] as const) {
  measure(language, "dev", true);
  if (Deno.args.includes("--test")) measure(language, "test", false);
}
embedder.close();

function measure(language: Language, half: keyof typeof PORTUGUESE, isTold: boolean): void {
  const counts = new Map<Part, [right: number, all: number]>();
  for (const [part, prompt] of promptsOf(language, half)) {
    const told = partsTelling(language, prompt);
    // A wish is a decision as well, and what somebody has to be asked may come next.
    const isRight = part === "nothing" ? told.length === 0 : told.includes(part);
    const [right, all] = counts.get(part) ?? [0, 0];
    counts.set(part, [right + Number(isRight), all + 1]);
    if (isTold && !isRight) {
      console.log(`  ${part}, told as ${told.join() || "nothing"}: ${prompt}`);
    }
  }
  const shares = [...counts].map(([part, [right, all]]) => `${part} ${right}/${all}`);
  console.log(`${language}, ${half}: ${shares.join(", ")}`);
  if (language !== "portuguese") return;
  printPoints(`${language}, ${half}`, PORTUGUESE[half], embedder, isTold);
}

/** Below the name of its part, a line each. */
function promptsOf(language: Language, half: string): [Part, string][] {
  let part: Part = "nothing";
  const file = new URL(`sets/${language}/${half}.txt`, import.meta.url);
  return Deno.readTextFileSync(file).split("\n").flatMap((line) => {
    const named = PARTS.find((one) => one === line);
    if (named !== undefined) part = named;
    return named !== undefined || line === "" || line.startsWith("#") ? [] : [[part, line]];
  });
}

/** The parts of the note that tell the prompt. */
function partsTelling(language: Language, prompt: string): Part[] {
  const { settled, open, next } = toldOf(prompt, BEGINNINGS[language], embedder);
  const parts = { decided: settled, wishes: settled, open, next };
  return PARTS.filter((part) => part !== "nothing" && tells(parts[part], prompt));
}
