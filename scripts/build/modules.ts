/**
 * The bundler's chunks as CommonJS functions, which a classic script can hold: V8 keeps bytecode for
 * scripts, and the module loader of a compiled program takes none. Named by number.
 */
import { stop, transform } from "esbuild";

/** By number; `code` is the body of `function (module, exports, require)`. */
export interface Module {
  readonly name: string;
  readonly code: string;
}

/** File name → text of each chunk, to modules in the order of their names. */
export async function toModules(chunks: ReadonlyMap<string, string>): Promise<Module[]> {
  const names = [...chunks.keys()].sort();
  const numbers = new Map(names.map((name, number) => [name, number]));
  try {
    return await Promise.all(names.map(async (name) => {
      const { code } = await transform(chunks.get(name) ?? "", {
        format: "cjs",
        minify: true,
        // Lazy chunks are asked for by `require` too, after a tick.
        supported: { "dynamic-import": false },
        define: { "import.meta.dirname": "undefined", "import.meta.url": "undefined" },
      });
      return { name, code: byNumber(name, code, numbers) };
    }));
  } finally {
    // Its process would keep this one alive.
    await stop();
  }
}

function byNumber(from: string, code: string, numbers: ReadonlyMap<string, number>): string {
  return code.replace(/\brequire\("(\.[^"]+)"\)/g, (_, relative: string) => {
    const name = new URL(relative, `file:///${from}`).pathname.slice(1);
    const number = numbers.get(name);
    if (number === undefined) throw new Error(`No chunk is named ${name}`);
    return `require(${number})`;
  });
}
