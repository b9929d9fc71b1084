/** When a todo is due, as it is typed; and a todo as a line that Obsidian's Tasks reads. */
import assert from "node:assert/strict";
import { readDue } from "../../src/note/due.ts";
import { PRIORITIES, renderTask, TODO_STATUSES } from "../../src/note/todo.ts";

/** A Tuesday, at noon where this runs. */
const NOON = new Date(2026, 0, 13, 12).getTime();

Deno.test("readDue() reads dates, days by name and spans", () => {
  const due = (text: string): string | undefined => readDue(text, NOON);
  const said: Readonly<Record<string, string>> = {
    "2026-01-31": "2026-01-31",
    " 2026-01-31T10:00:00Z ": "2026-01-31T10:00:00Z",
    today: "2026-01-13",
    Tomorrow: "2026-01-14",
    wednesday: "2026-01-14",
    Fri: "2026-01-16",
    "on monday": "2026-01-19",
    // It is Tuesday: who says so means the next one.
    tuesday: "2026-01-20",
    "0d": "2026-01-13",
    "3d": "2026-01-16",
    "in 3 days": "2026-01-16",
    " in a week ": "2026-01-20",
    "2w": "2026-01-27",
    "in 7 weeks": "2026-03-03",
  };
  for (const [text, date] of Object.entries(said)) assert.equal(due(text), date, text);
});

Deno.test("readDue() guesses nothing", () => {
  for (
    const text of [
      ...["", "soon", "next friday", "next week", "next month", "2026-02-30", "31.01.2026"],
      ...[
        "90m",
        "12h",
        "-3d",
        "3.5d",
        "in three days",
        "in 3 days or so",
        "99999w",
        "day",
        "sun day",
        "friday!",
      ],
    ]
  ) assert.equal(readDue(text, NOON), undefined, text);
});

Deno.test("readDue() counts days of the calendar, also across the hour that is skipped or doubled", () => {
  for (let day = 1; day <= 366; day++) {
    for (const hour of [0, 1, 12, 23]) {
      const now = new Date(2026, 0, day, hour, 30);
      const then = new Date(2026, 0, day + 1);
      const parts = [then.getMonth() + 1, then.getDate()].map((n) => String(n).padStart(2, "0"));
      assert.equal(
        readDue("tomorrow", now.getTime()),
        [then.getFullYear(), ...parts].join("-"),
        String(now),
      );
    }
  }
});

/** How the plugin takes a line apart: fields are read from its end, whatever is left is the words. */
const TASK = /^- \[(.)\] (.*)$/;
const FIELDS: readonly (readonly [string, RegExp])[] = [
  ["due", / *[📅📆🗓]\uFE0F? *(\d{4}-\d{2}-\d{2})$/u],
  ["done", / *✅\uFE0F? *(\d{4}-\d{2}-\d{2})$/u],
  ["priority", / *([🔺⏫🔼🔽⏬])\uFE0F?$/u],
];

function readTask(line: string): Record<string, string> {
  const [, box = "", text = ""] = TASK.exec(line) ?? assert.fail(line);
  const read: Record<string, string> = { box };
  for (let rest = text;;) {
    const field = FIELDS.find(([, form]) => form.test(rest));
    if (field === undefined) return { ...read, text: rest };
    const [name, form] = field;
    read[name] = form.exec(rest)?.[1] ?? "";
    rest = rest.replace(form, "");
  }
}

const TODO = {
  content: "Test the  refresh\nunder load",
  status: "pending",
  priority: "high",
  due: "2026-01-31",
  source: undefined,
  completed: undefined,
} as const;

Deno.test("renderTask() writes what the seed wrote", () => {
  assert.equal(renderTask(TODO), "- [ ] Test the refresh under load 📅 2026-01-31 ⏫");
});

Deno.test("renderTask() writes lines from which Tasks reads everything back", () => {
  const boxes = { pending: " ", in_progress: "/", blocked: " ", done: "x" };
  const signs = { high: "⏫", medium: undefined, low: "🔽" };
  for (const status of TODO_STATUSES) {
    for (const priority of PRIORITIES) {
      const completed = "2026-02-01T10:00:00Z";
      const read = readTask(renderTask({ ...TODO, status, priority, completed }));
      const blocked = status === "blocked" ? " #blocked" : "";
      assert.deepEqual(read, {
        box: boxes[status],
        text: `Test the refresh under load${blocked}`,
        due: "2026-01-31",
        ...(status === "done" ? { done: "2026-02-01" } : {}),
        ...(signs[priority] === undefined ? {} : { priority: signs[priority] }),
      });
    }
  }
});

Deno.test("renderTask() links to where it came from, and leaves out a date that is none", () => {
  const from = (source: string) => renderTask({ ...TODO, due: "soon", priority: "low", source });
  assert.equal(from("auth-notes"), "- [ ] Test the refresh under load ([[auth-notes]]) 🔽");
  assert.equal(
    from("https://example.org/7"),
    "- [ ] Test the refresh under load (https://example.org/7) 🔽",
  );
});
