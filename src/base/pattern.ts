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
 * The same for matching one text. For ASCII text it is a pattern without Unicode classes, which is faster to
 * compile and to run. The source may have only the classes `\p{L}` and `\p{N}`, within brackets.
 */
export function patternFor(text: string, source: string, flags: string): RegExp {
  if (!isAscii(text)) return pattern(source, flags);
  let ascii = plain.get(source);
  if (ascii === undefined) {
    ascii = source.replaceAll("\\p{L}", "A-Za-z").replaceAll("\\p{N}", "0-9");
    plain.set(source, ascii);
  }
  return pattern(ascii, flags.replace("u", ""));
}

const plain = new Map<string, string>();

export function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
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
