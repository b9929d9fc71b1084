/** The built program as a server: who finds it, how it ends, and what it cannot do. */
import assert from "node:assert/strict";
import { canTrace } from "../support/strace.ts";
import { hasBinary } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { type ServeProcess, serveProcess } from "./server.ts";
import { orKilled, until, WAIT_MS_MAX, within } from "../support/within.ts";

const built = { ignore: !hasBinary };

async function place(): Promise<{ home: string; cwd: string }> {
  const home = tempDir();
  const cwd = `${home}/project`;
  await Deno.mkdir(`${cwd}/.git`, { recursive: true });
  return { home, cwd };
}

function ask({ url, token }: ServeProcess, path: string, init: RequestInit = {}) {
  return fetch(url + path, {
    // Also of what is read of it.
    signal: AbortSignal.timeout(WAIT_MS_MAX),
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });
}

Deno.test("the token file is its owner's alone, and goes with the process", built, async () => {
  const at = await place();
  await using server = await serveProcess(at);
  assert.equal(((await Deno.stat(server.file)).mode ?? 0) & 0o777, 0o600);
  const facts = JSON.parse(await Deno.readTextFile(server.file));
  assert.deepEqual([facts.pid, facts.url, facts.project], [server.pid, server.url, at.cwd]);
  await (await ask(server, "/api/v1/status")).body?.cancel();
  server.kill("SIGTERM");
  const { code, stderr } = await server.ended();
  assert.deepEqual([code, stderr], [0, ""]);
  await assert.rejects(Deno.stat(server.file));
});

Deno.test(
  "two at once have a port and a token each, and one that was killed is cleared away",
  built,
  async () => {
    const at = await place();
    await using first = await serveProcess({ ...at, args: [] });
    await using second = await serveProcess({ ...at, args: [] });
    assert.notEqual(first.url, second.url);
    const crossed = await fetch(`${second.url}/api/v1/status`, {
      headers: { authorization: `Bearer ${first.token}` },
    });
    assert.equal(crossed.status, 401);
    await crossed.body?.cancel();
    await (await ask(second, "/api/v1/status")).body?.cancel();
    first.kill("SIGKILL");
    await first.ended();
    assert.ok((await Deno.stat(first.file)).isFile, "what a killed one leaves");
    await using third = await serveProcess(at);
    await assert.rejects(Deno.stat(first.file));
    assert.ok((await Deno.stat(third.file)).isFile);
  },
);

Deno.test("it goes on in its project under the name that the folder has now", {
  ignore: !hasBinary || Deno.build.os === "windows",
}, async () => {
  const at = await place();
  await Deno.mkdir(`${at.cwd}/.sage`);
  await using server = await serveProcess(at);
  await Deno.rename(at.cwd, `${at.cwd}-renamed`);
  const status = await (await ask(server, "/api/v1/status")).json();
  assert.equal(status.project.dir, `${at.cwd}-renamed`);
});

Deno.test("a port that was asked for and is taken is an error, one line", built, async () => {
  const at = await place();
  await using server = await serveProcess(at);
  const { port } = new URL(server.url);
  await assert.rejects(
    serveProcess({ ...at, args: ["--port", port] }),
    /the port is taken/,
  );
  await assert.rejects(serveProcess({ ...at, args: ["--host", "0.0.0.0"] }), /--expose/);
});

Deno.test("it stops with a stream open, and the stream ends", built, async () => {
  await using server = await serveProcess(await place());
  const events = await ask(server, "/api/v1/events");
  assert.equal(events.headers.get("content-type"), "text/event-stream");
  server.kill("SIGINT");
  await within("the end of the stream", events.text());
  assert.equal((await server.ended()).code, 0);
});

Deno.test(
  "a note of another process and an edit by hand are told to who listens",
  built,
  async () => {
    const at = await place();
    await using server = await serveProcess(at);
    const events = await ask(server, "/api/v1/events");
    const told = readEvents(events.body ?? new ReadableStream());
    await Deno.mkdir(`${at.home}/.sage/knowledge`, { recursive: true });
    const path = `${at.home}/.sage/knowledge/by-hand.md`;
    await save(path, NOTE);
    assert.deepEqual(await told(), {
      change: "created",
      id: "by-hand",
      type: "knowledge",
      scope: "user",
    });
    await save(path, NOTE.replace("8443", "9443"));
    assert.equal((await told()).change, "changed");
    await Deno.remove(path);
    assert.equal((await told()).change, "removed");
    await told.end();
  },
);

/** At once: of a file that is written in place the server may see the empty one before. */
async function save(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${path}~`, text);
  await Deno.rename(`${path}~`, path);
}

const NOTE = `---
id: by-hand
type: knowledge
created: 2026-01-13T14:30:00Z
updated: 2026-01-13T14:30:00Z
status: active
---

# By hand

The gateway listens on 8443.
`;

/** The next `note` event, each time it is called. */
function readEvents(body: ReadableStream<Uint8Array>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<Record<string, unknown>> => {
    for (;;) {
      const match = /event: note\ndata: (.*)\n\n/.exec(text);
      if (match !== null) {
        text = text.slice(match.index + match[0].length);
        return JSON.parse(match[1] ?? "");
      }
      const { value, done } = await within("an event", reader.read());
      if (done) throw new Error(`the stream ended: ${text}`);
      text += value;
    }
  };
  return Object.assign(next, { end: () => reader.cancel() });
}

Deno.test("what no client would send over the wire reaches nothing", built, async () => {
  await using server = await serveProcess(await place());
  const { port } = new URL(server.url);
  const auth = `Authorization: Bearer ${server.token}`;
  const host = `Host: 127.0.0.1:${port}`;
  const raw = [
    `GET /api/v1/status HTTP/1.1\r\n${auth}\r\n\r\n`,
    `GET /api/v1/status HTTP/1.0\r\n${auth}\r\n\r\n`,
    `GET /api/v1/status HTTP/1.1\r\nHost: evil.example\r\n${auth}\r\n\r\n`,
    `GET /api/v1/status HTTP/1.1\r\n${host}\r\nHost: evil.example\r\n${auth}\r\n\r\n`,
    `GET /api/v1/status HTTP/1.1\r\n${host}\r\n${host}\r\n${auth}\r\n\r\n`,
    `GET http://evil.example/api/v1/status HTTP/1.1\r\n${host}\r\n${auth}\r\n\r\n`,
    `GET /api/v1/status HTTP/1.1\r\n${host}\r\n${auth}\r\n${auth}\r\n\r\n`,
    `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n${auth}\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\n${host}\r\n${auth}\r\n\r\n`,
    `GET /api/v1/status HTTP/9.9\r\n${host}\r\n${auth}\r\n\r\n`,
    `POST /mcp HTTP/1.1\r\n${host}\r\n${auth}\r\nContent-Length: -1\r\n\r\n`,
    `POST /mcp HTTP/1.1\r\n${host}\r\n${auth}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
    `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03`,
    `\r\n\r\n\r\n`,
    `GET /${"a".repeat(70_000)} HTTP/1.1\r\n${host}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}\r\nX: ${"a".repeat(500_000)}\r\n\r\n`,
  ];
  for (const text of raw) {
    const answer = await exchange(Number(port), text);
    assert.doesNotMatch(answer, /^HTTP\/1\.[01] [23]/, text.slice(0, 100));
  }
  const answer = await ask(server, "/api/v1/status");
  assert.equal(answer.status, 200);
  await answer.body?.cancel();
});

Deno.test({
  name: "it goes on when more connections came than it may have open",
  ignore: !hasBinary || Deno.build.os === "windows",
  async fn() {
    await using server = await serveProcess({ ...await place(), descriptorsMax: 64 });
    const port = Number(new URL(server.url).port);
    const slow: Deno.Conn[] = [];
    const isRefused = async (): Promise<boolean> => {
      try {
        slow.push(await Deno.connect({ hostname: "127.0.0.1", port }));
        return false;
      } catch {
        return true;
      }
    };
    await until("the end of its patience", isRefused);
    for (const connection of slow) connection.close();
    const answers = async (): Promise<boolean> => {
      const answer = await ask(server, "/api/v1/status").catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.status === 200;
    };
    await until("an answer", answers);
    server.kill("SIGTERM");
    const { code, stderr } = await server.ended();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^sage serve: Could not accept more connections: .*; listening again\n$/);
    await assert.rejects(Deno.stat(server.file));
  },
});

async function exchange(port: number, text: string): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const timer = setTimeout(() => connection.close(), 1500);
  try {
    await connection.write(new TextEncoder().encode(text));
    await connection.closeWrite().catch(() => {});
    return await new Response(connection.readable).text();
  } catch {
    return "";
  } finally {
    clearTimeout(timer);
  }
}

Deno.test({
  name: "it listens on the one address, and connects to nothing",
  ignore: !hasBinary || !canTrace(),
  async fn() {
    const at = await place();
    await using server = await serveProcess(at);
    const { port } = new URL(server.url);
    const listening = (await Promise.all(["tcp", "tcp6"].map((name) =>
      Deno.readTextFile(`/proc/${server.pid}/net/${name}`).catch(() =>
        ""
      )
    ))).join("\n").split("\n").filter((line) =>
      / 0A /.test(line)
    );
    const hex = Number(port).toString(16).toUpperCase().padStart(4, "0");
    const ours = listening.filter((line) => line.includes(`:${hex} `));
    assert.deepEqual(ours.map((line) => line.trim().split(/\s+/)[1]), [`0100007F:${hex}`]);
    const trace = `${at.home}/trace`;
    const strace = new Deno.Command("strace", {
      args: ["-f", "-p", String(server.pid), "-e", "trace=connect,socket,listen", "-o", trace],
      stderr: "piped",
    }).spawn();
    const attached = strace.stderr.getReader();
    await orKilled("strace at the server", strace, attached.read());
    for (const path of ["/api/v1/status", "/api/v1/search?query=port", "/", "/nothing"]) {
      await (await ask(server, path)).body?.cancel();
    }
    strace.kill("SIGINT");
    const detached = async () => {
      while (!(await attached.read()).done);
      await strace.status;
    };
    await orKilled("the end of strace", strace, detached());
    assert.doesNotMatch(await Deno.readTextFile(trace), /connect\(|socket\(|listen\(/);
  },
});
