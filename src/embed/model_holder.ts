/**
 * Keeps one model open in a process that opens memory again and again, because opening a model costs more
 * than using it. After some idle minutes it is closed, because its weights take much memory.
 */

export interface Holder<Model> {
  /** The held model, if it has this key; otherwise the one that `open` returns, which is held from now on. */
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
