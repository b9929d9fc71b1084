/**
 * What a built binary starts with. Its modules are CommonJS functions in packs, classic scripts beside
 * the bytecode that V8 made of them when the binary was built; a pack is read when one of its modules
 * is first asked for. V8 checks by itself whether bytecode fits, and compiles the source where not.
 */
import { getBuiltinModule } from "node:process";
import { Script } from "node:vm";

export interface Program {
  /** Module → the pack that holds it. */
  readonly packOf: readonly number[];
  /** The module to begin with. */
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

/** Runs the entry. Returns the modules by number, as far as they are loaded: it grows with the run. */
export function start(
  program: Program,
  onScript?: (pack: number, script: Script) => void,
): readonly unknown[] {
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
 * What carries the program: its own file, or the one that lies beside it. It stays open, because an
 * upgrade puts another one in its place, and what it holds is found by offset; the program's assets are
 * read through it too. Package managers start a program through a link, beside which there is nothing.
 */
export function openCarrier(beside?: string): Deno.FsFile {
  const program = Deno.execPath();
  const file = Deno.openSync(
    beside === undefined ? program : Deno.realPathSync(program).replace(/[^/\\]*$/, () => beside),
  );
  (globalThis as Record<symbol, unknown>)[Symbol.for("sage.carrier")] = { file, beside };
  return file;
}
