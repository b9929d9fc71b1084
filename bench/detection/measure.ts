/** From what was found, turn by turn, and what a reader marked, to figures. Pure. */
import { type Inflection, INFLECTIONS } from "../../src/detect/trigger/signal.ts";

/** One conversation, run through. Both lists are in order of turns. */
export interface Run {
  readonly name: string;
  readonly turns: number;
  readonly labels: readonly Mark[];
  readonly found: readonly Mark[];
  /** Turns after which something was saved, points and others. */
  readonly saves: readonly number[];
  /** Of the found points, those that the agent would be asked about; the others are saved silently. */
  readonly asksAt: readonly number[];
  /** Turns whose end got past the cheap gates. */
  readonly looked: number;
}

export interface Mark {
  readonly turn: number;
  readonly trigger: Inflection;
}

export interface Figures {
  readonly labels: number;
  readonly found: number;
  readonly right: number;
  /** 0 where nothing was found. */
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Turns between a point and its finding, on average. */
  readonly latency: number;
}

/** A point may be found at its turn or up to this many turns later. */
const LATE_TURNS_MAX = 2;
export const MINUTES_A_TURN = 2;

/** `trigger` counts one kind; without it every point counts, under whatever name it was found. */
export function figures(runs: readonly Run[], trigger?: Inflection): Figures {
  let labels = 0;
  let found = 0;
  const late: number[] = [];
  for (const run of runs) {
    const isMeant = (mark: Mark): boolean => trigger === undefined || mark.trigger === trigger;
    const open = run.labels.filter(isMeant);
    const hits = run.found.filter(isMeant);
    labels += open.length;
    found += hits.length;
    late.push(...matched(open, hits, trigger !== undefined));
  }
  const right = late.length;
  const precision = found === 0 ? 0 : right / found;
  const recall = labels === 0 ? 1 : right / labels;
  const sum = precision + recall;
  return {
    labels,
    found,
    right,
    precision,
    recall,
    f1: sum === 0 ? 0 : 2 * precision * recall / sum,
    latency: right === 0 ? 0 : late.reduce((total, turns) => total + turns, 0) / right,
  };
}

/** The delay of each finding that meets a point nobody met before. */
function matched(labels: readonly Mark[], found: readonly Mark[], sameName: boolean): number[] {
  const open = [...labels];
  return found.flatMap((hit) => {
    const at = open.findIndex((label) =>
      (!sameName || label.trigger === hit.trigger) && hit.turn >= label.turn &&
      hit.turn - label.turn <= LATE_TURNS_MAX
    );
    const [label] = at < 0 ? [] : open.splice(at, 1);
    return label === undefined ? [] : [hit.turn - label.turn];
  });
}

/** Every kind counted by itself, then added up: found under a wrong name is not found. */
export function byName(runs: readonly Run[]): Record<Inflection | "all, right name", Figures> {
  const rows = INFLECTIONS.map((trigger) => [trigger, figures(runs, trigger)] as const);
  return Object.fromEntries([
    ...rows,
    ["all, right name", sumOf(rows.map(([, one]) => one))],
  ]) as Record<Inflection | "all, right name", Figures>;
}

function sumOf(parts: readonly Figures[]): Figures {
  const [labels, found, right] = [
    sum(parts, (one) => one.labels),
    sum(parts, (one) => one.found),
    sum(parts, (one) => one.right),
  ];
  const precision = found === 0 ? 0 : right / found;
  const recall = right / Math.max(1, labels);
  return {
    labels,
    found,
    right,
    precision,
    recall,
    f1: right === 0 ? 0 : 2 * precision * recall / (precision + recall),
    latency: sum(parts, (one) => one.latency * one.right) / Math.max(1, right),
  };
}

/** Missed and false points, for somebody who works on them. */
export function mistakesOf({ name, labels, found }: Run): string {
  const isNear = (hit: Mark, label: Mark): boolean =>
    hit.trigger === label.trigger && hit.turn >= label.turn &&
    hit.turn - label.turn <= LATE_TURNS_MAX;
  const wrong = found.filter((hit) => !labels.some((label) => isNear(hit, label)));
  const missed = labels.filter((label) => !found.some((hit) => isNear(hit, label)));
  const say = (kind: string, { turn, trigger }: Mark): string =>
    `${kind} ${trigger} at ${turn + 1}`;
  const all = [
    ...missed.map((mark) => say("missed", mark)),
    ...wrong.map((mark) => say("wrong", mark)),
  ];
  return all.length === 0 ? "" : `  ${name}: ${all.join(", ")}`;
}

export function hours(runs: readonly Run[]): number {
  return sum(runs, ({ turns }) => turns) * MINUTES_A_TURN / 60;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ];
  return (low + high) / 2;
}

export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
