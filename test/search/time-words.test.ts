// Words for times in a query, and what is left of the query without them.
import { describe, expect, test } from "bun:test";
import { eventWords, timeWords } from "../../src/search/time-words.ts";
import { document, emptyIndex } from "./support.ts";

/** A Wednesday. */
const now = new Date(2026, 10, 18, 15, 30).getTime();
const marks = [
  { name: "v1.2", time: new Date(2026, 9, 1, 10).getTime() },
  { name: "v1.3", time: new Date(2026, 10, 2, 10).getTime() },
  { name: "4f86d02", time: new Date(2026, 10, 9, 8).getTime() },
];

/** Local time as `2026-11-18`, with the hour where there is one. */
function local(time: number | undefined): string {
  if (time === undefined) return "";
  const day = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  const clock =
    day.getHours() + day.getMinutes() > 0 ? ` ${two(day.getHours())}:${two(day.getMinutes())}` : "";
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}${clock}`;
}

test.each<[text: string, since: string, until: string, rest: string]>([
  ["what did we do yesterday", "2026-11-17", "2026-11-18", "what did we do"],
  ["auth work today", "2026-11-18", "2026-11-19", "auth work"],
  ["tokens last week", "2026-11-09", "2026-11-16", "tokens"],
  ["tokens this week", "2026-11-16", "2026-11-23", "tokens"],
  ["all work on tokens in the last 30 days", "2026-10-19 15:30", "", "all work on tokens"],
  ["the past two weeks of billing", "2026-11-04 15:30", "", "of billing"],
  ["last month", "2026-10-01", "2026-11-01", ""],
  ["bug in March", "2026-03-01", "2026-04-01", "bug"],
  ["bug in December", "2025-12-01", "2026-01-01", "bug"],
  ["bug in Dec 2024", "2024-12-01", "2025-01-01", "bug"],
  ["on 2026-03-05 we met", "2026-03-05", "2026-03-06", "we met"],
  ["July 3, 2025", "2025-07-03", "2025-07-04", ""],
  ["3rd of July 2025 parade", "2025-07-03", "2025-07-04", "parade"],
  ["2 days ago", "2026-11-16", "2026-11-17", ""],
  ["a week ago", "2026-11-08", "2026-11-15", ""],
  ["last Monday", "2026-11-16", "2026-11-17", ""],
  ["since Wednesday", "2026-11-11", "", ""],
  ["before March", "", "2026-03-01", ""],
  ["after 2026-03-05", "2026-03-06", "", ""],
  ["until yesterday", "", "2026-11-18", ""],
  ["changed before v1.2", "", "2026-10-01 10:00", "changed"],
  ["changed since 1.3?", "2026-11-02 10:00", "", "changed"],
  ["since 4f86d02", "2026-11-09 08:00", "", ""],
  ["before the release", "", "2026-11-09 08:00", ""],
  ["3 HOURS AGO", "2026-11-18 12:00", "2026-11-18 13:00", ""],
  ["An Hour Ago", "2026-11-18 14:00", "2026-11-18 15:00", ""],
  ["TWO DAYS AGO", "2026-11-16", "2026-11-17", ""],
  ["a day ago", "2026-11-17", "2026-11-18", ""],
  ["one month ago", "2026-10-03", "2026-11-03", ""],
  ["a year ago", "2025-05-20", "2026-05-20", ""],
  ["a couple of days ago", "2026-11-16", "2026-11-17", "a"],
  ["in the last few hours", "2026-11-18 11:30", "", ""],
  ["in the Last 2 Months", "2026-09-18 15:30", "", ""],
  ["over the past ten years", "2016-11-18 15:30", "", ""],
  ["within the previous 3 weeks", "2026-10-28 15:30", "", ""],
  ["Last Year", "2025-01-01", "2026-01-01", ""],
  ["in this month", "2026-11-01", "2026-12-01", ""],
  ["this year", "2026-01-01", "2027-01-01", ""],
  ["on Thursday", "2026-11-12", "2026-11-13", ""],
  ["last wednesday", "2026-11-11", "2026-11-12", ""],
  ["on Tuesday we met", "2026-11-17", "2026-11-18", "we met"],
  ["by March", "", "2026-04-01", ""],
  ["after March", "2026-04-01", "", ""],
  ["Till 2026-03", "", "2026-04-01", ""],
  ["since 2026-03", "2026-03-01", "", ""],
  ["in 2025-12", "2025-12-01", "2026-01-01", ""],
  ["Nov 18", "2026-11-18", "2026-11-19", ""],
  ["November 19", "2025-11-19", "2025-11-20", ""],
  ["the 1st of January", "2026-01-01", "2026-01-02", "the"],
  ["BEFORE V1.2", "", "2026-10-01 10:00", ""],
  ["after the last release, please", "2026-11-09 08:00", "", "please"],
  ["2024-02-29", "2024-02-29", "2024-03-01", ""],
])("%s", (text, since, until, rest) => {
  const found = timeWords(text, { now, marks });
  expect([local(found?.since), local(found?.until), found?.rest]).toEqual([since, until, rest]);
});

test.each([
  "march forward",
  "the may flag",
  "last resort",
  "before the tests",
  "src/today.ts",
  "last-week.md",
  "since v9.9",
  "on 2026-13-45",
  "2026-02-31",
  "2025-02-29",
  "2026-00-10",
  "31 April",
  "before or after",
  "since yesterdays",
  "in 5 files",
  "",
  "in March ".repeat(100),
])("%s says no time", (text) => {
  expect(timeWords(text, { now, marks })).toBeUndefined();
});

describe("in a search", () => {
  const put = async () => {
    const { index } = await emptyIndex();
    const add = (id: string, text: string, daysAgo: number) =>
      index.put(document(text, { id, session: id, time: now - daysAgo * 86_400_000 }));
    add("old", "The token of the login expired. Token, token.", 60);
    add("lastWeek", "Among other things a token.", 7);
    add("other", "Nothing of the kind.", 8);
    return (text: string) => index.search({ texts: [text], calendar: { now, marks } });
  };

  test("what is of the time comes first, what is not comes after", async () => {
    const search = await put();
    expect(search("token").hits.map(({ id }) => id)).toEqual(["old", "lastWeek"]);
    const { hits, time } = search("token last week");
    expect(hits.map(({ id }) => id)).toEqual(["lastWeek", "old"]);
    expect(time?.said).toBe("last week");
  });

  test("a time alone gives what is of it, the newest first", async () => {
    const search = await put();
    expect(search("last week").hits.map(({ id }) => id)).toEqual(["lastWeek", "other"]);
    expect(search("what did we do last week").hits.map(({ id }) => id)).toEqual([
      "lastWeek",
      "other",
    ]);
    expect(search("in 1999-01").hits).toEqual([]);
  });
});

test.each<[string, ReturnType<typeof eventWords>]>([
  [
    "What did we change the week after we added Redis?",
    {
      event: "we added Redis",
      isAfter: true,
      withinMs: 8 * 86_400_000,
      rest: "What did we change ?",
    },
  ],
  [
    "Which bug showed up right before the move to Postgres, and why?",
    {
      event: "the move to Postgres",
      isAfter: false,
      withinMs: 2 * 86_400_000,
      rest: "Which bug showed up , and why?",
    },
  ],
  [
    "What broke after I renamed it?",
    { event: "I renamed it", isAfter: true, rest: "What broke ?" },
  ],
  ["retry after timeout", undefined],
  ["tokens before v1.2", undefined],
])("%s: an event beside which time is looked at", (text, words) => {
  expect(eventWords(text)).toEqual(words);
});
