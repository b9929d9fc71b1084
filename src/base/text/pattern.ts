/**
 * Patterns with Unicode classes, compiled at first use. Literals would be compiled when their file is loaded,
 * at up to a millisecond each: fifteen of a hook's thirty.
 */

const made = new Map<string, Map<string, RegExp>>();

/** The pattern with this source and flags. It is cached: the same object each time. */
export function pattern(source: string, flags: string): RegExp {
  let sources = made.get(flags);
  if (sources === undefined) made.set(flags, sources = new Map());
  let known = sources.get(source);
  if (known === undefined) sources.set(source, known = new RegExp(source, flags));
  // A global pattern remembers its position; each caller begins anew.
  known.lastIndex = 0;
  return known;
}

/**
 * The same for matching one text. For text that is ASCII, or Latin beside the punctuation of any prose, it is
 * a pattern without Unicode classes, which are slow to compile and to run. The source may have only the
 * classes `\p{L}` and `\p{N}`, within brackets.
 */
export function patternFor(text: string, source: string, flags: string): RegExp {
  const alphabet = isAscii(text) ? ASCII : isLatin(text) ? LATIN : undefined;
  if (alphabet === undefined) return pattern(source, flags);
  let plain = alphabet.known.get(source);
  if (plain === undefined) {
    const { letters, numbers } = alphabet;
    plain = source.replaceAll("\\p{L}", letters).replaceAll("\\p{N}", numbers);
    alphabet.known.set(source, plain);
  }
  return pattern(plain, flags.replace("u", ""));
}

/** What letters and numbers are among the characters of `isAscii`, and of `isLatin`. */
const ASCII = { letters: "A-Za-z", numbers: "0-9", known: new Map<string, string>() };
const LATIN = {
  letters: "A-Za-z\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\u017e",
  numbers: "0-9\xb2\xb3\xb9\xbc-\xbe",
  known: new Map<string, string>(),
};

export function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** Whether its only letters are those of Latin-1 and Latin Extended-A; dashes, quotes, arrows and ticks may be in it. */
export function isLatin(text: string): boolean {
  return !/[^\0-\u017e\u2010-\u205e\u20a0-\u20bf\u2190-\u22ff\u2500-\u2775]/.test(text);
}

/** A pattern that is compiled when it is first called for. */
export function lazyPattern(source: string, flags: string): () => RegExp {
  let known: RegExp | undefined;
  return () => {
    known ??= new RegExp(source, flags);
    known.lastIndex = 0;
    return known;
  };
}
