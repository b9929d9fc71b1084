/** The door: the only module that is compiled into the binary. It starts the program from the packs. */
import { startPacked } from "./packed.ts";

(globalThis as Record<symbol, unknown>)[Symbol.for("sage.worker")] =
  new URL("./worker_door.js", import.meta.url).href;
startPacked("@@SAGE_LAYOUT@@", "0");
