/** What is known: add to it, read, compare with what was known before, put right, archive. */
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  ListKnowledgeAnswer,
  ListVersionsAnswer,
  Related,
  ShowKnowledgeAnswer,
  Version,
} from "../../../clients/typescript/sage_client.ts";
import { percentDecoded } from "../../base/text.ts";
import { useAct } from "./act.ts";
import { send } from "./api.ts";
import { Diff } from "./diff.tsx";
import { cameBackTo, draftOf, Edit, isWanted } from "./edit.tsx";
import { focusNote } from "./focus.ts";
import { useList, useLive } from "./live.ts";
import { dayOf, Detail, Facts, Line, linkTo, minuteOf, More, Waiting } from "./note.tsx";
import { hasTyped, New } from "./new.tsx";
import { Prose, shown } from "./prose.tsx";
import { Remove } from "./remove.tsx";
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
      none="Nothing is known yet. Agents save it, and so may you."
      isAddedTo
    />
  );
}

/** What rests on files that changed since. */
export function Stale({ rest }: ViewProps): VNode {
  const none = "Nothing is stale: what notes rest on is as it was.";
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
      {id !== "" && <One key={id} id={id} back={`#/${name}`} />}
    </div>
  );
}

type Known = ShowKnowledgeAnswer["note"];

function One({ id, back }: { readonly id: string; readonly back: string }): VNode {
  const live = useLive<ShowKnowledgeAnswer>(`/knowledge/${encodeURIComponent(id)}`);
  /** What an edit began with: the note may change while somebody types. */
  const [edited, setEdited] = useState(() => cameBackTo(id) ? draftOf(id) : undefined);
  // What was typed is there, also where the note is gone meanwhile.
  useEffect(() => {
    if (live.kind === "failed") setEdited((now) => now ?? draftOf(id));
  }, [live.kind]);
  const [isAsked, setAsked] = useState(() => isWanted(id));
  useEffect(() => {
    if (!isAsked || live.kind !== "there") return;
    setAsked(false);
    setEdited(draftOf(id) ?? { note: live.data.note, etag: live.etag });
  }, [live.kind]);
  const { said, once } = useAct();
  /** The version that came back last. */
  const [restored, setRestored] = useState<number | undefined>(undefined);
  if (edited !== undefined) {
    return <Edit {...edited} done={() => setEdited(undefined)} />;
  }
  return (
    <Waiting live={live} back={back}>
      {({ note }, etag) => {
        const isArchived = note.status === "archived";
        const path = `/knowledge/${encodeURIComponent(note.id)}`;
        const put = isArchived ? "restore" : "archive";
        const files = staleFilesOf(note);
        return (
          <Detail back={back} title={note.title}>
            <Facts note={note} />
            {files !== "" && <p class="warning">Stale: {files}. Look, then put it right.</p>}
            <p class="buttons">
              <button
                type="button"
                data-edit
                onClick={() => {
                  setRestored(undefined);
                  setEdited({ note, etag });
                }}
              >
                {draftOf(note.id) !== undefined ? "Go on editing" : "Edit"}
              </button>
              <button
                type="button"
                onClick={() => void once(() => send("POST", `${path}/${put}`, {}, etag))}
              >
                {isArchived ? "Restore" : "Archive"}
              </button>
              <Remove id={note.id} title={note.title} back={back} />
              <a href={linkTo("graph", note.id)} data-graph>Graph</a>
            </p>
            {said !== "" && <p class="warning" role="alert">{shown(said)}</p>}
            {restored !== undefined && (
              <p class="healthy" role="status">
                It says again what version {restored} said; what it said until now is kept, too.
              </p>
            )}
            <Prose text={note.content} />
            <History
              path={path}
              restore={(version) =>
                void once(async () => {
                  await send("POST", `${path}/restore`, { version }, etag);
                  setRestored(version);
                  focusNote();
                })}
            />
          </Detail>
        );
      }}
    </Waiting>
  );
}

function staleFilesOf(note: Known): string {
  const { stale } = note as { readonly stale?: readonly { path: string; change: string }[] };
  return (stale ?? []).map(({ path, change }) =>
    `${shown(path)} ${change === "gone" ? "is gone" : "changed"}`
  ).join(", ");
}

/** Each version with what it changed, and the notes that this one replaces or contradicts. */
function History(
  { path, restore }: {
    readonly path: string;
    readonly restore: (version: number) => void;
  },
): VNode {
  const live = useLive<ListVersionsAnswer>(`${path}/versions`);
  return (
    <Waiting live={live}>
      {({ versions, replaces, replaced_by, contradicts }) => (
        <>
          <RelatedNotes title="Contradicts" notes={contradicts} />
          <RelatedNotes title="Replaces" notes={replaces} />
          <RelatedNotes title="Replaced by" notes={replaced_by} />
          {versions.length > 1 && (
            <section aria-label="Versions">
              <h3>Versions</h3>
              {versions.map((version, i) => (
                <OneVersion
                  key={version.number}
                  version={version}
                  restore={i === 0 ? undefined : () => restore(version.number)}
                />
              ))}
            </section>
          )}
        </>
      )}
    </Waiting>
  );
}

function OneVersion(
  { version, restore }: {
    readonly version: Version;
    readonly restore: (() => void) | undefined;
  },
): VNode {
  const { number, updated, author, reason, diff } = version;
  return (
    <details open={restore === undefined}>
      <summary>
        {number} · {minuteOf(updated)} · {shown(author)}
        {reason !== "" && ` · ${shown(reason)}`}
        {restore === undefined && " · as it is"}
      </summary>
      {diff === ""
        ? <p class="quiet">{number === 1 ? "The oldest that is kept." : "The same text."}</p>
        : <Diff text={diff} />}
      {restore !== undefined && (
        <button type="button" aria-label={`Restore version ${number}`} onClick={restore}>
          Restore
        </button>
      )}
    </details>
  );
}

function RelatedNotes(
  { title, notes }: { readonly title: string; readonly notes: readonly Related[] },
): VNode | null {
  if (notes.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {notes.map(({ id, updated, title }) => (
          <li key={id}>
            <a href={linkTo("knowledge", id)}>{shown(title)}</a>{" "}
            <time class="quiet">{dayOf(updated)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}
