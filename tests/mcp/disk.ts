/** The disk as tests look at it: small, synchronous, in one place. */

export function readText(path: string | URL): string {
  return Deno.readTextFileSync(path);
}

export function writeText(path: string | URL, text: string): void {
  Deno.writeTextFileSync(path, text);
}

export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Sorted names in a folder; none where there is no folder. */
export function names(folder: string): string[] {
  return exists(folder) ? [...Deno.readDirSync(folder)].map(({ name }) => name).sort() : [];
}

/** Paths below a folder whose names end so. */
export function filesEnding(folder: string, ending: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return filesEnding(path, ending);
    return name.endsWith(ending) ? [path] : [];
  });
}

export function makeFolder(path: string): void {
  Deno.mkdirSync(path, { recursive: true });
}

export function remove(path: string): void {
  Deno.removeSync(path, { recursive: true });
}
