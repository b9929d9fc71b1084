/**
 * What models cost, with random weights of MiniLM's size: a one-shot search with each kind of model as a
 * ratio to an empty program, by wall and by processor time in interleaved rounds, and many texts by one
 * thread and by workers. Processor time is what counts on a machine that has other work.
 *
 *   deno run -A bench/models/run.ts [--rounds 9] [--texts 96] [--only one|many]
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { cpuUsage } from "node:process";
import { realFs } from "../../src/base/fs.ts";
import { BertModel } from "../../src/embed/bert/model.ts";
import { openBulk } from "../../src/embed/bulk.ts";
import { CALIBRATION_ROWS } from "../../src/embed/calibration/texts.ts";
import { onnxFiles, readInstalled } from "../../src/embed/pulled/installed.ts";
import { openOnnxModel } from "../../src/embed/onnx/model.ts";
import { MINILM, writeBert } from "../../tests/support/bert_model.ts";
import { writeOnnx } from "../../tests/support/onnx_model.ts";
import { median } from "../latency/sample.ts";
import { findDenort } from "../latency/worlds.ts";
import { option } from "../option.ts";

const root = new URL("../..", import.meta.url).pathname;
const only = option("only");
const rounds = Number(option("rounds") ?? 9);
const texts = Array.from({ length: Number(option("texts") ?? 96) }, (_, i) => {
  const rows = [0, 1, 2, 3].map((k) => CALIBRATION_ROWS[(7 * i + k) % CALIBRATION_ROWS.length]);
  return `${i} ${rows.map((row) => row?.note).join(" ")}`;
});
/** Runs of a program in one sample: the system counts processor time in steps of ten milliseconds. */
const RUNS = 6;
/** Sixteen tokens, marks included: words that the made vocabulary has. */
const QUESTION = "about all the answers that are asked before any author can change a cache";

const folder = await Deno.makeTempDir({ prefix: "sage-bench-models-" });
const models = `${folder}/.sage/models`;
try {
  await install();
  if (only !== "many") await oneShot();
  if (only !== "one") await many();
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function install(): Promise<void> {
  writeBert(`${folder}/own`, MINILM);
  writeOnnx(`${folder}/foreign`, MINILM);
  await Deno.mkdir(`${folder}/project`);
  await sage(["init"]);
  for (const { note } of CALIBRATION_ROWS) {
    await sage(["knowledge", "add", "-", "--title", note.slice(0, 30)], note);
  }
  for (const name of ["own", "foreign"]) await sage(["model", "pull", `${folder}/${name}`]);
  await Deno.writeTextFile(`${folder}/empty.ts`, "");
  const made = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      "--quiet",
      "--no-config",
      "--no-code-cache",
      "-o",
      `${folder}/empty`,
      "empty.ts",
    ],
    cwd: folder,
    env: { DENORT_BIN: await findDenort(root) },
  }).output();
  if (!made.success) throw new Error(new TextDecoder().decode(made.stderr));
}

interface Sample {
  readonly wall: number;
  readonly cpu: number;
}

async function oneShot(): Promise<void> {
  const search = (model: string) => [`${root}dist/sage`, "search", QUESTION, model] as const;
  const cases = [
    { name: "empty", command: [`${folder}/empty`, "", "", ""] as const },
    { name: "search, built-in model", command: search("static") },
    { name: "search, own encoder", command: search("own") },
    { name: "search, ONNX runtime", command: search("foreign") },
  ];
  const samples = new Map<string, Sample[]>(cases.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, command: [program, verb, question, model] } of cases) {
      const sample = await measure([program, verb, question].filter(Boolean), model);
      // The first makes the index.
      if (round >= 0) samples.get(name)?.push(sample);
    }
  }
  const of = (name: string, what: keyof Sample): number[] =>
    (samples.get(name) ?? []).map((sample) => sample[what]);
  const floors = { wall: of("empty", "wall"), cpu: of("empty", "cpu") };
  const ratio = (own: number[], base: number[]): string =>
    median(own.map((value, i) => value / (base[i] ?? NaN))).toFixed(2);
  console.log("| one process | wall ms | × floor | cpu ms | × floor |\n|---|--:|--:|--:|--:|");
  for (const { name } of cases) {
    const [wall, cpu] = [of(name, "wall"), of(name, "cpu")];
    const row = [
      ...[name, median(wall).toFixed(1), ratio(wall, floors.wall)],
      ...[median(cpu).toFixed(1), ratio(cpu, floors.cpu)],
    ];
    console.log(`| ${row.join(" | ")} |`);
  }
  for (const [name, target] of [["own encoder", " (≤ 0.80)"], ["ONNX runtime", ""]] as const) {
    const added = (what: keyof Sample): string => {
      const built = of("search, built-in model", what);
      const own = of(`search, ${name}`, what);
      return median(own.map((value, i) => (value - (built[i] ?? NaN)) / (floors[what][i] ?? NaN)))
        .toFixed(2);
    };
    console.log(
      `a question adds, ${name}: ${added("wall")} × floor by wall, ${added("cpu")} by cpu${target}`,
    );
  }
}

/** A program run several times, in one sample. */
async function measure(command: readonly string[], model: string): Promise<Sample> {
  const script = `for i in ${Array.from({ length: RUNS }, (_, i) => i).join(" ")}; do ` +
    `"$@" >/dev/null 2>&1; done; times`;
  const start = performance.now();
  const { stdout } = await new Deno.Command("bash", {
    args: ["-c", script, "bash", ...command],
    cwd: `${folder}/project`,
    env: { ...environment(), SAGE_EMBEDDING_MODEL: model || "static" },
    clearEnv: true,
  }).output();
  const wall = (performance.now() - start) / RUNS;
  // The second line is the children's: user, system.
  const [, children = ""] = new TextDecoder().decode(stdout).split("\n");
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
    .reduce((sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest), 0);
  return { wall, cpu: 1000 * seconds / RUNS };
}

async function many(): Promise<void> {
  const own = readInstalled(realFs, models, "own");
  const foreign = readInstalled(realFs, models, "foreign");
  const path = `${models}/own/${own.weights.name}`;
  const files = onnxFiles(models, foreign);
  const bert = new BertModel(realFs, path);
  const onnx = await openOnnxModel(realFs, files);
  const bulks = {
    own: openBulk({ path, prefix: "" }, own.weights.size),
    foreign: openBulk({ path: files.path, prefix: "", onnx: files }, foreign.weights.size),
  };
  const inBulk = async (bulk: ReturnType<typeof openBulk>): Promise<void> => {
    if (!await bulk.embed(texts, () => {})) throw new Error("a worker failed");
  };
  const cases = [
    { name: "own encoder, 1 thread", work: () => texts.forEach((text) => bert.embed(text, "")) },
    { name: `own encoder, ${bulks.own.workers} workers`, work: () => inBulk(bulks.own) },
    {
      name: "ONNX runtime, 1 thread",
      work: async () => {
        for (const text of texts) await onnx.embed(text, "");
      },
    },
    { name: `ONNX runtime, ${bulks.foreign.workers} workers`, work: () => inBulk(bulks.foreign) },
  ];
  const samples = new Map<string, Sample[]>(cases.map(({ name }) => [name, []]));
  for (let round = -1; round < Math.ceil(rounds / 2); round++) {
    for (const { name, work } of cases) {
      const before = cpuUsage();
      const start = performance.now();
      await work();
      const wall = performance.now() - start;
      const { user, system } = cpuUsage(before);
      // The first starts the workers.
      if (round >= 0) samples.get(name)?.push({ wall, cpu: (user + system) / 1000 });
    }
  }
  console.log(`\n| ${texts.length} texts | texts/s | cpu ms a text |\n|---|--:|--:|`);
  for (const { name } of cases) {
    const wall = median((samples.get(name) ?? []).map((sample) => sample.wall));
    const cpu = median((samples.get(name) ?? []).map((sample) => sample.cpu));
    const row = [name, (1000 * texts.length / wall).toFixed(1), (cpu / texts.length).toFixed(1)];
    console.log(`| ${row.join(" | ")} |`);
  }
  for (let i = 0; i < cases.length; i += 2) {
    const [one, more] = cases.slice(i, i + 2).map(({ name }) => samples.get(name) ?? []);
    const pairs = (one ?? []).map((sample, k) => [sample, more?.[k] ?? sample] as const);
    const wall = median(pairs.map(([a, b]) => a.wall / b.wall));
    const cpu = median(pairs.map(([a, b]) => a.cpu / b.cpu));
    console.log(
      `${cases[i + 1]?.name}: ${wall.toFixed(2)} × by wall; by cpu each text costs ${
        (1 / cpu).toFixed(2)
      } ×, so ${(2 * cpu).toFixed(2)} × on two free cores (≥ 1.7)`,
    );
  }
  for (const bulk of Object.values(bulks)) bulk.close();
  bert.close();
  await onnx.close();
}

async function sage(args: readonly string[], stdin = ""): Promise<void> {
  const child = new Deno.Command(`${root}dist/sage`, {
    args: [...args],
    cwd: `${folder}/project`,
    env: environment(),
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
  await writer.close().catch(() => {});
  const { success, stderr } = await child.output();
  if (!success) throw new Error(`${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

function environment(): Record<string, string> {
  return { HOME: folder, PATH: "/usr/bin:/bin" };
}
