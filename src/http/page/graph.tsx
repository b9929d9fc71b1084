/** Links between notes: the neighbourhood of a note, a path between two, and notes without links. */
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type {
  DrawGraphAnswer,
  FindPathAnswer,
  GraphItem,
  ListOrphansAnswer,
  ListUnresolvedAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { percentDecoded } from "../../base/text/text.ts";
import { useLive } from "./live.ts";
import { counted, Cut, dayOf, Line, linkTo, many, Waiting } from "./note.tsx";
import { Picture } from "./picture.tsx";
import { shown } from "./prose.tsx";

/** More labels cannot be read at once; on a phone far fewer. */
const DRAWN_MAX = 36;
const DRAWN_NARROW_MAX = 14;
const NARROW_PIXELS = 740;
const LISTED_MAX = 50;

export function Graph({ rest, from }: { readonly rest: string; readonly from: string }): VNode {
  /** The note that the graph was opened from, to go back to. */
  const [note] = useState(
    rest !== "" && /^#\/(?!graph)\w+\/./.test(from) ? from : undefined,
  );
  const [first = "", second = ""] = rest.split("/");
  const [of, to] = [percentDecoded(first), percentDecoded(second)];
  const [isFar, setFar] = useState(false);
  const most = innerWidth < NARROW_PIXELS ? DRAWN_NARROW_MAX : DRAWN_MAX;
  const about = of === "" ? "" : `&of=${encodeURIComponent(of)}`;
  const live = useLive<DrawGraphAnswer>(`/graph/part?limit=${most}&depth=${isFar ? 2 : 1}${about}`);
  return (
    <section class="one wide" aria-label="Graph">
      <Ask
        key={`of ${of}`}
        asked={of}
        label="Start from a note, or ask"
        hint="a title, an id, or type:knowledge tag:git updated:<30d"
        go={(text) => location.hash = linkTo("graph", text)}
      />
      <Waiting live={live}>
        {(part) => {
          const centre = part.items.find(({ id, title, short_id }) =>
            [id, title, short_id].includes(of)
          );
          return (
            <>
              {centre !== undefined && <Around {...{ part, centre, isFar, setFar, to, note }} />}
              {part.items.length > 0 && <Drawn part={part} centre={centre?.id} />}
              <p class="quiet" role="status">{countOf(part, of)}</p>
              {centre === undefined
                ? <Listed items={part.items} />
                : <Neighbours part={part} centre={centre} />}
            </>
          );
        }}
      </Waiting>
      {of === "" && <Loose />}
    </section>
  );
}

function Drawn(
  { part, centre }: { readonly part: DrawGraphAnswer; readonly centre: string | undefined },
): VNode {
  // Keeps the picture while the subgraph is the same.
  const shown = useMemo(() => centre === undefined ? linked(part) : part, [part, centre]);
  return <Picture part={shown} centre={centre} />;
}

/** The nodes of a whole graph that have links; all nodes if none have. */
function linked(part: DrawGraphAnswer): DrawGraphAnswer {
  const ends = new Set(part.links.flatMap(({ from, to }) => [from, to]));
  if (ends.size === 0) return part;
  const kept = [...ends].sort((a, b) => a - b);
  const place = (end: number): number => kept.indexOf(end);
  return {
    items: kept.flatMap((end) => part.items[end] ?? []),
    links: part.links.map((link) => ({ ...link, from: place(link.from), to: place(link.to) })),
    left: part.left,
  };
}

function countOf({ items, left }: DrawGraphAnswer, of: string): string {
  if (items.length === 0) return "There is no note to draw.";
  const what = of === "" && left > 0
    ? `${items.length} of the most linked notes`
    : counted(items.length, "note");
  return `${what}${left > 0 ? `, ${many(left)} more not shown` : ""}`;
}

function Ask(
  { asked, label, hint, go }: {
    /** The query in the address, to correct or extend. */
    readonly asked: string;
    readonly label: string;
    readonly hint: string;
    readonly go: (text: string) => void;
  },
): VNode {
  const [text, setText] = useState(asked);
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") go(text.trim());
      }}
    >
      <input
        type="text"
        aria-label={label}
        placeholder={`${label}: ${hint}`}
        maxLength={2000}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">Show</button>
    </form>
  );
}

function Around(
  { part, centre, isFar, setFar, to, note }: {
    readonly part: DrawGraphAnswer;
    readonly centre: GraphItem;
    readonly isFar: boolean;
    readonly setFar: (isFar: boolean) => void;
    readonly to: string;
    readonly note: string | undefined;
  },
): VNode {
  return (
    <>
      {/* The first that closes is what Esc does. */}
      {note !== undefined && <a href={note} data-close class="close">Back</a>}
      <h2>
        <a href={linkTo("search", centre.id)} data-open>{shown(centre.title)}</a>
      </h2>
      <p class="facts">
        <span class="kind">{shown(centre.type)}</span>
        <span>links to {centre.links}</span>
        <span>linked by {centre.backlinks}</span>
        <label>
          <input
            type="checkbox"
            checked={isFar}
            onChange={(event) => setFar(event.currentTarget.checked)}
          />{" "}
          two links away
        </label>
        <a href="#/graph" data-close>Whole graph</a>
      </p>
      <Ask
        key={`to ${centre.id} ${to}`}
        asked={to}
        label="Path to"
        hint="another note"
        go={(text) => location.hash = `${linkTo("graph", centre.id)}/${encodeURIComponent(text)}`}
      />
      {to !== "" && <Way from={centre.id} to={to} key={`${centre.id} ${to}`} />}
      {part.items.length === 1 && <p class="quiet">No link leads to it or from it.</p>}
    </>
  );
}

/** A shortest path, step by step, with the relation of each link. */
function Way({ from, to }: { readonly from: string; readonly to: string }): VNode {
  const live = useLive<FindPathAnswer>(
    `/graph/${encodeURIComponent(from)}/path/${encodeURIComponent(to)}`,
  );
  return (
    <section class="detail" aria-label="Path">
      <Waiting live={live}>
        {({ items }) => (
          items.length === 0 ? <p class="quiet">No path leads there.</p> : (
            <ol class="way">
              {items.map((item) => (
                <li key={item.path}>
                  {item.direction !== undefined && (
                    <span class="quiet">
                      {item.direction === "forward" ? "→" : "←"} {shown(item.relation ?? "")}
                      {" "}
                    </span>
                  )}
                  <a href={linkTo("graph", item.id)}>{shown(item.title)}</a>
                </li>
              ))}
            </ol>
          )
        )}
      </Waiting>
    </section>
  );
}

/** The links from and to the centre as text, one line for each neighbour. */
function Neighbours(
  { part: { items, links }, centre }: {
    readonly part: DrawGraphAnswer;
    readonly centre: GraphItem;
  },
): VNode {
  const at = items.indexOf(centre);
  const said = new Map<number, string[]>();
  for (const { from, to, relation } of links) {
    if (from !== at && to !== at) continue;
    const other = from === at ? to : from;
    const [arrow, way] = from === at ? ["→", "to it"] : ["←", "from it"];
    const words = `${arrow} ${relation === "link" ? "link" : shown(relation)} ${way}`;
    said.set(other, [...said.get(other) ?? [], words]);
  }
  return (
    <ul class="list">
      {[...said].map(([other, words]) => {
        const item = items[other];
        return item && (
          <Line key={item.path} item={item} href={linkTo("graph", item.id)} isOpen={false}>
            <span class="snippet">{words.join(" · ")}</span>
          </Line>
        );
      })}
    </ul>
  );
}

function Listed({ items }: { readonly items: readonly GraphItem[] }): VNode {
  return (
    <ul class="list">
      {items.map((item) => (
        <Line key={item.path} item={item} href={linkTo("graph", item.id)} isOpen={false}>
          <span class="snippet">
            links to {item.links}, linked by {item.backlinks}
          </span>
        </Line>
      ))}
    </ul>
  );
}

/** Notes without links, and links that lead to nothing. */
function Loose(): VNode {
  const orphans = useLive<ListOrphansAnswer>(`/graph/orphans?limit=${LISTED_MAX}`);
  const unresolved = useLive<ListUnresolvedAnswer>(`/graph/unresolved?limit=${LISTED_MAX}`);
  return (
    <>
      <Waiting live={orphans}>
        {({ items, total }) => (
          <details>
            <summary>Knowledge that no link leads to or from: {many(total)}</summary>
            <Listed items={items} />
            <Cut shown={items.length} of={total} />
          </details>
        )}
      </Waiting>
      <Waiting live={unresolved}>
        {({ items, total }) => (
          <details>
            <summary>Links that lead to no note: {many(total)}</summary>
            <ul>
              {items.map(({ target, from, removed }) => (
                <li key={`${from.id} ${target}`}>
                  {shown(target)} <span class="quiet">in</span>{" "}
                  <a href={linkTo("graph", from.id)}>{shown(from.title)}</a>
                  {removed !== undefined && (
                    <span class="quiet">
                      {` · in the trash since ${dayOf(removed.removed)}`}
                    </span>
                  )}
                </li>
              ))}
            </ul>
            <Cut shown={items.length} of={total} />
          </details>
        )}
      </Waiting>
    </>
  );
}
