/** Days where the person is, also when clocks are put forward or back at night. */
import assert from "node:assert/strict";
import {
  dayOf,
  localDay,
  localDayEnd,
  localDayStart,
  parseMoment,
  parseTime,
  rfc3339,
} from "../../src/base/clock.ts";
import { timeZone } from "../support/time_zone.ts";

Deno.test("a local day begins and ends at its own midnight", () => {
  for (
    const [zone, moment, day, start, end] of [
      ["UTC", "2026-03-29T00:00:00Z", "2026-03-29", "2026-03-29T00:00:00Z", "2026-03-30T00:00:00Z"],
      // 23 hours, 25 hours, and a midnight that there is not: the day begins at one.
      [
        "Europe/Berlin",
        "2026-03-29T12:00:00Z",
        "2026-03-29",
        "2026-03-28T23:00:00Z",
        "2026-03-29T22:00:00Z",
      ],
      [
        "America/New_York",
        "2026-11-02T04:30:00Z",
        "2026-11-01",
        "2026-11-01T04:00:00Z",
        "2026-11-02T05:00:00Z",
      ],
      [
        "America/Santiago",
        "2026-09-06T12:00:00Z",
        "2026-09-06",
        "2026-09-06T04:00:00Z",
        "2026-09-07T03:00:00Z",
      ],
      [
        "Pacific/Kiritimati",
        "2026-12-31T10:00:00Z",
        "2027-01-01",
        "2026-12-31T10:00:00Z",
        "2027-01-01T10:00:00Z",
      ],
    ] as const
  ) {
    using _ = timeZone(zone);
    const ms = Date.parse(moment);
    assert.equal(localDay(ms), day, zone);
    assert.equal(rfc3339(localDayStart(ms)), start, zone);
    assert.equal(rfc3339(localDayEnd(day)), end, zone);
  }
});

Deno.test("days before are counted by the calendar", () => {
  using _ = timeZone("Europe/Berlin");
  const at = Date.parse("2026-03-30T10:00:00Z");
  assert.equal(rfc3339(localDayStart(at, 1)), "2026-03-28T23:00:00Z");
  assert.equal(rfc3339(localDayStart(at, 30)), "2026-02-27T23:00:00Z");
});

Deno.test("parseTime() reads a zone behind a space, as git and Jekyll write it", () => {
  const ms = Date.UTC(2015, 10, 17, 22, 16, 1);
  for (const text of ["2015-11-17 16:16:01 -0600", "2015-11-17T22:16:01 Z"]) {
    assert.deepEqual([parseTime(text), parseMoment(text)], [ms, ms], text);
  }
});

Deno.test("dayOf() is the day of a moment where the person is, and of a day that day", () => {
  for (
    const [zone, moment, day] of [
      ["Asia/Tokyo", "2026-01-13T14:59:59Z", "2026-01-13"],
      ["Asia/Tokyo", "2026-01-13T15:00:00Z", "2026-01-14"],
      ["America/New_York", "2026-01-13T02:48:11Z", "2026-01-12"],
      ["America/New_York", "2026-01-13T00:00:01Z", "2026-01-12"],
      ["America/New_York", "2026-01-13T00:00:00Z", "2026-01-13"],
      ["America/New_York", "2026-01-13", "2026-01-13"],
      ["America/New_York", "", ""],
    ] as const
  ) {
    using _ = timeZone(zone);
    assert.equal(dayOf(moment), day, `${moment} in ${zone}`);
  }
});

Deno.test("a date that is typed is a day where the person is, and a moment with a zone is what it says", () => {
  for (
    const [zone, typed, moment] of [
      ["Asia/Tokyo", "2026-01-13", "2026-01-12T15:00:00Z"],
      ["America/New_York", "2026-01-13", "2026-01-13T05:00:00Z"],
      ["America/New_York", "2026-07", "2026-07-01T04:00:00Z"],
      ["America/New_York", " 2026 ", "2026-01-01T05:00:00Z"],
      ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z"],
      ["America/New_York", "2026-01-13 09:30", "2026-01-13T14:30:00Z"],
      ["America/New_York", "2026-01-13T09:30:15", "2026-01-13T14:30:15Z"],
      ["America/New_York", "2026-01-13 09:30Z", "2026-01-13T09:30:00Z"],
      ["America/New_York", "2026-01-13T09:30:00+01:00", "2026-01-13T08:30:00Z"],
    ] as const
  ) {
    using _ = timeZone(zone);
    assert.equal(rfc3339(parseMoment(typed) ?? NaN), moment, `${typed} in ${zone}`);
  }
  for (const typed of ["2026-02-30", "2026-13", "20260", "soon", "", "2026-01-13T"]) {
    assert.equal(parseMoment(typed), undefined, typed);
  }
});
