/** What an agent asks to write: each question with its text and what it would change, to accept or refuse. */
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ListInboxAnswer, Question } from "../../../clients/typescript/sage_client.ts";
import { Refused, send } from "./api.ts";
import { useAct } from "./act.ts";
import { Choices } from "./choices.tsx";
import { Diff } from "./diff.tsx";
import { useLive } from "./live.ts";
import { useNextFocus } from "./focus.ts";
import { ageOf, counted, dayOf, linkTo, Waiting } from "./note.tsx";
import { Prose, shown } from "./prose.tsx";

/** The result of an accepted question. */
interface Kept {
  readonly id: string;
  readonly title: string;
}

export function Inbox(_: { readonly rest: string }): VNode {
  const [isAll, setAll] = useState(false);
  const [kept, setKept] = useState<Kept | undefined>(undefined);
  const live = useLive<ListInboxAnswer>(isAll ? "/inbox?all=true" : "/inbox");
  return (
    <section class="one" aria-label="Inbox">
      {kept !== undefined && (
        <p class="healthy" role="status">
          Kept: <a href={linkTo("knowledge", kept.id)}>{shown(kept.title)}</a>
        </p>
      )}
      <Waiting live={live}>
        {({ items, elsewhere }) => (
          <>
            {items.length === 0 && (
              <p class="quiet">
                Nothing waits for you. What only you may decide comes here before it is written.
              </p>
            )}
            {items.map((item) => <One key={item.id} item={item} answered={setKept} />)}
            {elsewhere > 0 && (
              <button type="button" onClick={() => setAll(true)}>
                {counted(elsewhere, "question")} of other projects
              </button>
            )}
          </>
        )}
      </Waiting>
    </section>
  );
}

function One(
  { item, answered }: {
    readonly item: Question;
    readonly answered: (kept: Kept | undefined) => void;
  },
): VNode {
  const { said, once } = useAct();
  const [hasMet, setMet] = useState(false);
  const article = useRef<HTMLElement>(null);
  useNextFocus(article);
  const path = `/inbox/${encodeURIComponent(item.id)}`;
  const accept = (onConflict?: string): Promise<void> =>
    once(async () => {
      try {
        const decided = onConflict === undefined ? {} : { on_conflict: onConflict };
        answered((await send<Kept>("POST", `${path}/accept`, decided)).data);
      } catch (error) {
        if (error instanceof Refused && error.problem.choices !== undefined) setMet(true);
        throw error;
      }
    });
  const decline = (how: "later" | "drop"): Promise<void> =>
    once(async () => {
      await send("POST", `${path}/${how}`, {});
      answered(undefined);
    });
  return (
    <article
      ref={article}
      class="detail"
      data-item
      tabIndex={-1}
      aria-label={shown(item.question)}
      onKeyDown={(event) => {
        // A held key would answer the next question too.
        if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
        if (event.key === "a") void accept();
        if (event.key === "l") void decline("later");
        if (event.key === "d") void decline("drop");
      }}
    >
      <h2>{shown(item.question)}</h2>
      <p class="facts">
        <span>{shown(item.project.name)}</span>
        <span class="kind">{shown(item.why.replaceAll("_", " "))}</span>
        <time dateTime={item.asked}>{ageOf(item.asked)}</time>
        {Date.parse(item.later ?? "") > Date.now() && (
          <span>put off until {dayOf(item.later ?? "")}</span>
        )}
      </p>
      <Prose text={item.text} />
      {item.diff !== "" && (
        <>
          <h3>What it would change</h3>
          <Diff text={item.diff} />
        </>
      )}
      {said !== "" && <p class="warning" role="alert">{shown(said)}</p>}
      <p class="buttons">
        {hasMet
          ? <Choices decide={(choice) => void accept(choice)} />
          : (
            <button type="button" onClick={() => void accept()}>
              <kbd aria-hidden="true">a</kbd>Accept
            </button>
          )}
        <button type="button" onClick={() => void decline("later")}>
          <kbd aria-hidden="true">l</kbd>Later
        </button>
        <button type="button" onClick={() => void decline("drop")}>
          <kbd aria-hidden="true">d</kbd>Drop
        </button>
      </p>
    </article>
  );
}
