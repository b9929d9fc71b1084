/**
 * `sage serve` under load, built, on 10,000 chunks: as many searches as it can answer, searches at fixed
 * rates, and its memory while half of them are new. Beside it a server of the same runtime that answers
 * a constant, in the same run: what the machine and the load generator cost. Times are the machine's,
 * busy or not; the server's own work is its CPU time a request. `deno run -A bench/http/run.ts [requests]`
 */
// deno-lint-ignore-file no-console -- a bench speaks to the terminal it was called from
import { noteText, tempDir } from "../../tests/support/temp_store.ts";
import { serveProcess } from "../../tests/http/server.ts";
import { makeCorpus } from "../search/corpus.ts";

const RATES = [500, 1000, 2000];
const SECONDS = 5;
const CONNECTIONS = 32;
const NEW_TO_WARM = 30_000;
const MEMORY_STEPS = 10;
/** A timer may be so late; the rest is waited for awake. */
const TIMER_MS = 2;
const requests = Number(Deno.args.find((arg) => /^\d+$/.test(arg)) ?? 100_000);

const home = tempDir();
const cwd = `${home}/project`;
const corpus = makeCorpus(10_000);
await Deno.mkdir(`${cwd}/.git`, { recursive: true });
await Deno.mkdir(`${home}/.sage/knowledge`, { recursive: true });
for (const [i, { title, chunks }] of corpus.notes.entries()) {
  const body = `# ${title}\n\n${chunks.map(({ text }) => text).join("\n\n")}\n`;
  await Deno.writeTextFile(`${home}/.sage/knowledge/note-${i}.md`, noteText(`note-${i}`, body));
}

const server = await serveProcess({ home, cwd });
const floor = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
  return new Response("x".repeat(8000));
});
const headers = { authorization: `Bearer ${server.token}` };
const address = (query: string): string =>
  `${server.url}/api/v1/search?limit=8&query=${encodeURIComponent(query)}`;
const asked = corpus.queries.map(address);
let number = 0;
const words = corpus.queries.join(" ").split(" ");
/** Never the same twice: nothing is kept of it. */
const unheard = (): string => {
  const from = (number * 7919) % (words.length - 4);
  return address(`${words.slice(from, from + 4).join(" ")} ${number++}`);
};
const again = (): string => asked[number++ % asked.length] ?? "";
/** Every other one is new; the rest are of the last ones, as where people type and several agents ask alike. */
const half = (): string => {
  if (number % 2 === 1) return asked[(number++ * 7) % asked.length] ?? "";
  const query = unheard();
  asked[(number >> 1) % asked.length] = query;
  return query;
};
const bare = (): string => `http://127.0.0.1:${floor.addr.port}/`;

await (await fetch(address("first"), { headers })).text();
for (const url of asked) await once(url);
console.log(`${asked.length} queries asked before, of 2 to 7 words; new ones have 5`);
console.log(`2,000 notes, 10,000 chunks; ${navigator.hardwareConcurrency} cores, load on the same`);
console.log(`constant, as many as it can  ${await asFast(bare, 10_000)}`);
console.log(`asked before, as many        ${await asFast(again, 10_000)}`);
console.log(`never asked, as many         ${await asFast(unheard, 2000)}`);
// By then each passage has been looked at, and the compilers are done.
await asFast(unheard, NEW_TO_WARM);
console.log(`the same, warm               ${await asFast(unheard, 5000)}`);
console.log(`half of them new, as many    ${await asFast(half, 10_000)}`);
for (const rate of RATES) {
  console.log(`at ${rate}/s, each counted from when it was due`);
  console.log(`  constant      ${await atRate(rate, bare)}`);
  console.log(`  asked before  ${await atRate(rate, again)}`);
  console.log(`  half of them new ${await atRate(rate, half)}`);
  console.log(`  never asked   ${await atRate(rate, unheard)}`);
}
console.log(`memory, half of them new   ${await megabytes()} MB`);
const step = Math.ceil(requests / MEMORY_STEPS);
for (let i = 1; i <= MEMORY_STEPS; i++) {
  await asFast(half, step);
  console.log(`  after ${i * step}   ${await megabytes()} MB`);
}
await floor.shutdown();
await server[Symbol.asyncDispose]();

async function once(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${response.status} ${url}`);
  return performance.now() - start;
}

/** Each request is due at its moment, and its time counts from there, however late it could be sent. */
async function atRate(rate: number, next: () => string): Promise<string> {
  for (let i = 0; i < 200; i++) await once(next());
  const begin = performance.now();
  const times: number[] = [];
  let sent = 0;
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (sent < rate * SECONDS) {
      const due = begin + sent++ * 1000 / rate;
      for (let left = due - performance.now(); left > 0; left = due - performance.now()) {
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, left - TIMER_MS)));
      }
      await once(next());
      times.push(performance.now() - due);
    }
  }));
  const reached = times.length / (performance.now() - begin) * 1000;
  return `${Math.round(reached)}/s   ${percentiles(times)}`;
}

async function asFast(next: () => string, count: number): Promise<string> {
  const begin = performance.now();
  const cpu = await cpuMs();
  const times: number[] = [];
  let left = count;
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (left-- > 0) times.push(await once(next()));
  }));
  const rate = count / (performance.now() - begin) * 1000;
  const own = (await cpuMs() - cpu) / count;
  return `${Math.round(rate)}/s   ${percentiles(times)}   sage: ${own.toFixed(2)} ms of CPU each`;
}

/** What the server has used of all cores; a hundredth of a second is the system's unit. */
async function cpuMs(): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${server.pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

async function megabytes(): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${server.pid}/status`);
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}
