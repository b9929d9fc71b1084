/**
 * Patterns with Unicode classes. As literals they would be parsed whenever their file is loaded, used
 * or not, at up to a millisecond each: fifteen of a hook's thirty. Here they are made at first use.
 */

const made = new Map<string, Map<string, RegExp>>();

/** The pattern of a source in `String.raw`; the same object for the same source and flags. */
export function pattern(source: string, flags: string): RegExp {
  let sources = made.get(flags);
  if (sources === undefined) made.set(flags, sources = new Map());
  let known = sources.get(source);
  if (known === undefined) sources.set(source, known = new RegExp(source, flags));
  // A global pattern remembers where it stopped; whoever asks begins anew.
  known.lastIndex = 0;
  return known;
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
