/** What closes where its scope ends in the sources does so in the program. */
import assert from "node:assert/strict";
import { stop, transform } from "esbuild";

const SRC = new URL("../../src/", import.meta.url);

/** How many; two in a row become one statement of two names. */
function declared(code: string): number {
  return [...code.matchAll(/^\s*(?:await )?using (\w+ = [^;]*);/gm)].flatMap(([, list = ""]) =>
    list.match(/(?:^|, )\w+ = /g) ?? []
  ).length;
}

function* sources(folder: URL): Generator<URL> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory && name !== "node_modules") yield* sources(new URL(`${name}/`, folder));
    else if (/(?<!\.d)\.ts$/.test(name)) yield new URL(name, folder);
  }
}

// It takes a name that is used once for its value, `using` or not: the file stays open for good, in a
// server until it may open no more, and on Windows nobody can remove its folder.
Deno.test({
  name: "the bundler leaves every `using` a declaration",
  // The bundler's own process lives on.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    let checked = 0;
    for (const url of sources(SRC)) {
      const text = await Deno.readTextFile(url);
      const count = declared(text);
      if (count === 0) continue;
      const { code } = await transform(text, { loader: "ts", minifySyntax: true });
      assert.equal(declared(code), count, `${url.pathname}: close it by hand`);
      checked += count;
    }
    assert.ok(checked > 10, `${checked} declarations`);
    await stop();
  },
});
