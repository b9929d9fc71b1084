/**
 * The page of `sage serve` as one file: style and script inside, nothing loaded. `deno run -A
 * scripts/page.ts` makes dist/page.html.gz; the build does so by itself.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { build, type Plugin, stop } from "esbuild";
import { gzipSync } from "node:zlib";

const root = new URL("..", import.meta.url).pathname;
const folder = root + "src/http/page/";
const PAGE = root + "dist/page.html.gz";

if (import.meta.main) {
  console.error(`${await buildPage()} bytes`);
  await stop();
}

/** Returns how many bytes it has. */
export async function buildPage(): Promise<number> {
  const script = await bundled("main.tsx");
  const style = await bundled("style.css");
  const template = await Deno.readTextFile(folder + "page.html");
  const page = template.replace("/*style*/", () => style).replace("/*script*/", () => script);
  await Deno.mkdir(root + "dist", { recursive: true });
  const packed = gzipSync(page, { level: 9 });
  await Deno.writeFile(PAGE, packed);
  return packed.length;
}

/** The page shares files with the program; what it does not use of them may need more than a browser. */
function unusedBuiltins(): Plugin {
  return {
    name: "unused-builtins",
    setup({ onResolve }) {
      onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
    },
  };
}

/** Nothing in it may end the element that holds it. */
async function bundled(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [folder + name],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2024",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    plugins: [unusedBuiltins()],
  });
  const text = outputFiles[0]?.text.trim() ?? "";
  if (/\b(require|import)\(?"/.test(text)) throw new Error(`${name} needs what no browser has`);
  if (/<\/(script|style)/i.test(text)) throw new Error(`${name} would end its own element`);
  return text;
}
