/**
 * Builds wasm/core.wasm from wasm/assembly, always to the same bytes. `--check` builds in memory and
 * compares instead: what is committed must be what the source says.
 */
import { main as compile } from "assemblyscript/asc";
import { readBytes, realFs } from "../src/base/fs.ts";

const root = `${import.meta.dirname}/../`;
const target = `${root}wasm/core.wasm`;

Deno.exit(await run(Deno.args));

async function run(args: string[]): Promise<number> {
  const built = await build();
  if (!args.includes("--check")) {
    await Deno.writeFile(target, built);
    return say(`wasm/core.wasm: ${built.length} bytes`, 0);
  }
  const committed = readBytes(realFs, target, Number.MAX_SAFE_INTEGER);
  const isSame = committed.length === built.length &&
    committed.every((byte, i) => byte === built[i]);
  if (isSame) return say("wasm/core.wasm is fresh", 0);
  return say("wasm/core.wasm differs from its source: run `deno task wasm` and commit it", 1);
}

/** The compiler run in process, its files read and its output kept here. */
async function build(): Promise<Uint8Array> {
  let output: Uint8Array | undefined;
  const messages: string[] = [];
  const { error } = await compile([
    "core.ts",
    "--baseDir",
    `${root}wasm/assembly`,
    "--outFile",
    "core.wasm",
    "--runtime",
    "stub",
    "--use",
    "abort=",
    "-O3",
    "--noAssert",
    "--enable",
    "simd",
  ], {
    // What is not there is looked for elsewhere by the compiler.
    readFile: (name, folder) => Deno.readTextFile(`${folder}/${name}`).catch(() => null),
    writeFile(_name, contents) {
      output = contents as Uint8Array;
    },
    listFiles: () => [],
    stderr: { write: (text: string | Uint8Array) => void messages.push(String(text)) },
  });
  if (error !== null || output === undefined) {
    throw new Error(`Cannot build wasm/core.wasm\n${messages.join("")}`, { cause: error });
  }
  return output;
}

function say(line: string, code: number): number {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  return code;
}
