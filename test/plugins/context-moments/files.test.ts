// What stands about a file, and what later work has settled.
import { expect, test } from "bun:test";
import { indexFailures } from "../../../plugins/context-moments/failures.ts";
import { indexFiles } from "../../../plugins/context-moments/files.ts";
import { fileRoom, renderFile } from "../../../plugins/context-moments/render.ts";
import type { MemoryItem } from "../../../src/sdk/model.ts";
import type { Evidence, Turn } from "../../../src/sdk/turn.ts";

let made = 0;
function turn(part: Partial<Turn>, ...files: string[]): Turn {
  made++;
  return {
    ...{ id: `t${made}`, session: "old", client: "claude-code", project: "shop" },
    ...{ promptNumber: made, startedAt: made * 1_000, time: made * 1_000, end: "closed" },
    ...{ pieces: [], files: files.map((path) => ({ path, changed: true })), ...part },
  };
}
const prompt: Evidence = { kind: "prompt", text: "Move the vouchers" };
const failing: Evidence = {
  ...{ kind: "failure", about: "bun test cart", text: "no total" },
  described: "Run the tests",
};
const item = (content: string): MemoryItem => ({
  ...{ id: "m1", kind: "decisions", date: "2026-11-02", content, context: "" },
  ...{ session: "old", project: "shop" },
});
const notes = (
  turns: Turn[],
  decisions: MemoryItem[] = [],
  path = "src/cart.ts",
  session = "new",
) =>
  indexFiles({ turns, decisions, observations: [], usual: indexFailures(turns).usual })
    .notesOn(path, session)
    .map(({ kind, id, text }) => [kind, id, text]);

test("work that was stopped is open until somebody finishes it", () => {
  const stopped = turn({ end: "interrupted", pieces: [prompt] }, "src/cart.ts");
  expect(notes([stopped])).toEqual([["open", stopped.id, "“Move the vouchers”"]]);
  expect(notes([stopped, turn({}, "src/cart.ts")])).toEqual([]);
  expect(notes([stopped, turn({}, "src/login.ts")])).toHaveLength(1);
});

test("a command that failed last is open until it passes or something is committed", () => {
  const failed = turn({ pieces: [failing] }, "src/cart.ts");
  expect(notes([failed])).toEqual([["open", failed.id, "`bun test cart`"]]);
  const passed: Evidence = { kind: "passed", about: "bun test cart 2>&1", text: "" };
  expect(notes([failed, turn({ pieces: [passed] })])).toEqual([]);
  expect(notes([failed, turn({ pieces: [{ kind: "commit", text: "Fix" }] })])).toEqual([]);
  const other: Evidence = { kind: "passed", about: "bun test login", text: "" };
  expect(notes([failed, turn({ pieces: [other] })])).toHaveLength(1);
});

test("a file that was changed to repair something says so; of the same failure the newest", () => {
  const repair: Evidence = {
    ...{ kind: "repair", about: "bun test cart" },
    text: "the cart has no total\n\n→ src/cart.ts",
  };
  const [one, two] = [turn({ pieces: [repair] }), turn({ pieces: [repair] })];
  expect(notes([one, two])).toEqual([
    ["gotcha", two.id, "`bun test cart` (“the cart has no total”)"],
  ]);
});

test("of a failure the line is told that is its own, not the one that every run prints", () => {
  const setup = "Getting the extensions of the project ready";
  const failures = ["login", "order"].map((name) =>
    turn({
      pieces: [{ ...failing, about: `bun test ${name}`, text: `${setup}\nno ${name} at all` }],
    }),
  );
  const failed = { ...failing, text: `${setup}\nthe cart has no total` };
  const repair: Evidence = { ...failed, kind: "repair", text: `${failed.text}\n\n→ src/cart.ts` };
  const past = turn({ pieces: [failed, repair] });
  expect(notes([...failures, past])).toEqual([
    ["gotcha", past.id, "`bun test cart` (“the cart has no total”)"],
  ]);
});

test("a refusal that names the file stands with the reason", () => {
  const refusal: Evidence = {
    ...{ kind: "refusal", about: "Edit src/cart.ts" },
    text: "Amounts stay integers",
  };
  const refused = turn({ pieces: [refusal] }, "src/cart.ts");
  expect(notes([refused])).toEqual([["decision", refused.id, "Amounts stay integers"]]);
});

test("a decision belongs to the file that it names", () => {
  const known = [turn({}, "src/cart.ts", "src/index.ts", "lib/index.ts")];
  expect(notes(known, [item("cart.ts keeps amounts as cents.")])).toHaveLength(1);
  expect(notes(known, [item("src/cart.ts keeps amounts as cents")])).toHaveLength(1);
  expect(notes(known, [item("the cart keeps amounts")])).toEqual([]);
  expect(notes(known, [item("index.ts only exports")], "src/index.ts")).toEqual([]);
});

test("a session is not told what it did itself", () => {
  const stopped = turn({ end: "interrupted", pieces: [prompt] }, "src/cart.ts");
  expect(notes([stopped], [], "src/cart.ts", "old")).toEqual([]);
});

test("what is told stays within its room and names its records", () => {
  const long = Array.from({ length: 4 }, (_, at) => ({
    ...{ kind: "decision" as const, id: `m${at}`, session: "old", time: 0 },
    text: "Amounts are integers of cents 💶 ".repeat(10),
  }));
  const writing = { command: "memoir", day: () => "2026-11-02" };
  const { context = "", ids = [] } = renderFile("src/cart.ts", long, writing) ?? {};
  const text = context.split("\n").slice(1, -1).join("\n");
  expect(text.length).toBeLessThanOrEqual(fileRoom);
  expect(context.isWellFormed()).toBe(true);
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) expect(context).toContain(id);
  expect(renderFile("src/cart.ts", [], writing)).toBeUndefined();
});
