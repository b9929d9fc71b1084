/** Knowledge as lists: all of it, stale notes, archived notes. */
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ListKnowledgeAnswer } from "../../../clients/typescript/sage_client.ts";
import { percentDecoded } from "../../base/text/text.ts";
import { Known } from "./known.tsx";
import { useList } from "./live.ts";
import { hasTyped, New } from "./new.tsx";
import { Line, linkTo, More, Waiting } from "./note.tsx";
import { shown } from "./prose.tsx";
import { KnowledgeTabs } from "./tabs.tsx";

const SHOWN = 200;

interface ViewProps {
  readonly rest: string;
}

export function Knowledge({ rest }: ViewProps): VNode {
  return (
    <Part
      rest={rest}
      name="knowledge"
      filter=""
      none="Nothing is known yet. Agents save what they learn; so can you."
      isAddedTo
    />
  );
}

/** Notes whose source files changed since. */
export function Stale({ rest }: ViewProps): VNode {
  const none = "Nothing is stale: no source of a note has changed.";
  return <Part rest={rest} name="stale" filter="&stale=true" none={none} />;
}

export function Archived({ rest }: ViewProps): VNode {
  return <Part rest={rest} name="archived" filter="&archived=true" none="Nothing is archived." />;
}

function Part(
  { rest, name, filter, none, isAddedTo = false }: ViewProps & {
    readonly name: string;
    readonly filter: string;
    readonly none: string;
    readonly isAddedTo?: boolean;
  },
): VNode {
  const [live, more] = useList<ListKnowledgeAnswer>(`/knowledge?limit=${SHOWN}${filter}`);
  const [isNew, setNew] = useState(isAddedTo && hasTyped());
  const button = useRef<HTMLButtonElement>(null);
  const hadForm = useRef(isNew);
  useLayoutEffect(() => {
    if (hadForm.current && !isNew) button.current?.focus();
    hadForm.current = isNew;
  }, [isNew]);
  const id = percentDecoded(rest);
  return (
    <div class={id === "" ? "one" : "two"}>
      <section aria-label="Knowledge">
        <KnowledgeTabs at={name} />
        {isAddedTo && (isNew
          ? <New done={() => setNew(false)} />
          : <button type="button" ref={button} onClick={() => setNew(true)}>New note</button>)}
        <Waiting live={live}>
          {({ items, next }) => (
            <>
              {items.length === 0 && <p class="quiet">{none}</p>}
              <ul class="list">
                {items.map((item) => (
                  <Line
                    key={item.path}
                    item={{ ...item, type: item.subject }}
                    href={linkTo(name, item.id)}
                    isOpen={item.id === id}
                  >
                    {item.keywords.length > 0 && (
                      <span class="snippet">{shown(item.keywords.join(" · "))}</span>
                    )}
                  </Line>
                ))}
              </ul>
              {next !== undefined && <More more={more} />}
            </>
          )}
        </Waiting>
      </section>
      {id !== "" && <Known key={id} id={id} back={`#/${name}`} />}
    </div>
  );
}
