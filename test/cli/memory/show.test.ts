// Records in full, as people read them: every field that says something, and none that does not.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { recordLines as linesOf } from "../../../src/cli/memory/show.ts";
import { dateTime } from "../../../src/cli/terminal/layout.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import type { StoredRecord } from "../../../src/sdk/storage.ts";
import { attributed } from "../../../src/server/memory/records.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { observation, prompt, session, summary } from "../../support/records.ts";
import { typed } from "../../support/typed.ts";

/** Of a record as the server answers it. */
const recordLines = (stored: StoredRecord, terminal: Terminal) =>
  linesOf(attributed(stored), terminal);

let place: Awaited<ReturnType<typeof ownHome>>;
beforeAll(async () => {
  place = await ownHome();
});
afterAll(() => place.end());

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
    "files read     a.ts",
    "files changed  src/auth/refresh.ts",
    "concepts       authentication, http",
    "where          github.com/acme/shop, branch fix, by subagent helper",
    "session        s1, prompt 1",
    "made from      prompt 2, prompt 1 of session s9",
    `when           ${when} (2h ago)`,
    "cost           900 tokens to find out, 40 tokens to write",
    "written by test",
  ]);
});

test("a summary's fields in their order, without the empty ones", () => {
  const evidence = [{ turn: 2, piece: 1 }];
  const record = summary("m1", { investigated: "", filesRead: ["a.ts"], evidence });
  expect(recordLines({ kind: "summary", record }, terminal)).toEqual([
    `m1  summary of session  ${when}`,
    "request:       Stop the login from looping.",
    "learned:       The interceptor also sees its own calls.",
    "completed:     The refresh call bypasses the interceptor.",
    "next steps:    Cover the logout path with a test.",
    "files read:    a.ts",
    "files changed: src/auth/refresh.ts",
    "made from:     prompt 2",
    "written by test",
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
    "typed by the user",
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

test("several ids are shown in the order that was asked for, an empty line between; JSON has them all", async () => {
  const answers = {
    "/api/records/p1": attributed({ kind: "prompt", record: prompt("p1") }),
    "/api/records/p2": attributed({
      kind: "prompt",
      record: prompt("p2", { text: "An \u0007other" }),
    }),
  };
  const { out, code } = await typed(["show", "p2", "p1"], answers);
  expect([code, out]).toEqual([
    0,
    [
      ...[`p2  prompt 1  ${when}, session s1`, "An other", "typed by the user", ""],
      ...[`p1  prompt 1  ${when}, session s1`, "Now test it.", "typed by the user"],
    ],
  ]);
  const json = await typed(["show", "p1", "p2", "--json"], answers);
  expect(JSON.parse(json.out.join("")).records).toEqual([
    ...[answers["/api/records/p1"], answers["/api/records/p2"]],
  ]);
});

test("what looks like a session's id is looked for among sessions; what does not is said to be nowhere", async () => {
  const answers = { "/api/sessions/0a1b": { session: session("0a1b2c") } };
  expect((await typed(["show", "0a1b"], answers)).out[0]).toBe("0a1b2c  Fix the login loop");
  const none = await typed(["show", "p1", "o7"], {
    "/api/records/p1": { kind: "prompt", record: prompt("p1") },
  });
  expect([none.code, none.out, none.err[0]]).toEqual([1, [], "error: There is no record o7."]);
  expect(none.asked.map(({ path }) => path)).toEqual(["/api/records/p1", "/api/records/o7"]);
  const short = await typed(["show", "0a1"], answers);
  expect(short.err[0]).toBe("error: There is no record 0a1.");
  const away = await typed(["show", "0a1b"], {});
  expect(away.err[0]).toBe("error: There is no /api/sessions/0a1b.");
});

test("whoever made it elsewhere, with which client, and whoever edited it there", () => {
  const from = { person: "Bo", machine: "box" };
  const record = observation("o7", { client: "codex", from });
  const last = (of: object) =>
    recordLines({ kind: "observation", record: { ...record, ...of } }, terminal).at(-1);
  expect(last({})).toBe("written by test, for Bo on box with codex");
  const edited = { time, was: { title: "Before" } };
  const undo = `${when}; undo: memoir memory edit o7 --undo`;
  expect(last({ edited: { ...edited, by: from } })).toBe(`edited by Bo on box ${undo}`);
  const own = { person: "Ada", machine: "laptop", own: true };
  expect(last({ edited: { ...edited, by: own } })).toBe(`edited by you on laptop ${undo}`);
  expect(last({ edited })).toBe(`edited by you ${undo}`);
});
