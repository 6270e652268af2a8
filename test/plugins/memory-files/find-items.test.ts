// What the pass without a model makes of a session, each item with its quotation and place, and what of it is new.
import { describe, expect, test } from "bun:test";
import type { SessionMaterial } from "../../../plugins/memory-files/find-items.ts";
import {
  findItems,
  isSameItem,
  newOrConfirmed,
  takenUp,
} from "../../../plugins/memory-files/find-items.ts";
import type { MemoryItem } from "../../../src/sdk/model.ts";
import type { Evidence, Turn } from "../../../src/sdk/turn.ts";
import { sampleMemory, sampleSession, sampleTurn, shop } from "../../support/sample-records.ts";

const day = 24 * 60 * 60_000;
const turn = (promptNumber: number, pieces: Evidence[], session = "a"): Turn => ({
  ...sampleTurn({
    session,
    promptNumber,
    pieces,
    startedAt: promptNumber * day,
    time: (promptNumber + 1) * day,
  }),
  id: `${session}${promptNumber}`,
});
const material = (turns: Turn[], title = "") =>
  ({
    session: { ...sampleSession({ id: "a", lastActiveAt: 40 * day }), project: shop, title },
    turns,
  }) as unknown as SessionMaterial;
const typed = (text: string, more: Partial<Evidence> = {}): Evidence => ({
  kind: "prompt",
  text,
  ...more,
});

describe("what was said", () => {
  const text = "From now on, write commits in English.";
  test("is an item of its day, with its sentence and its place", () => {
    const [item] = findItems(material([turn(3, [typed("Hi"), typed(text)])], "Fix the cart"), []);
    expect(item).toEqual({
      ...{ session: "a", project: shop.id, kind: "preferences", date: "1970-01-04" },
      ...{ content: "From now on, write commits in English", context: "Session: Fix the cart" },
      ...{ state: "candidate", quote: "From now on, write commits in English" },
      evidence: [{ turn: 3, piece: 1 }],
    });
  });
  test("has the day of its own piece, and no context where the session has no title", () => {
    const [item] = findItems(material([turn(3, [typed(text, { time: 9 * day })])]), []);
    expect([item?.date, item?.context]).toEqual(["1970-01-10", ""]);
  });
  test("has no context where its title is only cited in a prompt", () => {
    const cited = typed(`They wrote:\n> Fix the cart of the shop\n\n${text}`);
    const [item] = findItems(material([turn(3, [cited])], "Fix the cart of the shop"), []);
    expect(item?.context).toBe("");
  });
  test("is 24 items at most", () => {
    const turns = Array.from({ length: 25 }, (_, at) =>
      turn(at + 1, [
        typed(`From now on, rule ${"abcdefghijklmnopqrstuvwxyz"[at]}${at} holds always here.`),
      ]),
    );
    expect(findItems(material(turns), [])).toHaveLength(24);
  });
});

describe("what works", () => {
  const passed = (about: string): Evidence => ({ kind: "passed", about, text: "" });
  test("is a workflow, standing once it passed in other sessions too, after what ran before it", () => {
    const pieces = [passed("bun install"), passed("bun test cart")];
    const others = [turn(1, pieces, "b"), turn(2, pieces, "b")];
    const found = findItems(material([turn(5, pieces)]), others);
    expect(
      found.map(({ content, context, state, evidence, date, quote }) => [
        ...[content, context, state, evidence, date, quote],
      ]),
    ).toEqual([
      [
        ...["bun install", "Passed in 3 turns of 2 sessions", "standing"],
        ...[[{ turn: 5, piece: 0 }], "1970-01-07", "bun install"],
      ],
      [
        ...[
          "bun test cart",
          "Passed in 3 turns of 2 sessions; run after `bun install`",
          "standing",
        ],
        ...[[{ turn: 5, piece: 1 }], "1970-01-07", "bun test cart"],
      ],
    ]);
  });
  test("of one session is a candidate; what another session ran last is not this one's", () => {
    const pieces = [passed("bun test cart")];
    const own = [1, 2, 3].map((at) => turn(at, pieces));
    expect(findItems(material(own), []).map(({ context, state }) => [context, state])).toEqual([
      ["Passed in 3 turns of one session", "candidate"],
    ]);
    expect(
      findItems(
        material([]),
        [1, 2, 3].map((at) => turn(at, pieces, "b")),
      ),
    ).toEqual([]);
  });
});

const item = (content: string, more: Partial<MemoryItem> = {}): MemoryItem => ({
  ...sampleMemory({ content, session: "b" }),
  id: "m1",
  ...more,
});

describe("two items say the same", () => {
  test.each<[boolean, string, string, Partial<MemoryItem>, Partial<MemoryItem>]>([
    [true, "Use pnpm here", "use PNPM here", {}, { kind: "facts" }],
    [
      true,
      "We always use pnpm in this house",
      "Always use pnpm in our house",
      {},
      { kind: "decisions" },
    ],
    [
      false,
      "We always use pnpm in this house",
      "Always use pnpm in our house",
      {},
      { kind: "facts" },
    ],
    [
      true,
      "We always use pnpm in this house",
      "Always use pnpm in our house",
      { kind: "facts" },
      { kind: "facts" },
    ],
    [
      false,
      "bun run test cart all",
      "bun run test cart",
      { kind: "workflows" },
      { kind: "workflows" },
    ],
    [
      false,
      "the shop runs on bun today",
      "the shop runs on bun",
      { kind: "projects" },
      { kind: "projects" },
    ],
    [false, "Always write the tests first", "The staging server is slow", {}, {}],
    [false, "Always use pnpm in this house", "Never use pnpm in this house", {}, {}],
    [true, "Never push to main directly", "Don't ever push to main directly", {}, {}],
  ])("%p: %s / %s", (wanted, one, other, first, second) => {
    expect(isSameItem(item(one, first), item(other, second))).toBe(wanted);
  });
  test("not where a question was answered otherwise", () => {
    const choice = (answer: string) =>
      item(`Which of the databases is it? ${answer}`, { quote: answer });
    expect(isSameItem(choice("Postgres seventeen"), choice("DuckDB"))).toBe(false);
    expect(isSameItem(choice("Postgres seventeen"), choice("Postgres seventeen now"))).toBe(true);
  });
});

describe("what is said the other way round", () => {
  const stands = sampleMemory({
    ...{ content: "Always use pnpm in this house", kind: "preferences", session: "b" },
    ...{ state: "standing", date: "2026-11-01" },
  });
  const newer = sampleMemory({
    ...{ content: "Never use pnpm in this house", kind: "preferences", session: "a" },
    ...{ state: "candidate", date: "2026-11-05" },
  });
  const takenBack = {
    ...stands,
    state: "candidate" as const,
    context: "Taken back 2026-11-05: “Never use pnpm in this house”",
  };
  test("is kept, and what stood stands no more", () => {
    expect(newOrConfirmed([newer], [{ ...stands, id: "m1" }])).toEqual([takenBack, newer]);
    const known = [
      { ...takenBack, id: "m1" },
      { ...newer, id: "m2" },
    ];
    expect(newOrConfirmed([newer], known)).toEqual([]);
  });
  test("takes nothing back where it is older, may have been pasted, or is of another kind", () => {
    const older = { ...newer, date: "2026-10-05" };
    expect(newOrConfirmed([older], [{ ...stands, id: "m1" }])).toEqual([older]);
    const unsure = { ...newer, unsure: true as const };
    expect(newOrConfirmed([unsure], [{ ...stands, id: "m1" }])).toEqual([newer]);
    const fact = { ...newer, kind: "facts" as const };
    expect(newOrConfirmed([fact], [{ ...stands, id: "m1" }])).toEqual([fact]);
  });
});

describe("of what was found is stored", () => {
  const found = {
    ...sampleMemory({ content: "Always write the tests first", session: "a", date: "2026-11-05" }),
    evidence: [{ turn: 2, piece: 0 }],
  };
  const before = item("Always write the tests first", {
    ...{ state: "candidate", evidence: [{ turn: 1, piece: 3 }] },
  });
  test("what is new, once", () => {
    expect(newOrConfirmed([found, { ...found }], [])).toEqual([found]);
    expect(newOrConfirmed([found], [item("Something else of the house")])).toEqual([found]);
  });
  test("a candidate of another session as standing, with the places of both", () => {
    const { id: _, ...stored } = before;
    expect(newOrConfirmed([found], [before])).toEqual([
      {
        ...stored,
        ...{ session: "a", date: "2026-11-05", state: "standing" },
        evidence: [
          { session: "b", turn: 1, piece: 3 },
          { turn: 2, piece: 0 },
        ],
      },
    ]);
  });
  test("nothing that may have been pasted, where it is known", () => {
    expect(newOrConfirmed([{ ...found, unsure: true }], [before])).toEqual([]);
  });
  test("nothing that stands already, or that is this session's own", () => {
    expect(newOrConfirmed([found], [{ ...before, state: "standing" }])).toEqual([]);
    expect(newOrConfirmed([found], [{ ...before, session: "a" }])).toEqual([]);
  });
  test("a workflow anew when it passed more often", () => {
    const workflow = (context: string, state: "standing" | "candidate" = "standing") =>
      sampleMemory({ kind: "workflows", content: "bun test", context, state, session: "b" });
    const known = [{ ...workflow("Passed in 3 turns"), id: "m1" }];
    expect(newOrConfirmed([workflow("Passed in 4 turns")], known)).toHaveLength(1);
    expect(newOrConfirmed([workflow("Passed in 3 turns")], known)).toEqual([]);
  });
});

describe("a choice that this session comes back to", () => {
  const choice = item("Which database is it? Postgres seventeen", {
    ...{ kind: "decisions", quote: "Postgres seventeen", state: "candidate" },
  });
  const speaking = material([turn(1, [typed("Upgrade Postgres seventeen")])]);
  test("stands, of this session and its day, without a place", () => {
    const { id: _, ...stored } = choice;
    expect(takenUp(speaking, [choice])).toEqual([
      { ...stored, session: "a", date: "1970-02-10", evidence: [] },
    ]);
  });
  test.each<[string, Partial<MemoryItem>]>([
    ["that stands", { state: "standing" }],
    ["of its own", { session: "a" }],
    ["that is a statement", { quote: "" }],
  ])("is none %s", (_, more) => {
    expect(takenUp(speaking, [{ ...choice, ...more }])).toEqual([]);
  });
  test("is none that nobody spoke of", () => {
    expect(takenUp(material([turn(1, [typed("Fix the cart")])]), [choice])).toEqual([]);
  });
});
