/**
 * Russian, Portuguese and Italian: what a session note tells of single prompts, and the points of a few
 * conversations. Each prompt is put into a short session and looked for in the part of the note where it
 * belongs. `deno run -A bench/detection/languages.ts [language…] [--test]`; of the test halves only figures
 * are printed, so that nobody tunes on them.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { isRequest } from "../../src/detect/summary/intent.ts";
import { preferencesIn } from "../../src/detect/decisions/preferences.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import type { Conversation } from "./conversation.ts";
import { figures, mistakesOf } from "./measure.ts";
import { detector, replay, SHIPPED } from "./replay.ts";
import { PORTUGUESE, RUSSIAN } from "./sets.ts";
import { CWD } from "./tell.ts";
import { readBack } from "./transcript.ts";

interface Language {
  readonly language: Conversation["language"];
  /** The exchange before each prompt, and the reply to it. */
  readonly prompt: string;
  readonly answer: string;
  readonly thanks: string;
  readonly conversations?: Readonly<Record<"dev" | "test", readonly Conversation[]>>;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  russian: {
    language: "ru",
    prompt: "глянь src/worker.ts, почему задачи берутся из очереди по одной",
    answer: "Воркер забирает по одной задаче, потому что `prefetch` равен 1.",
    thanks: "Хорошо.",
    conversations: RUSSIAN,
  },
  portuguese: {
    language: "pt",
    prompt: "dá uma olhada em src/worker.ts, por que os jobs saem da fila um por um?",
    answer: "O worker pega um job por vez, porque `prefetch` vale 1.",
    thanks: "Certo.",
    conversations: PORTUGUESE,
  },
  italian: {
    language: "it",
    prompt: "dai un'occhiata a src/worker.ts, perché i job escono dalla coda uno alla volta?",
    answer: "Il worker prende un job alla volta, perché `prefetch` vale 1.",
    thanks: "Certo.",
  },
};

/** The sections of a set: below `nothing`, and below `-` in any other, prompts that are told nowhere. */
const PARTS = ["decided", "wishes", "open", "next", "assent", "nothing"];

const asked = Deno.args.filter((arg) => !arg.startsWith("-"));
const embedder = openStaticEmbedder();
for (const name of asked.length > 0 ? asked : Object.keys(LANGUAGES)) {
  measure(name, "dev");
  if (Deno.args.includes("--test")) measure(name, "test");
}
embedder.close();

function measure(name: string, half: "dev" | "test"): void {
  const language = LANGUAGES[name];
  if (language === undefined) throw new Error(`Unknown language "${name}"`);
  const counts = new Map<string, [right: number, all: number]>();
  for (const { prompt, part, isTold } of promptsOf(name, half)) {
    const isRight = tells(language, prompt, part) === isTold;
    const row = isTold || part === "nothing" ? part : `not ${part}`;
    const [right, all] = counts.get(row) ?? [0, 0];
    counts.set(row, [right + Number(isRight), all + 1]);
    if (!isRight && half === "dev") console.log(`  ${isTold ? "not told" : part}: ${prompt}`);
  }
  const shares = [...counts].map(([row, [right, all]]) => `${row} ${right}/${all}`);
  console.log(`${name}, ${half}: ${shares.join(", ")}`);
  const conversations = language.conversations?.[half];
  if (conversations === undefined) return;
  const runs = conversations.map((one) => replay(one, detector(embedder, SHIPPED)));
  const mistakes = half === "dev" ? runs.map(mistakesOf).filter((line) => line !== "") : [];
  for (const line of mistakes) console.log(line);
  const { labels, found, right } = figures(runs);
  console.log(`${name}, ${half}: points ${right} of ${labels}, ${found} found`);
}

interface Prompt {
  readonly prompt: string;
  readonly part: string;
  readonly isTold: boolean;
}

function promptsOf(name: string, half: string): Prompt[] {
  const file = new URL(`sets/${name}/${half}.txt`, import.meta.url);
  let [part, isTold] = ["", true];
  return Deno.readTextFileSync(file).split("\n").flatMap((line) => {
    if (PARTS.includes(line)) [part, isTold] = [line, line !== "nothing"];
    else if (line.trim() === "-") isTold = false;
    else if (line !== "" && !line.startsWith("#")) return [{ prompt: line, part, isTold }];
    return [];
  });
}

/** Whether the part of the note has the prompt's end; its beginning may be left out. */
function tells({ language, thanks, ...first }: Language, prompt: string, part: string): boolean {
  if (part === "assent") return !isRequest(prompt);
  const steps = [first, { prompt, answer: thanks }];
  const { turns } = readBack({ name: prompt, language, steps });
  const note = summarizeSession(turns, { embedder, cwd: CWD });
  const [open, next] = [note?.openQuestions ?? [], note?.next ?? []];
  // A wish is a decision as well, and whom somebody has to ask may come next.
  const settled = [...note?.decisions ?? [], ...preferencesIn(turns).map(({ text }) => text)];
  const lines = {
    decided: settled,
    wishes: settled,
    open,
    next: [...next, ...open],
  }[part] ?? [...settled, ...open, ...next];
  const end = prompt.slice(-14).toLowerCase();
  return lines.some((line) => line.toLowerCase().includes(end));
}
