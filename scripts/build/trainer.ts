/**
 * The door of the training build, which is never shipped. It reads packs from the folder SAGE_TRAINING, and
 * assets from a file beside the program. On exit it writes to that folder the numbers of the modules that
 * were loaded, and the bytecode of everything compiled so far.
 */
import type { Script } from "node:vm";
import { openCarrier, start } from "./boot.ts";

const folder = Deno.env.get("SAGE_TRAINING") ?? "";
const { packOf, entry } = JSON.parse(Deno.readTextFileSync(`${folder}/layout.json`));
const scripts = new Map<number, Script>();
openCarrier("carrier");

const exit = Deno.exit;
Deno.exit = (code) => {
  for (const [pack, script] of scripts) {
    if (script.cachedDataRejected === true) {
      throw new Error(`V8 refused the bytecode of pack ${pack}`);
    }
    Deno.writeFileSync(`${folder}/${pack}.bytecode`, script.createCachedData());
  }
  Deno.writeTextFileSync(`${folder}/loaded.json`, JSON.stringify(Object.keys(modules).map(Number)));
  return exit(code);
};

const modules = start({
  packOf,
  entry,
  read(pack) {
    const source = Deno.readTextFileSync(`${folder}/${pack}.js`);
    try {
      return { source, bytecode: Deno.readFileSync(`${folder}/${pack}.bytecode`) };
    } catch {
      return { source };
    }
  },
}, (pack, script) => scripts.set(pack, script));
