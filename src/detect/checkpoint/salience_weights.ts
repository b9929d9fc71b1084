/**
 * What makes a sentence worth keeping. Made by bench/detection/fit_salience.ts from the development half of
 * the labelled conversations; not edited by hand.
 */
export const SALIENCE_WEIGHTS = {
  "always": -4.77,
  "the person says it": -0.49,
  "a way was taken": 1.13,
  "the person took it": 0.84,
  "a way was closed": 0.16,
  "the person told of it": 0.32,
  "ways were laid out": 0.39,
  "findings came together": 0.36,
  "files changed": 0.93,
  "after work": -0.52,
  "first": 0.39,
  "a question": -0.38,
  "words of choice": 0.93,
  "reasons": -0.12,
  "denials": -0.42,
  "limits": 0.30,
  "from outside": 0.45,
  "what could be": -0.45,
  "a name in code": 0.34,
  "a number": -0.09,
  "long": 1.17,
  "parts": 0.48,
  "late": 0.36,
  "what it is all about": 0.57,
  "telling": 0.33,
} as const;
