/** Notes by address, for people who attach them by hand. Fenced like everything that comes back. */
import { listCheckpoints } from "../memory/checkpoint/list.ts";
import type { Memory } from "../memory/memory.ts";
import { readNote } from "../memory/read.ts";
import { refreshAll } from "../memory/reindex.ts";
import { orient } from "../memory/session/orientation.ts";
import { fenced, quoted } from "./fenced.ts";
import { fit } from "./fit.ts";

const MIME = "text/markdown";
/** Listed by name; every other note has an address all the same. */
const LISTED_MAX = 10;

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType: string;
}

export const RESOURCE_TEMPLATES = [
  { uriTemplate: "sage://checkpoint/{id}", name: "checkpoint", mimeType: MIME },
  { uriTemplate: "sage://knowledge/{id}", name: "knowledge", mimeType: MIME },
];

export async function listResources(memory: Memory): Promise<Resource[]> {
  const checkpoints = await listCheckpoints(memory, { limit: LISTED_MAX });
  return [
    {
      uri: "sage://orientation",
      name: "orientation",
      description: "where the last session stopped",
      mimeType: MIME,
    },
    ...checkpoints.map(({ id, title }) => ({
      uri: `sage://checkpoint/${encodeURIComponent(id)}`,
      name: id,
      title: quoted(title),
      mimeType: MIME,
    })),
  ];
}

/** The text behind an address, or undefined where there is none. */
export async function readResource(memory: Memory, uri: string): Promise<string | undefined> {
  if (uri === "sage://orientation") return await orientation(memory);
  const match = /^sage:\/\/(checkpoint|knowledge)\/([^/?#]+)$/.exec(uri);
  const id = decode(match?.[2]);
  if (id === undefined) return undefined;
  const outcome = await readNote(memory, id);
  if (outcome.kind !== "one" || outcome.item.type !== match?.[1]) return undefined;
  const { item, author, text } = outcome;
  return fit([{ ...item, author, text }], (shown) => {
    return { kind: "done", text: fenced(memory, shown), data: {} };
  }).text;
}

async function orientation(memory: Memory): Promise<string> {
  await refreshAll(memory);
  const orientation = await orient(memory, memory.session ?? "mcp", "startup");
  return orientation?.text ?? "Nothing from an earlier session yet.";
}

function decode(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
