/**
 * The door of a program that is never shipped: it takes the packs from a folder, the assets from a file
 * beside it, and when it ends it leaves in that folder which modules this run has loaded and the bytecode
 * of all that has been compiled so far.
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
