/** Settings. They are the person's: a program may read them, the page may change them. */
import { z } from "zod";
import { sha256Hex } from "../../base/hash.ts";
import type { Memory } from "../../memory/memory.ts";
import { explainSetting, listSettings, setSetting } from "../../memory/settings.ts";
import { edited, stop } from "../outcome.ts";
import { defineRoute, done } from "../route.ts";
import { listOf, nothing, setting } from "../shapes.ts";

export const listConfigRoute = defineRoute({
  method: "GET",
  path: "/config",
  name: "listConfig",
  summary: "Every setting, its value and where the value comes from",
  input: nothing,
  output: listOf(setting),
  run: ({ memory }) => done({ items: listSettings(memory) }),
});

export const explainConfigRoute = defineRoute({
  method: "GET",
  path: "/config/{key}",
  name: "explainConfig",
  summary: "One setting: what it takes and what moving it does",
  input: nothing,
  output: setting.extend({ range: z.string(), lever: z.string() }),
  run({ memory, params: { key = "" } }) {
    const { setting, value, source, range, key: name } = explainSetting(memory, key);
    const { default: standard, summary, lever } = setting;
    const body = { key: name, value, source, default: standard, summary, range, lever };
    return done(body, settingHash(memory, key));
  },
});

export const setConfigRoute = defineRoute({
  method: "PATCH",
  path: "/config/{key}",
  name: "setConfig",
  summary: "Set it for this person; only the page may",
  input: z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]) }),
  output: z.looseObject({ key: z.string(), changed: z.boolean(), file: z.string() }),
  replaces: true,
  async run({ memory, params: { key = "" }, input, caller, expected }) {
    if (caller !== "page") {
      return stop(403, "excluded", "settings are the person's: `sage config set`, or the page");
    }
    if (settingHash(memory, key) !== expected) return edited("the setting was moved");
    const { key: name, value, changed, file } = await setSetting(memory, key, String(input.value));
    return done({ key: name, value, changed, file });
  },
});

function settingHash(memory: Memory, key: string): string {
  const { value, source } = explainSetting(memory, key);
  return sha256Hex(JSON.stringify([key, value, source]));
}
