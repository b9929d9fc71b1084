/** What `sage doctor --fix` does about a finding, after the person agreed. */
import { systemError } from "../../base/errors.ts";
import type { Fs } from "../../base/fs.ts";
import { applyEditorInstall } from "../editor/install.ts";
import type { Memory } from "../memory.ts";
import { rebuildAll } from "../index/reindex.ts";
import type { Fix } from "./finding.ts";

/** `program`: what an editor is to run. */
export async function applyFix(memory: Memory, fix: Fix, program: string): Promise<void> {
  switch (fix.kind) {
    case "chmod":
      return changeMode(memory.fs, fix);
    case "install": {
      const { editor, scope, plugin } = fix;
      applyEditorInstall(memory, editor, { scope, plugin, dryRun: false, binary: program });
      return;
    }
    case "rebuild":
      await rebuildAll(memory);
  }
}

export function changeMode(fs: Fs, { path, mode }: Extract<Fix, { kind: "chmod" }>): void {
  try {
    fs.chmod(path, mode);
  } catch (error) {
    throw systemError(error, `change the mode of "${path}"`);
  }
}
