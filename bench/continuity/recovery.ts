/**
 * What dead sessions cost the start after them: ten of 5 MB each in one project, against the same start
 * without any, the built program from its first to its last moment. Starts are repeated until nothing is
 * left to recover. Kept in bench/results/continuity.json.
 *
 *   deno run -A bench/continuity/recovery.ts [--runs 5]
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { grow, TranscriptBuilder } from "../../tests/support/transcript.ts";
import { median } from "../latency/sample.ts";
import { keep } from "./results.ts";

const SAGE = new URL("../../dist/sage", import.meta.url).pathname;
const runs = Number(Deno.args[Deno.args.indexOf("--runs") + 1] ?? 5) || 5;
const DEAD = 10;
const BYTES = 5 * 1024 * 1024;

interface Place {
  readonly home: string;
  readonly cwd: string;
}

function id(n: number): string {
  return `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

async function sage(
  place: Place,
  args: readonly string[],
  payload = "",
  // No process of that number can exist: the session's is gone.
  pid = 4_194_305,
): Promise<number> {
  const start = performance.now();
  const child = new Deno.Command(SAGE, {
    args: [...args],
    cwd: place.cwd,
    env: { HOME: place.home, CLAUDE_PID: String(pid) },
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(payload));
  await writer.close();
  const { code } = await child.status;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
  return performance.now() - start;
}

function starting(place: Place, n: number, pid?: number): Promise<number> {
  const payload = JSON.stringify({
    session_id: id(n),
    transcript_path: transcriptOf(place, n),
    cwd: place.cwd,
    source: "startup",
  });
  return sage(place, ["hook", "session-start"], payload, pid);
}

function transcriptOf({ home }: Place, n: number): string {
  return `${home}/.claude/projects/p/${id(n)}.jsonl`;
}

/** Sessions at once that did real work, and were killed together. */
async function die(place: Place, count: number): Promise<void> {
  const editor = new Deno.Command("sleep", { args: ["600"] }).spawn();
  for (let n = 0; n < count; n++) {
    await starting(place, n, editor.pid);
    const builder = new TranscriptBuilder({ sessionId: id(n), cwd: place.cwd });
    for (let turn = 0; turn < 6; turn++) {
      builder.user(`Make the importer number ${n} stream its rows, part ${turn}.`).assistant(
        `The importer number ${n} streams now. I decided to stream the rows rather than to cache ` +
          `them, because the cache would need ${turn + 2} GB. Next step: measure it on staging.`,
        [{ name: "Edit", input: { file_path: `${place.cwd}/src/${n}.ts` }, result: "updated" }],
      );
    }
    grow(transcriptOf(place, n), BYTES);
    await Deno.writeTextFile(transcriptOf(place, n), builder.text(), { append: true });
  }
  editor.kill("SIGKILL");
  await editor.status;
}

function left({ home }: Place): number {
  // The one that is starting is among them.
  return [...Deno.readDirSync(`${home}/.sage/state/instances`)]
    .filter(({ name }) => name < id(100)).length;
}

async function measure(dead: number): Promise<{ first: number; all: number; starts: number }> {
  const base = await Deno.makeTempDir({ prefix: "sage-recovery-" });
  const place = { home: `${base}/home`, cwd: `${base}/project` };
  try {
    await Deno.mkdir(`${place.home}/.claude/projects/p`, { recursive: true });
    await Deno.mkdir(place.cwd);
    await sage(place, ["init"]);
    await die(place, dead);
    const first = await starting(place, 100);
    let [all, starts] = [first, 1];
    while (left(place) > 0 && starts < 2 * DEAD) {
      all += await starting(place, 100 + starts);
      starts++;
    }
    if (left(place) > 0) throw new Error(`${left(place)} sessions were never recovered`);
    return { first, all, starts };
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

const found = { delayMs: [] as number[], recoveryMs: [] as number[], starts: [] as number[] };
for (let run = 0; run < runs; run++) {
  const [without, withDead] = [await measure(0), await measure(DEAD)];
  found.delayMs.push(withDead.first - without.first);
  found.recoveryMs.push(withDead.all - withDead.starts * without.first);
  found.starts.push(withDead.starts);
}
const figures = Object.fromEntries(
  Object.entries(found).map(([name, values]) => [name, Math.round(median(values))]),
);
console.log(`first orientation later by ${figures.delayMs} ms (≤ 200)`);
console.log(
  `all ${DEAD} recovered in ${figures.recoveryMs} ms (≤ 1,500), in ${figures.starts} starts`,
);
await keep("recovery", figures);
