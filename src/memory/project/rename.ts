/** Renames a project. Its id, which notes refer to, stays; only the name that people read changes. */
import { SageError } from "../../base/errors.ts";
import { LOCK_MS_MAX } from "../../base/limits.ts";
import { printable } from "../../base/text/printable.ts";
import { collapse } from "../../base/text/text.ts";
import { findSecrets } from "../../guard/scan.ts";
import { rememberProject } from "../../store/projects.ts";
import type { Memory } from "../memory.ts";
import { setInProjectFile } from "./file.ts";

const NAME_CHARACTERS_MAX = 120;

export async function renameProject(
  memory: Memory,
  wanted: string,
): Promise<{ readonly id: string; readonly from: string; readonly to: string }> {
  const { fs, places, project } = memory;
  const to = collapse(printable(wanted));
  if (to === "" || to.length > NAME_CHARACTERS_MAX) {
    throw new SageError("usage", `A project's name has 1 to ${NAME_CHARACTERS_MAX} characters`);
  }
  const [secret] = findSecrets(to);
  if (secret !== undefined) {
    throw new SageError(
      "refused",
      `The name looks like a secret (${secret.rule}), and it is shared with the notes`,
      { hint: "leave the secret out" },
    );
  }
  if (project === undefined) {
    throw new SageError("not_found", "This project has no store of its own to keep its name in", {
      hint: "sage project init makes one",
    });
  }
  if (project.trust === "unknown") {
    throw new SageError(
      "untrusted",
      `${project.root} is not trusted, so its name is not read`,
      { hint: "read it, then sage trust" },
    );
  }
  const { projectId: id, projectName: from, projectDir: root } = places;
  // Written down, because otherwise the id may be derived from the folder's name.
  await setInProjectFile(memory, project.home, "id", id);
  await setInProjectFile(memory, project.home, "name", to);
  await rememberProject(fs, places.userRoot, { id, name: to, root }, LOCK_MS_MAX);
  return { id, from, to };
}
