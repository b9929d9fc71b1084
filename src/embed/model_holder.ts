/**
 * One model that stays open for a while in a process that opens memory again and again: opening costs more
 * than asking, and its weights are much for something that nobody asks any more.
 */

export interface Holder<Model> {
  /** The model of this key: the one that is held, or what `open` gives, which is held from here on. */
  lend(key: string, open: () => Model): Model;
  /** Closes the model, or only the one with this key; the next `lend` opens it again. */
  drop(key?: string): void;
}

const IDLE_MS = 5 * 60_000;

export function createHolder<Model>(close: (model: Model) => void): Holder<Model> {
  let held: { readonly key: string; readonly model: Model } | undefined;
  let idle: number | undefined;
  const drop = (key = held?.key): void => {
    if (held === undefined || held.key !== key) return;
    clearTimeout(idle);
    close(held.model);
    held = undefined;
  };
  return {
    drop,
    lend(key, open) {
      if (held?.key !== key) drop();
      held ??= { key, model: open() };
      clearTimeout(idle);
      idle = setTimeout(drop, IDLE_MS);
      Deno.unrefTimer(idle);
      return held.model;
    },
  };
}
