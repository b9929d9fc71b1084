/**
 * Russian: the points of a few conversations, and what a note tells of single prompts, of which each is put into a
 * short session of its own and looked for where it belongs. `deno run -A bench/detection/lines.ts [--test]`; of the test half only figures are printed.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { isRequest } from "../../src/detect/intent.ts";
import { preferencesIn } from "../../src/detect/preferences.ts";
import { summarizeSession } from "../../src/detect/summarize.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { figures, mistakesOf } from "./measure.ts";
import { detector, play, SHIPPED } from "./play.ts";
import { RUSSIAN_DEV } from "./sets/russian/dev.ts";
import { RUSSIAN_TEST } from "./sets/russian/test.ts";
import { CWD, readBack } from "./transcript.ts";

const PARTS = ["decided", "wishes", "open", "next", "assent", "silent"];
const FOLDER = new URL("sets/russian/", import.meta.url);
const embedder = openStaticEmbedder();
for (const half of Deno.args.includes("--test") ? ["dev", "test"] : ["dev"]) measure(half);
embedder.close();

function measure(half: string): void {
  const counts = new Map<string, [told: number, all: number]>();
  let [part, isWanted] = ["", true];
  for (const line of Deno.readTextFileSync(new URL(`${half}.txt`, FOLDER)).split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    if (/^[a-z]+$/.test(line) && PARTS.includes(line)) [part, isWanted] = [line, line !== "silent"];
    else if (line.trim() === "-") isWanted = false;
    else {
      const name = `${part}${isWanted || part === "silent" ? "" : ", and is none"}`;
      const count = counts.get(name) ?? [0, 0];
      const isTold = tells(line, part);
      counts.set(name, [count[0] + Number(isTold), count[1] + 1]);
      if (isTold !== isWanted && half === "dev") {
        console.log(`  ${isWanted ? "not told" : "told"} (${part}): ${line}`);
      }
    }
  }
  const runs = (half === "dev" ? RUSSIAN_DEV : RUSSIAN_TEST).map((one) =>
    play(one, detector(embedder, SHIPPED))
  );
  if (half === "dev") runs.map(mistakesOf).forEach((mistakes) => console.log(mistakes));
  const { labels, found, right } = figures(runs);
  console.log(`${half}: points: ${right} of ${labels}, ${found} found`);
  for (const [name, [told, all]] of counts) console.log(`${half}: ${name}: ${told}/${all}`);
}

function tells(said: string, part: string): boolean {
  if (part === "assent") return !isRequest(said);
  const { turns } = readBack({
    name: said,
    language: "ru",
    steps: [
      {
        prompt: "глянь src/worker.ts, почему задачи берутся из очереди по одной",
        answer: "Воркер забирает по одной задаче, потому что `prefetch` равен 1.",
      },
      { prompt: said, answer: "Хорошо." },
    ],
  });
  const note = summarizeSession(turns, { embedder, cwd: CWD });
  const settled = [...note?.decisions ?? [], ...preferencesIn(turns).map(({ text }) => text)];
  const [open, next] = [note?.openQuestions ?? [], note?.next ?? []];
  const lines = {
    silent: [...settled, ...open, ...next],
    decided: settled,
    wishes: settled,
    open,
    next: [...next, ...open],
  }[part] ?? [];
  const start = said.slice(-14).toLowerCase();
  return lines.some((one) => one.toLowerCase().includes(start));
}
