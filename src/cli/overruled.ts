/** What still decides although a file was changed: without this the change would seem not to work. */
import type { Memory } from "../memory/memory.ts";
import { explainSetting } from "../memory/settings.ts";

export function overruled(memory: Memory, name: string, isProject: boolean): string[] {
  const above = isProject ? ["flag", "environment"] : ["flag", "environment", "project"];
  const { layers, key } = explainSetting(memory, name);
  const layer = layers.find(({ holds, source }) => holds && above.includes(source));
  if (layer === undefined) return [];
  return [`  ${layer.from ?? `the ${layer.source}`} still decides: ${key} = ${layer.value}`];
}
