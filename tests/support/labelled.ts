/**
 * Conversations with the points that a reader marked in them: for each exchange the trigger, or nothing.
 * Hand-made, with the cases that fool detectors: detours, trivial work, rhetorical questions, code and
 * quotations full of trigger words, talk about memory tools.
 */
import type { Transcript, Turn } from "../../src/editor/editor.ts";
import type { Inflection } from "../../src/detect/trigger/signal.ts";

export interface LabelledExchange {
  readonly prompt: string;
  readonly answer: string;
  readonly tools?: Turn["tools"];
  /** The point that a reader marked at the end of this exchange. */
  readonly label?: Inflection;
}

export function turnsOf(exchanges: readonly LabelledExchange[]): Turn[] {
  return exchanges.flatMap(({ prompt, answer, tools }, i): Turn[] => [
    { uuid: `u${i}`, role: "user", at: "", text: prompt, tools: [] },
    { uuid: `a${i}`, role: "assistant", at: "", text: answer, tools: tools ?? [] },
  ]);
}

let tools = 0;
const bash = (command: string, result: string, failed = false): Turn["tools"][number] => ({
  id: `t${++tools}`,
  name: "Bash",
  command,
  result,
  failed,
});

const LOCKS: readonly LabelledExchange[] = [
  {
    prompt: "How does our job queue take a job so that no two workers get the same one?",
    answer:
      "A worker selects the oldest waiting row with `FOR UPDATE SKIP LOCKED` and marks it as running in the same transaction. Other workers skip the locked row and take the next one. The lock is released at commit, after the row is marked.",
  },
  {
    prompt: "What happens to a job when its worker dies in the middle?",
    answer:
      "The row stays marked as running, because the mark was committed before the work began. A sweeper looks every minute for running jobs whose heartbeat is older than two minutes and puts them back into the queue with one more attempt.",
  },
  {
    prompt: "And how often is a job retried before the queue gives up on it?",
    answer:
      "Eight attempts, with a delay that doubles from ten seconds to one hour. After that the job is moved to the table of dead jobs, where the operations page lists it with its last error.",
  },
];

/** A whole conversation of these turns, as a reader of transcripts gives it. */
export function transcriptOf(
  sessionId: string,
  turns: readonly Turn[],
  parts: Partial<Transcript> = {},
): Transcript {
  return {
    sessionId,
    cwd: "/p",
    title: undefined,
    turns,
    compactions: [],
    sinceCompaction: 0,
    contextTokens: undefined,
    model: "claude-opus-4-1",
    fromStart: true,
    endOffset: 0,
    ...parts,
  };
}

export const LABELLED: Readonly<Record<string, readonly LabelledExchange[]>> = {
  "a shift to another subject that stays": [
    ...LOCKS,
    {
      prompt:
        "Ok. Now something completely different: the marketing page needs a new hero image, what sizes should we export?",
      answer:
        "Export the hero photo at 640, 1280 and 2560 pixels width as AVIF with a JPEG fallback, and let the browser choose through `srcset`. The picture should stay below 200 KB at 1280 pixels.",
      label: "topic_shift",
    },
    {
      prompt: "Which aspect ratio is good for phones?",
      answer:
        "A portrait crop of four to five works best for the hero photo on phones; use a `picture` element with its own source for narrow screens.",
    },
    {
      prompt: "Should the photo be loaded lazily?",
      answer:
        'No, the hero photo is the largest element above the fold. Give it `fetchpriority="high"` and load only the pictures further down lazily.',
    },
  ],
  "a detour that returns at once": [
    ...LOCKS,
    {
      prompt: "By the way, what time is it in Tokyo when it is noon in Berlin?",
      answer: "It is eight in the evening in Tokyo during winter, and seven during summer time.",
    },
    {
      prompt: "Thanks. Where does the sweeper of the job queue log what it puts back?",
      answer:
        "It writes one line per job to the worker's log with the job id, the attempt and the age of the heartbeat. The operations page reads the same numbers from the queue table.",
    },
  ],
  "a choice laid out and taken": [
    {
      prompt:
        "We have to render invoices as PDF on the server, about 3,000 a day. The templates are HTML today.",
      answer:
        "Understood. The templates use flexbox and web fonts, so the renderer has to know modern CSS. At 3,000 a day the peak is about ten a minute.",
    },
    {
      prompt: "What can we use?",
      answer:
        "There are three realistic ways:\n\n- **Headless Chromium**: renders everything we have, but needs 300 MB of memory per worker and careful updates.\n- **WeasyPrint**: light and simple to run, however it lacks flexbox gaps, so four templates need changes.\n- **A hosted service**: no operations at all, at the price of 0.02 € per page and of sending customer data to a third party.\n\nWhich one would you prefer?",
      label: "branch_point",
    },
    {
      prompt: "How much work are the four templates with WeasyPrint?",
      answer:
        "About half a day each: the gaps become margins, and the totals table needs explicit widths. I would plan two days with tests.",
    },
    {
      prompt:
        "Let's go with WeasyPrint rather than Chromium, because we cannot give each worker 300 MB and two days are fine.",
      answer:
        "Agreed. I will change the four templates first and then replace the renderer behind the existing interface, so that the invoices keep their file names.",
      label: "branch_point",
    },
  ],
  "a limit of somebody else's": [
    {
      prompt: "Please import the last two years of tickets from the helpdesk into our search.",
      answer:
        "I will read them through the helpdesk's export endpoint in pages of 100 and write them to the search index in batches. There are about 210,000 tickets.",
    },
    {
      prompt: "Go ahead.",
      answer:
        "The import does not get through. The helpdesk's API has a hard limit of 200 requests per hour on our plan, and the export endpoint only returns tickets of the last 90 days. So that plan is not possible: at that rate two years would take eleven days, and older tickets are not available at all. We would need the vendor's offline dump instead.",
      tools: [
        bash("curl -s https://helpdesk.example/api/v2/export?page=1", '{"tickets": []}'),
        bash(
          "curl -s https://helpdesk.example/api/v2/export?page=2",
          "HTTP 429 Too Many Requests: rate limit of 200 requests per hour exceeded",
          true,
        ),
        bash(
          "curl -s https://helpdesk.example/api/v2/export?page=3",
          "HTTP 429 Too Many Requests: rate limit of 200 requests per hour exceeded",
          true,
        ),
        bash("python import.py --slow", "waiting 18 s between requests"),
      ],
      label: "constraint_discovered",
    },
  ],
  "findings that come together": [
    {
      prompt: "Why is the dashboard slow in the morning? It takes 14 seconds.",
      answer:
        "I looked at the slow log first. The query for the activity chart takes 11 of the 14 seconds. Is it slow at other times of the day as well?",
      tools: [bash("tail -50 slow.log", "duration: 11032 ms")],
    },
    {
      prompt: "No, after ten it is fine. What could that be?",
      answer:
        "The plan changes between eight and ten. Do you run anything at night that changes many rows? Does the statistics job run before or after it?",
      tools: [bash("psql -c 'explain …'", "Seq Scan on activity")],
    },
    {
      prompt:
        "The import at six writes four million rows. Statistics run at ten, I think. Does that matter?",
      answer:
        "## Root cause\n\nThe slow dashboard is caused by stale statistics: the import at 6:00 writes 4 million rows, and until `ANALYZE` runs at 10:00 the planner believes that the table holds 200,000. It chooses a sequential scan, which takes 11 s instead of 0.2 s.\n\n## Evidence\n\n- With `ANALYZE` run by hand at 8:15 the chart took 0.19 s.\n- The plan before shows an estimate of 1,200 rows where 3.9 million came.\n\n## Recommendation\n\nRun `ANALYZE activity` at the end of the import. It takes 6 s and that explains why the problem ends at ten every day.",
      tools: [
        bash("psql -c 'analyze activity'", "ANALYZE"),
        bash("psql -c 'explain …'", "Index Scan using activity_day 0.19 ms"),
      ],
      label: "synthesis",
    },
  ],
  "trivial work": [
    {
      prompt: "Rename the variable `foo` to `userCount` in stats.ts.",
      answer: "I renamed `foo` to `userCount` in all five places of stats.ts. The tests pass.",
      tools: [bash("npm test", "Tests: 40 passed, 40 total")],
    },
    {
      prompt: "Also fix the typo in the heading of the README.",
      answer:
        "The heading now says Installation instead of Instalation. Nothing else in the README was changed.",
      tools: [bash('git commit -am "Fix typo"', "[main abc1234] Fix typo")],
    },
    {
      prompt: "And sort the imports there, please.",
      answer:
        "The imports of stats.ts are sorted now, first the packages, then our own modules. In summary: three small edits, one commit.",
      tools: [bash("npm run lint", "0 errors, 0 warnings")],
    },
  ],
  "trigger words in code and quotations": [
    ...LOCKS,
    {
      prompt:
        'The message should say "there are two options: we cannot use the licence, the root cause is a hard limit". Can you put it into the retry test of the job queue?',
      answer:
        'Done. The retry test of the job queue now expects exactly that sentence:\n\n```ts\nassert.equal(message, "let\'s switch to option A or option B; it is not supported; in conclusion");\n```\n\nThe worker passes it through unchanged, and all tests of the queue are green.',
    },
  ],
  "talk about the memory tool itself": [
    {
      prompt: "Why did the stop hook fire a topic_shift here?",
      answer:
        "The stop hook saw that the exchanges differ from the ones before and asked for a checkpoint. In summary, the trigger's confidence was above the threshold, and the root cause was the change of subject.",
    },
    {
      prompt: "And why was the checkpoint saved twice?",
      answer:
        "## Root cause\n\nThe detector's cooldown was over and the content hash was different, because the answer had one more sentence. The conclusion is that both checkpoints are right. There are two options: raise the cooldown, but save later, or compare by meaning, at the cost of two milliseconds.",
    },
  ],
  "rhetorical questions": [
    ...LOCKS,
    {
      prompt: "Who writes such code? Never mind. Show me where the delay of a retry is computed.",
      answer:
        "It is in `backoff.ts`, in the function that doubles the delay of the queue's retries up to one hour. It takes the number of attempts and returns the seconds until the job may run again.",
    },
  ],
};
