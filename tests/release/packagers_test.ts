/** What Homebrew and winget are told: the very hashes of the files that lie in the release. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { homebrewFormula } from "../../scripts/release/packagers.ts";
import { loadYaml } from "../../src/base/yaml/parse.ts";
import { madeRelease, VERSION } from "../support/release_server.ts";

const { folder } = await madeRelease();

async function hashOf(name: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(`${folder}/${name}`)).digest("hex");
}

Deno.test("SHA256SUMS and release.json name every archive with its hash", async () => {
  const archives = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name)
    .filter((name) => /\.(tar\.gz|zip)$/.test(name));
  const sums = await Deno.readTextFile(`${folder}/SHA256SUMS`);
  const lines = await Promise.all(archives.map(async (name) => `${await hashOf(name)}  ${name}`));
  assert.deepEqual(sums.trimEnd().split("\n").toSorted(), lines.toSorted());
  const { version, files } = JSON.parse(await Deno.readTextFile(`${folder}/release.json`));
  assert.equal(version, VERSION);
  for (const { name, sha256, size } of files) {
    assert.deepEqual([sha256, size], [
      await hashOf(name),
      (await Deno.stat(`${folder}/${name}`)).size,
    ]);
  }
  assert.equal(files.length, archives.length);
});

Deno.test("the formula has a place and a hash for each system that Homebrew knows", async () => {
  const formula = await Deno.readTextFile(`${folder}/homebrew/sage.rb`);
  for (const system of ["unknown-linux-gnu", "apple-darwin"]) {
    for (const machine of ["x86_64", "aarch64"]) {
      const name = `sage-${VERSION}-${machine}-${system}.tar.gz`;
      const part = `url "https://example.org/sage/${name}"\n      sha256 "${await hashOf(name)}"`;
      assert.ok(formula.includes(part), name);
    }
  }
  const opens = formula.match(/^\s*(class\b.*|on_\w+ do|def \w+|test do)$/gm) ?? [];
  assert.equal(opens.length, (formula.match(/^\s*end$/gm) ?? []).length);
  const partial = homebrewFormula({ version: "1.0.0", url: "u", homepage: "h", files: [] });
  assert.doesNotMatch(partial, /on_/);
});

Deno.test("the winget manifest is YAML that names the zip by its hash", async () => {
  const names = (await Array.fromAsync(Deno.readDir(`${folder}/winget`))).map(({ name }) => name)
    .toSorted();
  assert.deepEqual(names, [
    "Sage.Sage.installer.yaml",
    "Sage.Sage.locale.en-US.yaml",
    "Sage.Sage.yaml",
  ]);
  for (const name of names) {
    const manifest = await loadYaml(await Deno.readTextFile(`${folder}/winget/${name}`));
    const field = (key: string): unknown => (manifest as ReadonlyMap<string, unknown>).get(key);
    assert.deepEqual([field("PackageIdentifier"), field("PackageVersion")], ["Sage.Sage", VERSION]);
  }
  const installer = await Deno.readTextFile(`${folder}/winget/Sage.Sage.installer.yaml`);
  const zip = `sage-${VERSION}-x86_64-pc-windows-msvc.zip`;
  assert.ok(installer.includes(`InstallerUrl: https://example.org/sage/${zip}\n`));
  assert.ok(installer.includes(`InstallerSha256: ${(await hashOf(zip)).toUpperCase()}\n`));
});

Deno.test("the install scripts know where their release lies, and the sources' do not", async () => {
  for (const name of ["install.sh", "install.ps1"]) {
    const [made, source] = await Promise.all([
      Deno.readTextFile(`${folder}/${name}`),
      Deno.readTextFile(new URL(`../../${name}`, import.meta.url).pathname),
    ]);
    assert.ok(made.includes("'https://example.org/sage'"), name);
    assert.match(source, /^\$?release_url ?= ?''$/m);
  }
});
