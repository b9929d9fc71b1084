/** Whether memory works here: capture, findings of the doctor, and the cost and use of memory. */
import type { VNode } from "preact";
import type {
  ReadDoctorAnswer,
  ReadImpactAnswer,
  ReadStatusAnswer,
} from "../../../clients/typescript/sage_client.ts";
import type { LogLine } from "../../base/log.ts";
import { SPENT } from "../../memory/impact/spent.ts";
import { eventOf, outcomeOf } from "../../memory/status/activity.ts";
import { trustWords } from "../../memory/status/trust_words.ts";
import { useLive } from "./live.ts";
import { counted, Cut, dayOf, linkTo, many, minuteOf, Waiting } from "./note.tsx";
import { shown } from "./prose.tsx";

/** The API's documented fields, and others of this version. */
type Status = ReadStatusAnswer & {
  readonly capture?: { readonly ok: boolean; readonly detail: string };
  readonly stores?: readonly { scope: string; root: string; trust: string; notes: number }[];
  readonly unparsable?: readonly { path: string; reason: string }[];
  readonly recent?: readonly LogLine[];
  readonly warnings?: readonly string[];
};

/** Receipts and findings change without a note. */
const LOOK_MS = 15_000;
const SESSIONS_SHOWN = 12;
const NOTES_SHOWN = 8;

export function Health(_: { readonly rest: string }): VNode {
  const live = useLive<Status>("/status", LOOK_MS);
  return (
    <section class="one health" aria-label="Health">
      <Waiting live={live}>
        {(status) => <Now status={status} />}
      </Waiting>
      <Doctor />
      <Spent />
      <Waiting live={live}>
        {(status) => <Places status={status} />}
      </Waiting>
    </section>
  );
}

function Now({ status }: { readonly status: Status }): VNode {
  const { healthy, line, next, capture, warnings = [] } = status;
  return (
    <>
      <p class={healthy ? "healthy" : "warning"} role="status">{shown(line)}</p>
      {next !== "nothing" && (
        <p>
          Next: <code>{shown(next)}</code>
        </p>
      )}
      {warnings.map((text) => <p class="warning" key={text}>{shown(text)}</p>)}
      {capture !== undefined && (
        <p class={capture.ok ? "" : "warning"}>Capture: {shown(capture.detail)}</p>
      )}
    </>
  );
}

/** Findings that need attention first; the others behind a click. */
function Doctor(): VNode {
  const live = useLive<ReadDoctorAnswer>("/doctor");
  return (
    <section aria-label="Findings">
      <h2>Findings</h2>
      <Waiting live={live}>
        {({ items }) => {
          const wrong = items.filter(({ level }) => level !== "ok");
          const fine = items.filter(({ level }) => level === "ok");
          return (
            <>
              {wrong.length === 0 && <p class="healthy">Everything is in order.</p>}
              <ul class="findings">
                {wrong.map(({ level, what, mend }) => (
                  <li key={what}>
                    <b class="warning">{level}</b> {shown(what)}
                    {mend !== undefined && <div class="quiet">{shown(mend)}</div>}
                  </li>
                ))}
              </ul>
              <details>
                <summary>{fine.length} in order</summary>
                <ul>{fine.map(({ what }) => <li key={what}>{shown(what)}</li>)}</ul>
              </details>
            </>
          );
        }}
      </Waiting>
    </section>
  );
}

/** Tokens by purpose and by session, and the notes that came of it. */
function Spent(): VNode {
  const live = useLive<ReadImpactAnswer>("/impact", LOOK_MS);
  return (
    <section aria-label="Tokens spent">
      <h2>Tokens spent</h2>
      <Waiting live={live}>
        {({ since, tokens, prompts, sessions, notes }) => {
          if (sessions.length === 0) {
            return <p class="quiet">No session left a receipt since {dayOf(since)}.</p>;
          }
          const share = tokens.share === undefined
            ? ""
            : `, ${(tokens.share * 100).toFixed(1)} % of what they held`;
          return (
            <>
              <p>
                {counted(tokens.told, "token")} in {counted(sessions.length, "session")} since{" "}
                {dayOf(since)}
                {share}
                {prompts.total > 0 &&
                  `; ${prompts.silent} of ${prompts.total} prompts were shown nothing`}.
              </p>
              <Bars
                label="Tokens by what they were spent for"
                bars={Object.entries(tokens.by).map((
                  [what, count],
                ) => [SPENT[what] ?? what, count])}
              />
              <h3>By session, latest first</h3>
              <Bars
                label="Tokens by session"
                bars={sessions.slice(0, SESSIONS_SHOWN).map(({ session, started, told }) => [
                  `${minuteOf(started)} ${session.slice(0, 8)}`,
                  told,
                ])}
              />
              <Cut shown={Math.min(sessions.length, SESSIONS_SHOWN)} of={sessions.length} />
              {notes.length > 0 && <h3>Notes that were shown or used</h3>}
              <ul>
                {notes.slice(0, NOTES_SHOWN).map((note) => (
                  <li key={note.id}>
                    {note.title === undefined
                      ? `${note.short_id} (gone)`
                      : <a href={linkTo("search", note.id)}>{shown(note.title)}</a>}{" "}
                    <span class="quiet">
                      shown {note.shown.length}, used {note.used.length}
                      {note.overridden.length > 0 && `, overridden ${note.overridden.length}`}
                    </span>
                  </li>
                ))}
              </ul>
              <Cut shown={Math.min(notes.length, NOTES_SHOWN)} of={notes.length} />
            </>
          );
        }}
      </Waiting>
    </section>
  );
}

function Bars(
  { label, bars }: {
    readonly label: string;
    readonly bars: readonly (readonly [name: string, count: number])[];
  },
): VNode {
  const longest = Math.max(1, ...bars.map(([, count]) => count));
  return (
    <table class="bars" aria-label={label}>
      <tbody>
        {bars.map(([name, count]) => (
          <tr key={name}>
            <th scope="row">{shown(name)}</th>
            <td>
              <meter min={0} max={longest} value={count} aria-hidden="true" /> {many(count)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Places({ status }: { readonly status: Status }): VNode {
  const { stores = [], unparsable = [], recent = [] } = status;
  return (
    <>
      <h2>Stores</h2>
      <ul>
        {stores.map(({ scope, root, trust, notes }) => (
          <li key={root}>
            <code class="path">{shown(root)}</code> · {shown(scope)} · {shown(trustWords(trust))} ·
            {" "}
            {counted(notes, "note")}
          </li>
        ))}
      </ul>
      {unparsable.length > 0 && <h2>Files that cannot be parsed</h2>}
      <ul>
        {unparsable.map(({ path, reason }) => (
          <li key={path}>
            <code class="path">{shown(path)}</code>: {shown(reason)}
          </li>
        ))}
      </ul>
      <h2>Recent activity, latest first</h2>
      {recent.length === 0 && <p class="quiet">Nothing in the last 7 days.</p>}
      <ul class="log">
        {recent.toReversed().map((entry, i) => (
          <li key={i}>
            <time>{minuteOf(entry.at)}</time>{" "}
            {[eventOf(entry), outcomeOf(entry)].filter((said) => said !== "").map(shown).join(
              " · ",
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
