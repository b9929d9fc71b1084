/** What is known: read, compare with what was known before, put right. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type {
  ListKnowledgeAnswer,
  ShowKnowledgeAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { Edit } from "./edit.tsx";
import { useLive } from "./live.ts";
import { Detail, Facts, idOf, Line, Waiting } from "./note.tsx";
import { Prose, shown } from "./prose.tsx";

const SHOWN = 200;

export function Knowledge({ rest }: { readonly rest: string }): VNode {
  const live = useLive<ListKnowledgeAnswer>(`/knowledge?limit=${SHOWN}`);
  const id = idOf(rest);
  return (
    <div class={id === "" ? "one" : "two"}>
      <section aria-label="Knowledge">
        <Waiting live={live}>
          {({ items, next }) => (
            <>
              {items.length === 0 && <p class="quiet">Nothing is known yet.</p>}
              <ul class="list">
                {items.map((item) => (
                  <Line
                    key={item.path}
                    item={item}
                    href={`#/knowledge/${encodeURIComponent(item.id)}`}
                    isOpen={item.id === id}
                  >
                    <span class="snippet">
                      {shown([item.subject, ...item.keywords].join(" · "))}
                    </span>
                  </Line>
                ))}
              </ul>
              {next !== undefined && (
                <p class="quiet">The newest {SHOWN}; search finds the others.</p>
              )}
            </>
          )}
        </Waiting>
      </section>
      {id !== "" && <One key={id} id={id} />}
    </div>
  );
}

type Known = ShowKnowledgeAnswer["note"];

function One({ id }: { readonly id: string }): VNode {
  const live = useLive<ShowKnowledgeAnswer>(`/knowledge/${encodeURIComponent(id)}`);
  /** What an edit began with: the note may change while somebody types. */
  const [edited, setEdited] = useState<{ note: Known; etag: string } | undefined>(undefined);
  if (edited !== undefined) {
    return <Edit {...edited} done={() => setEdited(undefined)} />;
  }
  return (
    <Waiting live={live}>
      {({ note }, etag) => (
        <Detail back="#/knowledge" title={note.title}>
          <Facts note={note} />
          <p>
            <button type="button" onClick={() => setEdited({ note, etag })}>Edit</button>
          </p>
          <Prose text={note.content} />
          {note.versions.length > 0 && (
            <section aria-label="Earlier versions">
              <h3>Before</h3>
              {note.versions.map((version) => (
                <details key={version.updated}>
                  <summary>
                    {shown(version.updated)} · {shown(version.author)} · {shown(version.title)}
                  </summary>
                  <Prose text={version.content} />
                </details>
              ))}
            </section>
          )}
        </Detail>
      )}
    </Waiting>
  );
}
