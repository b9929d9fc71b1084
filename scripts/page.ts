/**
 * Builds the page of `sage serve` as one file with style and script inlined: dist/page.html.gz. The build
 * calls it; `deno run -A scripts/page.ts` does it alone.
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

/** Returns the size of the compressed page. */
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

/** Drops imports of `node:` modules by files that the page shares with the program but uses in part. */
function unusedBuiltins(): Plugin {
  return {
    name: "unused-builtins",
    setup({ onResolve }) {
      onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
    },
  };
}

/** A script or style as one text, checked to be safe inside its HTML element. */
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
  if (/\b(require|import)\(?"/.test(text)) {
    throw new Error(`${name} still imports a module: the page must not use what needs node:`);
  }
  if (/<\/(script|style)/i.test(text)) {
    throw new Error(
      `${name} contains </script or </style, which would end its element in the page`,
    );
  }
  return text;
}
