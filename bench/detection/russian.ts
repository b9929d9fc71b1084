/**
 * Russian: the points of a few conversations, and what a note tells of single prompts, of which each is put into a
 * short session of its own and looked for where it belongs. `deno run -A bench/detection/russian.ts [--test]`; of the test half only figures are printed.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { isRequest } from "../../src/detect/intent.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { RUSSIAN_DEV } from "./sets/russian/dev.ts";
import { RUSSIAN_TEST } from "./sets/russian/test.ts";
import { printPoints, tells, toldOf } from "./told.ts";

const PARTS = ["decided", "wishes", "open", "next", "assent", "silent"];
const BEGINNING = {
  language: "ru",
  prompt: "глянь src/worker.ts, почему задачи берутся из очереди по одной",
  answer: "Воркер забирает по одной задаче, потому что `prefetch` равен 1.",
  thanks: "Хорошо.",
} as const;
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
      const told = isTold(line, part);
      counts.set(name, [count[0] + Number(told), count[1] + 1]);
      if (told !== isWanted && half === "dev") {
        console.log(`  ${isWanted ? "not told" : "told"} (${part}): ${line}`);
      }
    }
  }
  const isDevelopment = half === "dev";
  printPoints(half, isDevelopment ? RUSSIAN_DEV : RUSSIAN_TEST, embedder, isDevelopment);
  for (const [name, [told, all]] of counts) console.log(`${half}: ${name}: ${told}/${all}`);
}

function isTold(said: string, part: string): boolean {
  if (part === "assent") return !isRequest(said);
  const { settled, open, next } = toldOf(said, BEGINNING, embedder);
  const lines = {
    silent: [...settled, ...open, ...next],
    decided: settled,
    wishes: settled,
    open,
    next: [...next, ...open],
  }[part] ?? [];
  return tells(lines, said);
}
