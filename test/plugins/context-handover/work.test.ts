// Which commands, failures and files of the project are told, in which order, and how many.
import { expect, test } from "bun:test";
import { build, files, gotchas } from "../../../plugins/context-handover/history.ts";
import { labelsOf } from "../../../plugins/context-handover/line.ts";
import { pastOf } from "../../../plugins/context-handover/past.ts";
import type { MemoryItem } from "../../../src/sdk/model.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { localClock } from "../../../src/text/amounts.ts";
import { turn } from "../../support/turns.ts";

const noteOf = (...turns: Turn[]) => ({
  ...{ clock: localClock, labels: labelsOf("en"), turns: pastOf(turns) },
});
const item = (id: string, content: string, part: Partial<MemoryItem> = {}): MemoryItem => ({
  ...{ id, kind: "workflows", date: "2026-11-20", content, context: "", session: "old" },
  ...{ project: "github.com/acme/shop", state: "standing", ...part },
});
const ran = (number: number, ...commands: string[]) =>
  turn(
    number,
    commands.map((command) => ["passed", "ok", command] as const),
  );
const commandsOf = (...asked: Parameters<typeof build>) =>
  build(...asked).map(({ head }) => head.split("`")[1]);

test("stored commands stand in the order they are run in, else where their evidence says", () => {
  const evidence = [{ turn: 1, piece: 5 }];
  const stored = [
    item("m1", "make ship", { evidence }),
    item("m2", "bun test"),
    item("m3", "bun lint"),
  ];
  expect(
    commandsOf(noteOf(ran(1, "bun lint", "bun test"), ran(2, "bun lint", "bun test")), stored),
  ).toEqual(["bun lint", "bun test", "make ship"]);
});

test("a stored command that fails now is not told", () => {
  const failing = noteOf(turn(1, [["failure", "2 failed", "bun test"]]));
  expect(commandsOf(failing, [item("m1", "bun test"), item("m2", "bun lint")])).toEqual([
    "bun lint",
  ]);
});

test("a command that stood once is told in its own session or among its like, less pressing", () => {
  const once = item("m1", "bun lint", { state: "candidate" });
  const note = noteOf(ran(1));
  expect(commandsOf(note, [once, item("m2", "bun test")])).toEqual(["bun test"]);
  expect(commandsOf(note, [{ ...once, session: "s1" }, item("m2", "bun test")])).toHaveLength(2);
  expect(build(note, [once])).toMatchObject([{ ids: ["m1"], rank: 0.68 }]);
  expect(build(note, [item("m2", "bun test")])).toMatchObject([{ ids: ["m2"], rank: 0.75 }]);
});

test("of more than six commands those that stood once give way", () => {
  const many = Array.from({ length: 8 }, (_, at) =>
    item(`m${at}`, `make part${at}`, { session: "s1", ...(at < 3 && { state: "candidate" }) }),
  );
  const ids = build(noteOf(ran(1)), many).flatMap((line) => line.ids);
  expect(ids.toSorted()).toEqual(["m0", "m3", "m4", "m5", "m6", "m7"]);
});

test("what passed again and again is told only as long as nothing is stored, with its count and day", () => {
  const note = noteOf(ran(1, "bun test"), ran(2, "bun test"), ran(3, "bun once"));
  expect(build(note, []).map(({ head }) => head)).toEqual(["`bun test` ×2 (2026-11-20)"]);
  expect(commandsOf(note, [item("m1", "make all")])).toEqual(["make all"]);
  expect(build(note, [item("m1", "bun test", { date: "2026-11-01" })])[0]?.head).toBe(
    "`bun test` ×2 (2026-11-01)",
  );
});

test("four failures are told: stored ones first, each with its telling line and its repair", () => {
  const repair = (number: number) =>
    turn(number, [["repair", "error: no such table\n\n→ src/db.ts", "bun test"]]);
  const note = noteOf(repair(1), repair(2));
  const stored = (id: string) =>
    item(id, `Mended ${id}`, { kind: "gotchas", quote: "Starting\nerror: port in use" });
  const [first, second] = gotchas(note, [stored("m1"), item("m9", "bun test")]);
  expect(first).toMatchObject({ ids: ["m1"], head: "m1 · 2026-11-20" });
  expect(first?.sayings().map(({ text }) => text)).toEqual(["error: port in use", "Mended m1"]);
  expect(second?.head).toEndWith("`bun test` ×2");
  expect(second?.sayings().map(({ text }) => text)).toEqual(["error: no such table", "src/db.ts"]);
  const five = gotchas(note, ["m1", "m2", "m3", "m4", "m5"].map(stored));
  expect(five.map(({ ids }) => ids[0])).toEqual(["m1", "m2", "m3", "m4"]);
  expect(five.map(({ rank }) => rank)).toEqual(
    five
      .map(({ rank }) => rank)
      .toSorted()
      .toReversed(),
  );
});

test("files changed in the three newest sessions are told, changed last first, twelve at most", () => {
  const changed = (number: number, session: string, ...paths: string[]) =>
    turn(number, [], { session, changed: paths });
  const told = (...turns: Turn[]) => files(noteOf(...turns)).map(({ head }) => head);
  expect(
    told(
      changed(1, "fourth", "old.ts"),
      changed(2, "third", "a.ts"),
      changed(3, "second", "b.ts", "a.ts"),
      turn(4, [], { session: "first", files: [{ path: "read.ts", changed: false }] }),
    ),
  ).toEqual(["b.ts, a.ts ×2"]);
  const many = Array.from({ length: 13 }, (_, at) => `f${at}.ts`);
  expect(told(changed(1, "s1", ...many))[0]?.split(", ")).toEqual(many.slice(0, 12));
  expect(told(ran(1))).toEqual([]);
});
