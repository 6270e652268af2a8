// Records in full, as people read them: every field that says something, and none that does not.
import { expect, test } from "bun:test";
import { recordLines } from "../../../src/cli/memory/show.ts";
import { dateTime } from "../../../src/cli/terminal/layout.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { observation, prompt, session, summary } from "../../support/records.ts";

const { time } = prompt("p1");
const terminal = plainTerminal({ now: () => time + 7_200_000 });
const when = dateTime(time);

test("an observation with its cost, its place and what it rests on", () => {
  const record = observation("o7", {
    ...{ branch: "fix", filesRead: ["a.ts"], discoveryTokens: 900, observerTokens: 40 },
    agent: { id: "a7", type: "helper" },
    evidence: [
      { turn: 2, piece: 0 },
      { turn: 2, piece: 14 },
      { session: "s9", turn: 1, piece: 3 },
    ],
  });
  const lines = recordLines({ kind: "observation", record }, terminal);
  expect(lines[0]).toBe("o7  bugfix  Token refresh loops on 401");
  expect(lines).toContain(`· ${record.facts[0]}`);
  expect(lines.slice(lines.lastIndexOf("") + 1)).toEqual([
    "concepts  authentication, http",
    "changed   src/auth/refresh.ts",
    "read      a.ts",
    "where     github.com/acme/shop, branch fix, by subagent helper",
    "session   s1, prompt 1",
    "evidence  prompt 2: piece 0, 14; session s9, prompt 1: piece 3",
    `when      ${when} (2h ago)`,
    "cost      900 tokens to find out, 40 tokens to write",
  ]);
});

test("what an observation does not have is not named", () => {
  const bare = observation("o7", { facts: [], narrative: "", concepts: [], filesModified: [] });
  expect(recordLines({ kind: "observation", record: bare }, terminal).slice(2)).toEqual([
    "",
    "where    github.com/acme/shop",
    "session  s1, prompt 1",
    `when     ${when} (2h ago)`,
  ]);
});

test("a summary's fields in their order, without the empty ones", () => {
  const evidence = [{ turn: 2, piece: 1 }];
  const record = summary("m1", { investigated: "", filesRead: ["a.ts"], evidence });
  expect(recordLines({ kind: "summary", record }, terminal)).toEqual([
    `m1  summary of session  ${when}`,
    "request:      Stop the login from looping.",
    "learned:      The interceptor also sees its own calls.",
    "completed:    The refresh call bypasses the interceptor.",
    "next steps:   Cover the logout path with a test.",
    "edited:       src/auth/refresh.ts",
    "read:         a.ts",
    "evidence:     prompt 2: piece 1",
  ]);
  const ofPrompt = summary("m1", { scope: "prompt", promptNumber: 3 });
  expect(recordLines({ kind: "summary", record: ofPrompt }, terminal)[0]).toContain(
    "summary of prompt 3",
  );
});

test("a prompt as it was typed, and a session from its beginning to its end", () => {
  expect(recordLines({ kind: "prompt", record: prompt("p1") }, terminal)).toEqual([
    `p1  prompt 1  ${when}, session s1`,
    "Now test it.",
  ]);
  const ended = session("s1", { endReason: "clear" });
  expect(recordLines({ kind: "session", record: ended }, terminal).slice(2)).toEqual([
    "where  github.com/acme/shop",
    `when   ${dateTime(ended.startedAt)} to ${when} (ended by clear)`,
    "made   2 prompts, 3 observations",
  ]);
  const open = session("s1", { endedAt: null, title: "", subtitle: "" });
  const lines = recordLines({ kind: "session", record: open }, terminal);
  expect([lines[0], lines[2]?.endsWith(" to now")]).toEqual(["s1  untitled session", true]);
});

test("a memory item says whether it was said once, and what was said where that is not itself", () => {
  const record = {
    ...{ id: "m4", kind: "preferences", date: "2026-11-20", session: "s1", project: "shop" },
    ...{ content: "Uses tabs", context: "", state: "candidate", quote: "tabs, please" },
  };
  const shown = (part: object) =>
    recordLines({ kind: "memory", record: { ...record, ...part } as never }, terminal);
  expect(shown({})).toEqual([
    "m4  preferences  2026-11-20  said once",
    "Uses tabs",
    'quote    "tabs, please"',
    "session  s1",
  ]);
  expect(shown({ state: "standing", quote: "Uses tabs", context: "In Go" })).toEqual([
    "m4  preferences  2026-11-20",
    "Uses tabs",
    "In Go",
    "session  s1",
  ]);
});

test("an observation that holds no more says what took its place", () => {
  const record = { ...observation("o7"), supersededBy: "o9" };
  expect(recordLines({ kind: "observation", record }, terminal)[1]).toBe("superseded by o9");
});

test("at 80 columns every part is broken between words, below where it began", () => {
  const screen = plainTerminal({ now: () => time + 7_200_000, width: 80 });
  const long = "The interceptor retried its own refresh call and so one token looped. "
    .repeat(3)
    .trim();
  const shown = recordLines(
    {
      kind: "observation",
      record: observation("o7", { subtitle: long, facts: [long], narrative: long }),
    },
    screen,
  );
  expect(shown[1]).toStartWith("The interceptor");
  const fact = shown.findIndex((line) => line.startsWith("· The"));
  expect(shown[fact + 1]).toMatch(/^ {2}\S/);
  const summed = recordLines({ kind: "summary", record: summary("m1", { learned: long }) }, screen);
  const learned = summed.findIndex((line) => line.startsWith("learned:      The"));
  expect(summed[learned + 1]).toMatch(/^ {14}\S/);
  const asked = recordLines({ kind: "prompt", record: prompt("p1", { text: long }) }, screen);
  const named = recordLines({ kind: "session", record: session("s1", { subtitle: long }) }, screen);
  const lines = [...shown, ...summed, ...asked, ...named];
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
