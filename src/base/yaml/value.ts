/**
 * YAML values: every scalar is the text as typed. The type guards are needed because `Array.isArray` and
 * `instanceof` do not narrow readonly types.
 */
export type YamlValue = string | readonly YamlValue[] | YamlMap;
export type YamlMap = ReadonlyMap<string, YamlValue>;

export function isMapping(value: YamlValue | undefined): value is YamlMap {
  return value instanceof Map;
}

export function isSequence(value: YamlValue | undefined): value is readonly YamlValue[] {
  return Array.isArray(value);
}

/** Whether two values are equal, with keys in the same order. */
export function equalYaml(a: YamlValue, b: YamlValue): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  if (isSequence(a) && isSequence(b)) {
    return a.length === b.length && a.every((item, i) => equalYaml(item, b[i] ?? ""));
  }
  if (isSequence(a) || isSequence(b)) return false;
  const [left, right] = [[...a], [...b]];
  return left.length === right.length && left.every(([key, value], i) => {
    const other = right[i];
    return other !== undefined && key === other[0] && equalYaml(value, other[1]);
  });
}
