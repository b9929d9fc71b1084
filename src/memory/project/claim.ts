/**
 * Notes in the person's own store whose project folder was moved: a folder without git and without a store is
 * known by its path alone. A person claims them from the new folder; the notes themselves stay as they are.
 */
import { SageError } from "../../base/errors.ts";
import { compareText, nearest } from "../../base/text/text.ts";
import { claimIds, listProjects } from "../../store/projects.ts";
import { catalogue } from "../catalogue.ts";
import type { Memory } from "../memory.ts";

interface Unplaced {
  readonly id: string;
  readonly name: string;
  readonly notes: number;
  /** RFC 3339, of the note that changed last. */
  readonly updated: string;
}

/** The last changed first. One that is elsewhere and was never asked from there is among them. */
export async function unplacedProjects(memory: Memory): Promise<Unplaced[]> {
  const { fs, places, user } = memory;
  const known = await listProjects(fs, places.userRoot);
  const placed = new Set([
    ...places.projectIds,
    ...known.filter(({ root }) => fs.lstat(root)?.kind === "dir")
      .flatMap(({ id, former = [] }) => [id, ...former]),
  ]);
  const notes = (await catalogue(memory)).flatMap(({ store, note }) =>
    store !== user || (note.project ?? "") === "" || placed.has(note.project ?? "") ? [] : [note]
  );
  return [...Map.groupBy(notes, ({ project }) => project ?? "")].map(([id, of]): Unplaced => ({
    id,
    name: known.find((one) => one.id === id)?.name ?? id.replace(/-[0-9a-f]{8}$/, ""),
    notes: of.length,
    updated: of.map(({ updated }) => updated).sort().at(-1) ?? "",
  })).sort((a, b) => compareText(b.updated, a.updated));
}

/** From now on those notes belong to this project too. Of several with that name none is claimed; all are returned. */
export async function claimProject(memory: Memory, wanted: string): Promise<readonly Unplaced[]> {
  const all = await unplacedProjects(memory);
  const typed = wanted.trim().toLowerCase();
  const exact = all.filter(({ id }) => id.toLowerCase() === typed);
  const fits = exact.length > 0 ? exact : all.filter(({ name }) => name.toLowerCase() === typed);
  const [only] = fits;
  if (only === undefined) throw notThere(wanted, all);
  if (fits.length > 1) return fits;
  const { fs, places } = memory;
  const { projectId: id, projectName: name, projectDir: root } = places;
  await claimIds(fs, places.userRoot, { id, name, root }, [only.id]);
  return fits;
}

function notThere(wanted: string, all: readonly Unplaced[]): SageError {
  const meant = nearest(wanted, all.flatMap(({ id, name }) => [name, id]));
  return new SageError("not_found", `No notes without a folder are called "${wanted}"`, {
    hint: meant === undefined
      ? "sage project list shows whose folder is not known"
      : `did you mean "${meant}"? sage project list shows all`,
  });
}
