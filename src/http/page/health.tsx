/** Whether memory works here, and what there is of it. */
import type { VNode } from "preact";
import type { ReadStatusAnswer } from "../../../clients/typescript/sage_client.ts";
import { useLive } from "./live.ts";
import { Waiting } from "./note.tsx";
import { shown } from "./prose.tsx";

/** What the document promises, and what this version also says. */
type Status = ReadStatusAnswer & {
  readonly stores?: readonly { scope: string; root: string; trust: string; notes: number }[];
  readonly unparsable?: readonly { path: string; reason: string }[];
  readonly recent?: readonly Readonly<Record<string, unknown>>[];
  readonly warnings?: readonly string[];
};

export function Health(_: { readonly rest: string }): VNode {
  const live = useLive<Status>("/status");
  return (
    <section class="one health" aria-label="Health">
      <Waiting live={live}>
        {({ healthy, line, next, counts, project, stores, unparsable, recent, warnings }) => (
          <>
            <p class={healthy ? "healthy" : "warning"} role="status">{shown(line)}</p>
            {next !== "nothing" && (
              <p>
                Next: <code>{shown(next)}</code>
              </p>
            )}
            {(warnings ?? []).map((text) => <p class="warning" key={text}>{shown(text)}</p>)}
            <h2>{shown(project.name)}</h2>
            <dl class="counts">
              {Object.entries(counts).map(([kind, count]) => (
                <div>
                  <dt>{shown(kind)}</dt>
                  <dd>{count}</dd>
                </div>
              ))}
            </dl>
            <h2>Stores</h2>
            <ul>
              {(stores ?? []).map(({ scope, root, trust, notes }) => (
                <li>
                  <code class="path">{shown(root)}</code> · {shown(scope)} · {shown(trust)} ·{" "}
                  {notes} notes
                </li>
              ))}
            </ul>
            {(unparsable ?? []).length > 0 && <h2>Files that cannot be parsed</h2>}
            <ul>
              {(unparsable ?? []).map(({ path, reason }) => (
                <li>
                  <code class="path">{shown(path)}</code>: {shown(reason)}
                </li>
              ))}
            </ul>
            <h2>Lately</h2>
            <ul class="log">
              {(recent ?? []).map((entry) => (
                <li>
                  <time>{shown(String(entry.at))}</time> {shown(String(entry.event))}{" "}
                  {shown(String(entry.did ?? entry.outcome ?? ""))}
                </li>
              ))}
            </ul>
          </>
        )}
      </Waiting>
    </section>
  );
}
