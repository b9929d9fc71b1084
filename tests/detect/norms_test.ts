/** What says how a thing is to be, and what looks the same: orders of the moment, reproaches, what somebody met with. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { sentencesOf } from "../../src/detect/text/sentences.ts";
import { exchangesOf } from "../../src/detect/text/exchanges.ts";
import {
  criticizesAgent,
  isDoubted,
  isNormative,
  lacksNamedSubject,
  statesRule,
} from "../../src/detect/decisions/norms.ts";
import { alternativesBefore } from "../../src/detect/decisions/choices.ts";
import { exchanged } from "../support/exchanged.ts";

const SHALL: readonly string[] = [
  "quotes should keep the rate of the day they were made",
  "we don't need the old importer for this",
  "let's keep the list in memory for now",
  "I want the totals in the footer of every page",
  "make sure the export never writes to the shared folder",
  "los presupuestos deben guardar el tipo de cambio del dia",
  "la factura ya no hace falta en esa pantalla",
  "le total doit rester en bas de la page",
  "die Summe soll immer unten stehen",
  "导出的文件应该按日期命名",
];

const ONLY_NOW: readonly string[] = [
  "go ahead and commit the whole thing",
  "it should work now, try again",
  "I want you to run the importer once more",
  "I still see the old totals, they should be gone",
  "for some reason the footer is always empty",
  "a lesson about forms that are not always filled in",
  "should it be in the footer",
  "you should now be able to log in with the new name",
  "arrange the fields so that it is clear what a guest should enter",
  "esto deberia funcionar con el nuevo filtro",
  // Copied from elsewhere, with its title.
  "Core Principle: The importer should put all rows of a day together into one report.",
];

Deno.test("isNormative() hears how a thing is to be, and no order or finding of the moment", () => {
  assert.deepEqual(SHALL.filter((one) => !isNormative(one)), []);
  assert.deepEqual(ONLY_NOW.filter(isNormative), []);
});

Deno.test("criticizesAgent() knows what the agent did, and leaves alone what it should do", () => {
  const did = [
    "you changed the fixture, not the importer",
    "i only asked for a plan, not for code",
    "no, you're editing the wrong table",
    "i just copied the archive into the import folder",
    "du hast die falsche Tabelle geändert",
    "tu as encore touché au style",
  ];
  assert.deepEqual(did.filter((one) => !criticizesAgent(one)), []);
  const should = ["you should always ask before a migration", "you never push to main yourself"];
  assert.deepEqual(should.filter(criticizesAgent), []);
});

const RULES: readonly string[] = [
  "everything in the panel must be related to the selected session",
  "invoices must be numbered without any gaps in a year",
  "make sure we reuse the colours of the web shop",
  "Quotes should keep the exchange rate of the day they were made.",
  "Canceled bookings shouldn't count against the room limit.",
  "Los presupuestos deben guardar el tipo de cambio del dia.",
  "I want the price column to stay visible while the table scrolls.",
  "we don't want generated notes in the root of the repository",
];
const NO_RULES: readonly string[] = [
  "the error must be in the layer of the cache",
  "the tests must have failed because of the slow clock",
  "the header must be stripped somewhere before it gets here",
  "make sure all tests of the importer pass before the push",
  "It should keep the rate of the day.",
  "There should be a rate somewhere in the table of quotes.",
  "The import should work after the last change of the parser.",
  "Probably the quotes should keep the rate of the day.",
  "The dialog should close but I still see it after a click.",
  "Should the quotes keep the rate of their day",
  "We should update the form of the bookings as well.",
  "I want this to stay visible while the table scrolls.",
  "I want you to open the table with the prices again.",
];

Deno.test("findDecisions() hears what is rejected first, and what will not be done", () => {
  const told = (prompt: string): string[] =>
    findDecisions(exchanged("Look at the build.", "I looked at it.", prompt, "Done."))
      .map(({ text }) => text);
  const decisions = [
    "Instead of npm, use pnpm in the pipeline.",
    "Lets try it but we won't commit anything, that way we can easily go back",
  ];
  for (const one of decisions) assert.deepEqual(told(one), [one]);
  for (
    const none of [
      "Instead of fixing this, look at the logs.",
      "Instead of a table, give me a short summary.",
      "We won't be able to ship it today.",
      "We won't commit it.",
    ]
  ) assert.deepEqual(told(none), [], none);
});

Deno.test("statesRule() takes a rule of something that it names", () => {
  assert.deepEqual(RULES.filter((one) => !statesRule(one)), []);
  assert.deepEqual(NO_RULES.filter(statesRule), []);
});

function decided(answer: string, prompt: string): string[] {
  const turns = exchanged("look at the importer", answer, prompt, "Done.");
  return findDecisions(turns).map(({ text }) => text);
}

Deno.test("findDecisions() takes no reproach, no refusal of the moment and nothing that is asked behind", () => {
  const answer = "I changed the parser and the fixture. Both are green.";
  for (
    const prompt of [
      "you changed the fixture, not the parser",
      "no, use the other folder",
      "no, there are three files in it already",
      "We don't need redis there. right?",
      "record that in the log, not just for the parser",
      "when I pick a date, the list shows the day before instead of that day",
      "The number of the invoice seems to be fixed instead of counting up in a year.",
      "Line 12 contains a tab instead of two spaces.",
      "many of the tables have a scroll bar instead of fitting the window",
      "the colors are off, and it floats on the left, not in the middle",
      "i will decide on the colors at the end, and only then on the fonts",
      "I am seeing the number of the guest instead of the name!",
      "i dropped the archive into the import folder and none of the rows showed up",
      "no, I don't think you have it in two tables, which is good because that is a mess.",
    ]
  ) assert.deepEqual(decided(answer, prompt), [], prompt);
});

Deno.test("findDecisions() takes a refusal that says what shall be", () => {
  const answer = "I rounded the totals to full cents in the parser.";
  for (
    const prompt of [
      "no, totals should always be rounded in the report",
      "no, keep the totals as they come from the bank",
    ]
  ) assert.deepEqual(decided(answer, prompt), [prompt]);
});

Deno.test("findDecisions() takes an order with a bound, which needs no reason", () => {
  const answer = "The header has a shadow, and a line below it.";
  for (
    const prompt of ["Keep the header plain, without a shadow.", "use the small icons only"]
  ) assert.deepEqual(decided(answer, prompt), [prompt]);
  for (const prompt of ["Keep the header plain.", "let's say there are only two columns"]) {
    assert.deepEqual(decided(answer, prompt), [], prompt);
  }
});

Deno.test("alternativesBefore() takes a heading of a report only where it is what is said first", () => {
  const answer = "How it goes on:\n\n### Zoom levels\nThree of them.\n\n### Flow fields\nOne.";
  const before = exchangesOf(exchanged("what is left of the map", answer));
  assert.deepEqual(alternativesBefore(before, "right: flow fields, for all groups").names, [
    "Flow fields",
  ]);
  assert.deepEqual(alternativesBefore(before, "I really don't want levels in the zoom").names, []);
});

Deno.test("findDecisions() leaves out what an agent says at work, or thinks", () => {
  const said = "We decided to keep the queue in Postgres.";
  const reasoned = "We decided to keep the queue in Postgres, because nothing else has to run.";
  const told = (before: string, after: string): string[] =>
    findDecisions([
      ...exchanged("why is the queue slow"),
      ...exchanged("x", before).slice(1),
      ...exchanged("x", after).slice(1),
    ]).map(({ text }) => text);
  assert.deepEqual(told("Let me look at the queue.", said), [said]);
  assert.deepEqual(told(said, "The queue is fast again."), []);
  assert.deepEqual(told(reasoned, "The queue is fast again."), [reasoned]);
  assert.deepEqual(
    told("I look.", "I decide to rely on the exported types, rather than on mine."),
    [],
  );
});

Deno.test("findDecisions() takes what somebody met with, asks or supposes for no decision", () => {
  for (
    const [answer, prompt] of [
      [
        "The rows are striped now.",
        "the list looks identical to before: plain rows, not striped rows",
      ],
      [
        "The rows are striped now.",
        "none of the lists work anymore: TypeError: rows is not defined",
      ],
      ["The guests are sorted.", "we worked on the rooms instead of the guests."],
      [
        "I sorted them by day.",
        "this did not fix the order. rooms should come before guests, always",
      ],
      [
        "It reads a table.",
        "to have fewer casts: can i make the driver use numbers instead of strings",
      ],
      ["It reads a table.", "suppose we use a queue instead of a table"],
      ["It reads a table.", "imagine we picked the queue over the table"],
      [
        "Saved. Does the app show the new price this time, or still nothing?",
        "still nothing! i saved it again",
      ],
    ] as const
  ) {
    const turns = exchanged("show the list", answer, prompt, "Done.");
    assert.deepEqual(findDecisions(turns).map(({ text }) => text), [], prompt);
  }
  assert.ok(isDoubted("consider we take alternative 2"));
  assert.ok(!isDoubted("consider the second alternative taken"));
});

Deno.test("sentencesOf() leaves out what the console of a browser printed", () => {
  const prompt = "grid.js:94 Column Error - the parent must be frozen, not the single column";
  assert.deepEqual(sentencesOf(exchanged(prompt, "")).map(({ text }) => text), []);
});

Deno.test("findDecisions() takes no remark, supposition or report of a fault for a decision", () => {
  for (
    const said of [
      "One more thing. The blue theme is somewhere in the settings of the editor and it is wrong.",
      "The linter will complain until we drop the first bit of old code.",
      "one last look at the harbour before we drop this for now",
      "to my understanding i must only keep the berths, not the piers",
      "My assumption is that we can read the cache instead of the table, because it never changes.",
      "The easiest, but we need to verify that, would be to have two colours and always use the last.",
    ]
  ) {
    assert.deepEqual(decided("It has 40 rows.", said), [], said);
  }
  assert.ok(lacksNamedSubject("The fact that a reader asked for them only today is the point."));
  assert.ok(isDoubted("Ideally we use the short form, but maybe some pages need the long one."));
  const corrected = "No, that is wrong. The blue theme is only for the printed pages of the shop.";
  assert.equal(decided("It is blue.", corrected).length, 1);
});

Deno.test("findDecisions() hears what is to be explained, or was found wrong, as no rule in any language", () => {
  const asked = [
    "explain how invoices must be stored in the database of the shop",
    "erklär mir bitte, wie die Rechnungen in der Datenbank gespeichert werden sollen",
    "explique-moi comment les factures doivent être stockées dans la base de données",
    "spiegami come le fatture devono essere salvate nel database del magazzino",
    "me explica como as faturas devem ser salvas no banco de dados da loja",
    "dime cómo deben estar conectadas las facturas con los clientes en la base",
    "en el almacén quiero que me digas cuales estantes deben estar ordenados por fecha",
    "quero que você me diga como as faturas devem ser ligadas aos clientes",
    "voglio che mi dica come le fatture devono essere collegate ai clienti",
  ];
  const found = [
    "it works now, there was a typo in the Dockerfile, serve.js instead of server.js",
    "jetzt geht alles, da war ein Tippfehler in der Dockerfile, serve.js statt server.js",
    "maintenant tout marche, il y avait une faute dans le Dockerfile, serve.js au lieu de server.js",
    "ora funziona tutto, c'era un refuso nel Dockerfile, serve.js al posto di server.js",
    "ahora funciona todo, había un error en el Dockerfile, serve.js en vez de server.js",
    "agora funciona tudo, tinha um erro no Dockerfile, serve.js em vez de server.js",
    "hay un problema con los turnos, cada guardia debería tener su relevo en la lista",
  ];
  for (const said of [...asked, ...found]) {
    assert.deepEqual(findDecisions(exchanged(said)).map(({ text }) => text), [], said);
  }
  const rules = [
    "las facturas deben estar conectadas con los clientes en la base",
    "die Rechnungen sollen in der Datenbank des Shops gespeichert werden",
    "quiero que las facturas muestren siempre el nombre del cliente",
  ];
  for (const said of rules) assert.equal(findDecisions(exchanged(said)).length, 1, said);
});

Deno.test("findDecisions() takes no rule from a prompt that tells what somebody met with", () => {
  const rule = "The importer should check the format of every row.";
  assert.deepEqual(decided("The importer is in place.", rule), [rule]);
  assert.deepEqual(
    decided("The importer is in place.", `I tried the sample file with it. ${rule}`),
    [],
  );
});

Deno.test("summarizeSession() knows decisions and next steps by the heading that they stand below", () => {
  const { decisions, next } = summarizeSession(exchanged(
    "look through the importer of the warehouse and tell me what to do",
    "The importer reads the whole file at once.\n\n## Decisions\n\n" +
      "- Rows are streamed in blocks of 500 from the file\n\n## Next steps\n\n" +
      "1. Write the migration for the stock table",
  )) ?? {};
  assert.deepEqual(decisions, ["Rows are streamed in blocks of 500 from the file"]);
  assert.deepEqual(next, ["Write the migration for the stock table"]);
});

Deno.test("findDecisions() takes advice by its name, and tells no choice of which nobody knows what it is", () => {
  const advice = "I recommend a cache in the process with a limit of 40 tenants.";
  const taken = findDecisions(exchanged(
    "how should the cache be kept",
    `${advice} Redis would be one more server.`,
    "let's go with your recommendation",
    "It is in.",
  ));
  assert.deepEqual(taken.map(({ text }) => text), [
    `${advice} → let's go with your recommendation`,
  ]);
  const unknown = exchanged(
    "how can we speed the page up",
    "We could cache the page or shrink its pictures. Both work.",
    "let's go with option 2",
    "Done.",
  );
  assert.deepEqual(findDecisions(unknown), []);
});
