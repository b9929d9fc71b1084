/** What stands before the router: each rule alone, and thousands of requests that break any of them. */
import assert from "node:assert/strict";
import { createAccess } from "../../src/http/access.ts";
import { gate, type GateOptions } from "../../src/http/gate.ts";
import { HTTP_BODY_BYTES_MAX, HTTP_CODE_MS_MAX, HTTP_COOKIES_MAX } from "../../src/base/limits.ts";
import { type Random, seeded } from "../search/random.ts";
import { depth } from "../support/depth.ts";
import { BASE, PLACE, PORT, served } from "./server.ts";

const access = createAccess();
const options: GateOptions = { access, port: PORT, isOpen: false, place: PLACE };

interface Asked {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: BodyInit | undefined;
}

function request({ url = `${BASE}/api/v1/status`, method = "GET", headers, body }: Asked): Request {
  const all = { host: `127.0.0.1:${PORT}`, authorization: `Bearer ${access.token}`, ...headers };
  const given = Object.entries(all).filter((entry): entry is [string, string] =>
    entry[1] !== undefined
  );
  return new Request(url, { method, headers: given, ...(body === undefined ? {} : { body }) });
}

async function status(asked: Asked, how = options): Promise<number> {
  const passed = await gate(request(asked), how);
  return passed.kind === "passed" ? 200 : passed.problem.status;
}

Deno.test("gate() lets in who has the token, under any of this machine's own names", async () => {
  assert.equal(await status({}), 200);
  for (const host of [`localhost:${PORT}`, `[::1]:${PORT}`]) {
    assert.equal(await status({ url: `http://${host}/mcp`, headers: { host } }), 200);
  }
});

Deno.test("gate() refuses every other host, and one that the address does not repeat", async () => {
  const others = [
    ...["127.0.0.1", "127.0.0.1:80", "localhost", "evil.example", `evil.example:${PORT}`],
    ...[`127.0.0.1.evil.example:${PORT}`, `127.0.0.2:${PORT}`, `0.0.0.0:${PORT}`, "", `:${PORT}`],
    ...[`127.0.0.1:${PORT}, 127.0.0.1:${PORT}`, `user@127.0.0.1:${PORT}`, `10.0.0.1:${PORT}`],
  ];
  for (const host of others) assert.equal(await status({ headers: { host } }), 421, host);
  assert.equal(await status({ headers: { host: undefined } }), 421);
  assert.equal(await status({ url: `http://evil.example:${PORT}/api/v1/status` }), 421);
  for (const far of [`192.168.1.5:${PORT}`, `127.0.0.1:${PORT + 1}`]) {
    assert.equal(await status({ url: `http://${far}/mcp`, headers: { host: far } }), 421);
  }
  // Of a Host that makes no address (`127.0.0.1:80, evil`) the runtime makes none either.
  const none = request({});
  Object.defineProperty(none, "url", { get: () => new URL("http://a, b").href });
  const passed = await gate(none, options);
  assert.equal(passed.kind === "stopped" && passed.problem.status, 421);
});

Deno.test("gate() takes any address of the machine, but no name, where others may ask", async () => {
  const open = { ...options, isOpen: true };
  const ask = (host: string) => status({ url: `http://${host}/mcp`, headers: { host } }, open);
  assert.equal(await ask(`192.168.1.5:${PORT}`), 200);
  assert.equal(await ask(`[fe80::1]:${PORT}`), 200);
  assert.equal(await ask(`printer.local:${PORT}`), 421);
});

Deno.test("gate() refuses other origins and what a browser fetched for another site", async () => {
  assert.equal(await status({ headers: { origin: BASE } }), 200);
  for (const origin of ["null", "http://evil.example", `http://localhost:${PORT}`, `${BASE}0`]) {
    assert.equal(await status({ headers: { origin } }), 403, origin);
  }
  for (const site of ["cross-site", "same-site", "anything"]) {
    assert.equal(await status({ headers: { "sec-fetch-site": site } }), 403, site);
  }
  assert.equal(await status({ headers: { "sec-fetch-site": "none" } }), 200);
});

Deno.test("gate() takes four methods", async () => {
  for (const method of ["PUT", "HEAD", "OPTIONS", "PROPFIND"]) {
    assert.equal(await status({ method }), 405, method);
  }
});

Deno.test("gate() wants the token whole", async () => {
  const wrong = [
    ...[undefined, "", "Bearer", "Bearer ", `bearer ${access.token}`, `Basic ${access.token}`],
    ...[`Bearer ${access.token.slice(0, -1)}`, `Bearer ${access.token}0`, access.token],
    ...[`Bearer ${access.token.toUpperCase()}x`, `Bearer ${"0".repeat(64)}`],
  ];
  for (const authorization of wrong) {
    assert.equal(await status({ headers: { authorization } }), 401, authorization);
  }
  const opening = { url: `${BASE}/open?code=x`, headers: { authorization: undefined } };
  assert.equal(await status(opening), 200);
  assert.equal(await status({ ...opening, method: "POST" }), 401);
  assert.equal(await status({ ...opening, url: `${BASE}/open/api/v1/status` }), 401);
});

Deno.test("gate() wants JSON of at most a mebibyte, counted while it comes", async () => {
  const json = { "content-type": "application/json" };
  const post = (body: BodyInit, headers = {}) => status({ method: "POST", headers, body });
  assert.equal(await post("{}", json), 200);
  assert.equal(await post("{}", { "content-type": "application/json; charset=utf-8" }), 200);
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
    assert.equal(await post("{}", { "content-type": type }), 415, type);
  }
  assert.equal(await post("", { "content-type": "text/plain" }), 200, "nothing is no text");
  assert.equal(await post(new Uint8Array(HTTP_BODY_BYTES_MAX), json), 200);
  assert.equal(await post(new Uint8Array(HTTP_BODY_BYTES_MAX + 1), json), 413);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  assert.equal(await post(endless, { ...json, "content-length": "2" }), 413);
  assert.ok(sent < 2 * HTTP_BODY_BYTES_MAX, `${sent} bytes were read`);
});

Deno.test("gate() waits for a body for a while, and not at all where there is no token", async () => {
  const silent = () =>
    new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(new TextEncoder().encode("{")) });
  const headers = { "content-type": "application/json" };
  const asked = { method: "POST", headers, body: silent() };
  assert.equal(await status(asked, { ...options, bodyMs: 20 }), 408);
  const torn = new ReadableStream<Uint8Array>({ start: (to) => to.error(new Error("no chunk")) });
  assert.equal(await status({ ...asked, body: torn }), 400, "a body that breaks off");
  const opening = request({ url: `${BASE}/open?code=x`, headers: { authorization: undefined } });
  // No client's Request takes a body along with GET; the wire does.
  Object.defineProperty(opening, "body", { value: silent() });
  assert.equal((await gate(opening, options)).kind, "passed");
});

Deno.test("a code opens the page once, within its minute, and the cookie changes nothing without our header", async () => {
  let now = 0;
  const timed = createAccess(() => now);
  const how = { access: timed, port: PORT, isOpen: false, place: PLACE };
  const code = timed.code();
  const cookie = timed.redeem(code, String(PORT));
  assert.match(cookie ?? "", /^sage-7243=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/$/);
  assert.equal(timed.redeem(code, String(PORT)), undefined, "a second time");
  const late = timed.code();
  now = HTTP_CODE_MS_MAX + 1;
  assert.equal(timed.redeem(late, String(PORT)), undefined, "a minute later");
  assert.equal(timed.redeem("", String(PORT)), undefined);

  const headers = { authorization: undefined, cookie: `a=b; ${cookie?.split(";")[0]}` };
  assert.equal(await status({ headers }, how), 200);
  assert.equal(await status({ headers, method: "DELETE" }, how), 403);
  const from = (place: string) => ({ headers: { ...headers, "x-sage-page": place } });
  assert.equal(await status({ ...from(PLACE), method: "DELETE" }, how), 200);
  // A tab that is still open from another project, behind the same port.
  assert.equal(await status({ ...from("fedcba9876543210"), method: "DELETE" }, how), 409);
  assert.equal(await status(from("fedcba9876543210"), how), 409);
  assert.equal(await status({ headers: { ...headers, cookie: "sage-7243=" } }, how), 401);
  const wrong = `Bearer ${"0".repeat(64)}`;
  assert.equal(await status({ headers: { ...headers, authorization: wrong } }, how), 401);
  for (let more = 1; more < HTTP_COOKIES_MAX; more++) timed.redeem(timed.code(), String(PORT));
  assert.equal(await status({ headers }, how), 200, "the oldest of as many as may be");
  timed.redeem(timed.code(), String(PORT));
  assert.equal(await status({ headers }, how), 401, "one too many");
});

Deno.test("of thousands of hostile requests none reaches a handler", async () => {
  await using server = await served();
  let reached = 0;
  const count = server.watch(() => reached++);
  const random = seeded(11);
  const statuses = new Map<number, number>();
  for (let i = 0; i < depth(1500, 10_000); i++) {
    const response = await count(hostile(random, server.token));
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    await response.body?.cancel();
    assert.ok(response.status >= 400, `${response.status}`);
  }
  assert.equal(reached, 0);
  assert.deepEqual([...statuses.keys()].toSorted(), [401, 403, 405, 413, 415, 421]);
  // The counter counts: what is in order is let through.
  assert.equal((await server.ask("/api/v1/status")).status, 200);
  await (await count(request({ headers: { authorization: `Bearer ${server.token}` } }))).text();
  assert.equal(reached, 1);
});

const PATHS = ["/", "/open?code=1", "/mcp", "/api/v1/status", "/api/v1/search?query=a"];
const MORE = ["/api/v1/notes/x", "/api/v1/events", "/api/v1/openapi.json", "/../etc/passwd", "//x"];

/** In order but for one thing at least. */
function hostile(random: Random, token: string): Request {
  const pick = <T>(items: readonly T[]): T => random.pick(items);
  const path = pick([...PATHS.filter((one) => !one.startsWith("/open")), ...MORE]);
  const headers: Record<string, string | undefined> = { authorization: `Bearer ${token}` };
  let [url, method, body]: [string, string, BodyInit | undefined] = [BASE + path, "GET", undefined];
  const breaks: (() => void)[] = [
    () => headers.host = pick(["evil.example", "", `evil.example:${PORT}`, "127.0.0.1", "[::1]"]),
    () => url = `http://${pick(["evil.example", "10.0.0.1", "sage.local"])}:${PORT}${path}`,
    () =>
      headers.origin = pick(["null", "http://evil.example", "https://127.0.0.1:7243", "file://"]),
    () => headers["sec-fetch-site"] = pick(["cross-site", "same-site", "x"]),
    () => method = pick(["PUT", "OPTIONS", "HEAD", "LOCK"]),
    () => headers.authorization = pick([undefined, "Bearer x", `Bearer ${token}a`, "Basic eDp5"]),
    () => {
      headers.authorization = undefined;
      headers.cookie = pick(["sage-7243=x", `sage-7243=${token}`, `sage=${token}`, "a"]);
    },
    () => {
      [method, body] = [pick(["POST", "PATCH", "DELETE"]), "a=b"];
      headers["content-type"] = pick(["text/plain", "application/x-www-form-urlencoded"]);
    },
    () => {
      [method, body] = ["POST", new Uint8Array(HTTP_BODY_BYTES_MAX + 1 + random.below(9))];
      headers["content-type"] = "application/json";
    },
  ];
  // The last is dear to make, and no better for being made often.
  const most = random.next() < 0.02 ? breaks.length : breaks.length - 1;
  for (let i = 0; i <= random.below(2); i++) breaks[random.below(most)]?.();
  const isEmpty = body === undefined || method === "GET" || method === "HEAD";
  return request({ url, method, headers, body: isEmpty ? undefined : body });
}
