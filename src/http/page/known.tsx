/** One knowledge note with its versions: to read, edit, archive and restore. */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type {
  ListVersionsAnswer,
  Related,
  ShowKnowledgeAnswer,
  Version,
} from "../../../clients/typescript/sage_client.ts";
import { useAct } from "./act.ts";
import { send } from "./api.ts";
import { Diff } from "./diff.tsx";
import { cameBackTo, draftOf, Edit } from "./edit.tsx";
import { focusNote } from "./focus.ts";
import { useLive } from "./live.ts";
import { dayOf, Detail, Facts, linkTo, minuteOf, Waiting } from "./note.tsx";
import { Prose, shown } from "./prose.tsx";
import { Remove } from "./remove.tsx";

type Shown = ShowKnowledgeAnswer["note"];

export function Known({ id, back }: { readonly id: string; readonly back: string }): VNode {
  const live = useLive<ShowKnowledgeAnswer>(`/knowledge/${encodeURIComponent(id)}`);
  /** The note that the edit started from, since it may change meanwhile. */
  const [edited, setEdited] = useState(() => cameBackTo(id) ? draftOf(id) : undefined);
  // Shows the draft even if the note is gone meanwhile.
  useEffect(() => {
    if (live.kind === "failed") setEdited((now) => now ?? draftOf(id));
  }, [live.kind]);
  const { said, once } = useAct();
  /** The version that was restored last. */
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
            {files !== "" && (
              <p class="warning">
                Stale: {files}. Compare it with them, then correct it, or confirm it with{" "}
                <code>sage knowledge verify</code>.
              </p>
            )}
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
                key={put}
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
                Version {restored} is restored; the text before it is kept as a version.
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

function staleFilesOf(note: Shown): string {
  const { stale } = note as { readonly stale?: readonly { path: string; change: string }[] };
  return (stale ?? []).map(({ path, change }) =>
    `${shown(path)} ${change === "gone" ? "is gone" : "changed"}`
  ).join(", ");
}

/** Each version with its changes, and the notes that this one replaces or contradicts. */
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
