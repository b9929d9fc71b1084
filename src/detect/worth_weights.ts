/**
 * What makes a sentence worth keeping. Made by bench/detection/fit_worth.ts from the development half of
 * the labelled conversations; not edited by hand.
 */
export const WORTH = {
  "always": -4.75,
  "the person says it": -0.48,
  "a way was taken": 1.16,
  "the person took it": 0.81,
  "a way was closed": 0.13,
  "the person told of it": 0.35,
  "ways were laid out": 0.41,
  "findings came together": 0.34,
  "files changed": 0.92,
  "after work": -0.52,
  "first": 0.39,
  "a question": -0.39,
  "words of choice": 0.92,
  "reasons": -0.11,
  "denials": -0.41,
  "limits": 0.31,
  "from outside": 0.45,
  "what could be": -0.45,
  "a name in code": 0.34,
  "a number": -0.09,
  "long": 1.16,
  "parts": 0.48,
  "late": 0.36,
  "what it is all about": 0.57,
  "telling": 0.33,
} as const;
