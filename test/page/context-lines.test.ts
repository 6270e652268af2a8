// A line of an agent's context as a person reads it: when and where first, what was asked and what came of it each by itself.
import { expect, test } from "bun:test";
import { forPeople } from "../../src/page/parts/context-lines.tsx";
import { dayWords, timeOfDay } from "../../src/page/words.ts";

const at = new Date("2025-11-14T14:01").getTime();
const when = `${dayWords(at)}, ${timeOfDay(at)}`;
const day = dayWords(at);
const read = (text: string) => forPeople({ text, records: ["t7", "m2"] });

test.each<[string, ReturnType<typeof forPeople>]>([
  [
    "t7 · 2025-11-14 14:01 · main · prompts: 2 · “scheduler_test fails · once…” · “Done; “all” tests pass.”",
    {
      about: `${when} · main · 2 prompts`,
      rows: [
        { label: "Asked", text: "“scheduler_test fails · once…”" },
        { label: "Came of it", text: "“Done; “all” tests pass.”" },
      ],
    },
  ],
  [
    "t7 · 2025-11-14 14:01 · Prompts: 1 · the parser · plan proposed, not carried out: “Cut it · twice”",
    {
      about: `${when} · Prompts: 1`,
      rows: [
        { text: "the parser" },
        { label: "Plan proposed, not carried out", text: "“Cut it · twice”" },
      ],
    },
  ],
  [
    "m2 · 2025-11-14 · typed by the user: “the user: wins”",
    { about: day, rows: [{ label: "Typed by you", text: "“the user: wins”" }] },
  ],
  [
    "t7 · 2025-11-14 · committed 816129: Strip it · “All is · cut",
    {
      about: day,
      rows: [{ text: "committed 816129: Strip it" }, { text: "“All is · cut" }],
    },
  ],
  [
    "`npm test` ×19 · `npm run lint`",
    { about: "", rows: [{ text: "`npm test` ×19 · `npm run lint`" }] },
  ],
  [
    "t9 · 2025-11-14 · of another record",
    { about: "", rows: [{ text: "t9 · 2025-11-14 · of another record" }] },
  ],
  ["t7 · 2025-11-14", { about: "", rows: [{ text: "t7 · 2025-11-14" }] }],
  ["", { about: "", rows: [{ text: "" }] }],
])("%j", (text, shown) => {
  expect(read(text)).toEqual(shown);
});
