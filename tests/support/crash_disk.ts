/**
 * The inside of `CrashFs`: files and folders as they are now and as they would be after a power cut,
 * and what lies between the two. No calls, no failures.
 */

/** A file or folder, as it is now and as it would be after a power cut. */
export interface Node {
  readonly kind: "file" | "dir";
  readonly inode: number;
  mode: number;
  mtimeMs: number;
  ctimeMs: number;
  data: Uint8Array;
  durableData: Uint8Array;
  readonly entries: Map<string, Node>;
  readonly durableEntries: Map<string, Node>;
  locks: { readonly owner: object; readonly exclusive: boolean }[];
}

/** Something done that no sync has made sure yet. */
export type Pending =
  | { readonly kind: "data"; readonly node: Node; readonly data: Uint8Array }
  | {
    readonly kind: "entries";
    /** One for a link, an unlink or a folder; a rename is all or nothing. */
    readonly changes: readonly Change[];
  };

/** A name in a folder that now means another file, or none. */
export interface Change {
  readonly dir: Node;
  readonly name: string;
  readonly node: Node | undefined;
}

/** A copy of the disk as it is when exactly these pending operations reached it. */
export function afterPowerCut(root: Node, reached: readonly Pending[]): Node {
  const copies = new Map<Node, Node>();
  const copy = (node: Node): Node => {
    const known = copies.get(node);
    if (known !== undefined) return known;
    const twin: Node = { ...node, entries: new Map(), durableEntries: new Map(), locks: [] };
    copies.set(node, twin);
    for (const [name, child] of node.durableEntries) twin.durableEntries.set(name, copy(child));
    return twin;
  };
  const twin = copy(root);
  for (const pending of reached) {
    if (pending.kind === "data") copy(pending.node).durableData = pending.data;
    else {
      for (const { dir, name, node } of pending.changes) {
        const there = node === undefined ? undefined : copy(node);
        apply({ dir: copy(dir), name, node: there }, "durableEntries");
      }
    }
  }
  for (const node of copies.values()) {
    node.data = node.durableData;
    for (const [name, child] of node.durableEntries) node.entries.set(name, child);
  }
  return twin;
}

export function apply(change: Change, which: "entries" | "durableEntries"): void {
  const { dir, name, node } = change;
  if (node === undefined) dir[which].delete(name);
  else dir[which].set(name, node);
}

export function eachNode(root: Node, visit: (node: Node) => void): void {
  const seen = new Set<Node>();
  const walk = (node: Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    visit(node);
    for (const child of node.entries.values()) walk(child);
  };
  walk(root);
}
