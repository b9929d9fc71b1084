/**
 * Whether a text may hold a secret: a cheap look before the rules, which take milliseconds a page, for those
 * who show a text to an agent. It misses what is disguised; nothing is saved or committed by it.
 */

/** What says that one follows, or an address with a password. */
const NAMED =
  /pass(?:word|wd|phrase|wort)|pwd|senha|contraseña|mot de passe|парол|密[码碼]|パスワード|secret|token|key\b|credential|bearer|webhook|:\/\/[^\s@]{0,80}:[^\s@]{1,200}@/i;
/** Letters and digits in one piece, as keys are; a name of lower case alone is a word. */
const MIXED = /(?<![\w+=-])(?=[\w+=-]{0,60}(?:\d|[A-Z][\w+=-]{0,40}[A-Z]))[\w+=-]{16,}/;

export function mayHoldSecret(text: string): boolean {
  return NAMED.test(text) || MIXED.test(text);
}
