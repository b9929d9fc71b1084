/**
 * Personal data with a fixed format: mail addresses, phone numbers, bank accounts (IBAN), payment cards.
 * A number counts only with valid check digits or grouped as people write it. Documented examples do not.
 */
import type { Match } from "./finding.ts";

/** The matches in order; they may overlap. */
export function findPersonal(text: string): Match[] {
  return RULES.flatMap(({ rule, needle, pattern, realLength }) =>
    (needle.test(text) ? [...text.matchAll(pattern)] : []).flatMap(({ 0: value, index: start }) => {
      const length = realLength(value);
      return length === 0 ? [] : [{ rule, start, end: start + length }];
    })
  );
}

/** Accepts the whole match or nothing. */
function whole(isReal: (value: string) => boolean): (value: string) => number {
  return (value) => isReal(value) ? value.length : 0;
}

const RULES: readonly {
  readonly rule: string;
  readonly needle: RegExp;
  readonly pattern: RegExp;
  /** The length of the part of a match that counts; 0 if none does. */
  readonly realLength: (value: string) => number;
}[] = [
  {
    rule: "mail-address",
    needle: /@/,
    pattern:
      /(?<![\w.%+/:@-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![\w@-]|:[\w/])/g,
    realLength: whole((value) =>
      !/@[\d.]+\./.test(value) &&
      !/(?:^|[.@])(?:example|invalid|test|localhost)(?:\.[a-z]+)?$/i.test(value) &&
      !/^(?:git|no-?reply|do-?not-?reply|user|name|you|me)@|noreply\./i.test(value)
    ),
  },
  {
    rule: "phone-number",
    needle: /\+[1-9]/,
    pattern: /(?<![\w+.])\+[1-9](?:[ ()./-]{0,2}\d){8,14}(?![\w-])/g,
    // 555-01xx is reserved for fiction.
    realLength: whole((value) => /[ ()./-]/.test(value) && !/555[ ./-]?01\d\d$/.test(value)),
  },
  {
    rule: "bank-account",
    needle: /[A-Z]{2}\d{2}/,
    pattern:
      /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g,
    realLength: ibanLength,
  },
  {
    rule: "payment-card",
    needle: /\d{4}[ -]\d/,
    pattern:
      /(?<![\w-])(?:[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}|3[47]\d{2}([ -])\d{6}\2\d{5})(?![\w-])/g,
    realLength: whole((value) => {
      const plain = value.replace(/[ -]/g, "");
      return passesLuhn(plain) && !SAMPLES.has(plain) && new Set(plain).size > 3;
    }),
  },
];

/** Numbers that registries and card companies publish as examples. */
const SAMPLES: ReadonlySet<string> = new Set([
  "DE89370400440532013000",
  "GB82WEST12345698765432",
  "GB29NWBK60161331926819",
  "FR1420041010050500013M02606",
  "CH9300762011623852957",
  "5105105105105100",
  "4012888888881881",
  "6011111111111117",
  "378282246310005",
  "371449635398431",
  "6011000990139424",
  "3530111333300000",
]);

/** The pattern may take words in capitals after the IBAN with it ("… 3201 BIC"): drops them one by one. */
function ibanLength(value: string): number {
  for (let end = value.length; end > 0; end = value.lastIndexOf(" ", end - 1)) {
    const plain = value.slice(0, end).replaceAll(" ", "");
    if (plain.length >= 15 && isIban(plain)) return SAMPLES.has(plain) ? 0 : end;
  }
  return 0;
}

/** ISO 13616: first four characters moved to the end, letters as 10 to 35; the remainder by 97 is 1. */
function isIban(plain: string): boolean {
  let rest = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 + 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
