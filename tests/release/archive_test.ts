/** Archives of a release, as the tools of each system open them. */
import assert from "node:assert/strict";
import { tarGz, zip } from "../../scripts/release/archive.ts";
import { untar } from "../../src/base/tar.ts";
import { isOnThisMachine } from "../support/on_this_machine.ts";
import { tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

const FILES = new Map<string, Uint8Array<ArrayBuffer>>([
  ["sage", crypto.getRandomValues(new Uint8Array(60_000))],
  ["share/man/man1/sage.1", new TextEncoder().encode(".TH SAGE 1\n")],
  ["empty", new Uint8Array()],
  ["block", new Uint8Array(512).fill(7)],
]);

async function program(name: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(name, { args: [...args] });
  assert.equal(code, 0, stderr);
  return stdout;
}

Deno.test("tarGz() makes what tar unpacks, byte for byte, the program with the right to run", async () => {
  const folder = tempDir();
  await Deno.writeFile(`${folder}/a.tar.gz`, tarGz(FILES));
  await program("tar", ["-xzf", `${folder}/a.tar.gz`, "-C", folder]);
  for (const [name, bytes] of FILES) {
    assert.deepEqual(await Deno.readFile(`${folder}/${name}`), bytes);
  }
  assert.equal(((await Deno.stat(`${folder}/sage`)).mode ?? 0) & 0o777, 0o755);
  assert.equal(((await Deno.stat(`${folder}/block`)).mode ?? 0) & 0o777, 0o644);
  assert.deepEqual(tarGz(FILES), tarGz(new Map(FILES)), "the same bytes for the same files");
});

Deno.test("untar() reads what tarGz() makes, whatever pieces it comes in", async () => {
  const plain = new Uint8Array(
    await new Response(
      new Blob([tarGz(FILES)]).stream().pipeThrough(new DecompressionStream("gzip")),
    ).arrayBuffer(),
  );
  for (const size of [1, 511, 512, 513, 100_000]) {
    const found = await unpacked(plain, size);
    assert.deepEqual(found, new Map([...FILES].map(([name, bytes]) => [name, [...bytes]])));
  }
  for (const at of [100, 512, 700, 60_000]) {
    await assert.rejects(unpacked(plain.subarray(0, at), 100), /too early/);
  }
  const wrong = plain.map((byte, i) => i === 0 ? byte ^ 1 : byte);
  await assert.rejects(unpacked(wrong, 512), /not one that Sage can read/);
});

async function unpacked(bytes: Uint8Array, size: number): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield await bytes.subarray(at, at + size);
  }
  await untar(pieces(), (name) => {
    const taken: number[] = [];
    found.set(name, taken);
    return { write: (part) => part.forEach((byte) => taken.push(byte)), close: () => {} };
  });
  return found;
}

const READ_ZIP = `import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps({name: list(archive.read(name)) for name in archive.namelist()}))`;

const hasPython = isOnThisMachine("python3");

Deno.test({
  name: `zip() makes what another reader takes${
    hasPython ? "" : ": python3 is not on this machine"
  }`,
  ignore: !hasPython,
  async fn() {
    const path = `${tempDir()}/a.zip`;
    await Deno.writeFile(path, zip(FILES));
    assert.deepEqual(
      JSON.parse(await program("python3", ["-c", READ_ZIP, path])),
      Object.fromEntries([...FILES].map(([name, bytes]) => [name, [...bytes]])),
    );
  },
});
