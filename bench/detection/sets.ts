/**
 * All labelled conversations, in two halves. The first is looked at and tuned on; of the second nobody
 * reads more than figures.
 */
import type { Conversation } from "./conversation.ts";
import { LONG_DAYS } from "./sets/long_days.ts";
import { NO_POINTS } from "./sets/no_points.ts";
import { POINTS_ENGLISH } from "./sets/points_english.ts";
import { POINTS_OTHER_LANGUAGES } from "./sets/points_other_languages.ts";
import { RUSSIAN_DEV } from "./sets/russian/dev.ts";
import { RUSSIAN_TEST } from "./sets/russian/test.ts";

export const DEVELOPMENT: readonly Conversation[] = [
  ...POINTS_ENGLISH,
  ...POINTS_OTHER_LANGUAGES,
  ...NO_POINTS,
  ...await conversationsIn("dev"),
];

export const TEST: readonly Conversation[] = await conversationsIn("test");

/** The shortest conversations of the first half, joined as people work through a day. */
export const DAYS: readonly Conversation[] = LONG_DAYS;

/** Apart from the halves above, whose figures are compared from release to release. */
export const EAST_ASIAN: Readonly<Record<"development" | "test", readonly Conversation[]>> = {
  development: await conversationsIn("east_asian/dev"),
  test: await conversationsIn("east_asian/test"),
};

/** Apart for the same reason, as are the prompts beside them (languages.ts). */
export const RUSSIAN: Readonly<Record<"dev" | "test", readonly Conversation[]>> = {
  dev: RUSSIAN_DEV,
  test: RUSSIAN_TEST,
};

export const PORTUGUESE: Readonly<Record<"dev" | "test", readonly Conversation[]>> = {
  dev: await conversationsIn("portuguese/dev"),
  test: await conversationsIn("portuguese/test"),
};

/** Apart like those, for what the notes of their sessions tell; their points are not labelled. */
export const LONG: readonly Conversation[] = await conversationsIn("long");

/** Everything that the files of a folder export, in the order of their names. */
async function conversationsIn(half: string): Promise<Conversation[]> {
  const folder = new URL(`sets/${half}/`, import.meta.url);
  const files = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name)
    .filter((name) => name.endsWith(".ts")).sort();
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)));
  return modules.flatMap((module) => Object.values(module).flat() as Conversation[]);
}
