/** The common type of JSON documents, for people to read. Fields that some documents lack are optional. */

interface Shape {
  /** Names of what it was besides objects and lists: `string`, `number`, `boolean`, `null`. */
  readonly plain: Set<string>;
  fields?: Map<string, Shape>;
  /** How many objects were seen here, and in how many each field was. */
  objects: number;
  readonly present: Map<string, number>;
  item?: Shape;
  isList: boolean;
}

export type { Shape };

export function newShape(): Shape {
  return { plain: new Set(), objects: 0, present: new Map(), isList: false };
}

/** Widens a shape by one more document. `isMap`: its keys are data, as `counts` of each kind. */
export function widen(
  shape: Shape,
  value: unknown,
  isMap: (path: string) => boolean,
  path = "",
): void {
  if (Array.isArray(value)) {
    shape.isList = true;
    for (const one of value) widen(shape.item ??= newShape(), one, isMap, `${path}[]`);
  } else if (typeof value === "object" && value !== null) {
    shape.objects++;
    const fields = shape.fields ??= new Map();
    for (const [key, field] of Object.entries(value)) {
      const name = isMap(path) ? "[key]" : key;
      shape.present.set(name, (shape.present.get(name) ?? 0) + (isMap(path) ? 0 : 1));
      const known = fields.get(name) ?? newShape();
      fields.set(name, known);
      widen(known, field, isMap, path === "" ? name : `${path}.${name}`);
    }
  } else shape.plain.add(value === null ? "null" : typeof value);
}

/**
 * Gives a list that was always empty the items of the lists of the same name, where those are all alike:
 * in one program a name means one thing.
 */
export function borrowItems(shapes: Iterable<Shape>): void {
  const lists = new Map<string, Shape[]>();
  const visit = (shape: Shape, name: string): void => {
    if (shape.isList) lists.set(name, [...lists.get(name) ?? [], shape]);
    if (shape.item !== undefined) visit(shape.item, name);
    for (const [field, inner] of shape.fields ?? []) visit(inner, field);
  };
  for (const shape of shapes) visit(shape, "");
  for (const same of lists.values()) {
    const items = same.flatMap(({ item }) => item ?? []);
    const [first, ...others] = new Set(items.map((item) => render(item)));
    if (first === undefined || others.length > 0) continue;
    const [item] = items;
    for (const list of same) if (item !== undefined) list.item ??= item;
  }
}

/** In TypeScript notation, fields in alphabetical order. */
export function render(shape: Shape, indent = ""): string {
  const kinds = [...shape.plain].sort();
  if (shape.fields !== undefined) kinds.push(renderObject(shape, indent));
  if (shape.isList) {
    const item = shape.item === undefined ? "unknown" : render(shape.item, indent);
    kinds.push(item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`);
  }
  return kinds.length === 0 ? "unknown" : kinds.join(" | ");
}

function renderObject({ fields = new Map(), present, objects }: Shape, indent: string): string {
  if (fields.size === 0) return "{}";
  const lines = [...fields].sort(([a], [b]) => a < b ? -1 : 1).map(([name, field]) => {
    const key = name === "[key]" ? "[key: string]" : name;
    const mark = name === "[key]" || present.get(name) === objects ? "" : "?";
    return `${indent}  ${key}${mark}: ${render(field, indent + "  ")};`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}
