/** What is forbidden by name in the languages that have a table, and what only holds for the moment. */
import assert from "node:assert/strict";
import { forbids } from "../../src/detect/decisions/prohibitions.ts";
import { saysPreference } from "../../src/detect/decisions/preferences.ts";

const FORBIDDEN = [
  "Please don't touch my chapters, I want to retype them myself.",
  "Never merge PRs yourself.",
  "Fass die legacy.ts nicht an.",
  "Fass die Migrationen bitte nicht an, die macht das andere Team.",
  "Rühr die Tabelle orders_2019 nicht an.",
  "Ändere nichts an der öffentlichen API ohne zu fragen.",
  "Lösch niemals Daten in prod, ohne zu fragen.",
  "Committe nie ohne mein OK.",
  "Bitte nichts selbst committen, das mache ich.",
  "Finger weg von der legacy.ts, da hängt die Abrechnung dran.",
  "Ne touche pas à legacy.ts, la facturation en dépend.",
  "Ne modifie jamais le schéma sans me demander.",
  "Pas touche à la table orders_2019.",
  "No toques legacy.ts, la facturación depende de eso.",
  "Nunca borres datos en prod sin preguntarme.",
  "Non toccare legacy.ts, ci dipende la fatturazione.",
  "Non fare mai push sul main senza chiedermi.",
];

const OF_THE_MOMENT = [
  "Don't touch my code yet.",
  "Fass dich bitte kurz, ich habe nicht viel Zeit.",
  "Fass das nicht an, ich bin gerade noch dran.",
  "Fass zusammen, was nicht geht.",
  "Ändere bitte noch nichts, ich will erst lesen.",
  "Lösch das nicht, sondern verschieb es.",
  "Das lässt sich nicht ändern.",
  "Ne touche pas à ça maintenant.",
  "Ne change pas tout d'un coup.",
  "No toques nada todavía, quiero leer.",
  "No cambies tanto de tema.",
  "Non toccare niente adesso.",
];

for (const said of FORBIDDEN) {
  Deno.test(`forbids() takes "${said}"`, () => assert.ok(forbids(said)));
}

for (const said of OF_THE_MOMENT) {
  Deno.test(`forbids() does not take "${said}"`, () => assert.ok(!forbids(said)));
}

Deno.test("saysPreference() knows which word is to be written, and which never", () => {
  assert.ok(
    saysPreference('Say "covers running costs", never "profitable", when I talk about it.'),
  );
  assert.ok(saysPreference("Write unparsed, never failed, for such rows."));
  assert.ok(!saysPreference("Write it again, never mind the log."));
});
