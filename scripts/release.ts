/**
 * Makes a release of the programs in dist/: archives, SHA256SUMS, a signed list of them, the install
 * scripts, the Homebrew and winget manifests, and the npm packages. Writes dist/release; publishes nothing.
 *
 *   deno run -A scripts/release.ts [--partial] [--unsigned] [--url <https address>] [--homepage <address>]
 *   deno run -A scripts/release.ts --keys      prints a new pair of keys; it is not stored
 *
 * SAGE_SIGNING_KEY is the private key. docs/RELEASING.md describes the whole process.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import config from "../deno.json" with { type: "json" };
import { sha256Hex } from "../src/base/hash.ts";
import { RELEASE_URL } from "../src/base/release_origin.ts";
import { completionScript } from "../src/cli/completions.ts";
import { tarGz, zip } from "./release/archive.ts";
import { writeNpm } from "./release/npm.ts";
import { homebrewFormula, wingetManifest } from "./release/packagers.ts";
import { newKeys, sign } from "./release/sign.ts";
import {
  type Built,
  programName,
  type Published,
  type Target,
  TARGETS,
} from "./release/targets.ts";

const root = new URL("../", import.meta.url).pathname;

export interface ReleaseOptions {
  readonly version: string;
  /** The address that its files will be published under. */
  readonly url: string;
  readonly homepage: string;
  /** Without it the list is unsigned, and `sage` will not update to this release. */
  readonly signingKey: string | undefined;
}

/** Writes the release into an empty folder. */
export async function makeRelease(
  folder: string,
  built: readonly Built[],
  options: ReleaseOptions,
): Promise<readonly Published[]> {
  const { version, url, homepage, signingKey } = options;
  const put = async (name: string, content: string | Uint8Array): Promise<void> => {
    const path = `${folder}/${name}`;
    await Deno.mkdir(path.replace(/\/[^/]*$/, ""), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(path, content);
    else await Deno.writeFile(path, content);
  };
  const files: Published[] = [];
  for (const { target, files: parts } of built) {
    const forms: Record<string, typeof tarGz> = target.os === "win32"
      ? { "tar.gz": tarGz, zip }
      : { "tar.gz": tarGz };
    for (const [ending, pack] of Object.entries(forms)) {
      const name = `sage-${version}-${target.triple}.${ending}`;
      const bytes = pack(parts);
      const sha256 = sha256Hex(bytes);
      await put(name, bytes);
      files.push({ name, target: target.triple, size: bytes.length, sha256 });
    }
  }
  await put("SHA256SUMS", files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(""));
  const list = new TextEncoder().encode(JSON.stringify({ version, files }, null, 1) + "\n");
  await put("release.json", list);
  if (signingKey !== undefined) await put("release.json.sig", await sign(list, signingKey));
  for (const name of ["install.sh", "install.ps1"]) await put(name, await installScript(name, url));
  const release = { version, url, homepage, files };
  await put("homebrew/sage.rb", homebrewFormula(release));
  for (const [name, text] of wingetManifest(release)) await put(`winget/${name}`, text);
  await writeNpm(`${folder}/npm`, version, homepage, built);
  return files;
}

/** An install script with the release's address filled in. */
async function installScript(name: string, url: string): Promise<string> {
  const text = await Deno.readTextFile(root + name);
  const made = text.replace(
    /^(\$?release_url ?= ?)(['"])\2/m,
    (_, head, mark) => head + mark + url + mark,
  );
  if (made === text) throw new Error(`${name} has no line release_url = "" for the address`);
  return made;
}

/** The build for a platform, with the manual page and completions; undefined if there is none. */
async function builtFor(target: Target): Promise<Built | undefined> {
  const own = target.triple === Deno.build.target
    ? `${root}dist/`
    : `${root}dist/${target.triple}/`;
  const program = await Deno.readFile(own + programName(target)).catch(() => undefined);
  if (program === undefined) return undefined;
  const files = new Map([[programName(target), program]]);
  for await (const { name } of Deno.readDir(own)) {
    if (/^sage-[0-9a-f]{8}\.assets$/.test(name)) files.set(name, await Deno.readFile(own + name));
  }
  for (const [name, bytes] of await pages()) files.set(name, bytes);
  return { target, files };
}

/** The manual page and shell completions, under the names that src/memory/release/placed.ts expects. */
export async function pages(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  const script = async (shell: "bash" | "zsh" | "fish"): Promise<Uint8Array<ArrayBuffer>> =>
    new TextEncoder().encode((await completionScript(shell)).join("\n") + "\n");
  return new Map([
    ["share/man/man1/sage.1", await Deno.readFile(`${root}man/sage.1`)],
    ["share/bash-completion/completions/sage", await script("bash")],
    ["share/fish/vendor_completions.d/sage.fish", await script("fish")],
    ["share/zsh/site-functions/_sage", await script("zsh")],
  ]);
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--keys")) {
    const { privateKey, publicKey } = await newKeys();
    console.log(`SAGE_SIGNING_KEY=${privateKey}\npublic key: ${publicKey}`);
    return 0;
  }
  const option = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1];
  };
  const url = option("url") ?? RELEASE_URL;
  const signingKey = Deno.env.get("SAGE_SIGNING_KEY") || undefined;
  const found = await Promise.all(TARGETS.map(builtFor));
  const built = found.filter((one) => one !== undefined);
  const missing = TARGETS.filter((_, i) => found[i] === undefined).map(({ triple }) => triple);
  const problem = !/^https:\/\/[^/]+/.test(url)
    ? "where will it be? set RELEASE_URL in src/base/release_origin.ts, or --url https://…"
    : built.length === 0 || (missing.length > 0 && !args.includes("--partial"))
    ? `not built: ${missing.join(", ")}; deno task build --target <one>, or --partial`
    : signingKey === undefined && !args.includes("--unsigned")
    ? "SAGE_SIGNING_KEY is not set: nobody could update to this; --unsigned makes it all the same"
    : undefined;
  if (problem !== undefined) {
    console.error(problem);
    return 1;
  }
  const folder = `${root}dist/release`;
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const homepage = option("homepage") ?? new URL(url).origin;
  const options = { version: config.version, url, homepage, signingKey };
  for (const { name, size } of await makeRelease(folder, built, options)) {
    console.log(`${name} (${(size / 1e6).toFixed(1)} MB)`);
  }
  console.log(`release of ${options.version} in dist/release${signingKey ? "" : ", unsigned"}`);
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
