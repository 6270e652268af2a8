// Spoken into the machine: no punctuation, filler words, words misheard and corrected.
import type { Person } from "../script.ts";

export const voiceTyped: Person = {
  name: "voice-typed",
  cwd: "/Users/ruth/choir-site",
  sessions: [
    {
      start: "2026-03-23T19:00:00Z",
      steps: [
        {
          user: "okay so um the calendar on the choir sight I mean site it shows the rehearsals one hour late since Sunday can you have a look what is going on there",
        },
        { reads: "src/calendar.js", content: "const start = new Date(event.date + 'T19:30:00Z');" },
        {
          edits: "src/calendar.js",
          from: "new Date(event.date + 'T19:30:00Z')",
          to: "zoned(event.date, '19:30', 'Europe/London')",
        },
        { runs: "npm test", prints: "Tests: 22 passed, 22 total" },
        {
          says: "The times were stored as UTC, so they moved when the clocks changed on Sunday. Rehearsals are now computed in Europe/London. All 22 tests pass.",
        },
        {
          user: "great and by the way for the future please never put peoples phone numbers on the public page that was a complaint from Margaret we only show the first names",
        },
        { edits: "src/members.html", from: "<td>{{phone}}</td>", to: "" },
        { says: "Phone numbers are gone from the members page; only first names are shown." },
        {
          user: "lovely um the concert page with the new poster we do on Wednesday when I get the poster from Dave",
        },
        { says: "The concert page waits for Dave's poster on Wednesday." },
      ],
    },
  ],
  notes: [
    {
      id: "cause",
      note: "Times were stored as UTC.",
      ask: "rehearsals one hour late",
      tokens: [["UTC", "Europe/London"]],
    },
    {
      id: "phones",
      note: "Never show phone numbers; first names only.",
      ask: "phone numbers public page",
      tokens: [["phone numbers"]],
    },
    {
      id: "poster",
      note: "The concert page waits for Dave's poster.",
      ask: "concert page poster",
      tokens: [["poster"], ["Dave"]],
    },
    {
      id: "tests",
      note: "All 22 tests pass.",
      ask: "do the tests pass",
      tokens: [["22"]],
      tell: false,
    },
  ],
  never: [
    {
      id: "late",
      what: "Rehearsals are shown an hour late.",
      tokens: [["still", "one hour late"], ["late"], ["open", "next", "failing"]],
    },
  ],
};
