/**
 * Turns the bundler's chunks into CommonJS functions that require each other by number. A classic script
 * can contain them, and for scripts V8 accepts cached bytecode, which Deno's module loader does not.
 *
 * A chunk copies each import into a variable when it is loaded. esbuild's own CommonJS calls a getter at
 * every use, which was a tenth of the time of a search. Copying requires what is checked here: no import
 * cycles, and no export that is reassigned.
 */
import { stop, transform } from "esbuild";

/** `code` is the body of `function (module, exports, require)`, in which modules are named by number. */
export interface Module {
  readonly name: string;
  readonly code: string;
}

interface Chunk {
  readonly imports: readonly Import[];
  readonly body: string;
  readonly exports: readonly Binding[];
}

interface Import {
  /** The name of the other chunk. */
  readonly from: string;
  /** Empty if it is imported for its side effects. */
  readonly bindings: readonly Binding[];
}

/** `inner` is the name inside the exporting chunk, or the importing one; `outer` the exported name. */
interface Binding {
  readonly inner: string;
  readonly outer: string;
}

/** Converts chunks (file name → code) to modules, sorted by name; a module's number is its index. */
export async function toModules(chunks: ReadonlyMap<string, string>): Promise<Module[]> {
  const names = [...chunks.keys()].sort();
  const numbers = new Map(names.map((name, number) => [name, number]));
  const parsed = new Map(names.map((name) => [name, parse(name, chunks.get(name) ?? "", numbers)]));
  const reach = reachOf(parsed);
  try {
    return await Promise.all([...parsed].map(async ([name, { imports, body, exports }]) => {
      const { code } = await transform(body, {
        format: "cjs",
        minifySyntax: true,
        minifyWhitespace: true,
        define: { "import.meta.dirname": "undefined", "import.meta.url": "undefined" },
      });
      const head = imports
        // The bundler also lists chunks for their side effects, to keep the order; most are loaded anyway.
        .filter(({ from, bindings }) => bindings.length > 0 || !reach.get(name)?.has(from))
        .map(({ from, bindings }) => {
          const taken = bindings.map(({ inner, outer }) => `${outer}:${inner}`).join(",");
          return `${taken === "" ? "" : `var{${taken}}=`}require(${numbers.get(from)});`;
        });
      const given = exports.map(({ inner, outer }) => `${outer}:${inner}`).join(",");
      const tail = given === "" ? "" : `\nmodule.exports={${given}};`;
      return { name, code: narrow(name, head.join("") + code + tail) };
    }));
  } finally {
    // esbuild's process would keep this one alive.
    await stop();
  }
}

/**
 * Escapes characters beyond Latin-1, one of which makes V8 store the whole source in two bytes a character.
 * esbuild escapes them already except in regular expressions, where the escape means the same.
 */
function narrow(name: string, code: string): string {
  const escaped = /(?<!\\)(?:\\\\)*\\[\u0100-\uffff]/.exec(code);
  if (escaped !== null) {
    throw new Error(`${name} has a backslash before a character that must become an escape`);
  }
  return code.replace(
    /[\u0100-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The bundler puts all imports at the start of a chunk and its exports at the end. */
const IMPORT = /import(?:\{([^}]*)\}from)?"(\.[^"]+)";/y;
const EXPORTS = /export\{([^}]*)\};?(?=\s*(?:\/\*[^]*\*\/\s*)?$)/;
const LAZY_IMPORT = /\bimport\("(\.[^"]+)"\)/g;
const OTHER_IMPORT = /\b(?:import|from)"\.[^"]+"/;

function parse(name: string, text: string, numbers: ReadonlyMap<string, number>): Chunk {
  const nameOf = (relative: string): string => {
    const from = new URL(relative, `file:///${name}`).pathname.slice(1);
    if (!numbers.has(from)) throw new Error(`No chunk is named ${from}`);
    return from;
  };
  const imports: Import[] = [];
  let at = IMPORT.lastIndex = 0;
  for (let found = IMPORT.exec(text); found !== null; found = IMPORT.exec(text)) {
    const bindings = bindingsIn(found[1]).map(({ inner: outer, outer: inner }) => ({
      inner,
      outer,
    }));
    imports.push({ from: nameOf(found[2] ?? ""), bindings });
    at = IMPORT.lastIndex;
  }
  const rest = text.slice(at);
  const exports = bindingsIn(EXPORTS.exec(rest)?.[1]);
  const body = rest.replace(EXPORTS, "").replace(
    LAZY_IMPORT,
    // Asynchronously, as `import()` is.
    (_, relative: string) =>
      `Promise.resolve().then(()=>require(${numbers.get(nameOf(relative))}))`,
  );
  if (OTHER_IMPORT.test(body)) throw new Error(`${name} has an import in an unknown form`);
  const changed = exports.find(({ inner }) => isGivenAgain(inner, body));
  if (changed !== undefined) throw new Error(`${name} changes what it exports: ${changed.inner}`);
  return { imports, body, exports };
}

/** `a as b,c` */
function bindingsIn(list = ""): Binding[] {
  return list.split(",").filter((one) => one !== "").map((one) => {
    const [inner = "", outer = inner] = one.split(" as ");
    return { inner, outer };
  });
}

/**
 * Whether an exported name is assigned after its declaration, other than an enum, `(E||(E={}))`. A name at
 * the top level of a bundled chunk is unique, so no scope has to be looked at.
 */
function isGivenAgain(name: string, body: string): boolean {
  const escaped = name.replaceAll("$", "\\$");
  const given = String.raw`(?:=(?![=>])|(?:[-+*/%&|^]|\*\*|&&|\|\||\?\?)=(?!=)|\+\+|--)`;
  return new RegExp(String.raw`(?<![\w$.,#]|(?:var|let|const) |${escaped}\|\|\()${escaped}${given}`)
    .test(body);
}

/** For each chunk, all that loading it loads by imports with bindings. Throws on a cycle. */
function reachOf(chunks: ReadonlyMap<string, Chunk>): ReadonlyMap<string, ReadonlySet<string>> {
  const reach = new Map<string, ReadonlySet<string>>();
  const visit = (name: string, way: readonly string[]): ReadonlySet<string> => {
    const known = reach.get(name);
    if (known !== undefined) return known;
    if (way.includes(name)) throw new Error(`Chunks import each other: ${way.join(", ")}`);
    const all = new Set<string>();
    for (const { from, bindings } of chunks.get(name)?.imports ?? []) {
      const further = visit(from, [...way, name]);
      if (bindings.length > 0) { for (const one of [from, ...further]) all.add(one); }
    }
    reach.set(name, all);
    return all;
  };
  for (const name of chunks.keys()) visit(name, []);
  return reach;
}
