/** The door of the binary's worker, which is started by the name of this file. */
import { startPacked } from "./packed.ts";

startPacked("@@SAGE_LAYOUT@@", "1");
