/** Lines over a socket that is a file: whole ones, and what becomes of the file. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { connectLocal, listenLocal } from "../../src/base/local_socket.ts";
import { tempDir } from "../support/temp_store.ts";

const ignore = Deno.build.os === "windows";

Deno.test({
  name: "lines cross whole, however they are cut, in order and both ways",
  ignore,
  async fn() {
    const path = `${tempDir()}/s`;
    const said = ["short", "", "ü".repeat(300_000), "last"];
    const heard: (string | undefined)[] = [];
    const listening = listenLocal(realFs, path, async (socket) => {
      for (let i = 0; i < said.length; i++) heard.push(await socket.readLine(1e6));
      await socket.writeLine(heard.length.toString());
    });
    const socket = await connectLocal(path);
    for (const line of said) assert.equal(await socket?.writeLine(line), true);
    assert.equal(await socket?.readLine(100), "4");
    assert.equal(await socket?.readLine(100), undefined);
    assert.deepEqual(heard, said);
    socket?.close();
    listening?.close();
    assert.equal(realFs.lstat(path), undefined);
  },
});

Deno.test({
  name: "root listens in the home of whoever it works for",
  ignore: Deno.uid() !== 0,
  async fn() {
    const dir = tempDir();
    Deno.chownSync(dir, 4321, 4321);
    const listening = listenLocal(realFs, `${dir}/s`, async (socket) => {
      await socket.writeLine("here");
    });
    const socket = await connectLocal(`${dir}/s`);
    assert.equal(await socket?.readLine(10), "here");
    socket?.close();
    listening?.close();
  },
});

Deno.test({
  name: "a line that is too long, or never ends, is none",
  ignore,
  async fn() {
    const path = `${tempDir()}/s`;
    const listening = listenLocal(realFs, path, async (socket) => {
      await socket.writeLine("x".repeat(100_000));
      await socket.readLine(10);
    });
    const [one, other] = [await connectLocal(path), await connectLocal(path)];
    assert.equal(await one?.readLine(50_000), undefined);
    assert.equal((await other?.readLine(200_000))?.length, 100_000);
    await other?.writeLine("done");
    assert.equal(await other?.readLine(10), undefined);
    one?.close();
    other?.close();
    listening?.close();
  },
});

Deno.test({
  name: "two that begin to listen at once, with one number in two containers, keep their own paths",
  ignore,
  async fn() {
    const dir = tempDir();
    const listen = (name: string, fs = realFs) =>
      listenLocal(fs, `${dir}/${name}.sock`, async (socket) => {
        await socket.writeLine(name);
      });
    const all: ReturnType<typeof listen>[] = [];
    all.push(listen("1-a", {
      ...realFs,
      rename(from, to) {
        all.push(listen("1-b"));
        realFs.rename(from, to);
      },
    }));
    for (const name of ["1-a", "1-b"]) {
      const socket = await connectLocal(`${dir}/${name}.sock`);
      assert.equal(await socket?.readLine(10), name);
      socket?.close();
    }
    for (const one of all) one?.close();
  },
});

Deno.test({
  name: "the newest listener has the path, takes over a dead one's, and leaves only its own",
  ignore,
  async fn() {
    const dir = tempDir();
    const path = `${dir}/s`;
    const answering = (text: string) =>
      listenLocal(realFs, path, async (socket) => {
        await socket.writeLine(text);
      });
    const asked = async () => {
      const socket = await connectLocal(path);
      const line = await socket?.readLine(100);
      socket?.close();
      return line;
    };
    const first = answering("first");
    assert.equal(await asked(), "first");
    const second = answering("second");
    assert.equal(await asked(), "second");
    first?.close();
    assert.equal(await asked(), "second");
    second?.close();
    assert.equal(await asked(), undefined);
    assert.deepEqual([...Deno.readDirSync(dir)], []);
    Deno.writeTextFileSync(path, "left behind");
    const third = answering("third");
    assert.equal(await asked(), "third");
    third?.close();
  },
});

Deno.test({
  name: "where a socket cannot be there is none, and nothing is thrown",
  ignore,
  async fn() {
    const long = `${tempDir()}/${"x".repeat(100)}`;
    for (const path of [long, "/nowhere/at/all", "/proc/s"]) {
      assert.equal(listenLocal(realFs, path, () => Promise.resolve()), undefined);
      assert.equal(await connectLocal(path), undefined);
    }
  },
});

Deno.test({
  name: "in a folder that others may enter, nobody listens and nobody is asked",
  ignore,
  async fn() {
    const folder = tempDir();
    const path = `${folder}/s`;
    const serve = (): Promise<void> => Promise.resolve();
    for (const mode of [0o777, 0o755, 0o710]) {
      const listening = listenLocal(realFs, path, serve);
      assert.notEqual(listening, undefined);
      Deno.chmodSync(folder, mode);
      assert.equal(await connectLocal(path), undefined, mode.toString(8));
      assert.equal(listenLocal(realFs, `${folder}/other`, serve), undefined, mode.toString(8));
      Deno.chmodSync(folder, 0o700);
      const socket = await connectLocal(path);
      assert.notEqual(socket, undefined);
      socket?.close();
      listening?.close();
    }
    Deno.symlinkSync(folder, `${folder}-link`);
    assert.equal(listenLocal(realFs, `${folder}-link/s`, serve), undefined);
    Deno.removeSync(`${folder}-link`);
  },
});
