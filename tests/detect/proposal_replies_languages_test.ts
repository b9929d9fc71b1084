/**
 * A short reply to what an agent put forward, in other languages than English: it is told with what it replies
 * to, and an order, a question, a report or a yes to routine work settles nothing.
 */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { exchanged } from "../support/exchanged.ts";

interface Replies {
  readonly language: string;
  /** What is asked before each answer of `none`, and what the agent says when it has changed a file. */
  readonly ask: string;
  readonly done: string;
  readonly taken: readonly (readonly [asked: string, answer: string, reply: string])[];
  /** Other replies to the last answer of two ways. */
  readonly ways: string;
  readonly noneToWays: readonly string[];
  readonly none: readonly (readonly [answer: string, reply: string])[];
}

const GERMAN: Replies = {
  language: "German",
  ask: "die liste ist langsam, schau mal",
  done: "Erledigt.",
  taken: [
    [
      "was machen wir mit alten daten?",
      "Bei 14 Tagen würde das etwa 1,2 TB lassen, bei 30 Tagen etwa 2 TB.",
      "14",
    ],
    [
      "die suche ist schlecht",
      "| Weg | Kosten |\n|---|---|\n| Algolia tunen | 900 |\n| Typesense Cloud | 120 |\n\n" +
      "Ich würde erst tunen und später umziehen.",
      "typesense. 900 ist irre für das bisschen",
    ],
    [
      "streaks stimmen in anderen zeitzonen nicht",
      "Du brauchst die Zone: entweder im Profil gespeichert oder bei jedem Workout mitgeschickt.",
      "bei jedem workout, die leute reisen ja",
    ],
    [
      "alte workouts haben keine",
      "Ich kann sie mit der Zone des Landes auffüllen. Oder alle lassen, wie sie sind.",
      "auffüllen",
    ],
    [
      "wie räumen wir auf?",
      "Ich könnte die alten Zeilen archivieren. Oder alles löschen und neu importieren.",
      "archivieren bitte, nix löschen",
    ],
    [
      "wird der index aktualisiert wenn sich ein preis ändert?",
      "Mit dem Webhook wäre es sofort. Willst du den Webhook?",
      "ja, alte preise bringen uns böse mails",
    ],
    [
      "wie lese ich beide header",
      "Ich würde nach der Zeile suchen, die mit `Well,` beginnt, statt zu zählen.",
      "klingt vernünftig. mach das",
    ],
    [
      "es findet nike wenn man bike sucht",
      "Ich kann `min_len=5` setzen, dann müssen kürzere Wörter genau passen. Soll ich?",
      "ja aber 6",
    ],
    [
      "die bilder sind zu groß",
      "Ich könnte sie auf 1200 px verkleinern, dann sind es 300 KB. Soll ich?",
      "800 reicht",
    ],
    [
      "endlosschleifen?",
      "Ein Timeout von 5 s für die Rolle stoppt die, und 16 MB Speicher den Rest.",
      "jo bau die ein",
    ],
    [
      "mittelwert oder was sagen die daten zu den blanks?",
      "Auf neun Platten unterscheiden sich Mittelwert und Median um mehr als 2 %.",
      "Median, und schreib das in die Methoden.",
    ],
    [
      "was können wir tun, das passt nicht aufs etikett",
      "Zwei Dinge gehen:\n- Code 128 C, der zwei Ziffern packt\n- eine DataMatrix mit 12 mm",
      "unsere scanner lesen nur linien. also das erste",
    ],
    [
      "2 min sind zu kurz, poster brauchen 6",
      "Dann 10 Minuten, mit drei Versuchen?",
      "10 ok, aber keine versuche, drucke kosten geld",
    ],
    [
      "outlook zerlegt es",
      "Die März-Ausgabe ist jetzt in MJML: `mail/march.mjml`.",
      "sieht gut aus. mjml behalten",
    ],
    ["welcher optimizer?", "AdamW läuft stabil, Lion war 3 % schneller.", "adamw bleibt"],
    ["teilpunkte?", "Nach Zeilen oder nach Spalten.", "keine teilpunkte. wiederholen ist gratis"],
    [
      "binary oder selber bauen?",
      "Vorgebaut ist schneller da, selbst gebaut läuft auf jedem Kernel. Alternativ beides.",
      "vorgebaut",
    ],
    ["wohin mit den logs?", "Ich würde die Logs nach Loki schicken.", "jo"],
    ["wohin mit den logs?", "Ich schlage vor, die Logs nach Loki zu schicken.", "passt, machma"],
    ["wohin mit den logs?", "Man könnte die Logs nach Loki schicken.", "gute idee, mach das so"],
    ["retries?", "Sollen wir drei Versuche mit Backoff machen?", "ja, aber nur 2"],
    [
      "wo speichern?",
      "Wir könnten es in Redis halten, oder direkt in Postgres.",
      "nee, lieber postgres",
    ],
    ["wo speichern?", "Entweder in Redis oder direkt in Postgres.", "redis reicht"],
    ["wo speichern?", "Ich könnte es in Redis halten. Soll ich das so machen?", "ja"],
    ["und die sprache?", "Soll die Oberfläche auf Deutsch oder Englisch sein?", "deutsch"],
    [
      "ideen?",
      "1. Index auf `created_at`\n2. Materialized View\n3. Seitenweise laden\n\n" +
      "Ich würde 1 und 3 machen.",
      "einverstanden mit beidem",
    ],
    [
      "wie machen wir das mit den thumbnails?",
      "Du könntest sie beim Upload erzeugen, oder erst beim ersten Abruf.",
      "beim ersten abruf, spart platz",
    ],
  ],
  ways: "Ich könnte einen Index auf die Woche legen. Oder es eine Minute cachen.",
  noneToWays: [
    "lass die tests laufen",
    "danke",
    "der index ist kaputt, er crasht",
    "was kostet ein index",
    "der index klingt gut aber wer wartet den",
    "muss ich noch überlegen",
    "zeig mir erst den index",
    "ich sehe immer noch die alte liste",
    "entscheide du",
    "mach wie du meinst",
    "verstehe",
    "aha",
    "keine ahnung",
    "warte mal",
    "der fehler bleibt",
    "mir egal",
    "der index existiert schon",
    "erst den bug fixen",
    "index oder cache, was ist schneller",
  ],
  none: [
    ["Soll ich die Tests laufen lassen?", "ja bitte"],
    ["Soll ich das committen?", "ja, der branch gehört mir"],
    ["Soll ich den PR aufmachen?", "ja mach"],
    ["Ich habe das Modul umbenannt. Soll ich noch die Tests anpassen?", "jo"],
    ["Ich würde jetzt die Tests laufen lassen.", "ok"],
    ["Ich würde sagen, das passt so.", "ok"],
    ["Sag Bescheid, wenn ich in die Logs schauen soll.", "ja logs"],
    ["Das sehe ich von hier nicht. Welche Version nutzt du?", "1.9.5"],
    ["Ist das die ID, die du erwartest, oder eine andere?", "ja die ist es"],
    ["Siehst du den Fehler auch lokal?", "ja"],
    [
      "Entweder gibt es die Rolle noch nicht oder ihre Policy ist falsch.",
      "rolle gibt es, die hab ich vor 5 min angelegt",
    ],
    [
      "Ich könnte es in einen Worker schieben.",
      "ok. fuzzing hat einen hänger mit 50k klammern gefunden",
    ],
    ["Ich könnte es in einen Worker schieben.", "ja vielleicht"],
    ["Ich könnte es in einen Worker schieben.", "ja, später"],
    ["Ich könnte es in einen Worker schieben.", "klingt gut, ich frag aber erst anna"],
    ["Alles erledigt.", "perfekt"],
    ["Repariert. Du könntest es auch mit `--watch` starten.", "super, jetzt die doku"],
    ["Das kann ich nicht öffnen. Du könntest mir die Datei schicken.", "ja schicke ich"],
    ["Ich habe 3 Fehler und 12 Warnungen gefunden.", "12"],
    [
      "Die ID wird zweimal gelesen. Möchtest du, dass ich diesen Fix einbaue?",
      "ja, ein letztes mal",
    ],
    ["Wenn du willst, kann ich auch die beiden Workflow-Dateien schreiben.", "ja beide"],
    [
      "Ich könnte die Liste im Speicher halten. Soll ich mit der nächsten Phase anfangen?",
      "ja",
    ],
    ["Passt das so?", "ja"],
    ["Ich werde messen, ob die Liste ganz oder seitenweise gelesen wird.", "seitenweise bitte"],
  ],
};

for (const { language, ask, done, taken, ways, noneToWays, none } of [GERMAN]) {
  const decided = (asked: string, answer: string, reply: string): string[] =>
    findDecisions(exchanged(asked, answer, reply, [done, "src/a.ts"])).map(({ text }) => text);
  for (const [asked, answer, reply] of taken) {
    Deno.test(`findDecisions() takes "${reply}" in ${language} for one behind "${answer}"`, () => {
      const told = decided(asked, answer, reply);
      assert.equal(told.length, 1, told.join("; "));
      assert.ok(told[0]?.endsWith(` → ${reply}`), told[0]);
    });
  }
  const replies = [...noneToWays.map((reply) => [ways, reply] as const), ...none];
  for (const [answer, reply] of replies) {
    Deno.test(`findDecisions() takes "${reply}" in ${language} for none behind "${answer}"`, () => {
      assert.deepEqual(decided(ask, answer, reply), []);
    });
  }
}
