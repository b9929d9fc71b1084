/** The files that a diff, or git's list of names, is about. Pure; what is no path matches none. */

/** Paths as git calls them: from a diff, `--name-only`, `--name-status`, with or without `-z`. */
export function changedPaths(text: string): Set<string> {
  const paths = new Set<string>();
  const isDiff = /^(?:diff --(?:git|cc|combined) |@@ )/m.test(text);
  for (const line of text.split(/\0|\r?\n/)) {
    if (line === "") continue;
    if (isDiff) { for (const path of pathsOfDiffLine(line)) paths.add(path); }
    else for (const path of pathsOfName(line)) paths.add(path);
  }
  paths.delete("/dev/null");
  return paths;
}

/** A path as a diff's header has it, without `a/` or `b/`; undefined for `/dev/null`. */
export function diffPath(typed: string): string | undefined {
  const path = unquotePath(typed.replace(/\t.*$/, ""));
  return path === "/dev/null" ? undefined : path.replace(/^[abciow]\//, "");
}

function pathsOfDiffLine(line: string): string[] {
  const header = /^(?:---|\+\+\+) (.+)$/.exec(line)?.[1];
  const path = header === undefined ? undefined : diffPath(header);
  if (path !== undefined) return [path];
  const renamed = /^(?:rename|copy) (?:from|to) (.+)$/.exec(line)?.[1];
  if (renamed !== undefined) return [unquotePath(renamed)];
  // Of a file that only changed its mode, or is binary, there is nothing but this.
  const both = /^diff --git a\/(.+) b\/(.+)$/.exec(line);
  return both?.[1] === undefined || both[1] !== both[2] ? [] : [both[1]];
}

/** `src/a.ts`, `M<tab>src/a.ts`, `R100<tab>old<tab>new`; with `-z` the status stands alone. */
function pathsOfName(line: string): string[] {
  if (/^[ACDMRTUX]\d*$/.test(line)) return [];
  const parts = line.split("\t");
  const names = parts.length > 1 && /^[ACDMRTUX]\d*$/.test(parts[0] ?? "") ? parts.slice(1) : parts;
  return names.map(unquotePath);
}

/** `"src/\303\244.ts"`: git quotes what is not plain ASCII, byte by byte. */
function unquotePath(text: string): string {
  if (!/^".*"$/.test(text)) return text;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (
    const [, octal, escaped, plain] of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gu)
  ) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(ESCAPES[escaped ?? ""] ?? escaped ?? plain ?? ""));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b" };
