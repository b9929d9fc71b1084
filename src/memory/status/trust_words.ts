/** Whether a store is believed, in words. It imports nothing: the page says it too. */
const WORDS: Readonly<Record<string, string>> = { own: "yours", unknown: "not trusted" };

export function trustWords(trust: string): string {
  return WORDS[trust] ?? trust;
}
