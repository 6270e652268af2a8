// claude-mem's rows as memoir's records: each column at its edges.
import { describe, expect, test } from "bun:test";
import {
  isObserver,
  isTyped,
  listOf,
  manualItemOf,
  observationOf,
  promptOf,
  sessionOf,
  summaryOf,
  timeOf,
} from "../../../../src/cli/memory/claude-mem/import-claude-mem.ts";

const noon = Date.UTC(2026, 2, 1, 12);
const at = { id: "s1", client: "cursor", project: "/home/me/shop", root: "/home/me/shop" };
const created = { created_at_epoch: noon };
const place = { session: "s1", client: "cursor", project: "/home/me/shop" };

describe("a session", () => {
  test("has the folder's name, its own title, and ends when it was completed", () => {
    expect(
      sessionOf(
        { started_at_epoch: noon, completed_at_epoch: noon + 5_000, custom_title: "Login" },
        at,
      ),
    ).toEqual({
      ...{ id: "s1", client: "cursor", title: "Login", status: "ended" },
      project: { id: "/home/me/shop", name: "shop", root: "/home/me/shop" },
      ...{ startedAt: noon, lastActiveAt: noon + 5_000, endedAt: noon + 5_000 },
    });
  });
  test("that was never completed ends when it began; one completed before it began was active then", () => {
    const open = sessionOf({ started_at_epoch: noon }, at);
    expect(open).toMatchObject({ startedAt: noon, lastActiveAt: noon, endedAt: noon });
    expect(open).not.toHaveProperty("title");
    expect(sessionOf({ started_at_epoch: noon, completed_at_epoch: noon - 9 }, at)).toMatchObject({
      ...{ lastActiveAt: noon, endedAt: noon - 9 },
    });
    expect(sessionOf({ completed_at_epoch: noon }, at)).toBeUndefined();
  });
});

describe("a time", () => {
  test("is in seconds where it is too small for milliseconds, and whole", () => {
    expect(timeOf({ created_at_epoch: 1e12 - 1 })).toBe(1e15 - 1_000);
    expect(timeOf({ created_at_epoch: 1e12 })).toBe(1e12);
    expect(timeOf({ created_at_epoch: `${noon + 0.4}` })).toBe(noon);
    expect(timeOf({ created_at_epoch: noon / 1_000 + 0.0004 })).toBe(noon);
  });
  test("that is zero, less or no number is read from the text", () => {
    for (const epoch of [0, -1, "soon", undefined] as const)
      expect(
        timeOf({
          ...(epoch !== undefined && { created_at_epoch: epoch }),
          created_at: "2026-03-01T12:00:00Z",
        }),
      ).toBe(noon);
    expect(timeOf({ completed_at_epoch: noon }, "completed_at")).toBe(noon);
    expect(timeOf({ created_at_epoch: 0 })).toBeUndefined();
    expect(timeOf({ started_at_epoch: noon })).toBeUndefined();
  });
});

describe("a list", () => {
  test.each([
    ['["a ", "", "a", "b"]', ["a", "b"]],
    ['"alone"', ["alone"]],
    ['{"a": 1}', []],
    ["- one\n* two\n• three", ["one", "two", "three"]],
    ["a, b,c", ["a", "b,c"]],
    ["-5 degrees", ["-5 degrees"]],
    ["one - two", ["one - two"]],
    ["  ", []],
    ["null", []],
  ])("%j", (text, list) => {
    expect(listOf(text)).toEqual(list);
  });
});

describe("a prompt", () => {
  const row = { ...created, prompt_text: "Why?", prompt_number: 3 };
  test("is the text with its number, zero where there is none that counts", () => {
    expect(promptOf(row, at)).toEqual({ ...place, promptNumber: 3, text: "Why?", time: noon });
    expect(promptOf({ ...row, prompt_number: 1 }, at)?.promptNumber).toBe(1);
    for (const number of [0, -1, 1.5, "3"])
      expect(promptOf({ ...row, prompt_number: number }, at)?.promptNumber).toBe(0);
  });
  test("that nobody typed, or of no time, is left out", () => {
    expect(promptOf({ prompt_text: "Why?" }, at)).toBeUndefined();
    expect(promptOf(created, at)).toBeUndefined();
    for (const text of [
      ...["", " \n", " [media prompt] ", "say <observed_from_primary_session>"],
      ...["  You are a Claude-Mem, a specialized observer", "Hello memory agent"],
    ])
      expect([text, isTyped(text)]).toEqual([text, false]);
    for (const text of ["So: Hello memory agent", "[media prompt] and this", "You are"])
      expect([text, isTyped(text)]).toEqual([text, true]);
    expect([isObserver("observer-sessions"), isObserver("shop")]).toEqual([true, false]);
  });
});

describe("an observation", () => {
  const row = { ...created, title: "Loop", type: "bugfix" };
  const of = (part: object) => observationOf({ ...row, ...part }, at);
  test("has every field of its row", () => {
    expect(
      of({
        ...{ subtitle: " It is ", facts: '["f"]', narrative: " All ", text: "old" },
        ...{ concepts: "HTTP : about it, http,  Gotcha", agent_id: "a1" },
        ...{ files_read: '["/home/me/shop/a.ts", "/home/me/shopping/b.ts", "/x/home/me/shop/c"]' },
        ...{ files_modified: '["c.ts", "/home/me/shop"]', discovery_tokens: 1 },
      }),
    ).toEqual({
      ...place,
      ...{ promptNumber: 0, type: "bugfix", title: "Loop", subtitle: "It is", facts: ["f"] },
      ...{ narrative: "All", concepts: ["http", "gotcha"], agent: { id: "a1" } },
      ...{ filesRead: ["a.ts", "/home/me/shopping/b.ts", "/x/home/me/shop/c"], toolUseIds: [] },
      ...{ filesModified: ["c.ts", "/home/me/shop"], time: noon },
      ...{ discoveryTokens: 1, observerTokens: null },
      provenance: { strategy: "claude-mem", model: null },
    });
    const outside = observationOf({ ...row, files_read: '["/a.ts"]' }, { ...at, root: "" });
    expect(outside?.filesRead).toEqual(["/a.ts"]);
    expect(of({})).not.toHaveProperty("agent");
    expect(of({ agent_id: "a1", agent_type: "Explore" })?.agent).toEqual({
      ...{ id: "a1", type: "Explore" },
    });
    expect(of({ discovery_tokens: 0 })?.discoveryTokens).toBeNull();
    expect(of({ discovery_tokens: "many" })?.discoveryTokens).toBeNull();
  });
  test.each([
    ["change", "change"],
    ["Security  Alert!", "security-alert"],
    ["--a_b_c--", "a-b-c"],
    ["42", "discovery"],
    ["", "discovery"],
  ])("of type %j is of type %s", (type, expected) => {
    expect(of({ type })?.type).toBe(expected);
  });
  test("without a title is called by its subtitle, else its first fact, else its text; ten words of it", () => {
    const title = (part: object) => observationOf({ ...created, ...part }, at)?.title;
    const [subtitle, facts, text] = ["It is", '["First", "Second"]', "Told  at\nlength"];
    expect(title({ subtitle, facts, text })).toBe("It is");
    expect(title({ facts, text })).toBe("First");
    expect(title({ text })).toBe("Told at length");
    expect(title({ text: "1 2 3 4 5 6 7 8 9 10" })).toBe("1 2 3 4 5 6 7 8 9 10");
    expect(title({ text: "1 2 3 4 5 6 7 8 9 10 11" })).toBe("1 2 3 4 5 6 7 8 9 10 …");
    expect(title({ text: " " })).toBeUndefined();
    expect(observationOf({ title: "No time" }, at)).toBeUndefined();
  });
});

describe("a summary", () => {
  test("has every text, and its files below the project", () => {
    const row = {
      ...{ ...created, prompt_number: 2, request: " R ", investigated: "I", learned: "L" },
      ...{ completed: "C", next_steps: "N", notes: "O", generated_by_model: "haiku" },
      ...{ files_read: '["/home/me/shop/a.ts"]', files_edited: '["/home/me/shop/b.ts"]' },
    };
    expect(summaryOf(row, at)).toEqual({
      ...{ ...place, scope: "prompt", promptNumber: 2, request: "R", investigated: "I" },
      ...{ learned: "L", completed: "C", nextSteps: "N", notes: "O", time: noon },
      ...{ filesRead: ["a.ts"], filesEdited: ["b.ts"], observerTokens: null },
      provenance: { strategy: "claude-mem", model: "haiku" },
    });
  });
  test("that says nothing, or of no time, is left out; one text is enough", () => {
    expect(summaryOf({ ...created, request: " ", files_read: '["a"]' }, at)).toBeUndefined();
    expect(summaryOf({ request: "R" }, at)).toBeUndefined();
    for (const column of ["request", "investigated", "learned", "completed", "next_steps", "notes"])
      expect(summaryOf({ ...created, [column]: "x" }, at)).toBeDefined();
  });
});

describe("what was stored by hand", () => {
  const row = { ...created, memory_session_id: "manual-shop", title: "Deploy" };
  test("is a fact of its day, its title beside what it says", () => {
    expect(manualItemOf({ ...row, narrative: "On Tuesdays." }, "shop")).toEqual({
      ...{ kind: "facts", date: "2026-03-01", content: "On Tuesdays.", context: "Deploy" },
      ...{ session: "manual-shop", project: "shop" },
    });
    expect(manualItemOf({ ...row, facts: '["a", "b"]' }, "shop")?.content).toBe("a b");
    expect(manualItemOf(row, "shop")).toMatchObject({ content: "Deploy", context: "" });
  });
  test("is told from other observations by its session; without text or time it is none", () => {
    expect(manualItemOf({ ...row, memory_session_id: "a-manual-b" }, "shop")).toBeUndefined();
    expect(manualItemOf({ title: "x", ...created }, "shop")).toBeUndefined();
    expect(manualItemOf({ ...row, title: "" }, "shop")).toBeUndefined();
    expect(manualItemOf({ memory_session_id: "manual-a", title: "x" }, "shop")).toBeUndefined();
  });
});
