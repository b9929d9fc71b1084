/**
 * Builds dist/sage: bundles with lazy chunks, stamps build facts in, packs the chunks with V8 bytecode, and
 * compiles a small entry, the door, on a `denort` with the packs and assets appended to it
 * (docs/decisions/0016). On Windows and macOS they are in a file beside the program, `sage-<hash>.assets`
 * (docs/decisions/0044). `--target <triple>` builds for another platform into dist/<triple>: the training
 * runs are played on this one, because what is loaded together is the same everywhere, but without
 * bytecode, which is not. `DENORT_BIN` names the runtime to build on.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import config from "../deno.json" with { type: "json" };
import { packAssets } from "./build/assets.ts";
import { signatureProblem } from "./build/code_signature.ts";
import { locateDenort } from "./build/denort.ts";
import { buildPage } from "./page.ts";
import { type Module, toModules } from "./build/modules.ts";
import type { DoorLayout } from "./build/packed.ts";
import { layPacks, type Pack } from "./build/packs.ts";
import { train } from "./build/train.ts";
import { concat } from "../src/base/concat.ts";
import { COMMAND_ENVIRONMENT, ENVIRONMENT } from "../src/base/environment.ts";
import { sha256Hex } from "../src/base/hash.ts";
import { NETWORK } from "../src/base/network.ts";
import { settingVariables } from "../src/config/values.ts";
import { AGENT_VARIABLES } from "../src/editor/agent_shell.ts";

const root = new URL("..", import.meta.url).pathname;
const dist = root + "dist/";
const stage = dist + ".stage/";
const host = Deno.build.target;

const target = targetIn(Deno.args);
const isCross = target !== host;
/** `deno compile` moves what is appended to a PE file, and cuts it off a signed Mach-O file. */
const isBeside = !target.includes("linux");

/**
 * Most runs end before V8's optimizing compilers pay off. Only Turbofan stays on, for servers, and starts
 * twenty times later than by default (docs/decisions/0020).
 */
const V8_FLAGS = [
  // Maglev touches three megabytes to compile two functions of a stop; a server is as fast without it.
  "--no-maglev",
  "--invocation-count-for-turbofan=60000",
  "--invocation-count-for-osr=10000",
  "--wasm-tiering-budget=400000000",
  // A hook waits longer for a concurrent thread than the thread saves (docs/decisions/0049). So baseline
  // code is compiled on the main thread, and a short run never fills the young generation.
  "--no-concurrent-sparkplug",
  "--min-semi-space-size=4",
  // The default of 4 KB would compile code that runs a dozen times. No single search or prompt reaches this
  // (docs/decisions/0064); a server does in its first calls.
  "--baseline-batch-compilation-threshold=600000",
  // Compile a pattern at its tenth execution, not its second; on long text still at once.
  "--regexp-tier-up-ticks=10",
  // It would take half the time of a pattern's first execution.
  "--no-regexp-peephole-optimization",
  // Otherwise a server never returns memory that a compaction has freed. In megabytes, and per cent.
  "--max-semi-space-size=4",
  "--heap-growing-percent=40",
];
/**
 * The binary's permissions, as few as possible (docs/RELIABILITY.md). No run, no ffi; the network only for
 * `sage model pull`, for an embeddings server on this machine if one is set, and until `sage serve`
 * listens. Every other command drops the network before it runs (docs/decisions/0015).
 */
const FLAGS = [
  "--no-prompt",
  `--v8-flags=${V8_FLAGS.join(",")}`,
  "--no-code-cache",
  "--no-remote",
  "--cached-only",
  "--allow-read",
  "--allow-write",
  "--allow-sys=uid,statfs",
  `--allow-env=${
    [...ENVIRONMENT, ...COMMAND_ENVIRONMENT, ...AGENT_VARIABLES, "SAGE_*", "ANTHROPIC_*"].join(",")
  }`,
  "--ignore-env",
  `--allow-net=${NETWORK.join(",")}`,
  "--deny-run",
  "--deny-ffi",
  "--deny-import",
];
const MAIN = "main.js";
/** Started by name, so the bundler cannot find it by itself. */
const WORKER = "src/embed/bulk_worker.ts";
if (import.meta.main) await build();

async function build(): Promise<void> {
  await Deno.remove(stage, { recursive: true }).catch(() => {});
  await buildPage();
  await bundle("bundle", "main.ts", WORKER);
  const denort = Deno.env.get("DENORT_BIN") || await locateDenort(dist + ".cache/", target);
  const carrier = isBeside ? new Uint8Array() : await Deno.readFile(denort);
  const { blob: assets, ranges } = await packAssets(carrier.length);
  const modules = await toModules(await stamp(ranges));
  await Deno.writeFile(stage + "carrier", concat([carrier, assets]));
  const packs = await practise(
    modules,
    isCross ? await locateDenort(dist + ".cache/", host) : denort,
  );

  const entries = [MAIN, chunkName(WORKER)] as const;
  const start = carrier.length + assets.length;
  const { blob: code, layout } = layPacks(packs, modules, entries, start);
  const beside = isBeside
    ? `sage-${sha256Hex(concat([assets, code])).slice(0, 8)}.assets`
    : undefined;
  await bundle("door", "scripts/build/door.ts");
  await bundle("door", "scripts/build/worker_door.ts");
  for (const door of ["door.js", "worker_door.js"]) {
    await stampDoor(stage + "door/" + door, { ...layout, beside });
  }
  const carrying = stage + (beside ?? "denort");
  await Deno.writeFile(carrying, concat([carrier, assets, code]), {
    mode: isBeside ? 0o644 : 0o755,
  });
  const out = stage + "sage" + (target.includes("windows") ? ".exe" : "");
  await compile(
    stage + "door/door.js",
    out,
    isBeside ? denort : carrying,
    target,
    "worker_door.js",
  );
  if (target === "aarch64-apple-darwin") {
    const problem = signatureProblem(await Deno.readFile(out));
    if (problem !== undefined) throw new Error(`macOS would not start ${out}: ${problem}`);
  }
  await publish(out, isBeside ? carrying : undefined);
}

/** The triple after `--target`; without it, that of this machine. */
function targetIn(args: readonly string[]): string {
  const at = args.indexOf("--target");
  if (at < 0) return host;
  const triple = args[at + 1];
  if (triple === undefined) throw new Error(`--target needs a triple, such as ${host}`);
  return triple;
}

/** Packs the modules by what training runs on this machine loaded; bytecode is for this machine only. */
async function practise(modules: readonly Module[], denort: string): Promise<readonly Pack[]> {
  await bundle("trainer", "scripts/build/trainer.ts");
  const trainer = stage + "sage-practice";
  await compile(stage + "trainer/trainer.js", trainer, denort, host);
  const packs = await train(trainer, modules, MAIN, stage);
  return isCross ? packs.map((pack) => ({ ...pack, bytecode: new Uint8Array() })) : packs;
}

async function bundle(folder: string, ...entries: string[]): Promise<void> {
  await run([
    "bundle",
    "--quiet",
    "--code-splitting",
    "--platform",
    "deno",
    "--minify",
    "--outdir",
    stage + folder,
    ...entries,
  ]);
}

/** Compiles the folder of `entry`, which must contain nothing else. `include`: a worker's entry in it. */
async function compile(
  entry: string,
  out: string,
  denort: string,
  target: string,
  include?: string,
): Promise<void> {
  const cut = entry.lastIndexOf("/");
  await run(
    [
      "compile",
      "--quiet",
      "--no-config",
      ...FLAGS,
      ...(include === undefined ? [] : ["--include", include]),
      "--target",
      target,
      "--output",
      out,
      entry.slice(cut + 1),
    ],
    entry.slice(0, cut),
    { DENORT_BIN: denort },
  );
}

/** Deno.copyFile writes in large blocks: a binary written in small ones starts 13 % slower (page cache). */
async function publish(...files: readonly (string | undefined)[]): Promise<void> {
  const folder = isCross ? `${dist}${target}/` : dist;
  await Deno.mkdir(folder, { recursive: true });
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(".assets")) await Deno.remove(folder + name);
  }
  for (const file of files.filter((file) => file !== undefined)) {
    const path = folder + file.slice(stage.length);
    await Deno.copyFile(file, path + ".new");
    await Deno.rename(path + ".new", path);
    const { size } = await Deno.stat(path);
    console.error(`built ${path.slice(root.length)} (${(size / 1e6).toFixed(1)} MB)`);
  }
  await Deno.remove(stage, { recursive: true });
}

/** The chunks of the bundle by name, with the build info in place of its placeholder. */
async function stamp(assets: Record<string, unknown>): Promise<Map<string, string>> {
  const info = JSON.stringify({
    version: config.version,
    commit: await commit(),
    target,
    flags: FLAGS,
    variables: [...ENVIRONMENT, ...AGENT_VARIABLES, "SAGE_HOME", ...settingVariables()],
    assets,
  });
  const chunks = new Map<string, string>();
  let stamped = 0;
  const files = (await Array.fromAsync(Deno.readDir(stage + "bundle")))
    .filter(({ isFile }) => isFile).map(({ name }) => name);
  for (const name of [...files, chunkName(WORKER)]) {
    const code = await Deno.readTextFile(stage + "bundle/" + name);
    if (code.includes('"@@SAGE_BUILD_INFO@@"')) stamped++;
    chunks.set(name, code.replaceAll('"@@SAGE_BUILD_INFO@@"', JSON.stringify(info)));
  }
  if (stamped !== 1) throw new Error(`Expected one place for the build info, found ${stamped}`);
  return chunks;
}

async function stampDoor(path: string, layout: DoorLayout): Promise<void> {
  const code = await Deno.readTextFile(path);
  const text = JSON.stringify(JSON.stringify(layout));
  if (!code.includes('"@@SAGE_LAYOUT@@"')) throw new Error("The door has no place for the layout");
  await Deno.writeTextFile(path, code.replace('"@@SAGE_LAYOUT@@"', () => text));
}

/** The name of an entry's chunk: the bundle keeps the folders of its entries. */
function chunkName(entry: string): string {
  return entry.replace(/ts$/, "js");
}

async function commit(): Promise<string> {
  try {
    const { stdout, success } = await new Deno.Command("git", {
      args: ["rev-parse", "--short=12", "HEAD"],
      cwd: root,
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout).trim() : "unknown";
  } catch {
    return "unknown";
  }
}

async function run(args: string[], cwd = root, env: Record<string, string> = {}): Promise<void> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd,
    env: { DENO_TLS_CA_STORE: "system,mozilla", DENO_NO_UPDATE_CHECK: "1", ...env },
    stdout: "null",
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`deno ${args[0]} failed with exit code ${code}`);
}
