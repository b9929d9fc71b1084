/**
 * Loads the modules of a built binary. They are CommonJS functions in packs: classic scripts, each with the
 * bytecode that V8 produced when the binary was built. A pack is read when one of its modules is first
 * required. V8 checks the bytecode itself, and compiles the source if it does not fit.
 */
import type { Script } from "node:vm";

/**
 * A builtin of Node by name. By the global: importing `node:process` reads each of its properties, which
 * is a quarter of what starting the program costs beyond an empty one.
 */
// deno-lint-ignore no-process-global -- see above
export const { getBuiltinModule } = process;

export interface Program {
  /** Module → the pack that holds it. */
  readonly packOf: readonly number[];
  /** The module to run. */
  readonly entry: number;
  read(pack: number): PackText;
}

export interface PackText {
  readonly source: string;
  readonly bytecode?: Uint8Array;
}

interface Module {
  exports: unknown;
}

type Require = (name: number | string) => unknown;
type Factory = (module: Module, exports: unknown, require: Require) => void;

/** Runs the entry. Returns the loaded modules by number, a sparse array that grows as more are loaded. */
export function start(
  program: Program,
  onScript?: (pack: number, script: Script) => void,
): readonly unknown[] {
  const { Script } = getBuiltinModule("node:vm");
  const factories: Factory[] = [];
  const modules: Module[] = [];
  const load = (pack: number): void => {
    const { source, bytecode } = program.read(pack);
    const script = new Script(source, {
      filename: `sage:${pack}`,
      ...(bytecode === undefined ? {} : { cachedData: bytecode }),
    });
    onScript?.(pack, script);
    script.runInThisContext()(factories);
  };
  const require: Require = (name) => {
    if (typeof name === "string") return getBuiltinModule(name);
    const known = modules[name];
    if (known !== undefined) return known.exports;
    if (factories[name] === undefined) load(program.packOf[name] ?? -1);
    const module: Module = { exports: {} };
    modules[name] = module;
    try {
      factories[name]?.(module, module.exports, require);
    } catch (error) {
      delete modules[name];
      throw error;
    }
    return module.exports;
  };
  require(program.entry);
  return modules;
}

/**
 * Opens the file with the packs and assets: the program itself, or the one beside it. It stays open for
 * later reads by offset, because an upgrade may replace it. The link that a package manager starts the
 * program by is resolved first, as the file is beside its target.
 */
export function openCarrier(beside?: string): Deno.FsFile {
  const program = Deno.execPath();
  const file = Deno.openSync(
    beside === undefined ? program : Deno.realPathSync(program).replace(/[^/\\]*$/, () => beside),
  );
  (globalThis as Record<symbol, unknown>)[Symbol.for("sage.carrier")] = { file, beside };
  return file;
}
