/** What makes a sentence say what came of it. Made by bench/detection/fit_outcome.ts; not edited by hand. */
export const OUTCOME_WEIGHTS = {
  "always": -3.51,
  "telling": 3.57,
  "a verdict": 1.31,
  "below a conclusion's heading": 0.63,
  "about what was asked": 0.86,
  "denies or limits": 0.23,
  "an item": -0.60,
  "labelled": -0.18,
  "points back": -0.29,
  "how it went": -0.16,
  "narrates": -0.81,
  "instructs": -0.47,
  "short": -0.39,
  "long": 1.24,
} as const;
