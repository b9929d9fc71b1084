/** Where the keyboard is after what it was at has gone: where one would have gone next. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";

/** The line of an open note that went, and the item after it: the note is left later. */
let gone: { readonly hash: string; readonly next: HTMLElement } | undefined;

/** For an item of a list that goes by what is done with it. */
export function useNextFocus(line: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => () => {
    const { current } = line;
    if (current === null) return;
    const next = current.nextElementSibling ?? current.previousElementSibling;
    const item = next?.matches("[data-item]") ? next : next?.querySelector("[data-item]");
    if (!(item instanceof HTMLElement)) return;
    // It moves to where the other was: nothing is to be scrolled to.
    if (current.contains(document.activeElement)) item.focus({ preventScroll: true });
    const open = current.querySelector<HTMLAnchorElement>("a[aria-current='true']");
    if (open !== null) gone = { hash: open.hash, next: item };
  }, []);
}

/** For the line of the open note: beside it the list is narrower, and each line somewhere else. */
export function useInSight(line: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
}

/**
 * The open note was left: back to its line in the list, to what was next where that went, or to the first.
 * `was`: the address that it had.
 */
export function focusLine(was: string): void {
  const lines = [...document.querySelectorAll<HTMLElement>("[data-item]")];
  const isOf = (hash: string): boolean => was === hash || was.startsWith(`${hash}/`);
  const line = lines.find((line) => isOf(linkOf(line)?.hash ?? ""));
  const next = gone !== undefined && isOf(gone.hash) && gone.next.isConnected
    ? gone.next
    : undefined;
  (line ?? next ?? lines[0])?.focus();
}

/** To the open note's begin, where what is below it was used. */
export function focusNote(): void {
  document.querySelector<HTMLElement>(".detail > h2[tabindex]")?.focus();
}

/** For who has more of a list shown: they go on from where it ended. */
export function focusLast(): void {
  [...document.querySelectorAll<HTMLElement>("[data-item]")].at(-1)?.focus({ preventScroll: true });
}

/** To the next item of a list, or the one before; from the open note on, where no item has the focus. */
export function move(step: number): void {
  const items = [...document.querySelectorAll<HTMLElement>("[data-item]")];
  const focused = document.activeElement;
  const isTyped = focused instanceof HTMLInputElement;
  const at = items.findIndex((item) => item.contains(focused));
  const from = at < 0 && !isTyped
    ? items.findIndex((item) => linkOf(item)?.ariaCurrent === "true")
    : at;
  const next = from < 0 ? (step > 0 ? 0 : items.length - 1) : from + step;
  items[Math.max(0, Math.min(items.length - 1, next))]?.focus();
}

/** Of an item that is one, or has one. */
function linkOf(item: HTMLElement): HTMLAnchorElement | null {
  return item.closest("a") ?? item.querySelector("a");
}
