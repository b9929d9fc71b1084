/** What this program is. scripts/build.ts replaces the marked string in the bundle. */

export interface BuildInfo {
  readonly version: string;
  readonly commit: string;
  readonly target: string;
  /** Permission and compile flags of the binary, as given to the compiler. */
  readonly flags: readonly string[];
  /** The environment variables that Sage reads, settings' own among them. */
  readonly variables: readonly string[];
  /** Places of the assets in the file that carries them: name → offset, length, SHA-256. */
  readonly assets: Readonly<Record<string, AssetRange>>;
}

export interface AssetRange {
  readonly offset: number;
  readonly length: number;
  /** It is stored deflated, and read whole. */
  readonly isDeflated: boolean;
  readonly sha256: string;
}

const stamped = "@@SAGE_BUILD_INFO@@";

/** Undefined when run from the sources. */
export const buildInfo: BuildInfo | undefined = stamped.startsWith("@@")
  ? undefined
  : JSON.parse(stamped);

/** The version for people and receipts; the sources have none. */
export function versionName(): string | undefined {
  return buildInfo === undefined ? undefined : `${buildInfo.version} (${buildInfo.commit})`;
}
