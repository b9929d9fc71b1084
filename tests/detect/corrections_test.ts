/** What people say of something known that does not hold any more, and what sounds like it. */
import assert from "node:assert/strict";
import {
  abandonedIn,
  correctedIn,
  correctionIn,
  retractedIn,
} from "../../src/detect/decisions/corrections.ts";

const NPM = "We use npm to install packages.";
const KAFKA = "Orders go through Kafka to the billing service.";
const REDIS = "Die Sitzungen liegen in Redis.";

const ABANDONED: readonly (readonly [said: string, known: string])[] = [
  ["we moved from npm to pnpm", NPM],
  ["We've switched over from npm to pnpm last week.", NPM],
  ["npm is no longer used", NPM],
  ["fyi: npm was replaced by pnpm", NPM],
  ["we don't use npm anymore", NPM],
  ["we stopped using npm", NPM],
  ["we got rid of npm", NPM],
  ["we replaced npm with pnpm", NPM],
  ["npm is deprecated, the scripts run with pnpm", NPM],
  ["Kafka is gone.", KAFKA],
  ["forget what I said about Kafka", KAFKA],
  ["Kafka was replaced by NATS in March", KAFKA],
  ["we migrated from Kafka to NATS", KAFKA],
  ["the old importer is no longer used", "The old importer writes one row at a time."],
  ["wir sind von Redis auf Postgres umgestiegen", REDIS],
  ["Redis wird nicht mehr verwendet", REDIS],
  ["Redis wurde durch Postgres ersetzt.", REDIS],
  ["Redis gibt es nicht mehr", REDIS],
  ["vergiss, was ich über Redis gesagt habe", REDIS],
  ["wir nutzen kein npm mehr", "Wir nutzen npm für die Pakete."],
  ["wir nutzen npm nicht mehr", "Wir nutzen npm für die Pakete."],
];
for (const [said, known] of ABANDONED) {
  Deno.test(`abandonedIn() takes back "${known}" for "${said}"`, () => {
    assert.equal(abandonedIn(said, `It is so since January. ${known}`), known);
  });
}

const KEPT: readonly (readonly [said: string, known: string])[] = [
  ["should we move from npm to pnpm?", NPM],
  ["if we moved from npm to pnpm, CI would be faster", NPM],
  ["we want to move from npm to pnpm", NPM],
  ["I thought npm was replaced by pnpm", NPM],
  ["the npm cache is no longer used", NPM],
  ["npm is no longer used in the frontend", NPM],
  ["Kafka was replaced by NATS for the mails", KAFKA],
  ["we moved from npm to pnpm", "We use npm to publish and pnpm to install."],
  ["we moved from npm to pnpm", "We do not use npm."],
  ["we moved from npm to pnpm", "The npm registry of the company needs a token."],
  ["we moved from Monday to Tuesday", "Deploys run on Monday."],
  ["the file was replaced by a folder", "The backup is one file a day."],
  ["I moved the helper from utils to text", "Tests use the utils of the harness."],
  ["the branch is gone", "We use a branch for each change."],
  ["the test is gone", "Each bug begins with a test."],
  ["Tests are gone.", "Each bug begins with tests of its own."],
  ["it is no longer needed", "It is needed to sign the build."],
  ["we no longer have time", "The job has time until midnight."],
  ["die Spalte gibt es nicht mehr", "Die Spalte status ist ein Enum."],
  ["forget what I said", NPM],
];
for (const [said, known] of KEPT) {
  Deno.test(`abandonedIn() leaves "${known}" for "${said}"`, () => {
    assert.equal(abandonedIn(said, known), undefined);
  });
}

const JENKINS = "Deploys run on Jenkins.";
const STORED = "Sessions are stored in Redis.";

const NOT_RETRACTED: readonly (readonly [said: string, known: string])[] = [
  // Denied.
  ["It is not true that we moved from npm to pnpm.", NPM],
  ["We never moved from npm to pnpm.", NPM],
  ["We have not moved from Kafka to NATS.", KAFKA],
  ["Nobody stopped using Redis.", STORED],
  ["We almost replaced Redis with Postgres.", STORED],
  ["Kafka ist nicht abgeschafft.", KAFKA],
  // Told by or of somebody else, or made up.
  ["The error message says: Redis is deprecated.", STORED],
  ["The ADR proposes: Kafka is replaced by NATS.", KAFKA],
  ["Kafka is gone, said the intern, and he was wrong.", KAFKA],
  ["They moved from Kafka to NATS at my old company.", KAFKA],
  ["In the other repo, npm was replaced by pnpm.", NPM],
  ["Imagine Redis was replaced by Postgres.", STORED],
  ["Write a test for the case that Redis is gone.", STORED],
  // Of a part, or of a thing beside it.
  ["For the website we moved from npm to pnpm.", NPM],
  ["In tests, Redis was replaced by a fake.", STORED],
  ["Redis was replaced by a fake in the tests.", STORED],
  ["Redis wird im Test durch einen Fake ersetzt.", REDIS],
  ["wir nutzen npm nicht mehr lokal", "Wir nutzen npm für die Pakete."],
  ["`Redis` is deprecated as a class name.", STORED],
  ["we got rid of npm warnings", NPM],
  ["We stopped using npm aliases.", NPM],
  ["We no longer run Jenkins on the laptop.", JENKINS],
  // Just now.
  ["Redis is dead, please restart it.", STORED],
  ["Jenkins is gone since the outage, bring it back", JENKINS],
  ["Redis is gone because it crashed", STORED],
  // What to do, and what it is not about.
  ["run the tests without Redis", STORED],
  ["start the app without Kafka", KAFKA],
  ["drop the Redis keys", STORED],
  ["the problem is not Redis", STORED],
  ["It's not Kafka that is slow.", KAFKA],
  ["not Jenkins, the runner failed", JENKINS],
  ["no, not Redis: the cache in front of it", STORED],
  ["rather than Kafka, look at the consumer", KAFKA],
  ["replacing Redis would take weeks", STORED],
  ["Maybe Postgres instead of Redis, because Redis crashed.", STORED],
  ["Because Redis crashed again, we could use Postgres instead of Redis.", STORED],
];
for (const [said, known] of NOT_RETRACTED) {
  Deno.test(`retractedIn() leaves "${known}" for "${said}"`, () => {
    assert.equal(retractedIn(said, known), undefined);
  });
}

Deno.test("retractedIn() hears what came instead, and what is not used any more", () => {
  assert.equal(retractedIn("We use pnpm, not npm, to install packages here.", NPM), NPM);
  assert.equal(retractedIn("orders go through NATS instead of Kafka", KAFKA), KAFKA);
  assert.equal(retractedIn("we moved from npm to pnpm", NPM), NPM);
});

Deno.test("retractedIn() hears what takes back both what is known and what that left", () => {
  const known = "Links are stored in SQLite, not Redis.";
  assert.equal(retractedIn("Links are in Postgres instead of SQLite or Redis.", known), known);
  assert.equal(retractedIn("Links are in SQLite instead of Redis.", known), undefined);
});

Deno.test("retractedIn() hears what came instead, whatever its reason tells of", () => {
  for (
    const [said, known] of [
      ["Sessions are in Postgres instead of Redis, because Redis crashed again.", STORED],
      ["Orders go through NATS, not Kafka, so that one person might run it.", KAFKA],
      ["Deploys run on Actions rather than Jenkins, since plugins want updates.", JENKINS],
      ["Wir nutzen pnpm statt npm, weil npm wieder hing.", "Wir nutzen npm für die Pakete."],
    ] as const
  ) assert.equal(retractedIn(said, known), known, said);
});

Deno.test("retractedIn() hears a figure of one digit that is another one", () => {
  const slugs = "A slug of a short link has 7 characters, base62.";
  for (
    const said of [
      "slugs have 6 characters, not 7",
      "a slug has 6, not 7 characters",
      "a slug has 6 instead of 7 characters",
    ]
  ) assert.equal(retractedIn(said, slugs), slugs, said);
  assert.equal(
    retractedIn("ein Slug hat 6 statt 7 Zeichen", "Ein Slug hat 7 Zeichen."),
    "Ein Slug hat 7 Zeichen.",
  );
  for (
    const [said, known] of [
      ["retries are 6, not 7", slugs],
      ["slugs have 6 characters, not 8", slugs],
      ["slugs have 6 characters, not 7 words", "Slugs have 6 to 7 characters."],
      ["a slug has 7 characters, not 6.7", slugs],
      ["does a slug have 6 characters, not 7?", slugs],
    ] as const
  ) assert.equal(retractedIn(said, known), undefined, said);
});

const STAGING = "The staging database is at db-stg-2.internal:6432 (pgbouncer).";
const ADDRESS = "Das Testsystem liegt unter 10.0.4.17, im Netz der Entwicklung.";
const BUCKET = "Backups go to s3://acme-backup-1/prod every night.";

Deno.test("retractedIn() hears where something is now, by an address of the same form", () => {
  for (
    const [said, known] of [
      ["staging moved yesterday, it is db-stg-3.internal:6432 now", STAGING],
      ["the staging database is at db-stg-3.internal:6432 since monday", STAGING],
      ["staging has moved to db-stg-3.internal:6432.", STAGING],
      ["das Testsystem ist jetzt unter 10.0.4.18", ADDRESS],
      ["staging moved from db-stg-2.internal:6432 to db-stg-3.internal:6432", STAGING],
      ["backups now go to s3://acme-backup-2/prod", BUCKET],
    ] as const
  ) assert.equal(retractedIn(said, `It is so since March. ${known}`), known, said);
  for (
    const [said, known] of [
      ["is staging at db-stg-3.internal:6432 now?", STAGING],
      ["staging will be at db-stg-3.internal:6432 soon, not now", STAGING],
      ["the replica of billing is at db-stg-3.internal:6432 now", STAGING],
      ["staging is at db-stg-2.internal:6432 now as before", STAGING],
      ["staging is at db-stg-3.internal:6432 now as well as db-stg-2.internal:6432", STAGING],
      ["staging has a replica at db-stg-3.internal:6432 now", STAGING],
      ["there is another staging database at db-stg-3.internal:6432 now", STAGING],
      ["connect to db-stg-3.internal:6432 and count the staging users", STAGING],
      ["staging is slow now, db-stg-3.internal:6432 is fine", STAGING],
      ["staging has a new dashboard on grafana.internal:3000 now", STAGING],
    ] as const
  ) assert.equal(retractedIn(said, known), undefined, said);
});

const REPLY = "I see. According to memory we use npm to install packages, so I run npm ci.";
const PORT = "The staging API listens on port 8080.";

const CORRECTED: readonly (readonly [said: string, reply: string, known: string])[] = [
  ["that's wrong, it's pnpm", REPLY, NPM],
  ["no, that is not true, we use pnpm", REPLY, NPM],
  ["Actually it is pnpm.", REPLY, NPM],
  ["no, that's wrong, it's OpenAI", REPLY, NPM],
  ["that is wrong, it is port 9090", "According to memory it listens on port 8080.", PORT],
  [
    "stimmt nicht mehr, wir nutzen jetzt pnpm",
    "Ich nutze npm, um Pakete zu installieren.",
    "Wir nutzen npm, um Pakete zu installieren.",
  ],
  ["actually, the staging API listens on port 9090", "", PORT],
  ["Das ist falsch: der Deploy läuft über Jenkins", "", "Der Deploy läuft über Travis."],
];
for (const [said, reply, known] of CORRECTED) {
  Deno.test(`correctedIn() takes back "${known}" for "${said}"`, () => {
    assert.equal(correctedIn(correctionIn(said) ?? "", reply, known), known);
  });
}

Deno.test("correctionIn() reads on where the opening is a sentence of its own", () => {
  assert.equal(correctionIn("It's pnpm.", "That's wrong."), "It's pnpm.");
  assert.equal(correctionIn("It's pnpm."), undefined);
  assert.equal(correctionIn("Is that wrong?"), undefined);
  assert.equal(correctionIn("That's wrong."), undefined);
  assert.equal(
    correctionIn(`Actually, this came out: ${"a word of a log ".repeat(40)}`),
    undefined,
  );
});

const RIGHT: readonly (readonly [said: string, reply: string, known: string])[] = [
  // Of something else that was said.
  ["that's wrong, it's pnpm", "The test fails in line 12 because of the clock.", NPM],
  ["that's wrong, it's line 14", REPLY.replace("so I run npm ci", "and line 12 fails"), PORT],
  // How it is, and not what it is.
  ["that's wrong, it's a typo", REPLY, NPM],
  ["that's not right, it's broken", REPLY, NPM],
  ["Actually it's fine.", REPLY, NPM],
  ["actually it is slow", REPLY, NPM],
  ["that is not true, it is raining", REPLY, NPM],
  ["Actually, we have a meeting", REPLY, NPM],
  ["falsch, es ist Montag", REPLY, NPM],
  // What is said already.
  ["actually it is npm", REPLY, NPM],
  ["actually we use Postgres", "", "We use Redis for the queue."],
  ["actually, the staging API needs a token", "", PORT],
  ["actually, the staging API listens on port 8080", "", PORT],
];
for (const [said, reply, known] of RIGHT) {
  Deno.test(`correctedIn() leaves "${known}" for "${said}" behind "${reply.slice(0, 30)}"`, () => {
    assert.equal(correctedIn(correctionIn(said) ?? said, reply, known), undefined);
  });
}
