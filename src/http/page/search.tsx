/** Search as the person types; the newest notes if there is no query. Explains a score on demand. */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type {
  Hit,
  ListNotesAnswer,
  SearchAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { QUERY_CHARACTERS_MAX } from "../../base/limits.ts";
import { inOneLine, percentDecoded } from "../../base/text/text.ts";
import { inBlocks } from "../../memory/same_session.ts";
import { keepQuery, keptQuery } from "./kept.ts";
import { type Live, useList, useLive } from "./live.ts";
import { Line, linkTo, many, More, Waiting } from "./note.tsx";
import { NoteDetail } from "./note_detail.tsx";
import { shown } from "./prose.tsx";

const SHOWN = 30;
/** The most hits that the API returns. */
const MORE = 50;

/** The query, which outlives a change of view and a reload. */
let typed = keptQuery();

export function Search({ rest }: { readonly rest: string }): VNode {
  const [query, setQuery] = useState(typed);
  const [isExplained, setExplained] = useState(false);
  /** The query for which weak matches are shown too. */
  const [wide, setWide] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const words = query.trim();
  const found = useLive<SearchAnswer>(
    words === ""
      ? undefined
      : `/search?query=${encodeURIComponent(words)}${words === wide ? `&limit=${MORE}` : ""}`,
  );
  const [newest, moreNewest] = useList<ListNotesAnswer>(
    words === "" ? `/notes?limit=${SHOWN}` : undefined,
  );
  const id = percentDecoded(rest);
  return (
    <div class={id === "" ? "one" : "two"}>
      <section aria-label="Search">
        <search>
          <input
            ref={field}
            type="search"
            aria-label="Search everything that was saved"
            placeholder="Search what was saved"
            autocomplete="off"
            spellcheck={false}
            maxLength={QUERY_CHARACTERS_MAX}
            value={query}
            onInput={(event) => {
              setQuery(typed = event.currentTarget.value);
              keepQuery(typed);
            }}
          />
          <label>
            <input
              type="checkbox"
              checked={isExplained}
              onChange={(event) => setExplained(event.currentTarget.checked)}
            />{" "}
            scores
          </label>
        </search>
        {words === ""
          ? (
            <Waiting live={newest}>
              {({ items, total, next }) => (
                <>
                  <Hits
                    items={items}
                    open={id}
                    isExplained={false}
                    said={items.length === 0 ? NOTHING : `The newest of ${many(total)}`}
                  />
                  {next !== undefined && <More more={moreNewest} />}
                </>
              )}
            </Waiting>
          )
          : (
            <Found
              live={found}
              open={id}
              isExplained={isExplained}
              more={words === wide ? undefined : () => setWide(words)}
            />
          )}
      </section>
      {id !== "" && <NoteDetail key={id} id={id} back="#/search" />}
    </div>
  );
}

const NOTHING = "Nothing is saved yet. Agents save while they work: sage install connects one.";

function Found(
  { live, open, isExplained, more }: {
    readonly live: Live<SearchAnswer>;
    readonly open: string;
    readonly isExplained: boolean;
    readonly more: (() => void) | undefined;
  },
): VNode {
  return (
    <Waiting live={live}>
      {({ items, total, weak, lexical_only, hints }) => (
        <>
          {hints.map((hint) => <p class="quiet" key={hint}>{shown(hint)}</p>)}
          <Hits
            items={items}
            open={open}
            isExplained={isExplained}
            said={total === 0
              ? "Nothing matches. Try fewer or other words."
              : `${
                weak ? "Nothing matches well; the nearest" : `${items.length} of ${many(total)}`
              }${lexical_only ? ", by words only" : ""}`}
          />
          {more !== undefined && items.length < total && <More more={more} />}
        </>
      )}
    </Waiting>
  );
}

/** The newest notes, if nothing was asked, are not of a session here. */
type Listed = Hit | ListNotesAnswer["items"][number] & { readonly session?: never };

function Hits(
  { items, open, isExplained, said }: {
    readonly items: readonly Listed[];
    readonly open: string;
    readonly isExplained: boolean;
    readonly said: string;
  },
): VNode {
  // Whoever asks why each was found is told of each.
  const blocks = isExplained ? items.map((item) => [item]) : inBlocks<Listed>(items);
  return (
    <>
      <p class="quiet" role="status">{said}</p>
      <ul class="list">
        {blocks.flatMap((block) =>
          block.map((item, i) => (
            <Line
              key={item.path}
              item={item}
              href={linkTo("search", item.id)}
              isOpen={item.id === open}
              above={i === 0 ? undefined : block[0]?.title}
            >
              {i === 0 && "snippet" in item && (
                <span class="snippet">{shown(inOneLine(String(item.snippet)))}</span>
              )}
              {isExplained && "formula" in item && <code>{shown(String(item.formula))}</code>}
            </Line>
          ))
        )}
      </ul>
    </>
  );
}
