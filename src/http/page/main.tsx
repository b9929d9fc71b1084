/** The page: the views of one memory, by keyboard or mouse. The address says what is shown. */
import { render, type VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type {
  ListInboxAnswer,
  ListProjectsAnswer,
  ReadStatusAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { Contradictions } from "./contradictions.tsx";
import { focusLine, move } from "./focus.ts";
import { Graph } from "./graph.tsx";
import { Health } from "./health.tsx";
import { Inbox } from "./inbox.tsx";
import { Archived, Knowledge, Stale } from "./knowledge.tsx";
import { holdsWords, onKept, whatCameBack } from "./kept.ts";
import { listenForChanges, useLive } from "./live.ts";
import { shown } from "./prose.tsx";
import { Search } from "./search.tsx";
import { Timeline } from "./timeline.tsx";
import { Todos } from "./todos.tsx";
import { Trash } from "./trash.tsx";

interface View {
  readonly name: string;
  readonly title: string;
  readonly show: (props: {
    readonly rest: string;
    /** The address before this one. */
    readonly from: string;
  }) => VNode;
  /** The view in the menu that it belongs to, if it is not in the menu itself. */
  readonly of?: string;
}

const VIEWS: readonly View[] = [
  { name: "search", title: "Search", show: Search },
  { name: "timeline", title: "Timeline", show: Timeline },
  { name: "knowledge", title: "Knowledge", show: Knowledge },
  { name: "todos", title: "Todos", show: Todos },
  { name: "graph", title: "Graph", show: Graph },
  { name: "inbox", title: "Inbox", show: Inbox },
  { name: "health", title: "Health", show: Health },
  { name: "trash", title: "Trash", show: Trash },
  { name: "contradictions", title: "Contradictions", show: Contradictions, of: "knowledge" },
  { name: "stale", title: "Stale", show: Stale, of: "knowledge" },
  { name: "archived", title: "Archived", show: Archived, of: "knowledge" },
];
const MENU = VIEWS.filter((view) => view.of === undefined);

function Page(): VNode {
  const [hash, setHash] = useState(location.hash);
  const [isConnected, setConnected] = useState(true);
  /** Counts dropped texts, to render the view anew after each. */
  const [turn, setTurn] = useState(0);
  const inbox = useLive<ListInboxAnswer>("/inbox");
  const projects = useLive<ListProjectsAnswer>("/projects");
  const project = projects.kind === "there"
    ? projects.data.items.find(({ current }) => current)?.name
    : undefined;
  const waiting = inbox.kind === "there" ? inbox.data.total : 0;
  const status = useLive<ReadStatusAnswer>("/status");
  const isUnwell = status.kind === "there" && !status.data.healthy;
  useEffect(() => {
    addEventListener("hashchange", () => setHash(location.hash));
    addEventListener("keydown", onKey);
    addEventListener("click", onClick, { capture: true });
    addEventListener("beforeunload", (event) => {
      if (holdsWords()) event.preventDefault();
    });
    listenForChanges(setConnected);
  }, []);
  // Renders again each minute, so that ages stay current.
  const [, setMinute] = useState(0);
  useEffect(() => void setInterval(() => setMinute((old) => old + 1), 60_000), []);
  const was = useRef(hash);
  useEffect(() => {
    const left = was.current;
    was.current = hash;
    if (left.startsWith(`${hash}/`)) focusLine(left);
  }, [hash]);
  const [, name = "", rest = ""] = /^#\/(\w+)\/?(.*)$/.exec(hash) ?? [];
  const view = VIEWS.find((one) => one.name === name) ?? VIEWS[0];
  useEffect(() => {
    document.title = [view?.title, project, "Sage"].filter(Boolean).join(" · ");
  }, [view, project]);
  if (view === undefined) return <main />;
  const Show = view.show;
  return (
    <>
      <header>
        <h1>Sage {project !== undefined && <span>· {shown(project)}</span>}</h1>
        <nav aria-label="Views">
          {MENU.map(({ name, title }, i) => (
            <a
              key={name}
              href={`#/${name}`}
              aria-current={name === (view.of ?? view.name) ? "page" : undefined}
            >
              <kbd aria-hidden="true">{i + 1}</kbd>
              {title}
              {name === "inbox" && waiting > 0 && (
                <b class="count" aria-label={`${waiting} waiting`}>{waiting}</b>
              )}
              {name === "health" && isUnwell && <b class="count" aria-label="needs attention">!</b>}
            </a>
          ))}
        </nav>
        {!isConnected && (
          <p role="status" class="warning">
            Not connected: what you see may be old. The address that <code>sage serve --open</code>
            {" "}
            prints connects this page again.
          </p>
        )}
      </header>
      <main>
        <CameBack dropped={() => setTurn((old) => old + 1)} />
        <Show key={`${view.name} ${turn}`} rest={rest} from={was.current} />
      </main>
      <footer>
        <p class="typing">
          <kbd>Esc</kbd> leaves the field: then keys are commands
        </p>
        <p class="commands">
          <kbd>1</kbd>–<kbd>{MENU.length}</kbd> views · <kbd>/</kbd> search · <kbd>j</kbd>{" "}
          <kbd>k</kbd> move · <kbd>Enter</kbd> open · <kbd>Esc</kbd> back · <kbd>e</kbd> edit ·{" "}
          <kbd>g</kbd> graph
        </p>
      </footer>
    </>
  );
}

/** Unsaved text from before a reload, until it is saved or dropped. */
function CameBack({ dropped }: { readonly dropped: () => void }): VNode | null {
  const [words, setWords] = useState(whatCameBack);
  useEffect(() => onKept(() => setWords(whatCameBack())), []);
  if (words.length === 0) return null;
  return (
    <section class="quiet back" role="status" aria-label="Brought back">
      {words.map(({ name, title, href, forget }) => (
        <p class="buttons" key={name}>
          <span>
            Not saved, and brought back: <a href={href}>{title}</a>
          </span>
          <button
            type="button"
            aria-label={`Throw away ${title}`}
            onClick={() => {
              forget();
              dropped();
            }}
          >
            Throw away
          </button>
        </p>
      ))}
    </section>
  );
}

/** The element that was clicked last. */
let clicked: Element | null | undefined;

/** Ignores the second click of a double click if another element is there by then. */
function onClick(event: MouseEvent): void {
  const at = event.target instanceof Element ? event.target.closest("a, button") : undefined;
  if (event.detail > 1 && at !== clicked) {
    event.preventDefault();
    event.stopPropagation();
  } else clicked = at;
}

/** Keyboard commands of all views. In a field, letters are typed. */
function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = document.activeElement;
  const isTyping = at instanceof HTMLInputElement && at.type !== "checkbox" ||
    at instanceof HTMLTextAreaElement ||
    at instanceof HTMLSelectElement;
  if (event.key === "Escape") {
    if (isTyping && at.closest("form.edit") !== null) return;
    if (isTyping) at.blur();
    else document.querySelector<HTMLElement>("[data-close]")?.click();
    return;
  }
  const isMoving = event.key === "ArrowDown" || event.key === "ArrowUp";
  const isSlash = event.key === "/" && isTyping && at.value === "";
  if (isTyping && !((isMoving || isSlash) && at.type === "search")) return;
  const view = MENU[Number(event.key) - 1];
  if (view !== undefined) location.hash = `#/${view.name}`;
  else if (event.key === "/") {
    if (location.hash.startsWith("#/search") || location.hash === "") focusSearch();
    else location.hash = "#/search";
  } else if (event.key === "j" || event.key === "ArrowDown") move(1);
  else if (event.key === "k" || event.key === "ArrowUp") move(-1);
  else if (event.key === "e") document.querySelector<HTMLElement>("[data-edit]")?.click();
  else if (event.key === "g") document.querySelector<HTMLElement>("[data-graph]")?.click();
  else return;
  event.preventDefault();
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>("input[type=search]")?.focus();
}

render(<Page />, document.body);
