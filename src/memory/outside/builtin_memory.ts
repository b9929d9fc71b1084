/**
 * The editor's own memory, as an external source: searched, compared with before an agent's knowledge
 * is saved, and never written.
 */
import type { Fs } from "../../base/fs.ts";
import { foldedWords } from "../../base/text/text.ts";
import { configDir } from "../../editor/claude_code/payload.ts";
import { listMemoryFiles, type MemoryFile } from "../../editor/claude_code/own_memory.ts";
import { embedText } from "../../embed/similarity.ts";
import { frontText } from "../../note/front_values.ts";
import { type NoteRef, refOf } from "../item.ts";
import type { Memory } from "../memory.ts";
import {
  type Outside,
  type OutsideFile,
  readEachOutside,
  refreshOutside,
} from "./outside_index.ts";

/** Shorter texts occur in any long file by accident. */
const WORDS_MIN = 4;
/** How many passages nearest to the new text are compared. */
const COMPARED_MAX = 3;

export const BUILTIN: Outside = {
  prefix: "builtin-",
  flag: "built-in",
  reason: "it is the editor's",
  scope: ({ places }) => places.projectDir,
  list: (memory) => builtinFiles(memory).map(toOutside),
};

function toOutside({ path, kind, name, scope }: MemoryFile): OutsideFile {
  return {
    path,
    author: kind === "auto" ? "agent" : "person",
    title: ({ front }) =>
      kind === "instructions"
        ? scope === "user" ? `Your ${name}` : `This project's ${name}`
        : frontText(front, "name"),
  };
}

/** The files to search: none if the setting is off, and the project's only if somebody trusts it. */
export function builtinFiles(memory: Memory): MemoryFile[] {
  if (!memory.config.get("search.builtin_memory")) return [];
  const isForeign = memory.project?.trust === "unknown";
  const { fs, places } = memory;
  try {
    return filesOfEditor(memory).filter((file) =>
      (file.scope === "user" || !isForeign) && isReadable(fs, file, places.projectDir)
    );
  } catch {
    // A folder that cannot be read is not searched.
    return [];
  }
}

/** All files of the editor's memory here, whatever the setting. */
export function filesOfEditor({ env, fs, places }: Memory): MemoryFile[] {
  const config = configDir(env);
  if (config === undefined) return [];
  const { home, projectDir, repository } = places;
  return listMemoryFiles({
    configDir: config,
    home,
    projectDir,
    ...(repository === undefined ? {} : { repository }),
  }, fs);
}

/** A person's own file may be a link; a project's must not lead out of the project. */
function isReadable(fs: Fs, { path, scope }: MemoryFile, projectDir: string): boolean {
  const info = fs.lstat(path);
  if (info?.kind === "file") return true;
  if (info?.kind !== "link") return false;
  try {
    const target = fs.realPath(path);
    const isInside = scope === "user" || target.startsWith(`${fs.realPath(projectDir)}/`);
    return isInside && fs.lstat(target)?.kind === "file";
  } catch {
    return false;
  }
}

/** The file that says already what is to be saved, word for word or nearly so. */
export async function knownToEditor(
  memory: Memory,
  { title, content }: { readonly title: string; readonly content: string },
): Promise<{ readonly of: NoteRef; readonly similarity: number } | undefined> {
  const store = await refreshOutside(memory, BUILTIN);
  if (store === undefined) return undefined;
  const wanted = foldedWords(content);
  const isSentence = wanted.split(" ").length >= WORDS_MIN;
  for await (const { note } of isSentence ? readEachOutside(memory, BUILTIN) : []) {
    if (` ${foldedWords(note.body)} `.includes(` ${wanted} `)) {
      return { of: refOf(note), similarity: 1 };
    }
  }
  const embedder = memory.embedder();
  const { vector } = embedText(embedder, `${title}. ${content}`);
  if (vector === undefined) return undefined;
  const [best] = memory.index(store).similar(vector, {
    limit: COMPARED_MAX,
    calibrate: (cosine) => embedder.calibrate(cosine),
  });
  return best === undefined || best.emb < memory.config.get("retrieval.dedup_threshold")
    ? undefined
    : { of: refOf(best.note), similarity: best.emb };
}
