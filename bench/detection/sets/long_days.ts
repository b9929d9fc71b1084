/**
 * Sessions of a day: several of the conversations one after the other, as people work who never start
 * a new session. Where one follows the other the subject changes and stays, so that turn is a point.
 */
import type { Conversation, Step } from "../conversation.ts";
import { NO_POINTS } from "./no_points.ts";
import { POINTS_ENGLISH } from "./points_english.ts";
import { POINTS_OTHER_LANGUAGES } from "./points_other_languages.ts";

const PARTS: readonly (readonly string[])[] = [
  ["renaming and formatting", "where sessions are stored", "a detour about dates"],
  ["how git does things", "a test that fails on Mondays", "docker on a new laptop"],
  ["uploads in the background of a phone", "tests for the parser, one by one", "Friday afternoon"],
  ["cleaning a table of addresses", "how long may we keep it", "does the new model hold"],
  ["moving files out of a large module", "who was in the bucket", "two years on a coin cell"],
  ["texts for a quiz about engineering", "an essay and a talk", "from the build to the price list"],
  ["Rust lernen", "der nächtliche Abgleich", "Formulare, dann die Heizung"],
  ["traducir los textos de la tienda", "el mapa de rutas"],
  ["retouches de la page d'accueil", "la base qui déborde"],
];

export const LONG_DAYS: readonly Conversation[] = PARTS.map((names) => {
  const parts = names.map(named);
  return {
    name: names.join(" + "),
    language: parts[0]?.language ?? "en",
    steps: parts.flatMap(({ steps }, i) => i === 0 ? steps : shifted(steps)),
  };
});

function shifted([first, ...rest]: readonly Step[]): Step[] {
  return first === undefined ? [] : [{ ...first, label: "topic_shift" }, ...rest];
}

function named(name: string): Conversation {
  const found = [...POINTS_ENGLISH, ...POINTS_OTHER_LANGUAGES, ...NO_POINTS].find((one) =>
    one.name === name
  );
  if (found === undefined) throw new Error(`no conversation "${name}"`);
  return found;
}
