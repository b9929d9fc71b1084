/** What of a search's hits belongs together, for the terminal and the page. */

/** What both know of a hit. */
interface Hit {
  readonly type: string;
  readonly session?: string | undefined;
}

/**
 * A session's note tells what its checkpoints tell, in other words: they are one block, the best of them
 * first. Two checkpoints are of different moments.
 */
export function inBlocks<T extends Hit>(hits: readonly T[]): readonly (readonly T[])[] {
  const blocks: T[][] = [];
  for (const hit of hits) {
    const block = hit.session === undefined
      ? undefined
      : blocks.find(([first]) =>
        first?.session === hit.session && [first?.type, hit.type].includes("session")
      );
    if (block === undefined) blocks.push([hit]);
    else block.push(hit);
  }
  return blocks;
}
