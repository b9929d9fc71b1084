/** Decisions of a conversation: how they are told, what they take back, and what is none. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { preferencesIn } from "../../src/detect/decisions/preferences.ts";
import { sentencesOf } from "../../src/detect/text/sentences.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import {
  reversesEarlier,
  sentenceReversedBy,
  stillStanding,
} from "../../src/detect/decisions/reversals.ts";
import type { Turn } from "../../src/editor/editor.ts";

function said(...texts: string[]): Turn[] {
  return texts.map((text, n) => ({
    uuid: `t${n}`,
    role: n % 2 === 0 ? "user" : "assistant",
    at: "2026-01-01T00:00:00Z",
    text,
    tools: [],
  }));
}

Deno.test("findDecisions() takes what is labelled a decision, without the label, and what is agreed on", () => {
  const found = findDecisions(said(
    "agreed, we stream the rows. keep the chunk at 64 KB, the NAS reads so",
    "**Decided:** rows come in chunks of 64 KB; splitting files was rejected.",
    "Agreed. What does the NAS say?",
    "Entschieden: der Import läuft nachts.",
  ));
  assert.deepEqual(found.map(({ text }) => text), [
    "We stream the rows. keep the chunk at 64 KB, the NAS reads so",
    "rows come in chunks of 64 KB; splitting files was rejected.",
    "der Import läuft nachts.",
  ]);
});

Deno.test("findDecisions() keeps what a person corrects, and no order of the moment", () => {
  const found = findDecisions(said(
    "no, that's wrong now: since monday staging is on db-9, port 5440",
    "Corrected.",
    "no, not the whole suite, it takes an hour. only tests/export",
    "The export tests pass.",
    "That's not right. The invoices are sent by the ERP, and not by us.",
    "I see.",
    "no, it is fine",
    "Good.",
    "that is wrong, isn't it? where did you get it from?",
    "From the wiki.",
  ));
  assert.deepEqual(found.map(({ text }) => text), [
    "since monday staging is on db-9, port 5440",
    "The invoices are sent by the ERP, and not by us.",
  ]);
});

Deno.test("findDecisions() takes nothing for a person's that was pasted, or that the agent wrote", () => {
  const review = "The cache always wins here, so we decided to keep it instead of the index.";
  const found = findDecisions(said(
    "the release fails, why?\n\n⨯ release failed: we always reject version 2 instead of 1\n" +
      "  at run (release.ts:4:1)",
    `It reads an old file.\n\n- ${review}`,
    `and this one:\n\n${review}`,
    "It says that the index is not asked.",
    "(12) ✅ We chose this over validateFlags(), since it needs the flags",
    "Right.",
  ));
  assert.deepEqual(found.filter(({ turn }) => Number(turn.slice(1)) % 2 === 0), []);
});

Deno.test("findDecisions() takes nothing for a person's that they quote in more than one sentence", () => {
  const quoting = [
    'he wrote: "we decided in Q2 to go with Iceberg for all raw tables. Kafka is next." what does he mean?',
    "Nikolai answered: “I would rather rewrite it on Temporal. We agreed on this at the offsite, never by hand.”",
    "Anna sagt: „Wir haben uns für Redis entschieden. Ab jetzt immer mit TTL.“ stimmt das?",
  ];
  for (const text of quoting) {
    const turns = said("what is in the queue?", "Two jobs.", text, "I see.");
    assert.deepEqual(findDecisions(turns), [], text);
    assert.deepEqual(preferencesIn(turns), [], text);
  }
  const inches = 'the 27" screen is too dark. we go with the OLED instead, because of the contrast';
  assert.deepEqual(findDecisions(said(inches, "Noted.")).map(({ text }) => text), [
    "we go with the OLED instead, because of the contrast",
  ]);
  const open = 'he said "leave it. we go with Redis over SQS, because it is there already';
  assert.deepEqual(findDecisions(said(open, "Noted.")).length, 1, "it never ends");
});

Deno.test("findDecisions() takes where a way was taken what settles it, and no call to look, no list's numbers", () => {
  const told = (reply: string): string[] => {
    const turns = said("how do we write rows?", "At night, or each at once.", reply, "Done.");
    const salient = sentencesOf(turns).map((sentence) => ({
      ...{
        sentence,
        score: 1,
        rankScore: 1,
        terms: new Set<string>(),
        vectors: undefined,
        place: 0,
      },
      ...{ isDecided: true, isLaidOut: false, concludes: 0 },
    }));
    return findDecisions(turns, salient).map(({ text }) => text);
  };
  const settled = "let's keep the worker writing each row at once";
  assert.deepEqual(told(settled), [settled]);
  for (
    const reply of [
      "let's go and address 2 and 4 then",
      "take a look at the config of the worker, then go on",
      "let's think harder about our options for the worker",
      "I'm wondering, since it keeps the rows of the worker open",
      "I ran it again and it goes through at once",
      "the rows of the worker are empty at night",
    ]
  ) {
    assert.deepEqual(told(reply), [], reply);
  }
});

Deno.test("findDecisions() keeps with what word a person sends a plan back", () => {
  const plan = [{ text: "# Tenants" }, { text: "1. A schema per tenant, by search_path." }];
  const found = (reply: string, failed = true, refuses = failed) => {
    const [ask, offer, then] = said("plan the tenants", "", reply);
    const tool = {
      id: "p",
      name: "ExitPlanMode",
      items: plan.map((item) => ({ ...item, status: "" })),
    };
    const answer = { ...then, ...(refuses ? { refuses } : {}) };
    return findDecisions([ask, { ...offer, tools: [{ ...tool, failed }] }, answer] as Turn[])
      .map(({ text }) => text);
  };
  const against = "no schema per tenant, postgres does not like 4000. row level security";
  assert.deepEqual(found(against), [
    `Sent back: Tenants: A schema per tenant, by search_path. → ${against}`,
  ]);
  // The plan was only stopped, and the next prompt is about something else.
  assert.deepEqual(found("look at the log of the worker once more", true, false), []);
  assert.deepEqual(found("what would that cost us?"), []);
  assert.deepEqual(found("not now"), []);
  assert.deepEqual(found("thanks, go on with the first step", false), [
    "Approved plan: Tenants: A schema per tenant, by search_path.",
  ]);
});

Deno.test("findDecisions() tells a plan that was sent back as approved in the end", () => {
  const title = "Keep the rates of the shop in a table of their own";
  const items = [{ text: `# ${title}`, status: "" }];
  const [ask, offer, word, again] = said("plan the rates", "", "also the ones of 2019", "");
  const plan = { id: "p", name: "ExitPlanMode", items };
  const turns = [
    ask,
    { ...offer, tools: [{ ...plan, failed: true }] },
    { ...word, refuses: true },
    { ...again, tools: [{ ...plan, failed: false }] },
  ] as Turn[];
  assert.deepEqual(findDecisions(turns).map(({ text }) => text), [
    `Sent back: ${title} → also the ones of 2019`,
    `Approved plan: ${title}`,
  ]);
});

Deno.test("findDecisions() tells of a plan the steps, and neither its context nor what it looked at", () => {
  const told = (...lines: string[]): string | undefined => {
    const [ask, offer] = said("plan the rates", "", "");
    const items = ["# Rates", ...lines].map((text) => ({ text, status: "" }));
    const tool = { id: "p", name: "ExitPlanMode", items, failed: false };
    return findDecisions([ask, { ...offer, tools: [tool] }] as Turn[])[0]?.text;
  };
  const context = ["## Context", "- The rates are read from a file today", "- It is never closed"];
  assert.equal(told(...context), "Approved plan: Rates");
  assert.equal(
    told(
      ...context,
      "## Changes to make",
      "1. **Add a table** for them",
      "## Verification",
      "1. Run it all",
    ),
    "Approved plan: Rates: Add a table for them",
  );
  assert.equal(
    told(
      "## Änderungen",
      "### 1. `rates.ts` – eine Tabelle",
      "- mit dem Tag",
      "## Prüfung",
      "- alle Tests",
    ),
    "Approved plan: Rates: `rates.ts` – eine Tabelle",
  );
  assert.equal(
    told(...context, "## Next steps", "- Ask the bank for more"),
    "Approved plan: Rates",
  );
});

Deno.test("findDecisions() takes a plan that its person hands to a new conversation for none turned down", () => {
  const items = [{ text: "# A schema for each tenant of the shop", status: "" }];
  const [ask, offer, handed] = said(
    "plan the tenants",
    "",
    "Implement: A schema for each tenant of the shop",
  );
  const plan = { id: "p", name: "ExitPlanMode", items };
  const turns = [
    ask,
    { ...offer, tools: [{ ...plan, failed: true }] },
    { ...handed, tools: [{ ...plan, failed: false }] },
  ] as Turn[];
  assert.deepEqual(findDecisions(turns).map(({ text }) => text), [
    "Approved plan: A schema for each tenant of the shop",
  ]);
});

Deno.test("findDecisions() keeps what an approved plan decides, and not its steps", () => {
  const lines = [
    "# Plan: end-to-end tests of the checkout",
    "**Decision:** use Playwright, not Cypress, because it runs WebKit too",
    "**Decision: pages or flows**",
    "1. Add the config file",
    "2. We decided against screenshots of whole pages: they differ by machine.",
    "3. Run it in the pipeline",
  ];
  const [ask, offer] = said("plan the tests of the checkout", "", "");
  const items = lines.map((text) => ({ text, status: "" }));
  const tool = { id: "p", name: "ExitPlanMode", items, failed: false };
  const found = findDecisions([ask, { ...offer, tools: [tool] }] as Turn[]);
  assert.deepEqual(found.map(({ text }) => text), [
    "Approved plan: end-to-end tests of the checkout",
    "use Playwright, not Cypress, because it runs WebKit too",
    "We decided against screenshots of whole pages: they differ by machine.",
  ]);
});

Deno.test("findDecisions() keeps why a person refused an edit, and no order of the moment", () => {
  const found = (reply: string, refuses = true) => {
    const [ask, offer, then] = said("store the sessions", "", reply);
    const tool = { id: "e", name: "Edit", filePath: "src/session.ts", failed: true };
    return findDecisions([
      ask,
      { ...offer, tools: [tool] },
      { ...then, ...(refuses ? { refuses } : {}) },
    ] as Turn[]).map(({ text }) => text);
  };
  const why = "not in session.ts, make a new file so that we can swap it later";
  assert.deepEqual(found(why), [why]);
  assert.deepEqual(found("run the tests first please"), []);
  assert.deepEqual(found("it goes red here because the clock is off", false), []);
});

Deno.test("findDecisions() takes no choice of which a part is private", () => {
  const chosen = (asked: string, reply: string): number =>
    findDecisions(said("How do we go on?", asked, reply, "Done.")).length;
  const asked = "The rows may go to the queue or to the table. Which one, queue or table?";
  assert.equal(chosen(asked, "The table, it is there already."), 1);
  assert.equal(chosen(asked, "The table of [private], it is there already."), 0);
  assert.equal(chosen(asked.replace("or table?", "or table of [private]?"), "The table."), 0);
});

Deno.test("findDecisions() takes for the answer to a question what answers it, and tells it once", () => {
  const settled = (asked: string, reply: string): string[] =>
    findDecisions(said("How is it now?", asked, reply, "Done.")).map(({ text }) => text);
  const asked =
    "All pass. Want me to write down the two optimizations, or leave the cache for later?";
  const question = asked.slice("All pass. ".length);
  assert.deepEqual(settled(asked, "Leave the cache, nobody waits for it."), [
    `${question} → Leave the cache, nobody waits for it.`,
  ]);
  for (
    const other of [
      "I see dates of last year. Some of them are in the cache since then.",
      "so... the cache works fine, and the first page is slow",
      "the cache is where my head is at... but...",
      "the cache is what i would take but…",
    ]
  ) assert.deepEqual(settled(asked, other), [], other);
  const named = "Either preserve those comments or fix the comment to match.";
  const reply = "fix the comment, then move on to the search";
  assert.deepEqual(
    settled(`${named} Want me to apply it, or move on to the search first?`, reply),
    [`${named} → ${reply}`],
  );
});

Deno.test("summarizeSession() tells a way that is named without a word of choosing", () => {
  const ways =
    "That is fair. What would work for mobile:\n\n- **Short access token and a refresh token in the keychain.** About three days, and the refresh endpoint is a new thing to protect.\n- **Keep server sessions and send the id in a header.** Half a day, and everything stays revocable.\n- **Full OAuth with a provider.** Nothing to build for login, though it takes weeks.";
  const told = summarizeSession(
    said(
      "the author says mobile can't do cookies. options?",
      ways,
      "does the second one bring csrf back",
      "No. Only the cookie needs it, and there it exists already.",
      "then header session id. half a day, revocable, and nobody has to learn a new token dance",
      "I wrote it into the review.",
    ),
    { cwd: "/p" },
  )?.decisions ?? [];
  assert.match(told.join("\n"), /header session id/);
});

const REVERSALS: readonly (readonly [name: string, first: string, then: string])[] = [
  [
    "names what it leaves",
    "We chose Postgres over Redis because jobs share a transaction with invoices.",
    "We decided to go with Redis instead of Postgres, because polling costs 300 ms.",
  ],
  [
    "is made of the same words",
    "We chose Vitest over Jest because it starts in 2 seconds.",
    "We chose Jest over Vitest because it starts in 1 second now.",
  ],
  [
    "drops what was taken",
    "Let's go with the nightly export, because nobody reads it by day.",
    "We dropped the nightly export, since finance reads the table itself.",
  ],
  [
    "takes it back without a name",
    "We decided to keep the sidebar on the left for all reports.",
    "We decided to have the sidebar of the reports on the right after all.",
  ],
  [
    "is German",
    "Wir haben uns für Kafka entschieden, weil das Team es kennt.",
    "Wir nehmen NATS statt Kafka, weil ein Knoten genügt.",
  ],
];

for (const [name, first, then] of REVERSALS) {
  Deno.test(`findDecisions() links a decision that ${name} to the one it takes back`, () => {
    const found = findDecisions(said(first, "That is noted.", then, "It is changed."));
    assert.deepEqual(found.map(({ text }) => text), [first, then]);
    assert.equal(found[1]?.reverses?.text, first);
    assert.deepEqual(stillStanding(found).map(({ text }) => text), [then]);
  });
}

const OTHERS: readonly (readonly [name: string, first: string, then: string])[] = [
  [
    "leaves the same thing again",
    "We chose Postgres over Redis because jobs share a transaction with invoices.",
    "We decided on SQLite rather than Redis for the tests, because nothing has to run.",
  ],
  [
    "is about another matter",
    "We chose Luxon over Moment because of its zones.",
    "We decided to drop the old invoices table, since nothing reads it.",
  ],
  [
    "rejects one of the many things that the first one names",
    "We decided to fill the matrix of a team from the lookup of names, with the colours that the results of a day show beside each player.",
    "We decided to print the surname alone, not the team.",
  ],
];

for (const [name, first, then] of OTHERS) {
  Deno.test(`findDecisions() takes nothing back where a decision ${name}`, () => {
    const found = findDecisions(said(first, "That is noted.", then, "It is changed."));
    assert.deepEqual(found.map(({ reverses }) => reverses), [undefined, undefined]);
  });
}

const ACROSS: readonly (readonly [later: string, earlier: string, expected: boolean])[] = [
  ...REVERSALS.map(([, first, then]) => [then, first, true] as const),
  ...OTHERS.map(([, first, then]) => [then, first, false] as const),
  // One small word in common, in two sessions that have nothing to do with each other.
  [
    "We render the report on the server and not in the browser.",
    "We decided to test in the browser, because users work there.",
    false,
  ],
  [
    "We keep the names instead of the numbers in the export.",
    "We decided to sort by numbers, since finance reads it so.",
    false,
  ],
];

for (const [later, earlier, expected] of ACROSS) {
  Deno.test(`reversesEarlier() ${expected ? "links" : "does not link"} "${later}"`, () => {
    assert.equal(reversesEarlier(later, earlier), expected);
  });
}

const KNOWN: readonly (readonly [said: string, known: string, sentence: string | undefined])[] = [
  [
    "No, we use pnpm, not npm, to install packages in this project.",
    "The lock file is committed. We use npm to install packages and to run scripts.",
    "We use npm to install packages and to run scripts.",
  ],
  [
    "Staging runs on db-9 instead of db-4 since Monday.",
    "Staging runs on db-4, with a copy of last night's data.",
    "Staging runs on db-4, with a copy of last night's data.",
  ],
  [
    "Wir nehmen NATS statt Kafka als Broker, weil ein Knoten genügt.",
    "Unser Broker ist Kafka in Version 3.",
    "Unser Broker ist Kafka in Version 3.",
  ],
  // What speaks against what was left says the same.
  [
    "I decided to load customers in batches rather than to cache them, because the cache would need 3 GB.",
    "The export loads customers in batches of 500. A cache would need 3 GB.",
    undefined,
  ],
  [
    "We use pnpm, not npm, to install packages.",
    "We don't use npm to install packages.",
    undefined,
  ],
  ["Use pnpm, not npm, to install packages.", "Install packages with pnpm, not npm.", undefined],
  ["We use pnpm to install packages.", "We use npm to install packages.", undefined],
];

for (const [said, known, sentence] of KNOWN) {
  Deno.test(`sentenceReversedBy() finds ${sentence ?? "nothing"} for "${said}" in "${known}"`, () => {
    assert.equal(sentenceReversedBy(said, known), sentence);
  });
}

Deno.test("summarizeSession() tells what a decision takes back, and keeps the earlier one", () => {
  const [, first = "", then = ""] = REVERSALS[0] ?? [];
  const turns = said(`Where do jobs go? ${first}`, "That is noted.", then, "It is changed.");
  assert.deepEqual(summarizeSession(turns)?.decisions, [
    first,
    `${then} (takes back: “${first}”)`,
  ]);
});

const WAYS = "Options:\n\n1. **BullMQ on Redis**: mature, but brings Redis back.\n" +
  "2. **pg-boss on Postgres**: no new service.\n\n" +
  "I recommend pg-boss, because we dropped Redis last week and Postgres is there.";

Deno.test("findDecisions() takes the way that a person names, and not the one that was recommended", () => {
  const found = findDecisions(said(
    "we need a real queue for the webhooks",
    WAYS,
    "pg-boss polls. lets use BullMQ, but on its own small redis, only for jobs",
    "It is built.",
  ));
  assert.deepEqual(found.map(({ text }) => text.replace(/^.* — /, "")), [
    "pg-boss polls. lets use BullMQ, but on its own small redis, only for jobs",
  ]);
  assert.deepEqual(findDecisions(said("we need a queue", WAYS, "is BullMQ still maintained?")), []);
});

Deno.test("findDecisions() takes the way that is named behind the answer to another question", () => {
  const ways = "Two options:\n\n**`state mv`**: works, but by hand.\n\n" +
    "**`import` and `removed` blocks**: both are in a plan.\n\nWhich version are you on?";
  const taken = (reply: string) =>
    findDecisions(said("how do we move the state?", ways, reply, "Good.")).map(({ text }) => text);
  for (
    const reply of [
      "the newest. go with the import/removed one, i want the review",
      "go with the import/removed one, i want the review",
    ]
  ) assert.equal(taken(reply).length, 1, reply);
  for (const reply of ["the newest. take a look at the import docs", "use the formatter too"]) {
    assert.deepEqual(taken(reply), [], reply);
  }
});

Deno.test("findDecisions() knows a way of a table by its row", () => {
  const table = "| Option | Against |\n|---|---|\n| **Redis** | a network hop |\n" +
    "| **In-process LRU** | stale after a write |\n\nI recommend Redis, because it is there.";
  const found = findDecisions(said("where do we cache?", table, "Redis then. TTL 60s is fine"));
  assert.deepEqual(found.map(({ text }) => text), ["Redis then. TTL 60s is fine"]);
});

Deno.test("findDecisions() takes what the agent settled where it changed something, and no finding", () => {
  const report =
    "We keep the limits in Postgres, because one shared Redis let the cache evict them.";
  const [asked, answered] = said("move the limits please", report);
  if (asked === undefined || answered === undefined) throw new Error("two turns");
  assert.deepEqual(findDecisions([asked, answered]), []);
  const tools = [{ id: "1", name: "Edit", input: {}, filePath: "/p/limits.ts", failed: false }];
  const changed = { ...answered, tools } as Turn;
  assert.deepEqual(findDecisions([asked, changed]).map(({ text }) => text), [report]);
});

Deno.test("reverses() takes no second word of the same decision for its reversal", () => {
  const turns = said(
    "agreed, we drop redis completely, the limits go to postgres",
    "We dropped Redis: the limits count in Postgres.",
  );
  assert.deepEqual(stillStanding(findDecisions(turns)).length, findDecisions(turns).length);
  assert.ok(reversesEarlier(
    "Wir wechseln von DuckDB auf Postgres mit Timescale, weil jetzt zwei schreiben.",
    "Wir nehmen DuckDB, weil nur der Nachtlauf schreibt.",
  ));
});

Deno.test("reverses() takes no two rules that share a word for each other's reversal", () => {
  const turns = said(
    "the user should be shown with their picture instead of 'You'",
    "tool calls should not directly follow the message of the user",
  );
  assert.ok(!findDecisions(turns).some(({ reverses }) => reverses !== undefined));
});

for (
  const then of [
    "We switched from SQLite to Postgres for the journal because three writers block each other.",
    "We went back from SQLite to flat files for the journal, since nobody queries it.",
    "We replaced SQLite with Postgres for the journal, because three writers block each other.",
  ]
) {
  Deno.test(`findDecisions() hears what an agent's change takes back: "${then}"`, () => {
    const first = "We chose SQLite over Postgres for the journal because there is one writer.";
    const turns = said(first, "That is noted.", "Now three processes write. Then change it.", then);
    const tools = [{ id: "1", name: "Edit", input: {}, filePath: "/p/store.ts", failed: false }];
    const changed = turns.map((turn) => turn.text === then ? { ...turn, tools } as Turn : turn);
    assert.deepEqual(findDecisions(changed).map(({ text, reverses }) => [text, reverses?.text]), [
      [first, undefined],
      [then, first],
    ]);
    assert.ok(reversesEarlier(then, first));
  });
}

Deno.test("findDecisions() takes no agent's word of what a person picked for its reversal", () => {
  const asked = "React, Svelte or plain DOM for the screen?";
  const measured = "React needs 3.1 s to first paint, Svelte 1.2 s, plain DOM 0.9 s. Which one?";
  const taken = "We chose Svelte over React because of React's first paint.";
  const found = findDecisions(said(asked, measured, "Svelte.", taken));
  assert.deepEqual(found.map(({ text, reverses }) => [text.slice(-20), reverses]), [
    ["DOM 0.9 s. → Svelte.", undefined],
    [taken.slice(-20), undefined],
  ]);
  const [picked = ""] = found.map(({ text }) => text);
  assert.ok(!reversesEarlier(taken, picked));
  assert.ok(reversesEarlier("We decided to go with plain DOM instead of Svelte.", picked));
});

Deno.test("findDecisions() costs in proportion to how much was decided", () => {
  const session = (count: number): Turn[] =>
    Array.from(
      { length: count },
      (_, i) => said(`We decided to use lib${i} instead of lib${i - 1}, as x${i} needs it.`),
    ).flat().map((turn, i) => ({ ...turn, uuid: `${i}` }));
  const least = (turns: readonly Turn[]): number =>
    Math.min(...[1, 2, 3].map(() => {
      const start = performance.now();
      // What was found is remembered by the list.
      findDecisions([...turns]);
      return performance.now() - start;
    }));
  const [some, many] = [session(1_000), session(8_000)];
  const [few, all] = [least(some), least(many)];
  assert.ok(findDecisions(many).at(-1)?.text.includes("lib7999"));
  assert.ok(all < few * 32, `8 times as many took ${all} ms, ${few} ms before`);
});

Deno.test("findDecisions() takes no fault with its reason for something that was chosen", () => {
  const fault =
    "`TestSlidingWindow` lets 101 requests through instead of 100, because the script " +
    "counts before it adds.";
  assert.deepEqual(findDecisions(said("go on", fault)), []);
  for (
    const chosen of [
      "We render the reports by Chromium instead of Prince because of its licence.",
      "We chose a failover pool instead of a second region because of its price.",
      "We decided to use Postgres and got rid of Redis instead of tuning it, because it is slow.",
    ]
  ) {
    assert.deepEqual(findDecisions(said("go on", chosen)).map(({ text }) => text), [chosen]);
  }
});

Deno.test("reversesEarlier() takes what a reply replies to for nothing that it rejects", () => {
  const earlier = "Which rows are missing files? → Yes, missing ones only";
  const asked = "Should it read the rows that are old rather than missing?";
  assert.equal(reversesEarlier(`${asked} → Yes, by their date`, earlier), false);
  const taken = "Where do the sessions of a shop live? → In Redis instead of Postgres";
  assert.equal(reversesEarlier(taken, "The sessions of a shop live in Postgres"), true);
});

Deno.test("findDecisions() takes what an agent did or explains for nothing that it chose", () => {
  const answer = (text: string, changes: boolean): string[] => {
    const [ask, reply] = said("mend the export", text);
    const tool = { id: "e", name: "Edit", filePath: "src/export.ts", failed: false };
    const turns = [ask, { ...reply, tools: changes ? [tool] : [] }, ...said("thanks")];
    return findDecisions(turns as Turn[]).map(({ text }) => text);
  };
  for (
    const told of [
      "I noted it in the log rather than in the chat, because a chat is gone tomorrow.",
      "The optimiser picked the index on the day instead of the one on the name.",
      "I ruled out one more thing, that the clock of the server was wrong.",
      "What makes it work is the order rather than the lock: rows are read when they are written.",
      "Leaving it out rather than mending it was right, since nobody calls it.",
    ]
  ) {
    assert.deepEqual(answer(told, true), [], told);
  }
  const chosen = "I went with a stream instead of an array, because a month has 4 GB.";
  assert.deepEqual(answer(chosen, true), [chosen]);
  assert.deepEqual(answer(chosen, false), []);
  for (
    const decided of [
      "I decided to read by day rather than to keep it all, because a month has 4 GB.",
      "Ich habe mich für einen Strom statt einer Liste entschieden, weil ein Monat 4 GB hat.",
    ]
  ) assert.deepEqual(answer(decided, false), [decided], decided);
});

Deno.test("findDecisions() hears what a person will leave as it is", () => {
  const kept = "we'll keep 3.18 there until the cache has a limit";
  assert.deepEqual(findDecisions(said(kept, "ok")).map(({ text }) => text), [kept]);
  for (
    const told of [
      "will we keep 3.18 there until May?",
      "we will run out of disk by friday unless it is cleaned",
      "and then we'll go over the design on monday",
    ]
  ) {
    assert.deepEqual(findDecisions(said(told, "yes")), []);
  }
  const german = "ne, ksp erst nach dem release. wir bleiben bei kapt";
  const told = findDecisions(said("geht ksp?", "Ja, mit dagger 2.52.", german));
  assert.deepEqual(told.map(({ text }) => text), [german]);
});

Deno.test("findDecisions() tells the names of ways that were taken by letter or number", () => {
  const ways = "Three ways:\n\n**A. Postgres by month.** No new parts.\n\n" +
    "**B. Parquet on S3.** Cheap.\n\n**C. ClickHouse.** One more.\n\nI'd recommend A plus B.";
  const taken = (reply: string, laid = ways) =>
    findDecisions(said("where do we store audit events?", laid, reply)).map(({ text }) => text);
  assert.deepEqual(taken("Agreed: A for 3 months, B for the rest. Who moves the data?"), [
    "A for 3 months, B for the rest. (A: Postgres by month; B: Parquet on S3)",
  ]);
  assert.deepEqual(taken("Agreed: a month in one table and no more. A partition is enough."), [
    "A month in one table and no more. A partition is enough.",
  ]);
  const numbered = "Two ways:\n\n1. **In the gateway**: one place.\n2. **Own handler**: stays " +
    "small.\n\nI'd go with the own handler.";
  assert.deepEqual(taken("2", numbered), ["Own handler: stays small."]);
  const german = "machen wir so, also 2 und preise zuerst";
  assert.deepEqual(taken(german, numbered), [`Own handler — ${german}`]);
});

Deno.test("findDecisions() takes a number for the item that has it, or for none", () => {
  const ways = "The badge stays red.\n\nOptions for the badge:\n\n" +
    "1. Drop it — the list shows the same.\n2. Set `badge.tone=calm:2` when all is read.\n" +
    "3. Leave it as it is — red means new.\n\nTell me which one.";
  const taken = (reply: string, answer = ways) =>
    findDecisions(said("what about the badge?", answer, reply)).map(({ text }) => text);
  assert.deepEqual(taken("do #2 and do it for the other badges"), [
    "Set `badge.tone=calm:2` when all is read — do #2 and do it for the other badges",
  ]);
  assert.deepEqual(taken("3 is better, the users know it"), [
    "Leave it as it is → 3 is better, the users know it",
  ]);
  assert.deepEqual(taken("do #4 and go on"), []);
  const lettered = "The lock is held too long.\n\nOptions:\n\nA. **Shorter lock** — only around " +
    "the write.\n\nB. **Queue** — a worker writes.\n\nC. **Leave it**, and tell the users.\n\n" +
    "It is the heart of the app, and my recommendation is **B**. Which do you want?";
  assert.deepEqual(taken("B", lettered), ["Queue — a worker writes."]);
});

Deno.test("findDecisions() hears 'C it is', with the name of C and what is said to it", () => {
  const ways = "Three models:\n\nA) Per call — fair, but customers fear the bill.\n" +
    "B) Per seat — easy to sell.\nC) Flat with tiers — predictable.\n\nI'd take C.";
  const taken = (reply: string) =>
    findDecisions(said("how do we price it?", ways, reply)).map(({ text }) => text);
  assert.deepEqual(taken("ok C it is, with 10k/100k/1M. But a hard limit, no soft one"), [
    "C it is, with 10k/100k/1M. But a hard limit, no soft one (C: Flat with tiers)",
  ]);
  for (
    const said of [
      "what a mess it is, and how do others do it",
      "Here it is: samples/mock/",
      "Measure how fast it is, then fix the cache",
      "check where it is.",
      "Yet it is, and that breaks the login",
    ]
  ) {
    assert.deepEqual(taken(said), []);
  }
});

Deno.test("findDecisions() takes back another way of the same choice, which nobody names again", () => {
  const found = findDecisions(said(
    "We need a job queue: BullMQ, pg-boss or SQS?",
    "- **BullMQ**: mature, needs a Redis.\n- **pg-boss**: runs on what you have.\n" +
      "- **SQS**: nothing to run.\n\nAll three carry 200 jobs a minute.",
    "I'd rather go with BullMQ because the dashboards are good",
    "BullMQ is installed.",
    "hm, 10$ a month for redis. no. let's do pg-boss after all, one thing less to run",
    "Switched.",
  ));
  assert.deepEqual(found.map(({ text, reverses }) => [text, reverses?.text]), [
    ["I'd rather go with BullMQ because the dashboards are good", undefined],
    [
      "let's do pg-boss after all, one thing less to run",
      "I'd rather go with BullMQ because the dashboards are good",
    ],
  ]);
});

Deno.test("findDecisions() hears what is to be left alone and how long, and what others settled", () => {
  const found = findDecisions(said(
    "good. prod needs an approval, CAB is thursday. do not touch prod before that",
    "Understood.",
    "leave the old schema for a week, then drop",
    "Okay.",
    "keep going until the tests are green",
    "All are green.",
    "don't stop before it compiles",
    "It compiles.",
    "need to ask Priya how refunds are sent. until then dont deploy",
    "Nothing is deployed.",
    "Elena decided: round half to even, as the old system. What does that mean for us?",
    "Nothing changes.",
    "can we turn off the rotation until monday?",
    "Yes.",
  ));
  assert.deepEqual(found.map(({ text }) => text), [
    "prod needs an approval, CAB is thursday. do not touch prod before that",
    "leave the old schema for a week, then drop",
    "need to ask Priya how refunds are sent. until then dont deploy",
    "Elena decided: round half to even, as the old system.",
  ]);
});

Deno.test("findDecisions() hears what must stay as it is, and tells it with what stands before it", () => {
  const found = findDecisions(said(
    "remaining: audit and flags. audit must not be migrated, it's append only and signed off",
    "Understood.",
    "the orders module has raw SQL for the window. leave that as is, knex can't express it",
    "It stays.",
    "can you explain it like that always? with a question instead of the answer.",
    "Sure.",
    "do we say 'sign in' or 'log in' on the start page? Leave both for now.",
    "Both stay.",
    "write it up, and no we don't need mod 97, asked the editor",
    "Written.",
    "it must not crash",
    "It does not.",
  ));
  assert.deepEqual(found.map(({ text }) => text), [
    "remaining: audit and flags. audit must not be migrated, it's append only and signed off",
    "the orders module has raw SQL for the window. leave that as is, knex can't express it",
    "can you explain it like that always? with a question instead of the answer.",
    "do we say 'sign in' or 'log in' on the start page? Leave both for now.",
    "write it up, and no we don't need mod 97, asked the editor",
  ]);
});

const ASKED_HERE = [
  "I have to ask: why is that slow?",
  "I'll ask you again when the build is done, is that fine?",
  "Do you need to check with the linter whether that is allowed?",
  "What does the log say? I'll check with curl.",
];

for (const text of ASKED_HERE) {
  Deno.test(`summarizeSession() leaves "${text}" to the answer`, () => {
    const session = summarizeSession(said(
      "Why is the importer slow? Have a look at the logs.",
      "I would batch the inserts by 500.",
      text,
      "All right, the importer reads rows one by one.",
      "Good. Now write the test for the parser.",
      "Done. The test for the parser passes.",
    ));
    assert.deepEqual(session?.openQuestions, []);
  });
}

Deno.test("findDecisions() leaves to the person what the agent would rather do", () => {
  const would = "I'd rather wait with the migration until the review is through.";
  assert.deepEqual(findDecisions(said("and the migration?", would, "hm", "Take your time.")), []);
});

/** What was decided is asked for, without a mark: how people talk to a memory. */
const ASKED_BACK = [
  "which database did we choose for the queue",
  "what have we decided about the retry limit",
  "who decided that we drop node 18",
  "how come we went with pnpm",
  "when did we settle on zod for the forms",
  "ok and which of the two did we go with",
  "remind me what we chose for the parser",
  "can you tell me which one we picked for auth",
  "do you remember why we dropped redis",
  "welche datenbank haben wir für die queue genommen, wir haben uns doch entschieden",
  "wer hat entschieden, dass wir node 18 nicht mehr unterstützen",
  "qué decidimos sobre el límite de reintentos",
  "recuérdame cuál elegimos para el parser",
  "qui a décidé que nous gardons redis",
  "rappelle-moi pourquoi nous avons choisi pnpm",
];
const NOT_ASKED_BACK = [
  "what we chose for the parser is chevrotain, because it needs no build step",
  "when in doubt we decided to drop the row",
  "who needs it: we decided to drop node 18 anyway",
  "remind me later, we decided to use zod for the forms",
];

Deno.test("findDecisions() takes no question after what was decided for a decision", () => {
  const decided = (text: string) => findDecisions(said(text, "It is in the notes.")).length;
  for (const text of ASKED_BACK) assert.equal(decided(text), 0, text);
  for (const text of NOT_ASKED_BACK) assert.equal(decided(text), 1, text);
});

Deno.test("findDecisions() hears what a person settles in everyday French and Spanish, and nobody else's choice", () => {
  const decided = (text: string) =>
    findDecisions(said("and now?", "Two ways.", text, "Done.")).length;
  for (
    const text of [
      "Nous partons sur pg_trgm, puisque nous ne voulons pas exploiter un service de plus.",
      "Passons à une pagination par curseur, l'OFFSET devient trop lent",
      "Alors on ajoute unaccent également.",
      "du coup on passe sur pnpm",
      "vamos con secure-store que ya usamos expo",
      "dale, adaptalo a la v13 entonces, no quiero quedar pegado en una version vieja",
    ]
  ) assert.equal(decided(text), 1, text);
  for (
    const text of [
      "Passons à autre chose",
      "on reste sur github actions ou on passe sur gitlab?",
      "si on passe sur gitlab il faudra tout refaire",
      "Prenons un exemple concret de requête",
      "bon on part sur une bonne base là",
      "vamos con retraso en este sprint",
      "cambialo a rojo y mandame captura",
      "Frau Meier hat sich bei ihrem Projekt für Snowflake entschieden",
      "Das andere Team hat sich für Kafka entschieden",
    ]
  ) assert.equal(decided(text), 0, text);
});
