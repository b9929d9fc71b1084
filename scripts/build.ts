/**
 * Builds dist/sage: bundle with lazy chunks → stamp → pack with bytecode → compile only the door, on a
 * `denort` that carries the rest behind its own code (docs/decisions/0016). `--target <triple>`
 * cross-compiles where Deno can download that platform's `denort`; there the chunks are compiled in
 * the usual way, and the assets lie beside the binary as `sage-<hash>.assets`.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { createHash } from "node:crypto";
import { locateDenort } from "./build/denort.ts";
import { buildPage, PAGE } from "./page.ts";
import { toModules } from "./build/modules.ts";
import { type Layout, layPacks } from "./build/packs.ts";
import { train } from "./build/train.ts";
import { NETWORK } from "../src/base/network.ts";
import { AGENT_VARIABLES } from "../src/editor/agent_shell.ts";
import { version } from "./version.ts";

const root = new URL("..", import.meta.url).pathname;
const dist = root + "dist/";
const stage = dist + ".stage/";
const host = Deno.build.target;

const target = Deno.args[Deno.args.indexOf("--target") + 1] ?? host;
const isCross = Deno.args.includes("--target") && target !== host;
/** Only ELF binaries were seen to keep appended bytes through `deno compile`. */
const assetsBeside = !target.includes("linux");

/**
 * The binary can do no more than it must: see docs/RELIABILITY.md. No run, no ffi, and the network only
 * for `sage model pull`, for an embeddings server on this machine where one is set, and until `sage serve`
 * listens. Everything else gives that up before it runs (docs/decisions/0015).
 */
const ENVIRONMENT = [
  "HOME",
  "USERPROFILE",
  "NO_COLOR",
  "TERM",
  "COLUMNS",
  "SAGE_*",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_PID",
  "ANTHROPIC_*",
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_PLUGIN_ROOT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS",
  "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
  "CODEX_HOME",
  "XDG_DATA_HOME",
  "XDG_CONFIG_HOME",
  "APPDATA",
  "COPILOT_HOME",
  "GEMINI_CLI_HOME",
  ...AGENT_VARIABLES,
];
/**
 * Most runs end before V8's optimizing compilers have paid for themselves; a server still gets them,
 * fifty times later than by default (docs/decisions/0020).
 */
const V8_FLAGS = [
  "--invocation-count-for-maglev=20000",
  "--invocation-count-for-maglev-osr=5000",
  "--invocation-count-for-turbofan=60000",
  "--invocation-count-for-osr=10000",
  "--wasm-tiering-budget=400000000",
];
const FLAGS = [
  "--no-prompt",
  `--v8-flags=${V8_FLAGS.join(",")}`,
  "--no-code-cache",
  "--no-remote",
  "--cached-only",
  "--allow-read",
  "--allow-write",
  "--allow-sys=uid,statfs",
  `--allow-env=${ENVIRONMENT.join(",")}`,
  "--ignore-env",
  `--allow-net=${NETWORK.join(",")}`,
  "--deny-run",
  "--deny-ffi",
  "--deny-import",
];
const ASSETS = {
  "core.wasm": root + "wasm/core.wasm",
  "encoder.wasm": root + "wasm/encoder.wasm",
  "onnx.wasm": root + "node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm",
  "static-embed-32k-256.bin": root + "wasm/model/static-embed-32k-256.bin",
  "page.html": PAGE,
  "research.txt": root + "templates/research.txt",
  "software.txt": root + "templates/software.txt",
  "writing.txt": root + "templates/writing.txt",
};
const MAIN = "main.js";
/** Started by its name, so the compiler must be told of it. */
const WORKER = "src/embed/bulk_worker.ts";
/** Sections of the model are laid out in 64-byte steps; an asset starts on such a boundary. */
const ALIGNMENT = 64;

if (import.meta.main) await build();

async function build(): Promise<void> {
  await Deno.remove(stage, { recursive: true }).catch(() => {});
  await buildPage();
  await bundle("bundle", "main.ts", WORKER);
  const denort = isCross ? undefined : await locateDenort(dist + ".cache/", target);
  const base = denort === undefined || assetsBeside ? undefined : await Deno.readFile(denort);
  const { blob, ranges } = await packAssets(base?.length ?? 0);
  const beside = base === undefined ? `sage-${sha256(blob).slice(0, 8)}.assets` : undefined;
  const chunks = await stamp(ranges, beside);
  const out = stage + "sage" + (target.includes("windows") ? ".exe" : "");
  if (base === undefined) {
    await writeAll(stage + "clean/", chunks);
    await compile(stage + "clean/main.js", out, { include: chunkName(WORKER) });
    return await publish(out, { name: String(beside), blob });
  }
  await compilePacked(concat([base, blob]), chunks, out);
  await publish(out);
}

/** The program in packs behind the assets; what is compiled is the door alone. */
async function compilePacked(
  carrier: Uint8Array,
  chunks: ReadonlyMap<string, string>,
  out: string,
): Promise<void> {
  const modules = await toModules(chunks);
  const plain = stage + "denort-plain";
  await Deno.writeFile(plain, carrier, { mode: 0o755 });
  await bundle("trainer", "scripts/build/trainer.ts");
  await compile(stage + "trainer/trainer.js", stage + "sage-practice", { denort: plain });
  const packs = await train(stage + "sage-practice", modules, MAIN, stage);

  const entries = [MAIN, chunkName(WORKER)] as const;
  const { blob, layout } = layPacks(packs, modules, entries, carrier.length);
  const carrying = stage + "denort";
  await Deno.writeFile(carrying, concat([carrier, blob]), { mode: 0o755 });
  await bundle("door", "scripts/build/door.ts");
  await bundle("door", "scripts/build/worker_door.ts");
  for (const door of ["door.js", "worker_door.js"]) await stampDoor(stage + "door/" + door, layout);
  await compile(stage + "door/door.js", out, { denort: carrying, include: "worker_door.js" });
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
  { denort, include }: { readonly denort?: string; readonly include?: string } = {},
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
    denort === undefined ? {} : { DENORT_BIN: denort },
  );
}

/** Copies in large blocks: a binary written in small ones starts 13 % slower (page-cache folios). */
async function publish(
  out: string,
  assets?: { readonly name: string; readonly blob: Uint8Array },
): Promise<void> {
  const folder = isCross ? `${dist}${target}/` : dist;
  const name = out.slice(out.lastIndexOf("/") + 1);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.copyFile(out, folder + name + ".new");
  await Deno.rename(folder + name + ".new", folder + name);
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(".assets")) await Deno.remove(folder + name);
  }
  if (assets !== undefined) await Deno.writeFile(folder + assets.name, assets.blob);
  const { size } = await Deno.stat(folder + name);
  await Deno.remove(stage, { recursive: true });
  console.error(`built ${(folder + name).slice(root.length)} (${(size / 1e6).toFixed(1)} MB)`);
}

/** The assets back to back, and where each lies when the blob starts at `start` of its file. */
async function packAssets(start: number) {
  const parts: Uint8Array[] = [];
  const ranges: Record<string, { offset: number; length: number; sha256: string }> = {};
  let offset = start;
  for (const [name, path] of Object.entries(ASSETS)) {
    const padding = (ALIGNMENT - offset % ALIGNMENT) % ALIGNMENT;
    const bytes = await Deno.readFile(path);
    parts.push(new Uint8Array(padding), bytes);
    ranges[name] = { offset: offset + padding, length: bytes.length, sha256: sha256(bytes) };
    offset += padding + bytes.length;
  }
  return { blob: concat(parts), ranges };
}

/** The chunks of the bundle by name, with the build's facts in place of the marked string. */
async function stamp(
  assets: Record<string, unknown>,
  beside: string | undefined,
): Promise<Map<string, string>> {
  const info = JSON.stringify({
    version: await version(),
    commit: await commit(),
    target,
    flags: FLAGS,
    assets,
    beside,
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

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function stampDoor(path: string, layout: Layout): Promise<void> {
  const code = await Deno.readTextFile(path);
  const text = JSON.stringify(JSON.stringify(layout));
  if (!code.includes('"@@SAGE_LAYOUT@@"')) throw new Error("The door has no place for the layout");
  await Deno.writeTextFile(path, code.replace('"@@SAGE_LAYOUT@@"', () => text));
}

async function writeAll(folder: string, chunks: ReadonlyMap<string, string>): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const [name, code] of chunks) {
    // CommonJS packages that ask for a builtin find no `require` in an ES module.
    const needsRequire = code.includes("Dynamic require of");
    await Deno.mkdir((folder + name).replace(/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(folder + name, needsRequire ? REQUIRE + code : code);
  }
}

/** The bundle keeps the folders of its entries; its chunks lie beside the first. */
function chunkName(entry: string): string {
  return entry.replace(/ts$/, "js");
}

const REQUIRE =
  `import{createRequire as __require}from"node:module";var require=__require(import.meta.url);`;

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

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
