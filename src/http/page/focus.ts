/** Moves the focus to the next item when the focused one disappears. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";

/** The line of an open note that disappeared, and the item after it, for when the note is closed. */
let gone: { readonly hash: string; readonly next: HTMLElement } | undefined;

/** For an item that an action may remove from its list. */
export function useNextFocus(line: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => () => {
    const { current } = line;
    if (current === null) return;
    const next = current.nextElementSibling ?? current.previousElementSibling;
    const item = next?.matches("[data-item]") ? next : next?.querySelector("[data-item]");
    if (!(item instanceof HTMLElement)) return;
    // It moves to where the other one was, so nothing needs to scroll.
    if (current.contains(document.activeElement)) item.focus({ preventScroll: true });
    const open = current.querySelector<HTMLAnchorElement>("a[aria-current='true']");
    if (open !== null) gone = { hash: open.hash, next: item };
  }, []);
}

/** Scrolls to the line of the open note, because the list is narrower beside it and lines move. */
export function useInSight(line: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
}

/**
 * After a note is closed: focuses its line in the list, the next item if the line is gone, or the first.
 * `was`: the note's address.
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

/** Focuses the open note's heading, after something below it was used. */
export function focusNote(): void {
  document.querySelector<HTMLElement>(".detail > h2[tabindex]")?.focus();
}

/** Focuses the last item of a list, before more of it is shown. */
export function focusLast(): void {
  [...document.querySelectorAll<HTMLElement>("[data-item]")].at(-1)?.focus({ preventScroll: true });
}

/** Focuses the next or previous item, counted from the open note if no item has the focus. */
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

/** The link that an item is, is in, or contains. */
function linkOf(item: HTMLElement): HTMLAnchorElement | null {
  return item.closest("a") ?? item.querySelector("a");
}
