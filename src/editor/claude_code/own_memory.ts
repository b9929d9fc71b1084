/**
 * Where Claude Code keeps its own memory and the instructions it loads: auto memory (`MEMORY.md` and a file
 * for each fact) and `CLAUDE.md`. Lists the files; callers read them.
 */
import { type Fs, listIfDir, readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { projectFolder } from "./projects.ts";

export interface MemoryFile {
  /** As it is called. */
  readonly path: string;
  /** Written by the model, or by a person. */
  readonly kind: "auto" | "instructions";
  readonly scope: "project" | "user";
  /** `MEMORY.md`, `CLAUDE.md`, `rules/style.md`. */
  readonly name: string;
}

export interface MemoryPlaces {
  readonly configDir: string;
  readonly home: string;
  readonly projectDir: string;
  /** Auto memory belongs to the repository, wherever in it a session began. */
  readonly repository?: string;
}

/** More files than this are not a memory. */
const FILES_MAX = 200;
const SETTINGS_BYTES_MAX = 1024 * 1024;

export function listMemoryFiles(places: MemoryPlaces, fs: Fs): MemoryFile[] {
  const { configDir, projectDir } = places;
  const project = [
    ...named(fs, projectDir, "CLAUDE.md", "project"),
    ...named(fs, projectDir, "CLAUDE.local.md", "project"),
    ...named(fs, projectDir, ".claude/CLAUDE.md", "project"),
    ...rules(fs, join(projectDir, ".claude"), "project"),
  ];
  // The client loads this one only if there is no other.
  if (!project.some(({ name }) => name.endsWith("CLAUDE.md"))) {
    project.push(...named(fs, projectDir, "AGENTS.md", "project"));
  }
  return [
    ...autoMemory(places, fs),
    ...named(fs, configDir, "CLAUDE.md", "user"),
    ...rules(fs, configDir, "user"),
    ...project,
  ].slice(0, FILES_MAX);
}

function autoMemory(places: MemoryPlaces, fs: Fs): MemoryFile[] {
  const { configDir, projectDir, repository = projectDir } = places;
  const folder = chosenFolder(places, fs) ?? join(projectFolder(repository, configDir), "memory");
  return markdownIn(fs, folder).map((name) => (
    { path: join(folder, name), kind: "auto", scope: "user", name }
  ));
}

/** A person may keep it elsewhere (`autoMemoryDirectory`). */
function chosenFolder({ configDir, home }: MemoryPlaces, fs: Fs): string | undefined {
  const path = join(configDir, "settings.json");
  try {
    const info = fs.lstat(path);
    if (info === undefined || info.size > SETTINGS_BYTES_MAX) return undefined;
    // One key of a file that is often there: no reason for every search to load a parser.
    const [, text] = /"autoMemoryDirectory"\s*:\s*("(?:\\.|[^"\\\n])*")/.exec(textOf(fs, path)) ??
      [];
    const folder: unknown = text === undefined ? undefined : JSON.parse(text);
    if (typeof folder !== "string" || folder === "") return undefined;
    if (folder.startsWith("~/")) return join(home, folder.slice(2));
    return /^(\/|[A-Za-z]:[\\/])/.test(folder) ? folder : undefined;
  } catch {
    // Broken settings: use the default.
    return undefined;
  }
}

function textOf(fs: Fs, path: string): string {
  return decode(readBytes(fs, fs.realPath(path), SETTINGS_BYTES_MAX));
}

function named(fs: Fs, folder: string, name: string, scope: "project" | "user"): MemoryFile[] {
  const path = join(folder, name);
  return fs.lstat(path) === undefined ? [] : [{ path, kind: "instructions", scope, name }];
}

function rules(fs: Fs, folder: string, scope: "project" | "user"): MemoryFile[] {
  return markdownIn(fs, join(folder, "rules")).map((name) => (
    { path: join(folder, "rules", name), kind: "instructions", scope, name: `rules/${name}` }
  ));
}

function markdownIn(fs: Fs, folder: string): string[] {
  return listIfDir(fs, folder).filter(({ name, kind }) => kind !== "dir" && name.endsWith(".md"))
    .map(({ name }) => name).sort();
}
