/**
 * What makes a sentence worth keeping. Made by bench/detection/fit_worth.ts from the development half of
 * the labelled conversations; not edited by hand.
 */
export const WORTH = {
  "always": -4.77,
  "the person says it": -0.51,
  "a way was taken": 1.23,
  "the person took it": 0.90,
  "a way was closed": 0.15,
  "the person told of it": 0.37,
  "ways were laid out": 0.45,
  "findings came together": 0.35,
  "files changed": 0.86,
  "after work": -0.52,
  "first": 0.42,
  "a question": -0.38,
  "words of choice": 0.74,
  "reasons": -0.03,
  "denials": -0.44,
  "limits": 0.43,
  "from outside": 0.52,
  "what could be": -0.40,
  "a name in code": 0.39,
  "a number": -0.10,
  "long": 1.19,
  "parts": 0.49,
  "late": 0.38,
  "what it is all about": 0.62,
  "telling": 0.33,
} as const;
