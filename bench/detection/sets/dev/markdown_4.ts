/** More of them: an approved plan that is no point, and what has to happen before a release. */
import type { Conversation } from "../../conversation.ts";

export const MARKDOWN_4: readonly Conversation[] = [
  {
    name: "search that forgets accents",
    language: "en",
    steps: [
      { prompt: "search for \"cafe\" doesn't find \"Café Central\". meilisearch 1.5, our own tokenizer plugin. plan mode please", answer: "User approved the plan. I'll start with the tokenizer.", tools: [{ tool: "Read", file: "search/tokenizer.rs" }, { tool: "Read", file: "search/index.ts" }, { plan: "# Fold accents in the tokenizer\n1. fold with unicode-normalization (NFKD, drop marks)\n2. keep ß, æ, ø mapped by table\n3. reindex in the background under a second name\n4. swap the aliases\n5. test with 40 pairs from support tickets", approved: true }] },
      { prompt: "go", answer: "Now the tokenizer folds accents. 22 tests pass.\n\n**Changes:**\n- `fold()` in `search/tokenizer.rs`\n- table for `ß`, `æ`, `ø`, `ł`", tools: [{ tool: "Edit", file: "search/tokenizer.rs" }, { run: "cargo test -p tokenizer", out: "test result: ok. 22 passed; 0 failed" }] },
      { prompt: "pairs from tickets?", answer: "38 of 40 pairs match. The two that don't are \"Zoë's\" with a typographic apostrophe, and \"naïve\" written \"nai¨ve\" in the source.", tools: [{ tool: "Write", file: "search/pairs.json" }, { run: "node search/pairs.mjs", out: "38 of 40" }] },
      { prompt: "apostrophe fix", answer: "39 of 40. The last one is broken data.", tools: [{ tool: "Edit", file: "search/tokenizer.rs" }, { run: "node search/pairs.mjs", out: "39 of 40" }] },
      { prompt: "reindex", answer: "Reindexed under `places_v2` in 22 minutes: 1.8 million documents.", tools: [{ run: "node search/reindex.mjs --name places_v2", out: "1.8M docs, 22 min" }] },
      { prompt: "before swap compare relevance with the old one, 500 queries from the log", answer: "431 of 500 have the same first three, 52 got better and 17 worse by the clicks in the log.", tools: [{ run: "node search/compare.mjs --n 500", out: "same top3 431, better 52, worse 17" }] },
      { prompt: "show the 17", answer: "11 are German words in which the umlaut matters (\"Bar\" now finds \"Bär\" first), six are Danish.", tools: [{ run: "node search/compare.mjs --worse", out: "11 German umlauts: \"Bar\" vs \"Bär\", 6 Danish" }] },
      { prompt: "hmm. rank exact accents higher?", answer: "Done, an attribute `exact` ranks before the folded one. 3 are worse now.", tools: [{ tool: "Edit", file: "search/index.ts" }, { run: "node search/compare.mjs --n 500", out: "same 442, better 55, worse 3" }] },
      { prompt: "good enough, so what's the result overall? product wants a statement if we roll out", answer: "Yes, I'd roll it out, and the reason is the balance of the two comparisons. Folding alone made 52 of 500 logged queries better and 17 worse, and the losses weren't noise: 11 of them were German umlauts, where \"Bar\" and \"Bär\" are different words. With the exact spelling ranked first 55 are better and 3 worse, so the umlauts come back and nothing of the gain is lost. In support tickets 39 of 40 pairs match, and the last is broken data. It costs 4 % more memory and no measurable latency. What we can't say from this is how Danish users see it, because only six such queries were in the sample.", label: "synthesis" },
      { prompt: "swap", answer: "Swapped. The old index stays until Friday.", tools: [{ run: "node search/swap.mjs places places_v2", out: "swapped" }] },
      { prompt: "alright different thing. our docs site is on Docusaurus and the build takes 9 minutes. why", answer: "You build 14 versions of the docs every time, 1,900 pages. MDX compilation takes 61 % of it.", tools: [{ run: "DOCUSAURUS_PERF=1 yarn build", out: "mdx 61%, minify 22%, images 9%" }, { tool: "Read", file: "docusaurus.config.js" }, { say: "Let me look at the number of versions." }], label: "topic_shift" },
      { prompt: "do we need 14", answer: "Three versions get 98.7 % of the visits.", tools: [{ run: "node hits.mjs", out: "3 versions = 98.7% of hits" }] },
      { prompt: "the rest static then, build once", answer: "The eleven old ones are built once and copied. The build takes 2:10.", tools: [{ tool: "Edit", file: "docusaurus.config.js" }, { run: "yarn build", out: "2 min 10 s" }] },
      { prompt: "links between versions still ok?", answer: "No broken links.", tools: [{ run: "yarn linkcheck", out: "0 broken" }] },
      { prompt: "ship", answer: "Pushed.", tools: [{ run: "git push", out: "ok" }] },
    ],
    keep: {
      decisions: [],
      exact: ["places_v2", "search/tokenizer.rs", "39 of 40"],
    },
  },
  {
    name: "a lawyer reads the README",
    language: "en",
    steps: [
      { prompt: "we want to open source our scheduler. what has to happen before? look at the repo", answer: "I've looked at the repo. Here's the current state:\n\n| area | finding |\n|---|---|\n| licenses of dependencies | 61 MIT, 40 Apache-2.0, 1 LGPL-2.1, 3 unknown |\n| secrets in history | 2 |\n| authors | 14, of which 3 externals |\n\nWhat would you like to look at first?", tools: [{ say: "I'll look at licenses, history, and secrets." }, { run: "scancode --license .", out: "MIT 61, Apache-2.0 40, LGPL-2.1 1, unknown 3" }, { run: "gitleaks detect", out: "2 leaks" }, { run: "git shortlog -sn", out: "14 authors" }] },
      { prompt: "the secrets", answer: "One AWS key of 2021, revoked, and a staging password of 2022 that's still valid.", tools: [{ run: "gitleaks detect -v", out: "AWS key 2021 (revoked), staging db password 2022" }] },
      { prompt: "rotate the staging one", answer: "Rotated. All services reconnected.", tools: [{ run: "acme secrets rotate staging-db", out: "rotated" }] },
      { prompt: "history rewrite or fresh repo?", answer: "Both work:\n\n- **Rewrite with `git filter-repo`**: history and blame stay, which outsiders value; all clones have to be made anew, and links to commits in tickets die.\n- **Fresh repo with one commit**: an hour, nothing can leak from old commits; but you lose eight years of explanations, and the three externals lose their authorship.", label: "branch_point" },
      { prompt: "do we have commit links in tickets?", answer: "2,204 of them.", tools: [{ run: "jira grep \"commit/\"", out: "2204" }] },
      { prompt: "those can be redirected?", answer: "With a table of old and new hashes, yes: filter-repo writes one." },
      { prompt: "then rewrite. eight years of why are worth more than an hour, and the externals would be right to complain", answer: "Rewritten: 8,120 commits, two texts replaced. `commit-map` has the old and new hashes.", tools: [{ run: "git filter-repo --replace-text leaks.txt", out: "Parsed 8120 commits" }, { say: "Great, the rewrite went through." }], label: "branch_point" },
      { prompt: "scan again", answer: "No leaks found.", tools: [{ run: "gitleaks detect", out: "no leaks found" }] },
      { prompt: "the LGPL one?", answer: "`vendor/libcron` is LGPL-2.1, we modified it and link it statically. That means whoever gets our binary must be able to relink it.", tools: [{ run: "scancode --license vendor/libcron", out: "LGPL-2.1, statically linked, modified" }] },
      { prompt: "can we do that?", answer: "Yes, easily: ship object files, or link dynamically. With source open it's moot." },
      { prompt: "unknown 3?", answer: "Two are public domain (`tz`, `ringbuf`). The third one is `vendor/simplex`, no license anywhere.", tools: [{ tool: "Read", file: "vendor/tz/README" }, { tool: "Read", file: "vendor/ringbuf/ring.c" }] },
      { prompt: "ask the author?", answer: "The author's page settles it: copyright lies with the university, all rights reserved, redistribution only by written agreement with their technology office. Their form says twelve weeks at least and no agreements for open source projects. We have no right to publish `vendor/simplex`, nor strictly to have shipped it until now; it can't be part of the release.", tools: [{ run: "curl -s https://people.example.edu/~hmk/simplex.html", out: "Copyright 2009 University. All rights reserved. Commercial and redistributive use requires a written agreement with the technology office." }], label: "constraint_discovered" },
      { prompt: "ouch. replace it: what do we use from it", answer: "Three calls, all in `src/plan.c`: minimise a cost with at most 40 variables.", tools: [{ run: "grep -rn simplex_ src | wc -l", out: "3" }] },
      { prompt: "microlp?", answer: "`microlp` (MIT) does it: same results in all 212 tests, to 9 digits.", tools: [{ tool: "Write", file: "src/lp.c" }, { run: "make test", out: "212 passed" }] },
      { prompt: "remove simplex", answer: "Removed, and from the history as well with a second pass of filter-repo.", tools: [{ run: "git rm -r vendor/simplex", out: "removed" }] },
      { prompt: "where do we stand, what's left. short mail to legal", answer: "Subject: scheduler, ready for your review\n\nEverything that we found is resolved but one thing that only you can decide. The two secrets are gone from history, the one still valid was rotated. Of 105 dependencies all have a licence that permits publication now: `vendor/simplex` belonged to a university and is replaced by `microlp` under MIT, with identical results in 212 tests; `libcron` is LGPL-2.1, which an open source release satisfies by itself. The history is kept, so the authorship of all 14 people remains. What is left is the agreement of the three external authors, who never signed anything: without it 4 % of the lines aren't ours to license. And a look backwards: earlier binaries contained `simplex` without a right to it.", label: "synthesis" },
      { prompt: "send me as txt", answer: "`mail_legal.txt` is written.", tools: [{ tool: "Write", file: "mail_legal.txt" }] },
    ],
    keep: {
      decisions: [],
      exact: ["vendor/simplex", "commit-map", "mail_legal.txt"],
    },
  },
];
