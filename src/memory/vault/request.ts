/** Checks what a person asks of a vault before anything moves: where it lies, and whose notes go into it. */
import { SageError } from "../../base/errors.ts";
import { readBytes } from "../../base/fs.ts";
import { dirname, join, resolveFrom, slashed } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { foldName, MAP_NAME, safeStem } from "../../store/layout.ts";
import { realRoot } from "../../store/handle.ts";
import { quote, segmentProblem } from "../../store/paths.ts";
import { GLOBAL_FOLDER, USER_STORE, type Vault, type VaultStore } from "../../store/vault.ts";
import type { Memory } from "../memory.ts";
import { WHOLE_VAULT } from "./sources.ts";

export interface VaultRequest {
  readonly dir: string;
  readonly namespace?: string | undefined;
  readonly sources?: readonly string[] | undefined;
  /** Whether the project's notes go too. */
  readonly project: boolean;
}

const NAMESPACE = "Sage";

export function checkVaultRequest(
  memory: Memory,
  wish: VaultRequest,
): Pick<Vault, "root" | "namespace" | "sources"> {
  const { fs, places: { vault: before } } = memory;
  const root = vaultRoot(memory, wish.dir);
  const namespace = checkNamespace(
    wish.namespace ?? (before?.root === root ? before.namespace : NAMESPACE),
  );
  for (const source of wish.sources ?? []) {
    // A misspelt one would be searched for ever, and nothing found.
    if (fs.lstat(join(root, checkSource(root, source))) !== undefined) continue;
    throw new SageError("not_found", `There is no "${source}" in ${root}`, {
      hint: "--source names a folder or a note of the vault, from its root on; . is all of it",
    });
  }
  const named = [...before?.sources ?? [], ...wish.sources ?? []];
  return { root, namespace, sources: [...new Set(named.map((one) => checkSource(root, one)))] };
}

/** The stores in the vault, the person's own, and this project's where it is included. */
export function storesRequested(
  memory: Memory,
  wish: VaultRequest,
  namespace: string,
): VaultStore[] {
  const { places, project } = memory;
  const stores = [...places.vault?.stores ?? []];
  const add = (id: string, folder: string, home: string): void => {
    const there = stores.findIndex((store) => store.id === id);
    if (there < 0) stores.push({ id, folder, home });
    else stores[there] = { ...stores[there], id, folder: stores[there]?.folder ?? folder, home };
  };
  add(USER_STORE, GLOBAL_FOLDER, places.userRoot);
  if (!wish.project || project === undefined) return stores;
  if (project.trust === "unknown") {
    throw new SageError("refused", "This project's notes came from elsewhere", {
      hint: "sage trust first, or --user for your own notes alone",
    });
  }
  const known = stores.find(({ id }) => places.projectIds.includes(id));
  const folder = known?.folder ?? projectFolder(memory, namespace, stores);
  add(known?.id ?? places.projectId, folder, project.home);
  return stores;
}

function vaultRoot({ fs, places }: Memory, dir: string): string {
  const given = slashed(dir).replace(/^~(?=\/|$)/, places.home);
  const root = realRoot(fs, resolveFrom(places.here, given));
  const isOurs = [places.userRoot, places.project?.root ?? places.userRoot].some((own) =>
    root === own || root.startsWith(`${own}/`)
  );
  if (isOurs) {
    throw new SageError("usage", `A vault cannot lie in ${quote(root)}`, {
      hint: "name the folder that your editor opens as a vault, or any other",
    });
  }
  const info = fs.lstat(root);
  if (info !== undefined && info.kind !== "dir") {
    throw new SageError("usage", `${quote(root)} is not a folder`, { hint: "name a folder" });
  }
  if (info === undefined && fs.lstat(dirname(root))?.kind !== "dir") {
    throw new SageError("not_found", `No folder ${quote(dirname(root))} to make a vault in`, {
      hint: "look at the path",
    });
  }
  return root;
}

function checkNamespace(typed: string): string {
  const parts = slashed(typed).replace(/\/+$/, "").split("/");
  for (const part of parts) {
    const problem = segmentProblem(part) ??
      (part.startsWith(".") ? "a vault does not show what begins with a dot" : undefined) ??
      (safeStem(part) === part ? undefined : "a file system or a link could not take it");
    if (problem !== undefined) {
      throw new SageError("usage", `Cannot use ${quote(typed)} as a namespace: ${problem}`, {
        hint: "a folder's name, such as Sage or Areas/Sage",
      });
    }
  }
  return parts.join("/");
}

/** From the vault's root, as it will be written; an absolute path into the vault is accepted. */
function checkSource(root: string, typed: string): string {
  const whole = slashed(typed).replace(/(?<=.)\/+$/, "");
  if (whole === WHOLE_VAULT || whole === root) return WHOLE_VAULT;
  const path = (whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : whole)
    .replace(/^\.\//, "");
  const problem = path.split("/").map(segmentProblem).find((one) => one !== undefined);
  if (problem === undefined && !path.startsWith("/")) return path;
  throw new SageError("usage", `Cannot read ${quote(typed)}: ${problem ?? "it is absolute"}`, {
    hint: "a folder or a note of the vault, from its root; . is all of it",
  });
}

/** The folder that another machine made for the same project, or a free one. */
function projectFolder(
  { fs, places }: Memory,
  namespace: string,
  stores: readonly VaultStore[],
): string {
  const taken = new Set(stores.map(({ folder }) => foldName(folder)));
  for (let n = 1;; n++) {
    const folder = `projects/${safeStem(places.projectName, n === 1 ? "" : `-${n}`)}`;
    if (taken.has(foldName(folder))) continue;
    const map = join(namespace, folder, MAP_NAME);
    const info = fs.lstat(map);
    const text = info?.kind === "file" ? decode(readBytes(fs, map, 4096)) : "";
    const owner = /^project: *(.+?) *$/m.exec(text)?.[1];
    if (owner === undefined || places.projectIds.includes(owner)) return folder;
  }
}
