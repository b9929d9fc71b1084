/**
 * Builds wasm/core.wasm and wasm/encoder.wasm from wasm/assembly, reproducibly. `--check` compares with the
 * committed files instead.
 */
import { main as compile } from "assemblyscript/asc";
import { readBytes, realFs } from "../src/base/fs.ts";
import { equalBytes } from "../src/base/hash.ts";

const root = `${import.meta.dirname}/../`;
const MODULES = ["core", "encoder"];

Deno.exit(await run(Deno.args));

async function run(args: string[]): Promise<number> {
  let code = 0;
  for (const name of MODULES) {
    const target = `${root}wasm/${name}.wasm`;
    const built = await build(name);
    if (!args.includes("--check")) {
      await Deno.writeFile(target, built);
      say(`wasm/${name}.wasm: ${built.length} bytes`);
    } else if (equalBytes(readBytes(realFs, target, Number.MAX_SAFE_INTEGER), built)) {
      say(`wasm/${name}.wasm is fresh`);
    } else {
      say(`wasm/${name}.wasm differs from its source: run \`deno task wasm\` and commit it`);
      code = 1;
    }
  }
  return code;
}

/** Runs the AssemblyScript compiler in this process and keeps its output in memory. */
async function build(name: string): Promise<Uint8Array> {
  let output: Uint8Array | undefined;
  const messages: string[] = [];
  const { error } = await compile([
    `${name}.ts`,
    "--baseDir",
    `${root}wasm/assembly`,
    "--outFile",
    `${name}.wasm`,
    "--runtime",
    "stub",
    "--use",
    "abort=",
    "-O3",
    "--noAssert",
    "--enable",
    "simd",
    "--enable",
    "relaxed-simd",
  ], {
    // null, because undefined would make the compiler read the file itself.
    readFile: (name, folder) => Deno.readTextFile(`${folder}/${name}`).catch(() => null),
    writeFile(_name, contents) {
      output = contents as Uint8Array;
    },
    listFiles: () => [],
    stderr: { write: (text: string | Uint8Array) => void messages.push(String(text)) },
  });
  if (error !== null || output === undefined) {
    throw new Error(`Cannot build wasm/${name}.wasm\n${messages.join("")}`, { cause: error });
  }
  return output;
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
