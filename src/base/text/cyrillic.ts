/** Cyrillic letters, for patterns, because `\b` and `\w` do not know them. */
export const CYRILLIC_LETTERS = String.raw`\u0400-\u04ff`;
const ANY = new RegExp(`[${CYRILLIC_LETTERS}]`);

export function isCyrillic(text: string): boolean {
  return ANY.test(text);
}
