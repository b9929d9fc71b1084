/** What makes a sentence say what came of it. Made by bench/detection/fit_outcome.ts; not edited by hand. */
export const OUTCOME_WEIGHTS = {
  "always": -3.39,
  "telling": 3.07,
  "first": 0.79,
  "a verdict": 1.31,
  "below a conclusion's heading": 0.65,
  "about what was asked": 0.85,
  "denies or limits": 0.24,
  "an item": -0.51,
  "labelled": -0.18,
  "points back": -0.29,
  "how it went": -0.33,
  "narrates": -0.89,
  "instructs": -0.47,
  "short": -0.50,
  "long": 1.41,
} as const;
