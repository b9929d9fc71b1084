/** Parses the names and values of settings as people type them. */
import { SageError } from "../base/errors.ts";
import { nearest } from "../base/text/text.ts";
import { type Key, KEYS, type Setting, setting, type SettingValue } from "./keys.ts";

const SHORT = new Map(KEYS.flatMap((key) => {
  const { short } = setting(key);
  return short === undefined ? [] : [[short, key] as const];
}));

/** The key of a full or short name, in any case, with dashes or underscores. */
export function findKey(name: string): Key | undefined {
  const spelled = name.trim().toLowerCase().replaceAll("-", "_");
  return KEYS.find((key) => key === spelled) ?? SHORT.get(spelled);
}

/** Like `findKey`; throws SageError `usage` with a suggestion if there is no such key. */
export function requireKey(name: string): Key {
  const key = findKey(name);
  if (key !== undefined) return key;
  throw new SageError("usage", `There is no setting "${name}"`, { hint: suggestion(name) });
}

/** The hint for an unknown name: the nearest key, or the command that lists them. */
export function suggestion(name: string): string {
  const near = nearestKey(name);
  return near === undefined ? "sage config list" : `did you mean ${near}?`;
}

function nearestKey(name: string): Key | undefined {
  const spelled = name.trim().toLowerCase().replaceAll("-", "_");
  const near = nearest(spelled, KEYS) ?? nearest(spelled, SHORT.keys());
  if (near !== undefined) return findKey(near);
  // Without a section, or with a wrong one: compare the last part alone.
  const last = spelled.slice(spelled.lastIndexOf(".") + 1);
  const ends = new Map(KEYS.map((key) => [key.slice(key.indexOf(".") + 1), key]));
  const end = nearest(last, ends.keys());
  return end === undefined ? undefined : ends.get(end);
}

/** Parses `text` as a value of `key`; throws SageError `usage` that names the accepted range. */
export function readValue(key: Key, text: string): SettingValue {
  const row = setting(key);
  const value = parse(row, text.trim());
  if (value !== undefined) return value;
  throw new SageError("usage", `Cannot set ${key} to "${text}": it takes ${rangeOf(row)}`, {
    hint: `sage config explain ${key}`,
  });
}

/** The accepted values, in words. */
export function rangeOf(row: Setting): string {
  switch (row.kind) {
    case "boolean":
      return "true or false";
    case "choice":
      return row.choices.join(", ");
    case "text":
      return row.wants;
    case "integer":
      return `a whole number from ${row.min} to ${row.max}`;
    case "number":
      return `a number from ${row.min} to ${row.max}`;
  }
}

/** The environment variable of a key: SAGE_SECTION_NAME. */
export function envName(key: Key): string {
  return `SAGE_${key.replaceAll(".", "_").toUpperCase()}`;
}

/** Every environment variable that some setting is read from. */
export function settingVariables(): string[] {
  return KEYS.flatMap((key) => {
    const { env } = setting(key);
    return env === undefined ? [envName(key)] : [envName(key), env];
  });
}

function parse(row: Setting, text: string): SettingValue | undefined {
  switch (row.kind) {
    case "boolean":
      if (/^(?:true|yes|on|1)$/i.test(text)) return true;
      return /^(?:false|no|off|0)$/i.test(text) ? false : undefined;
    case "choice":
      return row.choices.find((choice) => choice === text.toLowerCase());
    case "text":
      return row.form.test(text) ? text : undefined;
    default: {
      if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?$/i.test(text)) return undefined;
      const number = Number(text);
      if (row.kind === "integer" && !Number.isInteger(number)) return undefined;
      return number >= row.min && number <= row.max ? number : undefined;
    }
  }
}
