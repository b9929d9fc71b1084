/**
 * install.ps1 by a real PowerShell, against a server on this machine: it installs what was published, or
 * nothing. What only Windows has is put in its place: the registry is a variable, and a program has to be
 * told that it may run.
 */
import assert from "node:assert/strict";
import { isOnThisMachine } from "../support/on_this_machine.ts";
import { madeRelease, openReleases, VERSION } from "../support/release_server.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

const isHere = isOnThisMachine("pwsh") && Deno.build.os !== "windows";
const release = isHere ? await madeRelease() : { folder: "", publicKey: "" };

const STAGE = `param([string]$Script, [string]$Dir, [string]$Path)
$ErrorActionPreference = 'Stop'
$registry = @{ Path = $Path }
function Get-Item($Name) {
  $item = New-Object psobject
  $item | Add-Member ScriptMethod GetValue { param($Key, $Default, $Options) $registry[$Key] }
  $item
}
function New-ItemProperty($Place, $Key, $Value, $PropertyType, [switch]$Force) { $registry[$Key] = $Value }
$env:PROCESSOR_ARCHITECTURE = 'AMD64'
$env:LOCALAPPDATA = "$env:HOME/local"
$text = Get-Content -Raw $Script
foreach ($pair in
  @("[Environment]::OSVersion.Platform -eq 'Win32NT'", '$true'),
  @('& $program --version', 'chmod +x $program; & $program --version')) {
  if (-not $text.Contains($pair[0])) { throw "nothing to put in the place of $($pair[0])" }
  $text = $text.Replace($pair[0], $pair[1])
}
try { & ([scriptblock]::Create($text)) -Dir $Dir } catch { "THREW $($_.Exception.Message)" }
"PATH $($registry.Path)"
`;

interface Options {
  readonly url: string;
  readonly home: string;
  readonly dir?: string;
  readonly temp?: string;
  readonly path?: string;
}

/** What it said, line by line; the PATH that there is then is the last. */
async function install(options: Options): Promise<readonly string[]> {
  const { url, home, dir = "", temp = `${home}/temp`, path = "C:\\Windows;%HOME%\\bin" } = options;
  await Deno.mkdir(temp, { recursive: true });
  await Deno.writeTextFile(`${temp}/stage.ps1`, STAGE);
  const args = ["-NoProfile", "-NonInteractive", "-File", `${temp}/stage.ps1`];
  const { stdout, stderr } = await run("pwsh", {
    args: [...args, `${release.folder}/install.ps1`, dir, path],
    env: { HOME: home, TMPDIR: temp, SAGE_RELEASE_URL: url },
    cwd: home,
  });
  assert.equal(stderr, "");
  const left = (await Array.fromAsync(Deno.readDir(temp))).map(({ name }) => name);
  assert.deepEqual(
    left.filter((name) => name.startsWith("sage-")),
    [],
    "what it worked with is gone",
  );
  return stdout.trimEnd().split(/\r?\n/);
}

function test(name: string, fn: () => Promise<void>): void {
  const why = isHere ? "" : ": pwsh is not on this machine";
  Deno.test({ name: name + why, ignore: !isHere, fn });
}

test("install.ps1 installs what was published, once and again", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const place = `${home}/local/Programs/sage`;
  for (const path of ["", "C:\\Windows;%HOME%\\bin"]) {
    const said = await install({ url: server.url, home, path });
    assert.deepEqual(said.slice(0, 2), [
      `Fetching sage-${VERSION}-x86_64-pc-windows-msvc.zip`,
      `Installed sage ${VERSION}: ${place}/sage.exe`,
    ]);
    assert.equal(said.at(-1), `PATH ${path === "" ? "" : path + ";"}${place}`);
    assert.deepEqual(filesIn(place), ["sage-0123abcd.assets", "sage.exe"]);
  }
  const known = await install({ url: server.url, home, path: `C:\\Windows;${place}` });
  assert.equal(known.at(-1), `PATH C:\\Windows;${place}`);
  assert.doesNotMatch(known.join("\n"), /added/);
});

test("install.ps1 takes the name of a folder as it is written", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const dir = `${home}/a [b] c'd`;
  for (let i = 0; i < 2; i++) {
    const said = await install({ url: server.url, home, dir, temp: `${home}/t [x]` });
    assert.match(said.join("\n"), /^Installed sage/m);
    assert.deepEqual(filesIn(dir), ["sage-0123abcd.assets", "sage.exe"]);
  }
  assert.equal(
    (await install({ url: server.url, home, dir: "tools" })).at(-1)?.split(";").at(-1),
    `${home}/tools`,
  );
});

test("install.ps1 replaces what an older version left, and mends torn data", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const dir = `${home}/tools`;
  await Deno.mkdir(`${dir}/.sage-update`, { recursive: true });
  await Deno.writeTextFile(`${dir}/.sage-update/that-ran.old`, "old");
  const older = ["sage.exe", "sage.exe.old", "sage.previous.exe", "sage-99999999.assets"];
  for (const name of [...older, "sage-0123abcd.assets", "sage-mine.assets"]) {
    await Deno.writeTextFile(`${dir}/${name}`, "torn");
  }
  assert.match((await install({ url: server.url, home, dir })).join("\n"), /^Installed sage/m);
  assert.deepEqual(filesIn(dir), ["sage-0123abcd.assets", "sage-mine.assets", "sage.exe"]);
  assert.ok((await Deno.stat(`${dir}/sage-0123abcd.assets`)).size > 4);
});

test("install.ps1 never replaces another program of this name", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const math = "#!/bin/sh\necho SageMath version 10.8\n";
  await Deno.writeTextFile(`${home}/sage.exe`, math, { mode: 0o755 });
  const said = await install({ url: server.url, home, dir: home });
  assert.match(
    said.join("\n"),
    /^THREW sage: .*sage\.exe is another program\n.*-Dir <folder>\nPATH /m,
  );
  assert.equal(await Deno.readTextFile(`${home}/sage.exe`), math);
});

test("install.ps1 installs nothing where anything is not as it was published", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const sums = await Deno.readTextFile(`${release.folder}/SHA256SUMS`);
  const refused = async (why: RegExp, url = server.url) => {
    const said = await install({ url, home });
    assert.match(said.join("\n"), why);
    assert.equal(said.at(-1), "PATH C:\\Windows;%HOME%\\bin");
    assert.deepEqual(filesIn(home).filter((name) => name.startsWith("local")), []);
  };
  server.misbehave({ instead: { ".zip": "another" } });
  await refused(/THREW sage: .* is not what was published: SHA-256 /);
  server.misbehave({ missing: [".zip"] });
  await refused(/THREW sage: Cannot fetch .*\.zip: .*404/);
  server.misbehave({ cutsAt: 1000, alwaysCuts: true });
  await refused(/THREW sage: /);
  server.misbehave({ instead: { SHA256SUMS: sums.replaceAll("windows", "plan9") } });
  await refused(/THREW sage: Nothing is published for x86_64-pc-windows-msvc/);
  server.misbehave({ instead: { SHA256SUMS: sums + sums } });
  await refused(/THREW sage: Nothing is published/);
  await refused(/THREW sage: Only https is trusted/, "http://127.0.0.1.example.org");
  await refused(/THREW sage: Cannot fetch/, "http://127.0.0.1:9");
});

test("install.ps1 leaves a folder that it cannot write as it is", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  await Deno.writeTextFile(`${home}/file`, "mine");
  const said = await install({ url: server.url, home, dir: `${home}/file` });
  assert.match(said.join("\n"), /^THREW sage: Cannot write .*\n.*-Dir <folder>/m);
  assert.equal(await Deno.readTextFile(`${home}/file`), "mine");
});
