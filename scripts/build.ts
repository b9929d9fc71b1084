/**
 * Builds dist/sage: bundle with lazy chunks → stamp → pack with bytecode → compile only the door, on a
 * `denort` that carries the rest behind its own code (docs/decisions/0016). `--target <triple>` builds
 * for another platform into dist/<triple>: the practice is played on this one, for what is loaded
 * together is the same everywhere, and the bytecode, which is not, stays away. Where a program cannot
 * carry it, the rest lies beside it as `sage-<hash>.assets` (docs/decisions/0044). `DENORT_BIN` names
 * the runtime to build on.
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

const target = Deno.args[Deno.args.indexOf("--target") + 1] ?? host;
const isCross = Deno.args.includes("--target") && target !== host;
/** The compiler moves what is appended to a PE file, and cuts it off a signed Mach-O file. */
const isBeside = !target.includes("linux");

/**
 * Most runs end before V8's optimizing compilers have paid for themselves; a server still gets the last of
 * them, twenty times later than by default (docs/decisions/0020).
 */
const V8_FLAGS = [
  // For two functions of a stop it touches three megabytes of itself; a server is as quick without.
  "--no-maglev",
  "--invocation-count-for-turbofan=60000",
  "--invocation-count-for-osr=10000",
  "--wasm-tiering-budget=400000000",
  // A hook waits longer for another thread than that thread spares it: docs/decisions/0049. Baseline
  // code is made where it is wanted, and with so many megabytes nothing short is ever collected.
  "--no-concurrent-sparkplug",
  "--min-semi-space-size=4",
  // 4 KB: even code that runs a dozen times would be compiled. No single search or prompt comes to this
  // (docs/decisions/0064); a server does in its first calls.
  "--baseline-batch-compilation-threshold=600000",
  // Compiled when it was asked ten times, and not at the second; on long text at once, as ever.
  "--regexp-tier-up-ticks=10",
  // Half the time of a pattern's first run would go into shortening its bytecode.
  "--no-regexp-peephole-optimization",
  // Otherwise memory that a compaction has freed stays with a server for good: megabytes, and per cent.
  "--max-semi-space-size=4",
  "--heap-growing-percent=40",
];
/**
 * The binary can do no more than it must: see docs/RELIABILITY.md. No run, no ffi, and the network only
 * for `sage model pull`, for an embeddings server on this machine where one is set, and until `sage serve`
 * listens. Everything else gives that up before it runs (docs/decisions/0015).
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
/** Started by its name, so the compiler must be told of it. */
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

/** Groups modules by what training runs on this machine loaded; bytecode is for this machine only. */
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

/** Compiles from the folder of `entry`, which must hold nothing else. `include`: started by name. */
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

/** Copies in large blocks: a binary written in small ones starts 13 % slower (page-cache folios). */
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

/** The chunks of the bundle by name, with the build's facts in place of the marked string. */
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

/** The bundle keeps the folders of its entries; its chunks lie beside the first. */
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
