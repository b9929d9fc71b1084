/**
 * What a person is told of their settings that do not count, because a line of tuning.yaml cannot be read or
 * has a value that is not allowed: what they switched off may be on. Told like an open question, once a day
 * and on three days at most; `sage status` and the doctor go on.
 */
import { sha256Hex } from "../../../base/hash.ts";
import { neutralize } from "../../../base/text/printable.ts";
import { collapse, cut } from "../../../base/text/text.ts";
import type { Memory } from "../../memory.ts";
import { ANNOUNCED_DAYS_MAX, nextDay, readAnnounced } from "../../question/announced.ts";

interface SettingsNews {
  /** Empty where there is nothing to tell now. */
  readonly sentence: string;
  readonly ids: readonly string[];
  /** When there may be something to tell. */
  readonly until: number;
}

const CHARACTERS_MAX = 240;

export const NO_SETTINGS_NEWS: SettingsNews = { sentence: "", ids: [], until: Infinity };

export function settingsNews({ fs, places, config, now }: Memory): SettingsNews {
  if (config.warnings.length === 0) return NO_SETTINGS_NEWS;
  const { today, days } = readAnnounced(fs, places.stateDir, now());
  const due = config.warnings.map((warning) => ({ warning, id: idOf(warning) }))
    .filter(({ id }) => (days[id] ?? 0) < ANNOUNCED_DAYS_MAX);
  const until = due.length === 0 ? Infinity : nextDay(now());
  const news = due.filter(({ id }) => !today.includes(id));
  const [first] = news;
  if (first === undefined) return { ...NO_SETTINGS_NEWS, until };
  const sentence = `Not all of your settings count. ${
    cut(collapse(neutralize(first.warning)), CHARACTERS_MAX)
  }.`;
  return { sentence, ids: news.map(({ id }) => id), until };
}

function idOf(warning: string): string {
  return `settings-${sha256Hex(warning).slice(0, 8)}`;
}
