/** Files that a person writes beside the notes. A broken one stops nothing, so the doctor reports it. */
import { readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decode, withoutBom } from "../../base/utf8.ts";
import { loadYaml, YamlError } from "../../base/yaml/parse.ts";
import { listProjects } from "../../store/projects.ts";
import type { Memory } from "../memory.ts";
import { phrasesPath, phrasesText, readPhrases } from "../phrases/file.ts";
import { readProjectFile } from "../project/file.ts";
import {
  SHARED_MEMORY_BYTES_MAX,
  untoldSharedMemory,
} from "../session/orientation/shared_memory.ts";
import { type Finding, wrong } from "./finding.ts";

const KEYS_BYTES_MAX = 64 * 1024;

type Check = (memory: Memory) => Promise<Finding[]> | Finding[];

/** Those that `sage status` warns of as well: it has other words for the rest. */
export const WARNED_OF: readonly Check[] = [projectFileFindings, phrasesFindings, keysFindings];

/** Apart from each other, so that a file that cannot be read hides nothing of the next. */
export const OWN_FILES: readonly Check[] = [
  ...WARNED_OF,
  projectsFindings,
  sharedMemoryFindings,
  ({ config }) => config.warnings.map((what) => wrong("warning", what, "mend that file")),
];

async function projectFileFindings({ fs, project }: Memory): Promise<Finding[]> {
  if (project === undefined || project.trust === "unknown") return [];
  const path = join(project.home, "project.yaml");
  if (fs.lstat(path) === undefined) return [];
  const { problem } = await readProjectFile(fs, project.home);
  if (problem === undefined) return [];
  const what = `${problem}; until then its id and name are ignored`;
  return [wrong("warning", what, `mend ${path}`)];
}

/** Until it is mended, other projects are not found, and what changed about this one is not noted. */
async function projectsFindings({ fs, places }: Memory): Promise<Finding[]> {
  await listProjects(fs, places.userRoot);
  return [];
}

async function phrasesFindings(memory: Memory): Promise<Finding[]> {
  const text = phrasesText(memory);
  if (text === "") return [];
  const { problems } = await readPhrases(text);
  const path = phrasesPath(memory);
  return problems.map((why) => wrong("warning", `left out of ${path}: ${why}`, "mend that file"));
}

/** `sage ask` and `sage chat` refuse a key that others may read, and one that they cannot read. */
async function keysFindings({ fs, places }: Memory): Promise<Finding[]> {
  const path = join(places.userRoot, "config.yaml");
  const info = fs.lstat(path);
  if (info?.kind !== "file") return [];
  if ((info.mode & 0o077) !== 0) {
    const what = `${path} holds keys, and others may read it`;
    return [wrong("warning", what, `chmod 600 ${path}`, { kind: "chmod", path, mode: 0o600 })];
  }
  try {
    await loadYaml(withoutBom(decode(readBytes(fs, path, KEYS_BYTES_MAX))));
    return [];
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return [wrong("warning", `${path} cannot be read: ${error.message}`, "mend that file")];
  }
}

function sharedMemoryFindings(memory: Memory): Finding[] {
  const path = untoldSharedMemory(memory);
  if (path === undefined) return [];
  const what = `${path} is larger than ${SHARED_MEMORY_BYTES_MAX} bytes: no session is told of it`;
  const mend = "keep in it what every session needs, and make knowledge of the rest";
  return [wrong("warning", what, `${mend}: sage knowledge add`)];
}
