/** Each way to see a point: what raises it, what looks like it and does not, and what must not matter. */
import assert from "node:assert/strict";
import { exchangesOf } from "../../src/detect/text/exchanges.ts";
import { recentExchangesOf } from "../../src/detect/text/recent_exchanges.ts";
import { type DetectorName, observe, signalsOf } from "../../src/detect/trigger/detectors.ts";
import type { ToolUse, Turn } from "../../src/editor/editor.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { assertQuick } from "../support/quick.ts";

type Said = readonly [prompt: string, answer: string, ...tools: Partial<ToolUse>[]];

const embedder = openStaticEmbedder();
embedder.embedQuery("opens the model once, outside of any test");

function turnsOf(said: readonly Said[]): Turn[] {
  return said.flatMap(([prompt, answer, ...tools], i): Turn[] => [
    { uuid: `u${i}`, role: "user", at: "", text: prompt, tools: [] },
    {
      uuid: `a${i}`,
      role: "assistant",
      at: "",
      text: answer,
      tools: tools.map((tool, n) => ({ id: `t${i}-${n}`, name: "Bash", failed: false, ...tool })),
    },
  ]);
}

function seen(said: readonly Said[]) {
  const exchanges = exchangesOf(turnsOf(said));
  const recent = recentExchangesOf(exchanges, exchanges.length, embedder) ??
    assert.fail("nothing said");
  return observe(recent);
}

/** The confidence of one way to see a point; of several the best. */
function confidence(said: readonly Said[], sight: DetectorName): number {
  const all = seen(said);
  const signals = signalsOf(all);
  return Math.max(
    0,
    ...signals.filter((_, i) => all[i]?.detector === sight).map((one) => one.confidence),
  );
}

function feature(said: readonly Said[], sight: DetectorName, name: string, ago = 0): number {
  const found = seen(said).find((one) => one.detector === sight && one.ago === ago);
  return found?.features[name] ?? assert.fail(`${sight}: no feature "${name}"`);
}

const QUEUE: readonly Said[] = [
  [
    "How does our job queue take a job so that no two workers get the same one?",
    "A worker selects the oldest waiting row with a lock that skips locked rows and marks it as running. Other workers skip the locked row and take the next one.",
    { name: "Read", filePath: "/p/queue/take.ts" },
  ],
  [
    "And when its worker dies in the middle?",
    "The row stays marked as running. A sweeper looks every minute for running jobs whose heartbeat is older than two minutes and puts them back into the queue.",
    { name: "Read", filePath: "/p/queue/sweep.ts" },
  ],
  [
    "How often is a job retried?",
    "Eight attempts, with a delay that doubles from ten seconds to one hour. After that the job is moved to the table of dead jobs with its last error.",
  ],
];
const HERO: Said = [
  "Next: the marketing page needs a new hero photo for the spring campaign, which sizes and formats should the designer export?",
  "Export the photo at 640, 1280 and 2560 pixels as AVIF with a JPEG fallback and let the browser choose. Crop the portrait variant for phones by hand, because faces get lost otherwise.",
  { name: "Read", filePath: "/p/site/hero.html" },
];
const HERO_AGAIN: Said = [
  "Should the phone crop of the photo be a separate file?",
  "Yes, a portrait photo of 900 by 1200 pixels in its own source element. The designer exports it from the same campaign photo, so that colours agree.",
  { name: "Edit", filePath: "/p/site/hero.html" },
];
const DELAY: Said = [
  "Make the delay between attempts of a job configurable.",
  "The delay of the first attempt and the factor are settings of the queue now; a job keeps the values it was queued with.",
  { name: "Edit", filePath: "/p/queue/take.ts" },
];

Deno.test("a new subject is seen when it stays, more surely than at its first word", () => {
  const stays = confidence([...QUEUE, HERO, HERO_AGAIN], "new subject");
  assert.ok(stays > 0.8, `${stays}`);
  assert.ok(confidence([...QUEUE, DELAY], "new subject") < 0.3);
});

Deno.test("a detour that returns is no new subject", () => {
  const detour: Said = ["Unrelated quick one: how many feet are a mile?", "5,280 feet."];
  assert.ok(confidence([...QUEUE, detour, DELAY], "new subject") < 0.8);
});

Deno.test("chores that differ from each other anyway make no new subject", () => {
  const chores: Said[] = [
    ["rename the button to Save", "Renamed.", { name: "Edit", filePath: "/p/a.ts" }],
    ["bump eslint", "Bumped to 9.1.", { name: "Edit", filePath: "/p/package.json" }],
    ["fix the typo in the footer", "Fixed.", { name: "Edit", filePath: "/p/footer.html" }],
    ["delete the old fixtures folder", "Deleted, 41 files."],
    ["sort the imports", "Sorted in 12 files.", { name: "Edit", filePath: "/p/b.ts" }],
  ];
  assert.ok(confidence(chores, "new subject") < 0.5);
});

Deno.test("a new subject needs a subject before, and is not told again after a save", () => {
  assert.equal(seen([HERO]).some(({ detector }) => detector === "new subject"), false);
  const exchanges = exchangesOf(turnsOf([...QUEUE, HERO, HERO_AGAIN]));
  const recent = recentExchangesOf(exchanges, 1, embedder) ?? assert.fail();
  const ago = observe(recent).filter(({ detector }) => detector === "new subject").map((one) =>
    one.ago
  );
  assert.deepEqual(ago, [0], "only the exchange that no save holds");
});

const WAYS =
  "There are two ways. You could keep the jobs in Postgres: nothing new to operate, but polling costs about 40 small queries a second, and the table needs vacuum. Or you could move them to a broker: it is faster and cheaper for the database, however somebody has to run it, and it would take a week. I'd expect either to hold for a year.";

Deno.test("ways laid out with their price are seen in prose, in lists and in a table", () => {
  const asked = "What could we do about the load of the queue?";
  assert.ok(confidence([...QUEUE, [asked, WAYS]], "ways laid out") > 0.8);
  const list =
    "I see two ways:\n\n- **Keep Postgres**: nothing new to operate, but polling costs 40 queries a second and vacuum gets slower.\n- **Move to a broker**: faster and cheaper for the database, but somebody has to run it, and it takes a week.\n\nThe first is simpler, the second would last longer.";
  assert.ok(confidence([...QUEUE, [asked, list]], "ways laid out") > 0.8);
  assert.equal(feature([...QUEUE, [asked, list]], "ways laid out", "listed"), 2 / 3);
  const table = "| way | cost |\n|---|---|\n| Postgres | 40 queries |\n| broker | a week |";
  assert.equal(feature([...QUEUE, [asked, table]], "ways laid out", "a table"), 1);
});

Deno.test("a report of what was changed lays no ways out, but a question after it may", () => {
  const edits = ["take.ts", "sweep.ts", "queue.md"].map((file) => ({
    name: "Edit",
    filePath: `/p/queue/${file}`,
  }));
  const prompt = "What could we do about the load of the queue?";
  const open = `${WAYS} Which one do you want?`;
  const sure = (answer: string, ...tools: Partial<ToolUse>[]): number =>
    confidence([...QUEUE, [prompt, answer, ...tools]], "ways laid out");
  assert.equal(sure(WAYS, ...edits), 0);
  assert.ok(sure(open, ...edits) > 0.8);
  assert.ok(sure(WAYS, ...edits.slice(0, 1)) > 0.8);
});

Deno.test("a list of things done is no choice, and neither is a question with trivial options", () => {
  const done =
    "Done:\n\n- **Queue**: the delay is a setting now.\n- **Sweeper**: it runs every minute.\n- **Docs**: both are described.";
  assert.ok(confidence([...QUEUE, ["Finish it.", done]], "ways laid out") < 0.3);
  const colour: Said = ["A colour for the badge, please.", "Teal it is.", {
    name: "AskUserQuestion",
    question: "Which colour?",
    options: ["teal", "white"],
    answer: "teal",
  }];
  assert.equal(feature([...QUEUE, colour], "ways laid out", "options described"), 0);
  assert.ok(confidence([...QUEUE, colour], "ways laid out") < 0.3);
  const described: Said = ["How do we go on?", "The broker, then.", {
    name: "AskUserQuestion",
    question: "Where should jobs be kept?",
    options: ["Postgres: nothing new to run", "A broker: faster, one more service"],
    answer: "A broker",
  }];
  assert.ok(feature([...QUEUE, described], "ways laid out", "options described") > 0.4);
});

Deno.test("a way is taken by a statement that names what lay open, not by a question about it", () => {
  const open: Said[] = [...QUEUE, ["What could we do about the load?", WAYS], [
    "How slow is vacuum on that table?",
    "About four minutes a day at the present rate.",
  ]];
  const taken: Said = [
    "Then we keep the jobs in Postgres rather than move them to a broker, because nobody here wants to run another service and the queries are cheap.",
    "Agreed. I'll raise the polling interval and add the index.",
  ];
  const asked: Said = ["Would a broker need its own machine?", "No, a small container is enough."];
  assert.ok(confidence([...open, taken], "a way taken") > 0.8);
  assert.ok(confidence([...open, asked], "a way taken") < 0.3);
  const without = confidence([...QUEUE, taken], "a way taken");
  assert.ok(without < confidence([...open, taken], "a way taken"), "nothing lay open before");
});

const TILES: readonly Said[] = [
  [
    "We want routes to work offline. Look how the maps are integrated.",
    "Tiles are asked for as people move. A route of 60 km is about 900 tiles.",
    { name: "Read", filePath: "/p/map.ts" },
  ],
  [
    "Then save the tiles along a route with a button.",
    "The function fetches the tiles in a corridor, six at a time. It worked in flight mode.",
    { name: "Edit", filePath: "/p/download.ts" },
  ],
];

Deno.test("a way closed from outside is seen; a bug of one's own and an idiom are none", () => {
  const closed: Said = [
    "Anything in the provider's terms that we should know?",
    "Yes, and it rules this plan out. The terms forbid storing tiles beyond the browser's cache, in every plan, and the provider may close the account without notice. It is not a question of price. With this provider offline maps cannot be offered, whatever we do in the code.",
    { command: "curl -s https://maps.example/terms" },
  ];
  assert.ok(confidence([...TILES, closed], "a way closed") > 0.8);
  const bug: Said = [
    "The button does nothing on Safari.",
    "The handler was bound twice, so the second click undid the first. Fixed, both browsers work now.",
    { name: "Edit", filePath: "/p/download.ts" },
  ];
  assert.ok(confidence([...TILES, bug], "a way closed") < 0.3);
  const idiom: Said = [
    "There's no other option than to name it Download?",
    "Call it Keep offline.",
  ];
  assert.ok(confidence([...TILES, idiom], "a way closed") < 0.5);
});

Deno.test("a repeated failure counts beside words, not by itself", () => {
  const failed = { command: "npm test", failed: true, result: "Tests: 2 failed, 40 total" };
  const tried: Said = [
    "Run the tests.",
    "Two fail, both in the new file. I'm looking.",
    failed,
    failed,
  ];
  assert.equal(feature([...TILES, tried], "a way closed", "a call failed"), 1);
  assert.ok(confidence([...TILES, tried], "a way closed") < 0.8);
});

const FLAKY: readonly Said[] = [
  [
    "The weekly report test fails now and then in CI. Why?",
    "Nine failures, all on the total of the first day, lower by one or two orders. What time zone does the CI have?",
    { command: "gh run list" },
  ],
  [
    "UTC. Laptops are in Berlin.",
    "Seven of nine failures were on a Monday. Could the seed depend on the date?",
    { command: "gh run view 8812" },
  ],
  [
    "The seed is the build number.",
    "With the failing seeds four of nine are red here, all on a Monday before two in the morning. Is it the nightly build?",
    { command: "SEED=8812 pytest reports", failed: true, result: "1 failed" },
  ],
];

Deno.test("findings that come together are seen; green tests and a commit alone are not", () => {
  const together: Said = [
    "Yes, it starts at 1:10!",
    "That settles it. The report cuts weeks by Berlin time while the test cuts them by UTC, so an order between Sunday 23:00 and midnight belongs to the new week for one and to the old week for the other. The orders are drawn relative to now, therefore it takes a build in the first two hours of a Monday, and one seed in three. That explains all nine failures, and why a rerun is green. The report is right and the test was wrong; with Berlin time in its own sum all 9 seeds pass at each of the 24 hours.",
    { command: "for h in $(seq 0 23); do pytest; done", result: "216 passed" },
  ];
  assert.ok(confidence([...FLAKY, together], "findings together") > 0.8);
  const green: Said = ["Run them again and commit.", "All 216 pass. Committed.", {
    command: "npm test && git commit -am 'Cut weeks alike'",
    result: "216 passed\n[main 90ab3f1] Cut weeks alike",
  }];
  assert.ok(confidence([...FLAKY, green], "findings together") < 0.3);
});

Deno.test("what is too long to be measured costs no more than its length", () =>
  assertQuick(() => {
    for (
      const text of [
        "word ".repeat(8000),
        "1 ".repeat(15_000),
        "a.b ".repeat(9000),
        "- **x**: y\n".repeat(3000),
      ]
    ) {
      seen([...QUEUE, ["What now?", text]]);
    }
  }, 2000));

/** Sentences full of everything that the signals look for. */
const POISON = [
  "We could either keep it or move it; the first costs a week, the second is cheaper but slower.",
  "The licence forbids it, so this cannot be done whatever we do.",
  "The root cause is that both clocks were wrong, therefore all 12 failed. In summary: 3 findings.",
  "Now something completely different: let's switch to invoices and harbour fees instead.",
];

Deno.test("what stands in code, quotations and block quotes never changes a measure", () => {
  const said = [...QUEUE, HERO, [
    "What could we do about the load?",
    WAYS,
  ] as Said];
  const wrapped: readonly ((text: string) => string)[] = [
    (text) => `\n\n\`\`\`\n${text}\n\`\`\``,
    (text) => ` "${text.slice(0, 90)}"`,
    (text) => ` \`${text.slice(0, 90)}\``,
    (text) => `\n\n> ${text}`,
    (text) => ` «${text.slice(0, 90)}»`,
  ];
  for (const wrap of wrapped) {
    for (const place of said.keys()) {
      for (const side of [0, 1]) {
        const measures = POISON.map((text) =>
          seen(said.map((one, i) => {
            if (i !== place) return one;
            const [prompt, answer, ...tools] = one;
            return side === 0
              ? [prompt + wrap(text), answer, ...tools]
              : [prompt, answer + wrap(text), ...tools];
          }))
        );
        for (const other of measures.slice(1)) assert.deepEqual(other, measures[0]);
      }
    }
  }
});
