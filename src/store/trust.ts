/**
 * Whom the notes of a project store come from. A store arrives with `git clone`, from anyone; it is
 * trusted only where its owner said so on this machine, and only while it is still the same folder.
 */
import { now, rfc3339 } from "../base/clock.ts";
import { dirname, type Fs } from "../base/fs.ts";
import { canonicalRemote, readGit } from "./git.ts";
import { readState, updateState } from "./state.ts";

/** `own`: made here. `trusted`: a person said so. `unknown`: shown to nobody unasked. */
export type Trust = "own" | "trusted" | "unknown";

interface TrustRecord {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  readonly remote?: string;
  readonly trust: "own" | "trusted";
  readonly at: string;
}

interface TrustFile {
  readonly stores: readonly TrustRecord[];
}

const NAME = "trust.json";

/** What was recorded for the store at `root` (a real path), if it is still that one. */
export function readTrust(fs: Fs, stateDir: string, root: string): Trust {
  const identity = identify(fs, root);
  if (identity === undefined || !isOurs(identity.uid)) return "unknown";
  for (const record of readState<TrustFile>(fs, stateDir, NAME)?.stores ?? []) {
    if (record.path !== root) continue;
    const isSame = record.device === identity.device && record.inode === identity.inode &&
      // A remote that was added later makes the store nobody else's; a changed one may.
      (record.remote === undefined || record.remote === remoteOf(fs, root));
    return isSame && ["own", "trusted"].includes(record.trust) ? record.trust : "unknown";
  }
  return "unknown";
}

/** Remembers the decision about the store that lies at `root` now; `unknown` takes it back. */
export function recordTrust(fs: Fs, stateDir: string, root: string, trust: Trust): void {
  const identity = identify(fs, root);
  if (identity === undefined && trust !== "unknown") return;
  updateState<TrustFile>(fs, stateDir, NAME, (old) => {
    const others = (old?.stores ?? []).filter(({ path }) => path !== root);
    if (identity === undefined || trust === "unknown") return { stores: others };
    const { device, inode } = identity;
    const remote = remoteOf(fs, root);
    const record: TrustRecord = {
      path: root,
      device,
      inode,
      ...(remote === undefined ? {} : { remote }),
      trust,
      at: rfc3339(now()),
    };
    return { stores: [...others, record] };
  }, { durable: true });
}

function identify(
  fs: Fs,
  root: string,
): { device: number; inode: number; uid: number } | undefined {
  const info = fs.lstat(root);
  return info?.kind === "dir" ? info : undefined;
}

function remoteOf(fs: Fs, root: string): string | undefined {
  const remote = readGit(fs, dirname(root))?.remote;
  return remote === undefined ? undefined : canonicalRemote(remote);
}

/** A folder of another account is never trusted, but root may work for others. */
function isOurs(uid: number): boolean {
  const self = Deno.uid();
  return self === null || self === 0 || self === uid;
}
