/**
 * Starter notes: a few examples of how a kind of work is remembered, to be kept, changed or deleted.
 * Their texts are assets (templates/); front matter is added here. Never overwrites anything.
 */
import { type AssetName, readAsset } from "../base/assets.ts";
import { rfc3339 } from "../base/clock.ts";
import { basename } from "../base/path.ts";
import { decode } from "../base/utf8.ts";
import { editFrontMatter } from "../note/front_matter.ts";
import { firstHeading } from "../note/markdown.ts";
import { type FrontValue, kindOfPath } from "../note/note.ts";
import { stemOf } from "../store/layout.ts";
import { homeStore, type Memory } from "./memory.ts";
import { takenIds, writeNote } from "./write/write.ts";

export const TEMPLATES = ["research", "software", "writing"] as const;
export type TemplateName = typeof TEMPLATES[number];

interface PlantedNotes {
  /** Absolute paths. */
  readonly made: readonly string[];
  /** Ids that exist already. */
  readonly there: readonly string[];
}

/** The line above each note of an asset: `==> knowledge/style-sheet.md`. */
const FILE_LINE = /^==> (\S+)\n/m;
const TAG = "starter";

export async function plantTemplate(
  memory: Memory,
  name: TemplateName,
  scope?: "user",
): Promise<PlantedNotes> {
  const asset: AssetName = `${name}.txt`;
  const [, ...parts] = decode(readAsset(asset)).split(FILE_LINE);
  const taken = await takenIds(memory);
  const made: string[] = [];
  const there: string[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [path = "", text = ""] = [parts[i], parts[i + 1]];
    const kind = kindOfPath(path);
    const id = stemOf(basename(path));
    if (kind === "note") continue;
    if (taken.has(id)) {
      there.push(id);
      continue;
    }
    const whole = await noteOf(memory, text, { id, kind, scope });
    const outcome = await writeNote(memory, {
      store: homeStore(memory, scope),
      kind,
      stem: id,
      title: firstHeading(text) ?? id,
      render: () => whole,
      author: { by: "person", explicit: true },
      redactions: 0,
    });
    if (outcome.kind === "saved") made.push(outcome.path);
    else there.push(id);
  }
  return { made, there };
}

async function noteOf(
  memory: Memory,
  text: string,
  { id, kind, scope }: {
    readonly id: string;
    readonly kind: string;
    readonly scope?: "user" | undefined;
  },
): Promise<string> {
  const at = rfc3339(memory.now());
  return await editFrontMatter(
    `${text.trim()}\n`,
    new Map<string, FrontValue | undefined>([
      ["id", id],
      ["type", kind],
      ["created", at],
      ["updated", at],
      ["status", kind === "todo" ? "pending" : "active"],
      ["project", scope === "user" ? undefined : memory.places.projectId],
      ["tags", [TAG]],
      ["generated", new Map([["by", "sage"], ["at", at]])],
    ]),
  );
}
