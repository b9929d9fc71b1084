/** Where the keyboard is after what it was at has gone: where one would have gone next. */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** For an item of a list that goes by what is done with it. */
export function useNextFocus(line: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => () => {
    const { current } = line;
    if (!current?.contains(document.activeElement)) return;
    const next = current.nextElementSibling ?? current.previousElementSibling;
    const item = next?.matches("[data-item]") ? next : next?.querySelector("[data-item]");
    // It moves to where the other was: nothing is to be scrolled to.
    if (item instanceof HTMLElement) item.focus({ preventScroll: true });
  }, []);
}

/** The open note was left: back to its line in the list, or to the first. `was`: the address that it had. */
export function focusLine(was: string): void {
  const lines = [...document.querySelectorAll<HTMLAnchorElement>("a[data-item]")];
  const line = lines.find(({ hash }) => was === hash || was.startsWith(`${hash}/`));
  (line ?? lines[0])?.focus();
}

/** To the next item of a list, or the one before; from the open note on, where no item has the focus. */
export function move(step: number): void {
  const items = [...document.querySelectorAll<HTMLElement>("[data-item]")];
  const focused = document.activeElement;
  const isTyped = focused instanceof HTMLInputElement;
  const at = items.findIndex((item) => item.contains(focused));
  const from = at < 0 && !isTyped ? items.findIndex((item) => item.ariaCurrent === "true") : at;
  const next = from < 0 ? (step > 0 ? 0 : items.length - 1) : from + step;
  items[Math.max(0, Math.min(items.length - 1, next))]?.focus();
}
