/**
 * The page at 10,000 notes, in the Chromium of the tests against the built program: its size, when it is
 * first painted, how long after a key the results stand there, and how long each view takes. Times are
 * the machine's, busy or not: the middle one of several, and the largest. `deno run -A bench/http/page.ts
 * [notes]`
 */
// deno-lint-ignore-file no-console -- a bench speaks to the terminal it was called from
import { hasBrowser, open } from "../../tests/http/browser.ts";
import { sage } from "../../tests/support/sage.ts";
import { noteText } from "../../tests/support/temp_store.ts";
import { makeCorpus } from "../search/corpus.ts";

const NOTES = Number(Deno.args[0] ?? 10_000);
const OPENINGS = 5;
const KEYS = 40;
/** Each note links to this many earlier ones, and many link to the first few. */
const LINKS = 2;
const HUBS = 10;

if (!hasBrowser) throw new Error("build dist/sage, and install Chromium");

const corpus = makeCorpus(NOTES);
const page = await Deno.stat(new URL("../../dist/page.html.gz", import.meta.url));
console.log(`bundle           ${(page.size / 1024).toFixed(1)} KB gzip`);

await using opened = await open({
  async fill(home, cwd) {
    const folder = `${cwd}/.sage/knowledge`;
    await Deno.mkdir(folder, { recursive: true });
    const chunks = corpus.notes.flatMap(({ title, chunks }) =>
      chunks.map(({ text }, i) => ({ title: `${title} ${i + 1}`, text }))
    );
    for (const [i, { title, text }] of chunks.entries()) {
      const links = Array.from(
        { length: LINKS },
        (_, n) => n === 0 ? i % HUBS : Math.floor(i * 0.618) % Math.max(1, i),
      ).map((to) => `[[note-${to}]]`);
      const body = `# ${title}\n\n${text}\n\nSee ${links.join(", ")}.\n`;
      await Deno.writeTextFile(`${folder}/note-${i}.md`, noteText(`note-${i}`, body));
    }
    console.log(`notes            ${chunks.length}`);
    // Indexed as they would be by now; the first time takes seconds.
    await sage(["status"], { home, cwd });
  },
});
const { page: tab, server } = opened;

const paints: number[] = [];
const lists: number[] = [];
for (let i = 0; i < OPENINGS; i++) {
  await tab.goto(`${server.url}/#/search`);
  await tab.reload();
  await tab.waitForSelector("[data-item]");
  lists.push(Number(await tab.evaluate("performance.now()")));
  paints.push(Number(
    await tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
  ));
}
console.log(`first paint      ${told(paints)}`);
console.log(`newest listed    ${told(lists)}`);

/** In the page, so that nothing of the driver is counted: from the key to the frame with its results. */
const TYPED = `(text) => new Promise((resolve) => {
  const field = document.querySelector("input[type=search]");
  const status = () => document.querySelector("[role=status]")?.textContent + document.querySelector(".list")?.textContent;
  const before = status();
  const start = performance.now();
  const seen = new MutationObserver(() => {
    if (status() === before) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  });
  seen.observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true });
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, text);
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  setTimeout(() => { seen.disconnect(); resolve(-1); }, 2000);
})`;
const times: number[] = [];
for (const query of corpus.queries.slice(0, KEYS)) {
  const text = query.slice(0, 3 + times.length % 12);
  const took = Number(await tab.evaluate(`(${TYPED})(${JSON.stringify(text)})`));
  if (took >= 0) times.push(took);
}
console.log(`key to result    ${told(times)}   (${times.length} of ${KEYS} changed the list)`);

const VIEWS: readonly (readonly [string, string])[] = [
  ["timeline", "[aria-label=Timeline] .quiet:not([aria-busy])"],
  ["knowledge", "[aria-label=Knowledge] [data-item]"],
  ["knowledge/note-42", "article .prose"],
  ["contradictions", "[aria-label=Contradictions] p.quiet:not([aria-busy])"],
  ["stale", "[aria-label=Knowledge] p.quiet:not([aria-busy])"],
  ["todos", "[aria-label=Todos] p.quiet:not([aria-busy])"],
  ["graph", "nav.picture a"],
  ["graph/note-3", "nav.picture a.centre"],
  ["graph/note-9000", "nav.picture a.centre"],
  ["inbox", "[aria-label=Inbox] p.quiet:not([aria-busy])"],
  ["health", "[aria-label=Findings] details"],
  ["trash", "[aria-label=Trash] p.quiet:not([aria-busy])"],
];
for (const [view, there] of VIEWS) {
  const took: number[] = [];
  for (let i = 0; i < 3; i++) {
    await tab.goto(`${server.url}/#/search`);
    await tab.waitForSelector("input[type=search]");
    took.push(Number(
      await tab.evaluate(`new Promise((resolve) => {
        const start = performance.now();
        const look = () => document.querySelector(${JSON.stringify(there)}) === null
          ? requestAnimationFrame(look) : resolve(performance.now() - start);
        location.hash = ${JSON.stringify(`#/${view}`)};
        look();
      })`),
    ));
  }
  console.log(`${view.padEnd(16)} ${told(took)}`);
}

function told(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${middle.toFixed(0)} ms, at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
}
