/**
 * An embeddings server on this machine: its address as the setting names it, and the facts that were
 * measured when it was first used. It connects to nothing; request.ts does.
 */
import { SageError } from "../../base/errors.ts";
import { type Fs, listIfDir, readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { compareText } from "../../base/text/text.ts";
import { areKnotsIncreasing } from "../calibration/calibration.ts";
import { type CalibratedBy, calibratedBy, namesOf, replaceFacts } from "../pulled/installed.ts";
import { RETRIEVAL_PREFIX } from "../pulled/known_models.ts";

export interface EndpointAddress {
  /** The value of the setting: `ollama:<model>`, or `http://127.0.0.1:<port>/<path>#<model>`. */
  readonly name: string;
  /** `http://127.0.0.1:11434/v1`; `/embeddings` is appended. */
  readonly base: string;
  /** `127.0.0.1:11434`, the only address that a process may connect to. */
  readonly host: string;
  /** Undefined if none was named: then the server must have only one. */
  readonly model: string | undefined;
}

/** The facts of an `….endpoint.json`; keys there are in snake_case. */
export interface KnownEndpoint {
  readonly name: string;
  /** Part of an index's identity; another model under the same name gets another id. */
  readonly id: string;
  readonly dimensions: number;
  /** Longer texts are cut, because the server refuses them. */
  readonly charactersMax: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  readonly calibration: readonly (readonly [number, number])[];
  readonly calibratedBy: CalibratedBy;
  /** As in `InstalledModel`. */
  readonly languages?: readonly string[];
  readonly textMs: number;
  /** The unit vector of a fixed text, which reveals another model behind the same name. */
  readonly probe: readonly number[];
  /** RFC 3339. */
  readonly learnt: string;
}

/** Where Ollama listens. It has the OpenAI interface too. */
const OLLAMA = "http://127.0.0.1:11434/v1";
const MODEL = String.raw`[A-Za-z0-9][\w.:\/-]{0,99}`;
const ADDRESS = new RegExp(
  String.raw`^(?:ollama:(${MODEL})|http://(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?` +
    String.raw`((?:/[\w.-]{1,40}){0,4})/?(?:#(${MODEL}))?)$`,
);
const SUFFIX = ".endpoint.json";
/** A probe of 8,192 dimensions is 200 KB. */
const FACTS_BYTES_MAX = 1024 * 1024;
export const DIMENSIONS_MAX = 8192;

/** The prefixes that families of models were trained with, used if a person sets none. */
const PREFIXES: readonly (readonly [RegExp, query: string, document: string])[] = [
  [/nomic-embed-text/, "search_query: ", "search_document: "],
  [/mxbai-embed|bge-\w+-en|arctic-embed(?!2)/, RETRIEVAL_PREFIX, ""],
  [/e5-(?:small|base|large)(?!.*instruct)/, "query: ", "passage: "],
];

/** Parses an endpoint's name; undefined for anything else, above all for another machine's address. */
export function parseEndpoint(text: string): EndpointAddress | undefined {
  const [, ollama, host = "", port = ":80", path = "", named] = ADDRESS.exec(text) ?? [];
  if (ollama !== undefined) {
    return { name: text, base: OLLAMA, host: new URL(OLLAMA).host, model: ollama };
  }
  if (host === "" || Number(port.slice(1)) > 65535 || port === ":0") return undefined;
  // No resolver decides what `localhost` means.
  const at = `${host === "localhost" ? "127.0.0.1" : host}:${Number(port.slice(1))}`;
  const base = `http://${at}${path}`;
  return { name: named === undefined ? base : `${base}#${named}`, base, host: at, model: named };
}

/** The address with a model. */
export function withModel(address: EndpointAddress, model: string): EndpointAddress {
  const named = parseEndpoint(`${address.base}#${model}`);
  if (named !== undefined) return named;
  throw new SageError("invalid_model", `${address.host} names a model that cannot be written`);
}

export function prefixesOf(model: string): { query: string; document: string } {
  const [, query = "", document = ""] = PREFIXES.find(([family]) => family.test(model)) ?? [];
  return { query, document };
}

/** A name for a folder or file. */
export function slugOf(name: string): string {
  return name.replace(/^http:\/\//, "").replace(/[^A-Za-z0-9.-]+/g, "-").replace(/^-+|-+$/g, "");
}

/** Every endpoint that was learnt, by name, without those whose file cannot be read. */
export function knownEndpoints(fs: Fs, modelsDir: string): KnownEndpoint[] {
  return listIfDir(fs, modelsDir).filter(({ name, kind }) =>
    kind === "file" && name.endsWith(SUFFIX)
  )
    .flatMap(({ name }) => parse(fs, join(modelsDir, name)) ?? [])
    .sort((a, b) => compareText(a.name, b.name));
}

/** What was learnt of an endpoint. Throws `not_found` if nothing was, or it cannot be read. */
export function readEndpoint(fs: Fs, modelsDir: string, name: string): KnownEndpoint {
  const path = endpointPath(modelsDir, name);
  const known = fs.lstat(path)?.kind === "file" ? parse(fs, path) : undefined;
  if (known?.name === name) return known;
  throw new SageError("not_found", `Nothing is known yet of "${name}"`, {
    hint: `sage model use ${name}`,
  });
}

export function writeEndpoint(fs: Fs, modelsDir: string, known: KnownEndpoint): void {
  fs.makeDir(modelsDir, 0o700);
  replaceFacts(fs, modelsDir, slugOf(known.name) + SUFFIX, render(known));
}

export function endpointPath(modelsDir: string, name: string): string {
  return join(modelsDir, `${slugOf(name)}${SUFFIX}`);
}

function render(known: KnownEndpoint): string {
  const { charactersMax, queryPrefix, documentPrefix, textMs, probe, ...others } = known;
  const { calibratedBy: calibrated_by, ...rest } = others;
  const json = {
    format: 1,
    ...rest,
    characters_max: charactersMax,
    query_prefix: queryPrefix,
    document_prefix: documentPrefix,
    calibrated_by,
    text_ms: textMs,
    probe: probe.map((value) => Number(value.toFixed(5))),
  };
  return `${JSON.stringify(json)}\n`;
}

function parse(fs: Fs, path: string): KnownEndpoint | undefined {
  try {
    const json = JSON.parse(decode(readBytes(fs, path, FACTS_BYTES_MAX)));
    const known: KnownEndpoint = {
      name: String(json.name),
      id: String(json.id),
      dimensions: Number(json.dimensions),
      charactersMax: Number(json.characters_max),
      queryPrefix: String(json.query_prefix),
      documentPrefix: String(json.document_prefix),
      calibration: json.calibration,
      calibratedBy: calibratedBy(json.calibrated_by),
      ...json.languages === undefined ? {} : { languages: namesOf(json.languages) },
      textMs: Number(json.text_ms),
      probe: json.probe,
      learnt: String(json.learnt),
    };
    return isSound(known) && json.format === 1 ? known : undefined;
  } catch {
    // Learnt again in a moment, so unreadable is the same as absent.
    return undefined;
  }
}

function isSound(known: KnownEndpoint): boolean {
  const { name, id, dimensions, charactersMax, calibration, textMs, probe } = known;
  const isNumber = (value: unknown): boolean => typeof value === "number" && isFinite(value);
  return parseEndpoint(name)?.model !== undefined && /^[A-Za-z0-9.-]+@[0-9a-f]{8}$/.test(id) &&
    dimensions > 0 && dimensions <= DIMENSIONS_MAX && charactersMax > 0 && textMs >= 0 &&
    probe.length === dimensions && probe.every(isNumber) &&
    calibration.flat().every(isNumber) && areKnotsIncreasing(calibration);
}
