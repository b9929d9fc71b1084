/** Parts that several views share: a line of a list, the frame of an open note, loading and failure. */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { NoteItem } from "../../../clients/typescript/sage_client.ts";
import { focusLast, useInSight, useNextFocus } from "./focus.ts";
import type { Live } from "./live.ts";
import { shown } from "./prose.tsx";

/** A line of a list: a title, and a few facts below it. Of what belongs to the line above it, one line. */
export function Line(
  { href, item, isOpen, above, children }: {
    readonly href: string;
    readonly item: Pick<NoteItem, "title" | "type" | "flags" | "updated" | "created">;
    readonly isOpen: boolean;
    /** The title above it, in the same block. */
    readonly above?: string | undefined;
    readonly children?: ComponentChildren;
  },
): VNode {
  const line = useRef<HTMLLIElement>(null);
  useNextFocus(line);
  useInSight(line, isOpen);
  return (
    <li ref={line} class={above === undefined ? "" : "more"}>
      <a href={href} data-item aria-current={isOpen ? "true" : undefined}>
        {above === undefined && <span class="title">{shown(item.title)}</span>}
        <span class="facts">
          <span class="kind">{above === undefined ? "" : "also "}{shown(item.type)}</span>
          {above !== undefined && above !== item.title && (
            <span class="more-title">{shown(item.title)}</span>
          )}
          <Flags flags={item.flags} />
          <time dateTime={item.updated}>{ageOf(item.updated || item.created)}</time>
        </span>
        {children}
      </a>
    </li>
  );
}

function Flags({ flags }: { readonly flags: readonly string[] }): VNode {
  return <>{flags.map((flag) => <span class="flag" key={flag}>{shown(flag)}</span>)}</>;
}

/** The open note. It takes the focus, for the keyboard and screen readers. */
export function Detail(
  { back, title, children }: {
    readonly back: string;
    readonly title: string;
    readonly children: ComponentChildren;
  },
): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [title]);
  return (
    <article class="detail" aria-label={shown(title)}>
      <a href={back} data-close class="close">Back</a>
      <h2 tabIndex={-1} ref={heading}>{shown(title)}</h2>
      {children}
    </article>
  );
}

/** How much of a list is shown, if not all. */
export function Cut({ shown, of }: { readonly shown: number; readonly of: number }): VNode | null {
  return shown < of ? <p class="quiet">{many(shown)} of {many(of)}</p> : null;
}

/** The button for a list's next page. */
export function More({ more }: { readonly more: () => void }): VNode {
  const show = (): void => {
    focusLast();
    more();
  };
  return <button type="button" onClick={show}>More</button>;
}

/** The address of a note in a view. */
export function linkTo(view: string, id: string): string {
  return `#/${view}/${encodeURIComponent(id)}`;
}

export function Facts({ note }: { readonly note: NoteItem }): VNode {
  return (
    <p class="facts">
      <span class="kind">{shown(note.type)}</span>
      <Flags flags={note.flags} />
      <span>{shown(note.author)}</span>
      <time dateTime={note.updated}>{minuteOf(note.updated)}</time>
      <span>{note.scope === "user" ? "yours" : "of the project"}</span>
      <code class="path">{shown(note.path)}</code>
    </p>
  );
}

/** The data once it is there; nothing before; the reason if it failed, with a link back if given. */
export function Waiting<T>(
  { live, back, children }: {
    readonly live: Live<T>;
    readonly back?: string;
    readonly children: (data: T, etag: string) => VNode;
  },
): VNode {
  switch (live.kind) {
    case "waiting":
      return <p class="quiet" aria-busy="true"></p>;
    case "failed":
      return (
        <div class={back === undefined ? "" : "detail"}>
          {back !== undefined && <a href={back} data-close class="close">Back</a>}
          <p class="warning" role="alert">{live.reason}</p>
        </div>
      );
    case "there":
      return children(live.data, live.etag);
  }
}

/**
 * `2026-01-31 14:30` in local time; files have UTC. A date without time comes as midnight UTC, and is shown
 * as that date in every time zone.
 */
export function minuteOf(moment: string): string {
  if (moment.endsWith("T00:00:00Z")) return moment.slice(0, 10);
  const ms = moment.length > 10 ? Date.parse(moment) : NaN;
  // The Swedish locale formats dates like this.
  return Number.isNaN(ms) ? shown(moment) : new Date(ms).toLocaleString("sv").slice(0, 16);
}

/** `2026-01-31` */
export function dayOf(moment: string): string {
  return minuteOf(moment).slice(0, 10);
}

/** `1,234` */
export function many(count: number): string {
  return count.toLocaleString("en");
}

/** `1 note`, `1,234 notes`. */
export function counted(count: number, noun: string): string {
  return `${many(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `3 h`, `12 d`, and from two months on the day, `2026-01-31`. */
export function ageOf(moment: string): string {
  const seconds = (Date.now() - Date.parse(moment)) / 1000;
  if (!(seconds >= 0)) return "";
  if (seconds < 90) return "now";
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  const days = Math.round(seconds / 86_400);
  return days > AGE_DAYS_MAX ? dayOf(moment) : `${days} d`;
}

const AGE_DAYS_MAX = 60;
