/** Statements that contradict each other, side by side with their dates: the person says which one holds. */
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type {
  ListContradictionsAnswer,
  Statement,
} from "../../../clients/typescript/sage_client.ts";
import { useAct } from "./act.ts";
import { send } from "./api.ts";
import { useNextFocus } from "./focus.ts";
import { useLive } from "./live.ts";
import { Cut, dayOf, Facts, linkTo, Waiting } from "./note.tsx";
import { Prose, shown } from "./prose.tsx";
import { KnowledgeTabs } from "./tabs.tsx";

export function Contradictions(_: { readonly rest: string }): VNode {
  const live = useLive<ListContradictionsAnswer>("/contradictions");
  const { said, once } = useAct();
  /** The other is archived: search finds it, marked, and nothing recalls it. */
  const archive = (other: Statement): Promise<void> =>
    once(() =>
      send("POST", `/knowledge/${encodeURIComponent(other.id)}/archive`, {}, `"${other.hash}"`)
    );
  return (
    <section class="one wide" aria-label="Contradictions">
      <KnowledgeTabs at="contradictions" />
      {said !== "" && <p class="warning" role="alert">{shown(said)}</p>}
      <Waiting live={live}>
        {({ items, total }) => (
          <>
            {total === 0 && <p class="quiet">Nothing contradicts anything else.</p>}
            {items.map(({ older, newer }) => (
              <Pair
                key={`${older.path} ${newer.path}`}
                older={older}
                newer={newer}
                archive={(other) => void archive(other)}
              />
            ))}
            <Cut shown={items.length} of={total} />
          </>
        )}
      </Waiting>
    </section>
  );
}

function Pair(
  { older, newer, archive }: {
    readonly older: Statement;
    readonly newer: Statement;
    readonly archive: (other: Statement) => void;
  },
): VNode {
  const pair = useRef<HTMLDivElement>(null);
  useNextFocus(pair);
  return (
    <div class="pair" ref={pair}>
      <Side word="earlier" statement={older} keep={() => archive(newer)} />
      <Side word="later" statement={newer} keep={() => archive(older)} />
    </div>
  );
}

function Side(
  { word, statement, keep }: {
    readonly word: string;
    readonly statement: Statement;
    readonly keep: () => void;
  },
): VNode {
  const title = shown(statement.title);
  return (
    <article class="detail" aria-label={`${word}: ${title}`}>
      <p class="day">
        {dayOf(statement.updated)}, {word}
      </p>
      <h2>
        <a href={linkTo("knowledge", statement.id)} data-item>{title}</a>
      </h2>
      <Facts note={statement} />
      <Prose text={statement.content} />
      <p class="buttons">
        <button type="button" onClick={keep}>This holds; archive the other</button>
      </p>
    </article>
  );
}
