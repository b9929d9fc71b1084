/**
 * Builds dist/sage: bundle with lazy chunks → stamp → compile from a clean folder on a `denort` that
 * carries the assets behind its own code. `--target <triple>` cross-compiles where Deno can download
 * that platform's `denort`; there the assets lie beside the binary as `sage.assets`.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { createHash } from "node:crypto";
import { locateDenort } from "./denort.ts";

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
 * for `sage model pull`: the hub, the machines it sends large files from, and this machine. Every other
 * command gives that up before it runs (docs/decisions/0015).
 */
const NETWORK = ["huggingface.co:443", "*.hf.co:443", "127.0.0.1", "localhost", "[::1]"];
const ENVIRONMENT = [
  "HOME",
  "USERPROFILE",
  "NO_COLOR",
  "TERM",
  "COLUMNS",
  "SAGE_*",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_PID",
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS",
  "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
];
const FLAGS = [
  "--no-prompt",
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
  "static-embed-32k-256.bin": root + "wasm/model/static-embed-32k-256.bin",
};
/** Started by its name, so the compiler must be told of it. */
const WORKER = "src/embed/bulk_worker.ts";
/** Sections of the model are laid out in 64-byte steps; an asset starts on such a boundary. */
const ALIGNMENT = 64;

if (import.meta.main) await build();

async function build(): Promise<void> {
  await Deno.remove(stage, { recursive: true }).catch(() => {});
  await Deno.mkdir(stage + "clean", { recursive: true });
  await run([
    "bundle",
    "--quiet",
    "--code-splitting",
    "--platform",
    "deno",
    "--minify",
    "--outdir",
    stage + "bundle",
    "main.ts",
    WORKER,
  ]);

  const denort = isCross ? undefined : await locateDenort(dist + ".cache/", target);
  const base = denort === undefined || assetsBeside ? undefined : await Deno.readFile(denort);
  const { blob, ranges } = await packAssets(base?.length ?? 0);
  await stamp(ranges);

  const environment: Record<string, string> = {};
  if (base !== undefined) {
    const carrier = stage + "denort";
    await Deno.writeFile(carrier, concat([base, blob]), { mode: 0o755 });
    environment.DENORT_BIN = carrier;
  }
  const out = stage + "sage" + (target.includes("windows") ? ".exe" : "");
  await run(
    [
      ...["compile", "--quiet", "--no-config", ...FLAGS, "--include", WORKER.replace(/ts$/, "js")],
      ...["--target", target, "--output", out, "main.js"],
    ],
    stage + "clean",
    environment,
  );
  await publish(out, base === undefined ? blob : undefined);
}

/** Copies in large blocks: a binary written in small ones starts 13 % slower (page-cache folios). */
async function publish(out: string, blob: Uint8Array | undefined): Promise<void> {
  const folder = isCross ? `${dist}${target}/` : dist;
  const name = out.slice(out.lastIndexOf("/") + 1);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.copyFile(out, folder + name + ".new");
  await Deno.rename(folder + name + ".new", folder + name);
  if (blob !== undefined) await Deno.writeFile(folder + "sage.assets", blob);
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
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    ranges[name] = { offset: offset + padding, length: bytes.length, sha256 };
    offset += padding + bytes.length;
  }
  return { blob: concat(parts), ranges };
}

/** Copies the bundle into the clean folder, with the build's facts in place of the marked string. */
async function stamp(assets: Record<string, unknown>): Promise<void> {
  const { version } = JSON.parse(await Deno.readTextFile(root + "deno.json"));
  const flags = assetsBeside || isCross ? [...FLAGS, "assets-beside"] : FLAGS;
  const info = JSON.stringify({ version, commit: await commit(), target, flags, assets });
  let stamped = 0;
  await Deno.mkdir(stage + "clean/src/embed", { recursive: true });
  const files = (await Array.fromAsync(Deno.readDir(stage + "bundle")))
    .filter(({ isFile }) => isFile).map(({ name }) => name);
  for (const name of [...files, WORKER.replace(/ts$/, "js")]) {
    let code = await Deno.readTextFile(stage + "bundle/" + name);
    if (code.includes('"@@SAGE_BUILD_INFO@@"')) {
      code = code.replaceAll('"@@SAGE_BUILD_INFO@@"', JSON.stringify(info));
      stamped++;
    }
    if (code.includes("Dynamic require of")) {
      // CommonJS packages that ask for a builtin find no `require` in an ES module.
      code =
        `import{createRequire as __require}from"node:module";var require=__require(import.meta.url);${code}`;
    }
    await Deno.writeTextFile(stage + "clean/" + name, code);
  }
  if (stamped !== 1) throw new Error(`Expected one place for the build info, found ${stamped}`);
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

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
