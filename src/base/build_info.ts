/** Version and contents of this program. scripts/build.ts replaces the marked string in the bundle. */

export interface BuildInfo {
  readonly version: string;
  readonly commit: string;
  readonly target: string;
  /** Permission and compile flags of the binary, as given to the compiler. */
  readonly flags: readonly string[];
  /** The environment variables that Sage reads, those of settings included. */
  readonly variables: readonly string[];
  /** The places of the assets, by name, in the file that carries them. */
  readonly assets: Readonly<Record<string, AssetRange>>;
}

export interface AssetRange {
  readonly offset: number;
  readonly length: number;
  /** Whether it is stored deflated; then it is read whole. */
  readonly isDeflated: boolean;
  readonly sha256: string;
}

const stamped = "@@SAGE_BUILD_INFO@@";

/** Undefined when run from the sources. */
export const buildInfo: BuildInfo | undefined = stamped.startsWith("@@")
  ? undefined
  : JSON.parse(stamped);

/** The version for people and receipts; undefined when run from the sources. */
export function versionName(): string | undefined {
  return buildInfo === undefined ? undefined : `${buildInfo.version} (${buildInfo.commit})`;
}
