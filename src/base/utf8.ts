/**
 * Text to bytes and back.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes UTF-8 leniently, for text that is only read. Text to be rewritten needs `decodeExact`. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Removes the byte order mark, which some editors write. */
export function withoutBom(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Decodes valid UTF-8, with its BOM; undefined for anything else, which is never rewritten. */
export function decodeExact(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
