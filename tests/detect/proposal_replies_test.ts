/** A short reply straight behind a proposal is the decision about it; and what else is said there is none. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { exchanged } from "../support/exchanged.ts";

type Said = string | readonly [text: string, changed: string];

function decided(...said: Said[]): string[] {
  return findDecisions(exchanged(...said)).map(({ text }) => text);
}

/** What the agent says when it has changed a file upon the reply. */
const DONE = ["Done.", "src/a.ts"] as const;

const TAKEN: readonly (readonly [asked: string, answer: string, reply: string, told: string])[] = [
  [
    "what about eviction",
    "A rule of 14 days would leave about 1.2 TB; 30 days about 2 TB.",
    "14",
    "A rule of 14 days would leave about 1.2 TB; 30 days about 2 TB. → 14",
  ],
  [
    "the search is bad",
    "| Way | Cost |\n|---|---|\n| Tune Algolia | 900 |\n| Typesense Cloud | 120 |\n\n" +
    "I'd tune first and move later.",
    "typesense. 900 is nuts for what it does",
    "Typesense Cloud, 120 → typesense. 900 is nuts for what it does",
  ],
  [
    "streaks are wrong in other time zones",
    "You need the zone: either stored in the profile, or sent with each workout.",
    "with each workout yeah people travel",
    "You need the zone: either stored in the profile, or sent with each workout. → " +
    "with each workout yeah people travel",
  ],
  [
    "old workouts have none",
    "I can fill them with the zone of the country. Or leave all of them as they are.",
    "fill them",
    "I can fill them with the zone of the country. → fill them",
  ],
  [
    "is the index updated when a price changes?",
    "With the webhook it'd be immediate. Do you want the webhook?",
    "yes, stale prices get us angry mails",
    "With the webhook it'd be immediate. Do you want the webhook? → " +
    "yes, stale prices get us angry mails",
  ],
  [
    "how do I read both headers",
    "I'd look for the line that starts with `Well,` instead of counting.",
    "Sensible. Do it.",
    "I'd look for the line that starts with `Well,` instead of counting. → Sensible. Do it.",
  ],
  [
    "the corners read high",
    "1. Exclude the outer ring.\n2. Fit a surface and divide by it.\n3. Randomize the layout.\n\n" +
    "I'd do 2 for these data and 3 from now on.",
    "Agreed on both.",
    "I'd do 2 for these data and 3 from now on. (Fit a surface and divide by it.; " +
    "Randomize the layout.) → Agreed on both.",
  ],
  [
    "it finds nike for bike",
    "I can set `min_len=5`, so that shorter words must match exactly. Should I?",
    "yeah but 6",
    "I can set `min_len=5`, so that shorter words must match exactly. Should I? → yeah but 6",
  ],
  [
    "endless loops?",
    "A timeout of 5 s for the role stops those, and 16 MB of memory the rest.",
    "yep put those in",
    "A timeout of 5 s for the role stops those, and 16 MB of memory the rest. → yep put those in",
  ],
  [
    "mean or what do the data say about the blanks?",
    "On nine plates the mean and the median differ by more than 2 %.",
    "Median, and say so in the methods.",
    "On nine plates the mean and the median differ by more than 2 %. → " +
    "Median, and say so in the methods.",
  ],
  [
    "what can we do, they don't fit",
    "Two things are possible:\n- Code 128 C, which packs two digits\n- a DataMatrix of 12 mm",
    "our scanners read lines only. so first",
    "Code 128 C, which packs two digits → our scanners read lines only. so first",
  ],
  [
    "what do you suggest?",
    "1. A timeout for the role\n2. A pooler in front\n3. No HTTP inside a transaction",
    "1 today. 3 by the team before we redeploy",
    "A timeout for the role; No HTTP inside a transaction → " +
    "1 today. 3 by the team before we redeploy",
  ],
  [
    "who gets told when it fails",
    "It could go to Slack, to the mail of whoever sent it, or both.",
    "both",
    "who gets told when it fails It could go to Slack, to the mail of whoever sent it, or both. " +
    "→ both",
  ],
  [
    "2 min is too short, posters take 6",
    "Then 10 minutes, with three retries?",
    "10 ok, but no retries, prints cost money",
    "Then 10 minutes, with three retries? → 10 ok, but no retries, prints cost money",
  ],
  [
    "which database for the fast suite?",
    "I'd use SQLite for it. Want me to apply that to the docs?",
    "Yes apply",
    "which database for the fast suite? I'd use SQLite for it. → Yes apply",
  ],
  [
    "outlook breaks it",
    "The March issue is in MJML now: `mail/march.mjml`.",
    "looks perfect there. keep mjml",
    "The March issue is in MJML now: `mail/march.mjml`. → looks perfect there. keep mjml",
  ],
];

for (const [asked, answer, reply, told] of TAKEN) {
  Deno.test(`findDecisions() tells what "${reply}" replies to`, () => {
    assert.deepEqual(decided(asked, answer, reply, DONE), [told]);
  });
}

Deno.test("findDecisions() takes a name for no word of another language", () => {
  assert.deepEqual(
    decided("which license?", "For this repo I'd recommend MIT.", "use mit", DONE),
    ["For this repo I'd recommend MIT. → use mit"],
  );
});

Deno.test("findDecisions() tells what is turned down with what was asked for", () => {
  assert.deepEqual(
    decided("can we cache it anyway", "We could, in the process.", "hm thats ugly skip it", "Ok."),
    ["can we cache it anyway → hm thats ugly skip it"],
  );
  assert.deepEqual(
    decided(
      "partial credit?",
      "By rows, or by columns.",
      "no partial credit. retries are free",
      "Ok.",
    ),
    ["partial credit? → no partial credit. retries are free"],
  );
  assert.deepEqual(
    decided("now we lost the berths again", "They are back.", "no berths", "Ok."),
    [],
  );
});

Deno.test("findDecisions() does not tell what is undone later", () => {
  const pick = [
    "can it pick?",
    "I could weight it by weeks. Shall I?",
    "ooo weighted yes",
    DONE,
  ] as const;
  assert.equal(decided(...pick).length, 1);
  const told = decided(
    ...pick,
    "hm it picked this 3 times",
    "Fixed.",
    "scrap the weights, boring",
    DONE,
  );
  assert.deepEqual(told.filter((one) => one.includes("weighted yes")), []);
});

Deno.test("findDecisions() tells what was put forward before a question in between", () => {
  const asked = [
    "9,000 markers stutter. What would help?",
    "Clustering takes an hour. MapLibre draws 100k points, but every popup is to be rewritten.",
    "How long would that take?",
    "Two to three days, most of it for popups.",
  ] as const;
  assert.deepEqual(decided(...asked, "Hm. We wanted rotation anyway. MapLibre.", DONE), [
    "MapLibre draws 100k points, but every popup is to be rewritten. → " +
    "Hm. We wanted rotation anyway. MapLibre.",
  ]);
});

Deno.test("findDecisions() tells of two replies to one proposal the later", () => {
  const told = decided(
    "priorities?",
    "Numbers are there. Two queues are easier to reason about; I'd go for two queues.",
    "makes sense but lets keep it simple, numbers",
    DONE,
    "the desk never gets them. actually two queues like u said",
    DONE,
  );
  assert.equal(told.filter((one) => one.includes("I'd go for two queues")).length, 1);
  assert.match(told.join(), /like u said/);
});

const OFFER = "The list is slow. I could add an index on the week. Or cache it for a minute.";
const NONE: readonly (readonly [answer: string, reply: string])[] = [
  // An order of the moment, courtesy, a report, a question.
  [OFFER, "run the tests"],
  [OFFER, "thanks"],
  [OFFER, "the index is broken, it crashes"],
  [OFFER, "what does an index cost"],
  [OFFER, "the index sounds good but who maintains that"],
  [OFFER, "let me sleep on it"],
  [OFFER, "show me the index first"],
  [OFFER, "i still see the old list"],
  ["Want me to run the tests?", "yes, please"],
  ["Shall I commit this?", "yes, the branch is mine"],
  ["Let me know if you want me to dig into the logs.", "yes logs"],
  // What was asked for is told.
  ["I can't tell from here. Which version are you on?", "1.9.5"],
  ["Is that the id you expect, or another one?", "yes thats it"],
  // Causes are laid out, and no ways.
  ["Either the role doesn't exist yet or its policy is wrong.", "role exists, i made it 5 min ago"],
  // Takes note, and goes on with something else.
  ["I could move it to a worker.", "ok. fuzzing found a hang with 50k brackets"],
  ["All of it is done.", "perfect"],
  ["Fixed. You could also run it with `--watch`.", "ok watch"],
  ["Fixed. You could also run it with `--watch`.", "great, now the docs"],
  ["I could explain the other parts as well.", "other parts please"],
  ["I can't open that. You could send me the file.", "yes sending"],
  ["I found 3 errors and 12 warnings.", "12"],
  // An offer to go on with the work, a heading, and how something is done.
  ["The id is read twice. Would you like me to apply this fix for you?", "yes, one last time"],
  ["The id is read twice. Should I proceed with implementing that?", "Yes. Implement."],
  ["The id is read twice. Do you want me to mend it as bug 8?", "Yes please mend it as bug 8"],
  ["If you want, I can also write the two workflow files.", "yes add both"],
  ["I could keep the list in memory. Want me to start with the next phase?", "yes"],
  ["## Recommended approach\n\nThe id is read twice.", "yes"],
  ["The proper solution would likely be:\n\n```ts\nread(id);\n```", "yes"],
  ["You can import the files via File, Import, XML.", "great, implement the import then"],
  ["I'll measure whether the list is read whole or by page.", "please by page"],
  ["Both parts keep going, 12 rows a second.", "ok great keep going"],
  ['Say "go ahead" or "execute the plan" when you want me to implement it.', "ok go ahead"],
  [
    "Souhaitez-vous que je crée ces fichiers ou préférez-vous une variante ? Voici leur contenu.",
    "créé ces fichiers",
  ],
  ["Je to v pořádku? Můžeme pokračovat s dalšími úpravami?", "pokračujme"],
  ["The list is slow. I could add an index, which is what team B does.", "b"],
  ["La lista está lista. ¿Continúo con Mi Día?", "continua"],
  ["El id se lee dos veces. ¿Quieres que implemente este cambio?", "implemente este cambio"],
];

for (const [answer, reply] of NONE) {
  Deno.test(`findDecisions() takes "${reply}" for none behind "${answer}"`, () => {
    assert.deepEqual(decided("the list is slow, look at it", answer, reply, DONE), []);
  });
}

Deno.test("findDecisions() takes a yes to the last question for no answer to one before it", () => {
  const asked = "Two small ones.\n\n**(a)** If somebody reloads it, do we lose the place?";
  const taken = (behind: string): number =>
    decided("the list is slow, look at it", `${asked}\n\n${behind}`, "Yes", DONE).length;
  assert.equal(taken("**(b)** The days stay as they are."), 1);
  assert.equal(taken("**(b)** The days stay as they are. Are both correct? Say so if not."), 0);
});

Deno.test("findDecisions() lets nothing be taken back by what a reply replies to", () => {
  const found = findDecisions(exchanged(
    "which rows are the orders?",
    "Either in a view of the partition, or in a table.",
    "view of the partition",
    DONE,
    "two of them have the same number",
    "I'd number them over the partition: `row_number() over (partition by day)`.",
    "yes that makes sense, do that",
    DONE,
  ));
  assert.deepEqual(found.map(({ reverses }) => reverses), [undefined, undefined]);
});
