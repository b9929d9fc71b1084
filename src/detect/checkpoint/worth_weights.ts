/**
 * What makes a sentence of the agent worth keeping. Made by bench/detection/fit_worth.ts; not edited by hand.
 * A few words were added to the patterns after the fit, so a new one may differ in the second decimal.
 */
export const WORTH_WEIGHTS = {
  "always": -2.60,
  "narrates": -1.50,
  "instructs": -1.74,
  "praises": -1.27,
  "explains": 0.99,
  "denies or limits": 0.91,
  "a name in code": 1.37,
  "a number": 0.48,
  "long": 1.15,
} as const;
