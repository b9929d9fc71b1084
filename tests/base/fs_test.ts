/** The one door to the disk, on the real disk. */
import assert from "node:assert/strict";
import { systemErrorCode, unnamedError } from "../../src/base/errors.ts";
import { freeBytes, readBytes, readIfFile, realFs } from "../../src/base/fs.ts";
import { join } from "../../src/base/path.ts";
import { decode, decodeExact, encode } from "../../src/base/utf8.ts";
import { depth } from "../support/depth.ts";
import { tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

const fs = realFs;
const isPosix = Deno.build.os !== "windows";

function codeOf(body: () => unknown): string | undefined {
  try {
    body();
  } catch (error) {
    return systemErrorCode(error);
  }
  return undefined;
}

Deno.test("readBytes() reads a file, or its first part", () => {
  const path = `${tempDir()}/x`;
  Deno.writeTextFileSync(path, "0123456789");
  assert.equal(decode(readBytes(fs, path, 100)), "0123456789");
  assert.equal(decode(readBytes(fs, path, 4)), "0123");
});

Deno.test("a file that grew or shrank after lstat() is read as it is when it is opened", () => {
  const path = `${tempDir()}/x`;
  for (const now of ["0", "0123", "0123".repeat(100)]) {
    for (const bytesMax of [2, 100, 1000]) {
      const changing = {
        ...fs,
        open(...args: Parameters<typeof fs.open>) {
          Deno.writeTextFileSync(path, now);
          return fs.open(...args);
        },
      };
      Deno.writeTextFileSync(path, "old");
      const read = readIfFile(changing, path, bytesMax);
      assert.equal(decode(read ?? new Uint8Array()), now.slice(0, bytesMax));
    }
  }
});

Deno.test("lstat() gives undefined for what is not there, and does not follow links", () => {
  const dir = tempDir();
  Deno.writeTextFileSync(`${dir}/file`, "x");
  assert.equal(fs.lstat(`${dir}/none`), undefined);
  assert.equal(fs.lstat(`${dir}/file/below`), undefined);
  assert.equal(fs.lstat(`${dir}/${"a longer name than any system takes ".repeat(9)}`), undefined);
  assert.equal(fs.lstat(`${dir}/file`)?.kind, "file");
  if (isPosix) Deno.symlinkSync(`${dir}/file`, `${dir}/link`);
  if (isPosix) assert.equal(fs.lstat(`${dir}/link`)?.kind, "link");
});

Deno.test("makeDir() makes parents, and takes what is there", () => {
  const path = `${tempDir()}/a/b/c`;
  fs.makeDir(path, 0o700);
  fs.makeDir(path, 0o700);
  assert.equal(fs.lstat(path)?.kind, "dir");
  if (isPosix) assert.equal((fs.lstat(`${path}/..`)?.mode ?? 0) & 0o777, 0o700);
});

Deno.test("makeDir() names the link in the way that leads nowhere", { ignore: !isPosix }, () => {
  const dir = tempDir();
  Deno.symlinkSync(`${dir}/away`, `${dir}/link`);
  const lost = { message: `Cannot use "${dir}/link": it is a link to nowhere` };
  for (const path of ["link", "link/a/b"]) {
    assert.throws(() => fs.makeDir(`${dir}/${path}`, 0o700), lost);
  }
  Deno.mkdirSync(`${dir}/away`);
  fs.makeDir(`${dir}/link/a/b`, 0o700);
  assert.equal(fs.lstat(`${dir}/away/a/b`)?.kind, "dir");
});

Deno.test({
  name: "what root makes in somebody's folder is theirs, but for what a link leads to",
  ignore: Deno.uid() !== 0,
  fn() {
    const [home, roots] = [tempDir(), tempDir()];
    Deno.chownSync(home, 4321, 4322);
    const owner = (path: string) => [Deno.lstatSync(path).uid, Deno.lstatSync(path).gid];
    const append = (path: string) => fs.open(path, { append: true, create: true }).close();

    fs.makeDir(`${home}/a/b`, 0o700);
    fs.open(`${home}/a/b/new`, { write: true, createNew: true, mode: 0o600 }).close();
    append(`${home}/log`);
    for (const name of ["a", "a/b", "a/b/new", "log"]) {
      assert.deepEqual(owner(`${home}/${name}`), [4321, 4322], name);
    }

    append(`${roots}/file`);
    assert.deepEqual(owner(`${roots}/file`), [0, 0]);
    Deno.symlinkSync(`${roots}/file`, `${home}/link`);
    append(`${home}/link`);
    Deno.linkSync(`${roots}/file`, `${home}/second`);
    append(`${home}/second`);
    assert.deepEqual(owner(`${roots}/file`), [0, 0]);
  },
});

Deno.test("an open file that fails says where it is", { ignore: !isPosix }, () => {
  const folder = tempDir();
  assert.throws(() => readBytes(fs, folder, 1), (error) => {
    assert.equal(
      unnamedError(error).message,
      `Cannot use "${folder}": a folder is in the way (EISDIR)`,
    );
    return true;
  });
});

Deno.test("link() and createNew refuse a taken name", () => {
  const dir = tempDir();
  for (const name of ["a", "b"]) Deno.writeTextFileSync(`${dir}/${name}`, name);
  assert.equal(codeOf(() => fs.link(`${dir}/a`, `${dir}/b`)), "EEXIST");
  assert.equal(codeOf(() => fs.open(`${dir}/a`, { write: true, createNew: true })), "EEXIST");
});

Deno.test({
  name: "open() without following refuses links and does not wait for FIFOs",
  ignore: !isPosix,
  fn() {
    const dir = tempDir();
    Deno.writeTextFileSync(`${dir}/file`, "text");
    Deno.symlinkSync("file", `${dir}/link`);
    new Deno.Command("mkfifo", { args: [`${dir}/fifo`] }).outputSync();
    assert.equal(codeOf(() => fs.open(`${dir}/link`, { read: true, noFollow: true })), "ELOOP");
    const fifo = fs.open(`${dir}/fifo`, { read: true, noFollow: true });
    assert.equal(fifo.info().kind, "other");
    fifo.close();
    const file = fs.open(`${dir}/file`, { read: true, noFollow: true });
    file.seek(1);
    const bytes = new Uint8Array(10);
    assert.equal(decode(bytes.subarray(0, file.read(bytes))), "ext");
    assert.equal(file.read(bytes), 0);
    file.close();
  },
});

Deno.test("both ways to stat a file agree, so that a stamp of one is known to the other", () => {
  const dir = tempDir();
  for (let i = 0; i < depth(50, 2000); i++) {
    const path = `${dir}/${i}`;
    Deno.writeTextFileSync(path, "x".repeat(i));
    Deno.utimeSync(path, 1_700_000_000 + Math.random(), 1_700_000_000 + Math.random());
    const file = fs.open(path, { read: true, noFollow: true });
    assert.deepEqual(file.info(), fs.lstat(path));
    file.close();
  }
});

Deno.test("decodeExact() keeps a BOM and refuses invalid UTF-8", () => {
  assert.equal(decodeExact(encode("\uFEFFx")), "\uFEFFx");
  assert.equal(decodeExact(new Uint8Array([0x61, 0xff])), undefined);
});

Deno.test("join() leaves one slash between parts", () => {
  assert.equal(join("/a/", "/b", "", "c"), "/a/b/c");
});

Deno.test("lstat() says 0 for a time that no date holds, as a damaged disk has it", () => {
  const path = `${tempDir()}/x`;
  Deno.writeTextFileSync(path, "x");
  const real = Deno.lstatSync;
  const [mtime, ctime] = [new Date(NaN), new Date(8.64e15)];
  Deno.lstatSync = (of) => ({ ...real(of), mtime, ctime });
  try {
    const { mtimeMs, ctimeMs } = fs.lstat(path) ?? assert.fail();
    assert.deepEqual([mtimeMs, ctimeMs], [0, 8.64e15]);
  } finally {
    Deno.lstatSync = real;
  }
});

Deno.test(
  "sync() of what its file system cannot sync is no failure",
  { ignore: !isPosix },
  async () => {
    const path = `${tempDir()}/pipe`;
    await run("mkfifo", { args: [path] });
    const file = fs.open(path, { read: true, write: true });
    assert.equal(codeOf(() => file.sync()), undefined);
    file.close();
  },
);

Deno.test({
  name: "freeBytes() knows nothing of a disk that counts no blocks, as many over FUSE",
  ignore: Deno.build.os !== "linux",
  fn() {
    assert.equal(freeBytes("/sys"), undefined);
    assert.ok((freeBytes(tempDir()) ?? 0) > 0);
  },
});
