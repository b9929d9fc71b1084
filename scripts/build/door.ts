/** The door of the binary: the packs lie behind the executable's own code. */
import { startPacked } from "./packed.ts";

(globalThis as Record<symbol, unknown>)[Symbol.for("sage.worker")] =
  new URL("./worker_door.js", import.meta.url).href;
startPacked("@@SAGE_LAYOUT@@", "0");
