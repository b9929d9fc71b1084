/**
 * What makes a sentence worth keeping. Made by bench/detection/fit_worth.ts from the development half of
 * the labelled conversations; not edited by hand.
 */
export const WORTH = {
  "always": -4.75,
  "the person says it": -0.48,
  "a way was taken": 1.20,
  "the person took it": 0.89,
  "a way was closed": 0.30,
  "the person told of it": 0.38,
  "ways were laid out": 0.39,
  "findings came together": 0.29,
  "a new subject": -0.31,
  "files changed": 0.80,
  "after work": -0.49,
  "first": 0.45,
  "a question": -0.38,
  "words of choice": 0.79,
  "reasons": 0.06,
  "denials": -0.45,
  "limits": 0.39,
  "from outside": 0.35,
  "what could be": -0.44,
  "a name in code": 0.48,
  "a number": -0.17,
  "long": 1.26,
  "parts": 0.47,
  "late": 0.54,
  "what it is all about": 0.63,
  "telling": 0.37,
} as const;
