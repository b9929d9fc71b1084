// ASCII character classes, for the model's tokenizer and the term splitter.

// @ts-ignore: decorator
@inline
export function isUpper(c: u32): bool {
  return c - 65 < 26;
}

// @ts-ignore: decorator
@inline
export function isLetter(c: u32): bool {
  return (c | 32) - 97 < 26;
}

// @ts-ignore: decorator
@inline
export function isLower(c: u32): bool {
  return c - 97 < 26;
}

// @ts-ignore: decorator
@inline
export function isAlphanumeric(c: u32): bool {
  return c - 48 < 10 || isLetter(c);
}

// @ts-ignore: decorator
@inline
export function toLower(c: u32): u32 {
  return isUpper(c) ? c | 32 : c;
}
