/**
 * What the notes of long English sessions tell, as people work who type in a hurry: `deno run -A
 * bench/detection/long.ts [--misses]`.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { countsSaid, countTold } from "./session_note.ts";
import { LONG } from "./sets.ts";

const embedder = openStaticEmbedder();
const isTold = Deno.args.includes("--misses");
const counts = countTold(LONG, embedder, (line) => isTold && console.log(line));
console.log(`${LONG.length} sessions: ${countsSaid(counts)}`);
embedder.close();
