/**
 * Writes the npm packages of a release to a folder: `sage-memory`, a small JavaScript launcher, and for each
 * platform a package with the program, of which npm installs the one that fits. Publishes nothing.
 */
import { type Built, programName, type Target } from "./targets.ts";

const root = new URL("../../", import.meta.url).pathname;

export function npmName({ os, cpu }: Target): string {
  return `sage-memory-${os}-${cpu}`;
}

/** Writes `<folder>/<package>/` for each package and returns the names, `sage-memory` last. */
export async function writeNpm(
  folder: string,
  version: string,
  homepage: string,
  built: readonly Built[],
): Promise<string[]> {
  const shared = { version, license: "MIT", homepage };
  for (const { target, files } of built) {
    const place = `${folder}/${npmName(target)}`;
    await Deno.mkdir(`${place}/bin`, { recursive: true });
    await writeJson(`${place}/package.json`, {
      name: npmName(target),
      ...shared,
      description: `The program of sage-memory for ${target.os} on ${target.cpu}`,
      os: [target.os],
      cpu: [target.cpu],
      ...(target.os === "linux" ? { libc: ["glibc"] } : {}),
      files: ["bin"],
      preferUnplugged: true,
    });
    for (const [name, bytes] of files) {
      if (name.startsWith("share/")) continue;
      const mode = name === programName(target) ? 0o755 : 0o644;
      await Deno.writeFile(`${place}/bin/${name}`, bytes, { mode });
    }
  }
  const place = `${folder}/sage-memory`;
  await Deno.mkdir(`${place}/bin`, { recursive: true });
  for (const name of ["bin/sage.mjs", "README.md"]) {
    await Deno.copyFile(`${root}npm/${name}`, `${place}/${name}`);
  }
  await Deno.chmod(`${place}/bin/sage.mjs`, 0o755);
  const about = JSON.parse(await Deno.readTextFile(`${root}npm/package.json`));
  await writeJson(`${place}/package.json`, {
    ...about,
    ...shared,
    optionalDependencies: Object.fromEntries(
      built.map(({ target }) => [npmName(target), version]),
    ),
  });
  return [...built.map(({ target }) => npmName(target)), "sage-memory"];
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, JSON.stringify(value, null, 2) + "\n");
}
