/** Notes as MCP resources, for people who attach them by hand. Fenced like all recalled text. */
import { listCheckpoints } from "../memory/checkpoint/list.ts";
import type { Memory } from "../memory/memory.ts";
import { readNote } from "../memory/read.ts";
import { refreshAll } from "../memory/index/reindex.ts";
import { readSession } from "../memory/session/state/state.ts";
import { orient } from "../memory/session/orientation/orientation.ts";
import { fenced, quoted } from "./fenced.ts";
import { truncateResult } from "./truncate.ts";

const MIME = "text/markdown";
/** How many are listed; every other note has an address too. */
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
    fixed("orientation", "where the last session stopped"),
    fixed("session/current", "what this session did so far"),
    ...checkpoints.map(({ id, title }) => ({
      uri: `sage://checkpoint/${encodeURIComponent(id)}`,
      name: id,
      title: quoted(title),
      mimeType: MIME,
    })),
  ];
}

function fixed(name: string, description: string): Resource {
  return { uri: `sage://${name}`, name, description, mimeType: MIME };
}

/** The text at an address, or undefined. */
export async function readResource(memory: Memory, uri: string): Promise<string | undefined> {
  if (uri === "sage://orientation") return await orientation(memory);
  if (uri === "sage://session/current") return await currentSession(memory);
  const match = /^sage:\/\/(checkpoint|knowledge)\/([^/?#]+)$/.exec(uri);
  const id = decode(match?.[2]);
  return id === undefined ? undefined : await readKind(memory, id, match?.[1] ?? "");
}

async function readKind(memory: Memory, id: string, kind: string): Promise<string | undefined> {
  const outcome = await readNote(memory, id, { forChange: true });
  if (outcome.kind !== "one" || outcome.item.type !== kind) return undefined;
  const { item, text } = outcome;
  return truncateResult([{ ...item, text }], (shown) => {
    return { kind: "done", text: fenced(memory, shown), data: {} };
  }).text;
}

async function orientation(memory: Memory): Promise<string> {
  await refreshAll(memory);
  const orientation = await orient(memory, memory.session ?? "mcp", "startup");
  return orientation?.text || "Nothing from an earlier session yet.";
}

async function currentSession(memory: Memory): Promise<string> {
  const id = memory.session === undefined
    ? undefined
    : readSession(memory, memory.session)?.note?.id;
  const text = id === undefined ? undefined : await readKind(memory, id, "session");
  return text ?? "This session has no note yet.";
}

function decode(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
