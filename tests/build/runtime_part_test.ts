/** What `deno compile` has put into a runtime of each format comes out again, with the real compiler. */
import assert from "node:assert/strict";
import { runtimePart } from "../../scripts/build/runtime_part.ts";
import { tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

/** The least that each format's writer takes for a runtime: no code, and the fields it changes. */
const RUNTIMES: Readonly<Record<string, Uint8Array>> = {
  "x86_64-unknown-linux-gnu": elf(),
  "x86_64-pc-windows-msvc": portableExecutable(),
  "x86_64-apple-darwin": machO(0x01000007),
  "aarch64-apple-darwin": machO(0x0100000c),
};

for (const [target, runtime] of Object.entries(RUNTIMES)) {
  Deno.test(`runtimePart() gives the runtime back when compiled for ${target}`, async () => {
    const compiled = await compileOn(runtime, target);
    assert.ok(compiled.length > runtime.length + 100, "a program is in it");
    assert.deepEqual(runtimePart(compiled), runtime);
  });
}

Deno.test("runtimePart() throws when no program is in a file", () => {
  assert.throws(() => runtimePart(portableExecutable()), /No program in this PE file/);
  assert.throws(() => runtimePart(machO(0x01000007)), /No program in this Mach-O file/);
  assert.throws(() => runtimePart(new TextEncoder().encode("#!/bin/sh")), /Neither/);
});

async function compileOn(runtime: Uint8Array, target: string): Promise<Uint8Array> {
  const folder = tempDir();
  try {
    await Deno.writeFile(folder + "/denort", runtime);
    await Deno.writeTextFile(folder + "/empty.js", "");
    const { code, stderr } = await run(Deno.execPath(), {
      args: ["compile", "-q", "--no-config", "--target", target, "-o", "made.exe", "empty.js"],
      cwd: folder,
      env: { DENORT_BIN: folder + "/denort" },
    });
    assert.equal(code, 0, stderr);
    return await Deno.readFile(folder + "/made.exe");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function elf(): Uint8Array {
  const [bytes, view] = file(0x100);
  view.setUint32(0, 0x7f454c46);
  view.setBigUint64(0x28, 0xc0n, true);
  view.setUint16(0x3a, 0x40, true);
  view.setUint16(0x3c, 1, true);
  return bytes;
}

function portableExecutable(): Uint8Array {
  const [bytes, view] = file(0x600);
  const [header, optional] = [0x40, 0x58];
  view.setUint16(0, 0x4d5a);
  view.setUint32(0x3c, header, true);
  view.setUint32(header, 0x50450000);
  view.setUint16(header + 4, 0x8664, true);
  view.setUint16(header + 6, 1, true);
  view.setUint16(header + 20, 240, true);
  view.setUint16(optional, 0x20b, true);
  view.setUint32(optional + 32, 0x1000, true);
  view.setUint32(optional + 36, 0x200, true);
  view.setUint32(optional + 56, 0x2000, true);
  view.setUint32(optional + 60, 0x400, true);
  view.setUint32(optional + 108, 16, true);
  const section = optional + 240;
  bytes.set(new TextEncoder().encode(".text"), section);
  [0x200, 0x1000, 0x200, 0x400].forEach((n, i) => view.setUint32(section + 8 + 4 * i, n, true));
  return bytes.fill(0x90, 0x400);
}

/** Two segments, a table of names at the end of the last and, for arm64, the place of a signature. */
function machO(cpu: number): Uint8Array {
  const [bytes, view] = file(0x4110);
  const isSigned = cpu === 0x0100000c;
  let at = 32;
  const command = (kind: number, size: number): number => {
    view.setUint32(at, kind, true);
    view.setUint32(at + 4, size, true);
    at += size;
    return at - size;
  };
  const segment = (name: string, address: bigint, from: bigint, size: bigint): void => {
    const start = command(0x19, 72);
    bytes.set(new TextEncoder().encode(name), start + 8);
    [address, size, from, size].forEach((n, i) => view.setBigUint64(start + 24 + 8 * i, n, true));
  };
  segment("__TEXT", 0x1_0000_0000n, 0n, 0x4000n);
  segment("__LINKEDIT", 0x1_0000_4000n, 0x4000n, 0x110n);
  const symbols = command(0x02, 24);
  [0x4000, 2, 0x4020, 0xf0].forEach((n, i) => view.setUint32(symbols + 8 + 4 * i, n, true));
  if (isSigned) view.setUint32(command(0x1d, 16) + 8, 0x4110, true);
  view.setUint32(0, 0xcffaedfe);
  view.setUint32(4, cpu, true);
  view.setUint32(16, isSigned ? 4 : 3, true);
  view.setUint32(20, at - 32, true);
  return bytes.fill(0x5a, 0x4000);
}

function file(length: number): [Uint8Array, DataView] {
  const bytes = new Uint8Array(length);
  return [bytes, new DataView(bytes.buffer)];
}
