/** The platforms of a release, with their names in Deno and npm. */

export interface Target {
  /** The target of `deno compile`. */
  readonly triple: string;
  /** Node's `process.platform` and `process.arch`. */
  readonly os: "linux" | "darwin" | "win32";
  readonly cpu: "x64" | "arm64";
}

export const TARGETS: readonly Target[] = [
  { triple: "x86_64-unknown-linux-gnu", os: "linux", cpu: "x64" },
  { triple: "aarch64-unknown-linux-gnu", os: "linux", cpu: "arm64" },
  { triple: "x86_64-apple-darwin", os: "darwin", cpu: "x64" },
  { triple: "aarch64-apple-darwin", os: "darwin", cpu: "arm64" },
  { triple: "x86_64-pc-windows-msvc", os: "win32", cpu: "x64" },
];

export function programName({ os }: Target): string {
  return os === "win32" ? "sage.exe" : "sage";
}

/** A built program and the files to ship with it. */
export interface Built {
  readonly target: Target;
  /** Name in the archive → bytes; the program first. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** One file of a release. */
export interface Published {
  readonly name: string;
  readonly target: string;
  readonly size: number;
  readonly sha256: string;
}
