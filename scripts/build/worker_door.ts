/** The door of the binary's worker, which is started by this file's name. */
import { startPacked } from "./packed.ts";

startPacked("@@SAGE_LAYOUT@@", "1");
