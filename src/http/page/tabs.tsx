/** The tabs of knowledge, with the number of notes that need a decision. */
import type { VNode } from "preact";
import type {
  ListContradictionsAnswer,
  ListKnowledgeAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { useLive } from "./live.ts";

const COUNTED_MAX = 100;

export function KnowledgeTabs({ at }: { readonly at: string }): VNode {
  const contradictions = useLive<ListContradictionsAnswer>("/contradictions?limit=1");
  const stale = useLive<ListKnowledgeAnswer>(`/knowledge?stale=true&limit=${COUNTED_MAX}`);
  const tabs = [
    ["knowledge", "All", ""],
    [
      "contradictions",
      "Contradictions",
      contradictions.kind === "there" ? String(contradictions.data.total) : "",
    ],
    ["stale", "Stale", stale.kind === "there" ? countOf(stale.data) : ""],
    ["archived", "Archived", ""],
  ] as const;
  return (
    <nav class="tabs" aria-label="Knowledge">
      {tabs.map(([name, title, count]) => (
        <a key={name} href={`#/${name}`} aria-current={name === at ? "page" : undefined}>
          {title}
          {count !== "" && count !== "0" && <b class="count">{count}</b>}
        </a>
      ))}
    </nav>
  );
}

function countOf({ items, next }: ListKnowledgeAnswer): string {
  return next === undefined ? String(items.length) : `${items.length}+`;
}
