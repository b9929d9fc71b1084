/**
 * Looks the whole installation over and says how to mend each finding. Changes nothing but what is
 * derived: an index is brought up to date by looking.
 */
import { versionName } from "../../base/build_info.ts";
import { SageError } from "../../base/errors.ts";
import { count } from "../../base/text/text.ts";
import { isEndpointName } from "../../embed/embedder.ts";
import { builtinFiles } from "../outside/builtin_memory.ts";
import { chainFindings } from "./chain.ts";
import { besides, clockFinding, diskFindings } from "./disk.ts";
import { failure, type Finding, ok, wrong } from "./finding.ts";
import { noteFindings, unmergedFindings, waitingFindings } from "./notes.ts";
import { OWN_FILES } from "./own_files.ts";
import {
  ignoreFindings,
  indexFindings,
  noStoreFindings,
  type Reports,
  storeFindings,
  strayFindings,
  tryRefresh,
  vaultFindings,
} from "./stores.ts";
import { changedFolders, passedBy } from "../guard/git_hooks.ts";
import { isBuiltInSet, type Memory, storesThere } from "../memory.ts";
import { unreadHere } from "../status/unread.ts";
import { readSharing } from "../team/share.ts";

/** `program`: the path of this one, where it is a program and not its sources. */
export async function diagnose(memory: Memory, program?: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  // One look at the disk serves every check.
  const reports: Reports = new Map();
  for (const store of storesThere(memory)) reports.set(store, await tryRefresh(memory, store));
  const checks: readonly (() => Promise<Finding[]> | Finding[])[] = [
    () => thisProgram(),
    () => memory.stores.flatMap((store) => storeFindings(memory, store, reports)),
    () => noStoreFindings(memory),
    () => noteFindings(memory),
    () => model(memory),
    () => diskFindings(memory),
    () => [clockFinding(memory)],
    () => indexFindings(memory, reports),
    () => waitingFindings(memory),
    () => unmergedFindings(memory),
    () => teamFindings(memory),
    () => guardFindings(memory),
    () => ignoreFindings(memory),
    () => chainFindings(memory, program),
    () => builtinFindings(memory),
    () => strayFindings(memory),
    () => vaultFindings(memory),
    ...OWN_FILES.map((check) => () => check(memory)),
  ];
  for (const check of checks) {
    try {
      findings.push(...await check());
    } catch (cause) {
      findings.push(failure(cause, ""));
    }
  }
  return besides(findings, unreadHere(memory));
}

function thisProgram(): Finding[] {
  const version = versionName();
  return [ok(version === undefined ? "Sage from its sources" : `Sage ${version}`)];
}

async function server(memory: Memory): Promise<Finding[]> {
  const name = memory.config.get("embedding.model");
  await memory.prepare();
  if (memory.embedder() !== memory.builtIn()) {
    return [ok(`model ${name} answers; hooks use the built-in one`)];
  }
  const what = memory.warnings.at(-1) ?? `${name} cannot be reached from here`;
  return [wrong("warning", what, "start the server, or: sage model use static")];
}

async function model(memory: Memory): Promise<Finding[]> {
  if (isBuiltInSet(memory)) return [];
  const set = memory.config.get("embedding.model");
  if (isEndpointName(set)) return await server(memory);
  const { checkModel } = await import("../model/test.ts");
  try {
    const { name, weights } = checkModel(memory, set);
    return [ok(`model ${name}: ${Math.round(weights.size / 1e6)} MB, whole`)];
  } catch (error) {
    if (!(error instanceof SageError)) throw error;
    return [wrong("error", error.message, error.hint ?? "sage model use static")];
  }
}

function teamFindings(memory: Memory): Finding[] {
  const { isShared, driver } = readSharing(memory);
  if (!isShared || (driver !== "missing" && driver !== "gone")) return [];
  const what = "this project's notes are shared, but git merges them here like any other text";
  const why = driver === "gone" ? ": the sage that it calls does not exist" : "";
  return [wrong("warning", what + why, "sage project init --team")];
}

/** Hooks written by another version may let pass what this one would stop. */
function guardFindings(memory: Memory): Finding[] {
  const passed = passedBy(memory);
  const elsewhere = passed === undefined ? [] : [
    wrong(
      "warning",
      `git runs the hooks in ${passed.instead} here, not the guard's in ${passed.folder}`,
      "sage guard install",
    ),
  ];
  const changed = changedFolders(memory).map((folder) =>
    wrong(
      "warning",
      `the guard's git hooks in ${folder} are not as Sage writes them, so less may be stopped`,
      `sage guard install --hooks ${folder}`,
    )
  );
  return [...elsewhere, ...changed];
}

/** The editor's own memory: read, never written. */
function builtinFindings(memory: Memory): Finding[] {
  const files = builtinFiles(memory).length;
  if (files === 0) return [];
  return [ok(`Claude Code's own memory: ${count(files, "file")}, searched and never written`)];
}
