/**
 * What makes a sentence worth keeping. Made by bench/detection/fit_worth.ts from the development half of
 * the labelled conversations; not edited by hand.
 */
export const WORTH = {
  "always": -4.76,
  "the person says it": -0.48,
  "a way was taken": 1.20,
  "the person took it": 0.79,
  "a way was closed": 0.07,
  "the person told of it": 0.19,
  "ways were laid out": 0.29,
  "findings came together": 0.28,
  "files changed": 0.92,
  "after work": -0.53,
  "first": 0.39,
  "a question": -0.39,
  "words of choice": 0.91,
  "reasons": -0.11,
  "denials": -0.43,
  "limits": 0.31,
  "from outside": 0.44,
  "what could be": -0.43,
  "a name in code": 0.34,
  "a number": -0.08,
  "long": 1.18,
  "parts": 0.47,
  "late": 0.35,
  "what it is all about": 0.57,
  "telling": 0.33,
} as const;
