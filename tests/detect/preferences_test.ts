/** What a person wants always or never, told from orders of the moment and from what merely happens. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import {
  isForEveryProject,
  preferencesIn,
  saysPreference,
  withAntecedent,
} from "../../src/detect/decisions/preferences.ts";
import type { Turn } from "../../src/editor/editor.ts";

const WANTED = [
  "please stop adding those comment headers on top of every file, we dont do that here",
  "just explain and give me the skeleton. thats for the whole project",
  "nobody touches coyote time again it feels exactly right",
  "its a design choice not laziness ok",
  "please never mock the database (or redis) in tests",
  "thanks, but never mock the database in tests",
  "from now on we do it like this: snapshot first, then migrate, then verify",
  "I like small commits, one thing each",
  "We always squash before a merge.",
  "Always run the formatter before you commit.",
  "Bitte antworte mir in diesem Projekt auf Deutsch, die Kollegen lesen mit.",
  "ein kaputter anbieter darf nie wieder den ganzen lauf abbrechen",
  "Rohdaten werden nie verändert",
  "rule for the thesis: a single-subject result is never cited as evidence",
  "neue Regel: jede Zahl mit n",
  "ich mag keine emojis in code, commits oder doku",
  "the API must never return a stack trace",
  "we should never enqueue outside of a transaction",
  "Commits must always be signed",
  "a migration may never be edited once it was merged",
  "you should never force-push",
  "I'd rather you ask before you delete files",
  "I prefer small functions, for this project too",
  "our convention is snake_case for columns",
  "Our style: no semicolons",
  "by default use pnpm",
  "Let's use pnpm from now on",
  "Never emojis in a commit",
  "Kommentare müssen immer auf Englisch sein",
  "Nimm immer pnpm",
  "Nie wieder auf main pushen",
  "ab sofort werden Tests zuerst geschrieben",
  "Ich hätte lieber, dass du vor dem Löschen fragst",
  "prefiero funciones pequeñas y sin clases",
  "nunca hagas push directo a main",
  "ne pousse jamais directement sur main",
  "à partir de maintenant les commits sont en anglais",
  "désormais mettre les tests à côté du code",
];
/** Rules in few words, and what happens said in the same. */
const TERSE = [
  "and no unicode symbols in code comments, the submission server chokes on them",
  "style: no dynamic allocation anywhere in src/, misra people",
  "migrations run in release_command, never at boot",
  "watchdog gets kicked in main loop only, never in an isr",
  "ok but secrets live in vault, never in the repo",
  "dates are stored as utc always, never in local time",
  "no real customer data in the report ever, redact",
  "and no third party pods ever, spm only pls",
  "metric only pls always",
  "british spelling everywhere please",
  "small commits, always pls",
  "und migrationen immer mit down-skript, sonst gibts ärger vom betrieb",
  "commits bitte immer auf englisch",
  "exporte immer als csv",
  "los precios siempre con iva incluido en la web, lo exige la ley",
  "las fechas de entrega siempre en formato largo",
  "los correos a clientes nunca los mandes de prueba eh",
  "les couleurs passent toujours par les tokens, jamais en dur",
  "les prix toujours avec deux décimales",
];
const HAPPENS = [
  "no errors in the log messages",
  "no typos in the docs please check",
  "no results anywhere in the list",
  "no file anywhere, the download is empty",
  "the menu opens on the left, never on the right",
  "it happens in prod, never in staging",
  "tests fail on monday, never on friday",
  "requests time out at night, never at noon",
  "it works in chrome, never in safari",
  "crashes only on android, never on ios",
  "users log in on mobile, never on desktop",
  "jobs get dropped at night, never in the morning",
  "this runs on linux only, never on windows",
  "i deployed on linux only, never on windows",
  "they come as strings always, never the numbers",
  "no luck ever",
  "no one ever answered",
  "no tests ever ran here",
  "no response ever",
  "not always please",
  "why does it always please everyone",
  "is that always, please?",
  "pls always tells me the same error",
  "can you show it everywhere please?",
  "the app is slow everywhere, please fix",
  "hängt immer in der nacht",
  "fehler immer mit dem gleichen text",
  "die app hängt immer in der nacht",
  "stürzt immer mit code 139 ab",
  "nicht immer in prod",
  "läuft fast immer ohne fehler",
  "el error siempre en la misma línea",
  "la web sigue siempre en mantenimiento",
  "nunca lo ves en local",
  "nunca me dices nada",
  "nunca me haces caso",
  "ça marche toujours en local, jamais en prod",
  "les tests échouent toujours sur la ci, jamais en local",
  "il est toujours en retard, jamais à l'heure",
  "on l'a en prod, jamais en local",
  "le serveur tombe toujours la nuit, jamais en journée",
  "emails go to spam, never in the inbox",
  "rows end up in the archive, never in the main table",
  "prices change at night, never in the day",
  "no build passed ever",
  "no user complained ever",
  "logs stop at 3, never after that",
  "there is no reason ever",
  "i only see it at night, never on weekends",
  "it only loads on wifi, never on mobile",
  "sorry, i was thinking of the other one, never on this",
  "the spinner is always there, never on the second page tho",
  "you always say that",
  "always the same with this",
  "he always wants it on friday",
  "los tests siempre en rojo por el mismo error",
  "la app siempre con el mismo fallo",
  "warum immer auf englisch?",
  "wird immer mit root gestartet",
  "on a toujours eu ça en dev, jamais en prod",
  "les logs toujours en erreur",
];
const NOT_WANTED = [
  "hmm I like those key bindings, and esc closes it",
  "i like these three phases better",
  // One thing is chosen, as in "I'd prefer Postgres for this".
  "Ich hätte lieber SQLite",
  "je préfère attendre la fin du build",
  "prefiero que me lo expliques primero",
  "désormais ça plante aussi sur Linux",
  "désormais ils plantent tous les deux",
  "it always fails on the second run",
  "the importer never finishes, always at the same file",
  "this test never passed on CI",
  "we should never get here",
  "we should never have merged that",
  "we never got this to work on windows",
  "never mind, it was the cache",
  "I like it, go on",
  "I'd like you to look at the limiter",
  "please fix the limiter in this file",
  "which rule for the limiter applies: per key or per address",
  "no, not the whole suite, it takes an hour",
  // A way is taken, and what must be is why.
  "Let's go with SQLite then, links must never be lost",
  "OK, Postgres then, rows must never be deleted twice",
  "We take the queue, jobs must never run twice",
  "Nimm SQLite, Links dürfen nie verloren gehen",
  "Dann nehmen wir Redis, Jobs dürfen nie doppelt laufen",
  // Reported or feared.
  "Telehealth calls freeze on Safari and the patient may never notice",
  "Telehealth calls freeze. Always happens on the second call",
  "the export may never finish",
  "it may be that the cache is never warm",
  "the lock must never have been released",
  "the page never loads and must be reloaded always",
  "we never use this table",
  "we never call it, delete it",
  "Immer derselbe Test",
  "die Tests werden immer langsamer",
  "immer wieder bricht der Import ab",
  "in Zukunft kommen die Daten aus SAP",
  "künftig haben wir zwei Mandanten",
  "ab sofort ist der Server im Wartungsmodus",
  "the loop reads all pages but never uses them",
  "stop using so much cpu",
  "it stops writing after 10 lines",
  "stop the server and run the build",
  "we don't do that here at home",
  "nobody touches the keyboard and it still types",
  "thats for the whole list",
  "and for the whole table it takes 3 seconds",
  "it's a design choice of react i guess",
  // For this, now.
  "Telehealth calls freeze in the background, I'd rather fix that first",
  "I'd prefer Postgres for this",
  "we prefer the second design",
  "ich mag Option B",
  "I rather think it is the cache",
  // Of something else with the same words.
  "by default, use of the flag is off",
  "our style sheet is broken",
  "our convention talk is on friday",
  "our habit tracker crashes",
];

const WANTED_EVERYWHERE = [
  "For all my projects: use pnpm.",
  "please use pnpm, in all my projects",
  "In every project of mine I prefer tabs",
  "From now on, no matter which project, answer in German.",
  "I want you to run the tests first, in every repo of mine",
  "Always squash before a merge, wherever I work.",
  "Antworte in allen meinen Projekten auf Deutsch.",
  "Für alle Projekte: keine Emojis in Commits.",
  "ich mag keine emojis, immer und überall",
  "Bitte immer, überall pnpm statt npm nehmen",
];
/** Wanted in this project, or not wanted at all. */
const NOT_EVERYWHERE = [
  "always use const everywhere",
  "bitte überall const statt let verwenden",
  "please never mock the database in this project",
  "I prefer tabs, but not in all my projects",
];

for (const text of WANTED_EVERYWHERE) {
  Deno.test(`isForEveryProject() hears "${text}"`, () => {
    assert.ok(saysPreference(text));
    assert.ok(isForEveryProject(text));
  });
}
for (const text of NOT_EVERYWHERE) {
  Deno.test(`isForEveryProject() passes over "${text}"`, () => assert.ok(!isForEveryProject(text)));
}
for (
  const text of [
    "we have that problem in all our projects",
    "how is it in every project?",
    "run the linter for all projects",
  ]
) {
  Deno.test(`saysPreference() passes over "${text}"`, () => assert.ok(!saysPreference(text)));
}

for (const text of WANTED) {
  Deno.test(`saysPreference() hears "${text}"`, () => assert.ok(saysPreference(text)));
}
for (const text of NOT_WANTED) {
  Deno.test(`saysPreference() passes over "${text}"`, () => assert.ok(!saysPreference(text)));
}

function turn(role: "user" | "assistant", text: string): Turn {
  return { uuid: text.slice(0, 8), role, at: "2026-01-01T00:00:00Z", text, tools: [] };
}

Deno.test("preferencesIn() takes the person's own words, and no question or quotation", () => {
  const turns = [
    turn("user", "why do we never mock the database in tests?"),
    turn("assistant", "Please never mock the database in tests, it hides broken migrations."),
    turn("user", 'the wiki says "always mock the database in unit tests", what now'),
    turn("user", "please never mock the database in tests"),
  ];
  assert.deepEqual(preferencesIn(turns).map(({ text }) => text), [
    "please never mock the database in tests",
  ]);
});

Deno.test("findDecisions() tells what a person wants from now on", () => {
  const found = findDecisions([
    turn("user", "hm the test mocks the db? please never mock the database in tests"),
    turn("assistant", "Understood, the tests run against the container now."),
  ]);
  assert.deepEqual(found.map(({ text }) => text), ["please never mock the database in tests"]);
});

Deno.test("findDecisions() tells a choice with its reason, which is no wish", () => {
  const chosen = "Let's go with SQLite then, links must never be lost.";
  const turns = [
    turn("assistant", "A JSON file is simpler, SQLite survives a crash in the middle of a write."),
    turn("user", chosen),
    turn("assistant", "SQLite in WAL mode stands."),
  ];
  assert.deepEqual(preferencesIn(turns), []);
  assert.ok(findDecisions(turns).some(({ text }) => text === chosen));
});

Deno.test("withAntecedent() tells a wish with the sentence that it points back to", () => {
  const full = (said: string) =>
    preferencesIn([turn("user", said)]).map((sentence) => withAntecedent(sentence));
  for (
    const said of [
      "nobody may see the sample data, it is under NDA. never paste rows from it anywhere",
      "they turn around at ledges and walls. its a design choice not laziness ok",
      "give me the skeleton, i write the algorithms. thats for the whole project",
      "the importer is a folder of its own. never change files outside it",
      "my supervisor wants British spelling. from now on keep that in mind whenever you write for me",
    ]
  ) {
    assert.deepEqual(full(said), [said]);
    assert.deepEqual(findDecisions([turn("user", said)]).map(({ text }) => text), [said]);
  }
  const own = "from now on use tabs in the config";
  assert.deepEqual(full(`the config is read at start. ${own}`), [own]);
  assert.deepEqual(full(`where is the data? never paste rows from it anywhere`), [
    "never paste rows from it anywhere",
  ]);
});

Deno.test("preferencesIn() takes what is always so for some of the work, and a hard rule", () => {
  const wanted = (said: string) => preferencesIn([turn("user", said)]).length;
  assert.equal(wanted("for this client always write commit messages in English"), 1);
  assert.equal(wanted("it must not grow over 1 kB, that is a hard rule of this library"), 1);
  for (
    const said of [
      "for every request always a new connection is opened",
      "on my machine always green",
      "in our tests never flaky so far",
      "that is the firewall rule for port 80",
      "this is a rule of thumb we had",
    ]
  ) assert.equal(wanted(said), 0, said);
});

Deno.test("preferencesIn() hears a rule in few words, and not what always or never happens", () => {
  const told = (text: string) => preferencesIn([turn("user", text)]).map((one) => one.text);
  for (const text of TERSE) assert.equal(told(text).length, 1, text);
  for (const text of HAPPENS) assert.deepEqual(told(text), [], text);
});

Deno.test("saysPreference() hears a principle, what is so from now on, and what is written in which language", () => {
  for (
    const text of [
      "Grundsätzlich möchte ich, dass Zeitstempel in UTC gespeichert werden",
      "Prinzipiell keine neuen Abhängigkeiten ohne Rückfrage",
      "ich moechte, dass die Doku immer mit angepasst wird",
      "Kommentare bitte auf Englisch",
      "Fehlermeldungen immer auf Deutsch",
      "los mensajes de error siempre en castellano eh, que los usuarios son de aca",
      "los comentarios en ingles por favor",
      "Dorénavant, merci de nommer les classes en français",
      "a partir de maintenant pas de console.log",
      "les messages d'erreur toujours en français",
    ]
  ) assert.ok(saysPreference(text), text);
  for (
    const text of [
      "Grundsätzlich haben wir das schon mal versucht",
      "generell kein problem",
      "ich will, dass das nie wieder passiert",
      "die fehler kommen immer auf dem handy",
      "da sind kommentare auf deutsch drin",
      "los errores siempre en produccion",
      "los comentarios en inglés son viejos",
      "désormais, ça plante au démarrage",
      "desormais ca plante au demarrage",
      "Désormais les tests passent",
      "les commentaires en anglais sont faux",
    ]
  ) assert.ok(!saysPreference(text), text);
});
