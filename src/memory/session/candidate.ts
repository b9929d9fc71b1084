/** One line that an orientation may say: how much it matters, and how it is shortened. */
export interface Candidate {
  /** 0 is packed first. */
  readonly priority: number;
  readonly text: string;
  /** The id of the note that it names, where it is one. */
  readonly note?: string;
  /** It has the person asked what they want, once. */
  readonly asks?: boolean;
  /** As much of it as there is room for, where less than all of it makes sense; `othersTokens` follow. */
  fit?(tokensMax: number, othersTokens: number): string;
  /** From when on time alone makes it another; milliseconds. */
  readonly until?: number;
}
