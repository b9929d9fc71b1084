/**
 * Patterns with Unicode classes. Literals would be parsed whenever their file is loaded, at up to a
 * millisecond each: fifteen of a hook's thirty. Here they are made at first use.
 */

const made = new Map<string, Map<string, RegExp>>();

/** The pattern of a source in `String.raw`; the same object for the same source and flags. */
export function pattern(source: string, flags: string): RegExp {
  let sources = made.get(flags);
  if (sources === undefined) made.set(flags, sources = new Map());
  let known = sources.get(source);
  if (known === undefined) sources.set(source, known = new RegExp(source, flags));
  // A global pattern remembers where it stopped; each caller begins anew.
  known.lastIndex = 0;
  return known;
}

/**
 * The same for one text: where that is ASCII, Unicode tables are left out, which are expensive to make
 * and slow. Of classes the source may have letters and numbers, within brackets.
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

/** A named pattern, made when it is called for the first time. */
export function lazyPattern(source: string, flags: string): () => RegExp {
  let known: RegExp | undefined;
  return () => {
    known ??= new RegExp(source, flags);
    known.lastIndex = 0;
    return known;
  };
}
