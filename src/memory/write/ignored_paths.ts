/**
 * Removes what concerns paths that `.sageignore` excludes: uses of tools on such a path, and sentences
 * that name one. Loaded only where there is such a file.
 */
import { isAbsolute, resolveFrom, slashed } from "../../base/path.ts";
import { pattern } from "../../base/text/pattern.ts";
import { mapBlocks, splitSentences } from "../../base/text/text.ts";
import type { ToolUse, Turn } from "../../editor/editor.ts";
import { realRoot } from "../../store/handle.ts";
import type { Ignores } from "../../store/ignore.ts";
import type { Memory } from "../memory.ts";

/** Both return their input without what names an excluded path. */
interface WithoutIgnored {
  text(text: string): string;
  turn(turn: Turn): Turn;
}

/** What may be a path: a word with a slash in it, or a name with an extension. */
const WORD = Deno.build.os === "windows"
  ? String.raw`(?:\b[A-Za-z]:[\\/])?[\p{L}\p{M}\p{N}_.@+~/\\-]+`
  : String.raw`[\p{L}\p{M}\p{N}_.@+~/-]+`;
/** Longer words are data. */
const PATH_CHARACTERS_MAX = 1024;

export function withoutIgnored({ fs, places }: Memory, ignores: Ignores): WithoutIgnored {
  const known = new Map<string, boolean>();

  return {
    text: withoutNaming,
    turn(turn) {
      const tools = turn.tools.filter((tool) => !isAbout(tool)).map(withoutLines);
      return { ...turn, text: withoutNaming(turn.text), tools };
    },
  };

  /** Blocks that name no such path stay as they are. */
  function withoutNaming(text: string): string {
    if (!names(text)) return text;
    return mapBlocks(
      text,
      (block) =>
        names(block) ? splitSentences(block).filter((one) => !names(one)).join(" ") : block,
    );
  }

  function isAbout({ result: _, ...tool }: ToolUse): boolean {
    return stringsOf(tool).some(names);
  }

  /** Removes only the lines of a tool's output that name one: a listing has others as well. */
  function withoutLines(tool: ToolUse): ToolUse {
    const { result } = tool;
    if (result === undefined || !names(result)) return tool;
    return { ...tool, result: result.split("\n").filter((line) => !names(line)).join("\n") };
  }

  function names(text: string): boolean {
    for (const [word] of text.matchAll(pattern(WORD, "gu"))) {
      if (word.length <= PATH_CHARACTERS_MAX && /[/.\\]/.test(word) && isIgnored(slashed(word))) {
        return true;
      }
    }
    return false;
  }

  function isIgnored(named: string): boolean {
    let answer = known.get(named);
    if (answer === undefined) {
      answer = placesOf(named.replace(/\.+$/, "")).some((path) =>
        ignores.isIgnored(path, named.endsWith("/"))
      );
      known.set(named, answer);
    }
    return answer;
  }

  /** Where the path may lead: from the project's folder, and from the session's. */
  function placesOf(named: string): string[] {
    if (named === "" || named.startsWith("//")) return [];
    if (named.startsWith("~/")) return withTarget(resolveFrom(places.home, named.slice(2)));
    if (isAbsolute(named)) return withTarget(resolveFrom("/", named)).flatMap(inProject);
    return [...new Set([places.projectDir, places.here])].map((dir) => resolveFrom(dir, named));
  }

  /** The file of a worktree is the project's, whose list counts there. */
  function inProject(path: string): string[] {
    const { checkoutDir, projectDir } = places;
    const isOfWorktree = checkoutDir !== projectDir && path.startsWith(`${checkoutDir}/`);
    return isOfWorktree ? [path, projectDir + path.slice(checkoutDir.length)] : [path];
  }

  function withTarget(path: string): string[] {
    try {
      return [path, realRoot(fs, path)];
    } catch {
      return [path];
    }
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}
