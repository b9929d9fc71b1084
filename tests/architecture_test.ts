/**
 * The house rules as tests: who may import whom, no cycles, heavy packages behind one lazy door each,
 * file length, and calls that have one room only. A rule that is not here is a wish.
 */
import assert from "node:assert/strict";

const root = new URL("..", import.meta.url).pathname;

/** Room → rooms it may import, besides itself. `type` edges are `import type` only. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  note: ["base"],
  config: ["base"],
  store: ["note", "config", "base"],
  embed: ["base"],
  editor: ["guard", "base"],
  guard: ["base"],
  search: ["type embed", "note", "base"],
  detect: ["type editor", "type embed", "base"],
  memory: ["store", "search", "embed", "editor", "detect", "guard", "note", "config", "base"],
  chat: ["memory", "editor", "guard", "base"],
  cli: ["chat", "memory", "editor", "guard", "config", "note", "base", "lazy mcp", "lazy http"],
  hook: ["memory", "editor", "guard", "config", "note", "base"],
  mcp: ["memory", "editor", "guard", "config", "note", "base", "lazy hook"],
  http: ["mcp", "memory", "editor", "guard", "config", "note", "base"],
};

/** Package → the only file or folder that names it; always behind `await import()`, but for `static`. */
const DOORS: Record<
  string,
  { readonly place: string; readonly also?: string; readonly static?: boolean }
> = {
  "js-yaml": { place: "src/base/yaml/parse.ts" },
  "@secretlint/core": { place: "src/guard/" },
  "@secretlint/secretlint-rule-preset-recommend": { place: "src/guard/" },
  "re2js": { place: "src/search/query/patterns.ts" },
  "onnxruntime-web": { place: "src/embed/onnx/runtime.ts" },
  "@huggingface/tokenizers": { place: "src/embed/onnx/tokenizer.ts" },
  "@orama/orama": { place: "src/search/orama.ts" },
  "ignore": { place: "src/store/ignore.ts" },
  "jsonc-parser": { place: "src/editor/", static: true },
  "smol-toml": { place: "src/editor/toml.ts", static: true },
  "@modelcontextprotocol/sdk": { place: "src/mcp/", also: "src/http/mcp.ts", static: true },
  "zod": { place: "src/mcp/", also: "src/http/", static: true },
  "markdown-it": { place: "src/note/markdown_it.ts", static: true },
  "preact": { place: "src/http/page/", static: true },
  "@anthropic-ai/sdk": { place: "src/chat/model_api.ts" },
  "hono": { place: "src/http/app.ts", static: true },
};

/** Calls that have one room. */
const ONLY_IN: readonly {
  readonly call: RegExp;
  readonly places: readonly string[];
  readonly instead: string;
}[] = [
  {
    call:
      /\bDeno\.(open|write|rename|remove(?!SignalListener)|mkdir|link|symlink|copyFile|truncate|chmod|create(?!HttpClient)|make)\w*\(/,
    places: ["src/base/fs.ts"],
    instead: "Fs of base/fs.ts",
  },
  {
    call: /\bfetch\(|\bnew WebSocket\(|\bDeno\.(connect|listen|serve|createHttpClient)\w*\(/,
    // The page runs in a browser, and asks its own server only.
    places: [
      ...["src/base/remote.ts", "src/base/local_socket.ts", "src/embed/endpoint/request.ts"],
      ...["src/chat/model_api.ts", "src/http/main.ts", "src/http/page/api.ts"],
    ],
    instead:
      "nothing: a model's pull, an embeddings server here and the model API are reached, sage serve " +
      "listens, and a hook finds the server of its session",
  },
  { call: /\bDate\.now\(|\bnew Date\(/, places: ["src/base/clock.ts"], instead: "base/clock.ts" },
  {
    call: /\bDeno\.std(in|out|err)\b|\bconsole\./,
    places: ["src/cli/io.ts", "src/hook/main.ts", "src/mcp/main.ts"],
    instead: "cli/io.ts",
  },
  {
    call: /\bDeno\.env\b/,
    places: ["src/cli/io.ts", "src/hook/main.ts", "src/mcp/main.ts"],
    instead: "io.env",
  },
  {
    call: /\bDeno\.exit\(/,
    places: ["src/hook/main.ts", "src/mcp/main.ts", "src/cli/io.ts"],
    instead: "an exit code",
  },
  { call: /\bcreateHash\(/, places: ["src/base/hash.ts"], instead: "sha256Hex" },
  {
    call: /(?<=[=(,:!&|?\s[])\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])*\\[pP]\{/,
    places: [],
    instead: "base/text/pattern.ts: a literal with a Unicode class is parsed at every start",
  },
  { call: /\.localeCompare\(/, places: [], instead: "compareText of base/text/text.ts" },
];

/** Files that may pass 500 lines, each a table. */
const LONG_FILES: readonly string[] = [];
const LINES_MAX = 500;
const FILES_MAX = 40;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly kind: "static" | "type" | "lazy";
}

const sources = [...walk(root + "src")].map((path) => path.slice(root.length));
const text = new Map(sources.map((path) => [path, Deno.readTextFileSync(root + path)]));
const imports = sources.flatMap(importsOf);

Deno.test("rooms import downwards only", () => {
  const wrong = imports.filter(({ from, to, kind }) => {
    if (!to.startsWith("src/")) return false;
    const [a, b] = [room(from), room(to)];
    if (a === b) return false;
    const allowed = MAY_IMPORT[a] ?? [];
    return !(allowed.includes(b) || (kind === "type" && allowed.includes(`type ${b}`)) ||
      (kind === "lazy" && allowed.includes(`lazy ${b}`)));
  });
  assert.deepEqual(wrong.map(({ from, to, kind }) => `${from} → ${to} (${kind})`), []);
});

Deno.test("every room is in the table", () => {
  const unknown = new Set(sources.map(room).filter((name) => MAY_IMPORT[name] === undefined));
  assert.deepEqual([...unknown], []);
});

Deno.test("no file imports itself in a circle, types included", () => {
  const edges = new Map<string, string[]>();
  for (const { from, to, kind } of imports) {
    if (kind !== "lazy" && to.startsWith("src/")) edges.set(from, [...edges.get(from) ?? [], to]);
  }
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) return void cycles.push([...path.slice(at), file].join(" → "));
    if (done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of sources) visit(file, []);
  assert.deepEqual(cycles, []);
});

Deno.test("each package has one door, and heavy ones are lazy", () => {
  const wrong = imports.filter(({ from, to, kind }) => {
    if (to.startsWith("src/") || to.startsWith("node:") || kind === "type") return false;
    const name = to.startsWith("@") ? to.split("/").slice(0, 2).join("/") : to.split("/")[0] ?? to;
    const door = DOORS[name];
    if (door === undefined) return true;
    if (![door.place, door.also ?? door.place].some((at) => from.startsWith(at))) return true;
    return kind === "static" && door.static !== true;
  });
  assert.deepEqual(wrong.map(({ from, to, kind }) => `${from} → ${to} (${kind})`), []);
});

Deno.test("what a hook loads at once holds no package", () => {
  const reached = closure("src/hook/main.ts");
  const packages = imports.filter(({ from, to, kind }) =>
    kind === "static" && reached.has(from) && !to.startsWith("src/") && !to.startsWith("node:")
  );
  assert.deepEqual(packages.map(({ from, to }) => `${from} → ${to}`), []);
});

Deno.test("what the status line loads at once opens no memory and no index", () => {
  const reached = closure("src/hook/statusline.ts");
  const heavy = [...reached].filter((file) =>
    file === "src/memory/memory.ts" || ["search", "embed", "detect"].includes(room(file))
  );
  assert.deepEqual(heavy, []);
});

Deno.test("what the command line loads at once holds no command, no package and no memory", () => {
  const reached = closure("src/cli/main.ts");
  const heavy = [...reached].filter((file) =>
    file.startsWith("src/cli/commands/") ||
    ["memory", "search", "store", "embed", "mcp"].includes(room(file))
  );
  assert.deepEqual(heavy, []);
});

Deno.test("the door loads nothing by itself", () => {
  assert.doesNotMatch(Deno.readTextFileSync(root + "main.ts"), /^import /m);
});

Deno.test("every lazy import is a string literal, for the compiler finds no other", () => {
  const computed = sources.filter((path) => /\bimport\(\s*[^"\s)]/.test(code(path)));
  assert.deepEqual(computed, []);
});

for (const { call, places, instead } of ONLY_IN) {
  const where = places.length === 0 ? "nowhere" : `only in ${places.join(", ")}`;
  Deno.test(`${call.source} stands ${where}`, () => {
    const wrong = sources.filter((path) => !places.includes(path) && call.test(code(path)));
    assert.deepEqual(wrong, [], `use ${instead}`);
  });
}

Deno.test("no file passes on what another one defines", () => {
  const barrels = sources.filter((path) => /^export .*\bfrom "/m.test(code(path)));
  assert.deepEqual(barrels, []);
});

Deno.test("files stay short enough to be read in one sitting", () => {
  const long = sources.filter((path) =>
    !LONG_FILES.includes(path) && (text.get(path) ?? "").split("\n").length > LINES_MAX
  );
  assert.deepEqual(long, []);
});

Deno.test("folders stay short enough to be listed on one screen", () => {
  const files = Map.groupBy(sources, (path) => path.slice(0, path.lastIndexOf("/")));
  const crowded = [...files].filter(([, inside]) => inside.length > FILES_MAX);
  assert.deepEqual(crowded.map(([folder, inside]) => `${folder}: ${inside.length}`), []);
});

Deno.test("each file opens with what it is", () => {
  const silent = sources.filter((path) => !/^(\/\*\*|\/\/)/.test(text.get(path) ?? ""));
  assert.deepEqual(silent, []);
});

Deno.test("names are the field's words, without drawers for everything", () => {
  const drawers = sources.filter((path) =>
    /\/(index|utils?|helpers?|manager|service|common|misc)\.ts$/.test(path)
  );
  assert.deepEqual(drawers, []);
});

Deno.test("docs/ARCHITECTURE.md names every room that is on the disk, and no other", () => {
  const picture = Deno.readTextFileSync(root + "docs/ARCHITECTURE.md");
  const named = new Set(
    [...picture.matchAll(/^\| `src\/(\w+)\/`/gm)].map((match) => match[1] ?? ""),
  );
  const onDisk = new Set(sources.map(room));
  assert.deepEqual([...named].sort(), [...onDisk].sort());
});

Deno.test("docs/decisions/README.md lists every record once, under its number", () => {
  const folder = root + "docs/decisions/";
  const records = [...Deno.readDirSync(folder)].map((entry) => entry.name)
    .filter((name) => name !== "README.md");
  const index = Deno.readTextFileSync(folder + "README.md");
  const listed = [...index.matchAll(/\[(\d{4})\]\(([^)]+)\)/g)];
  assert.deepEqual(listed.map((link) => link[2]).sort(), records.sort());
  for (const [link, number, file] of listed) assert.ok(file?.startsWith(`${number}-`), link);
});

Deno.test("a decision record's file has the words that its title begins with", () => {
  const folder = root + "docs/decisions/";
  for (const { name } of Deno.readDirSync(folder)) {
    if (name === "README.md") continue;
    const title = Deno.readTextFileSync(folder + name).split("\n", 1)[0] ?? "";
    const words = title.toLowerCase().replaceAll(/[`']/g, "").replaceAll(/[^a-z0-9]+/g, "-").slice(
      1,
    );
    assert.ok(words.startsWith(name.replace(/\.md$/, "")), `${name}: ${title}`);
  }
});

Deno.test("a test or a bench leaves no scratch folder: tempDir() makes it, or it has a name", () => {
  const unnamed = ["tests", "bench", "scripts"].flatMap((folder) => [...walk(root + folder)])
    .filter(
      (path) => /\.makeTemp\w+\(\)/.test(Deno.readTextFileSync(path)),
    );
  assert.deepEqual(unnamed, []);
});

Deno.test("a test waits for a process by support/within.ts, where every wait has an end", () => {
  for (const path of walk(`${root}tests`)) {
    if (path.endsWith("/support/within.ts") || path === `${root}tests/architecture_test.ts`) {
      continue;
    }
    const waits = Deno.readTextFileSync(path).split(";").filter((said) =>
      said.includes(".output()")
    );
    for (const said of waits) assert.match(said, /\borKilled\(/, path);
  }
});

function room(path: string): string {
  return path.split("/")[1] ?? "";
}

function closure(entry: string): Set<string> {
  const reached = new Set<string>();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const { from, to, kind } of imports) {
      if (from === file && kind === "static") queue.push(to);
    }
  }
  return reached;
}

function importsOf(from: string): Import[] {
  const found: Import[] = [];
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^"'()]*?\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|import\("([^"]+)"\)\./g;
  for (const match of code(from).matchAll(pattern)) {
    const target = match[2] ?? match[3] ?? match[4] ?? "";
    const kind = match[3] !== undefined ? "lazy" : match[1] !== undefined ? "type" : "static";
    found.push({ from, to: resolve(from, target), kind });
  }
  return found;
}

function resolve(from: string, target: string): string {
  if (!target.startsWith(".")) return target;
  return new URL(target, `file:///${from}`).pathname.slice(1);
}

/** The file without its comments, so that prose about a call is no call. */
function code(path: string): string {
  return (text.get(path) ?? "").replace(/\/\*[\s\S]*?\*\//g, "").replace(
    /(^|[^:"'`])\/\/.*$/gm,
    "$1",
  );
}

function* walk(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* walk(path);
    else if (path.endsWith(".ts")) yield path;
  }
}
