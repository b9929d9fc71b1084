/**
 * The bundler's chunks as CommonJS functions, which a classic script can hold: V8 keeps bytecode for
 * scripts, and the module loader of a compiled program takes none. Named by number.
 *
 * What a chunk takes from another it takes once, when it is loaded, and a variable holds it from then
 * on. CommonJS as esbuild writes it asks at every use, through a getter that is a function of its own:
 * in code that runs once that was a tenth of a search. It presumes what is checked here: chunks do not
 * import each other in a circle, and what they export is not given another value later.
 */
import { stop, transform } from "esbuild";

/** By number; `code` is the body of `function (module, exports, require)`. */
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
  /** None: it is loaded for its effects. */
  readonly bindings: readonly Binding[];
}

/** `inner` in a chunk is `outer` in those that import it. */
interface Binding {
  readonly inner: string;
  readonly outer: string;
}

/** File name → text of each chunk, to modules in the order of their names. */
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
        // To keep their order the bundler names those as well that the others load.
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
    // Its process would keep this one alive.
    await stop();
  }
}

/**
 * V8 holds a text with one letter beyond Latin-1 in twice the room. esbuild writes such letters as escapes
 * wherever it reads what it writes; what it leaves are patterns, for which the escape means the same.
 */
function narrow(name: string, code: string): string {
  const escaped = /(?<!\\)(?:\\\\)*\\[\u0100-\uffff]/.exec(code);
  if (escaped !== null) throw new Error(`${name} escapes a letter that is written as an escape`);
  return code.replace(
    /[\u0100-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The bundler puts what comes from other chunks in front, and what goes to them behind. */
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
    // After a tick, as if it had to be fetched.
    (_, relative: string) =>
      `Promise.resolve().then(()=>require(${numbers.get(nameOf(relative))}))`,
  );
  if (OTHER_IMPORT.test(body)) throw new Error(`${name} imports in a form that is not known`);
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
 * Elsewhere than where it is declared; an enumeration is made at once: `(E||(E={}))`. The bundler gives
 * no name of a chunk's own to anything else.
 */
function isGivenAgain(name: string, body: string): boolean {
  const escaped = name.replaceAll("$", "\\$");
  const given = String.raw`(?:=(?![=>])|(?:[-+*/%&|^]|\*\*|&&|\|\||\?\?)=(?!=)|\+\+|--)`;
  return new RegExp(String.raw`(?<![\w$.,#]|(?:var|let|const) |${escaped}\|\|\()${escaped}${given}`)
    .test(body);
}

/** For each chunk, all others that it loads directly or through others. */
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
