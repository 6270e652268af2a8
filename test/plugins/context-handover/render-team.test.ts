// The note where others work on the project too: first one's own, then a share of what they did since, by their names.
import { expect, test } from "bun:test";
import { gather } from "../../../plugins/context-handover/index.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { turn } from "../../support/turns.ts";
import { item, render, told } from "./render-room.ts";

const bo = { person: "Bo", machine: "box" };
const laptop = { person: "Ada", machine: "laptop", own: true } as const;

const mine = turn(
  5,
  [
    ["prompt", "Round the prices"],
    ["commit", "Round the prices to cents", "a81be3f (main)"],
    ["closing", "The prices are rounded to whole cents now."],
  ],
  { session: "mine", changed: ["src/price.ts"] },
);
const done = (number: number, of: string, more: Partial<Turn> = { from: bo }): Turn => ({
  ...turn(
    number,
    [
      ["prompt", `Mend the ${of}`],
      ["commit", `Mend ${of}`, `b${number}1be3f (main)`],
      [
        "closing",
        `The ${of} failed because the pool was never closed after an error in the handler, so that each request after the hundredth waited for a connection until its time was over.`,
      ],
    ],
    { session: `of ${of}`, changed: [`src/${of}.ts`] },
  ),
  ...more,
});
/** Of each part its heading and its lines. */
const sections = (note: string) =>
  note.split("\n## ").map((part) => {
    const [head = "", ...lines] = part.split("\n");
    return [head, ...lines.filter((line) => line.startsWith("- "))];
  });

test("what others did since stands after one's own, with their names", () => {
  const note = sections(
    told(done(7, "timeouts"), done(6, "exports"), mine, done(4, "old imports")),
  );
  const heads = note.map(([head]) => head);
  expect(heads.indexOf("Where things stood last")).toBe(1);
  const [, ...last] = note[1] ?? [];
  expect(last.join("\n")).toContain("Round the prices");
  const [, ...others] = note[heads.indexOf("What others did here since")] ?? [];
  expect(others).toHaveLength(2);
  expect(others[0]).toMatch(/^- t7 · 2026-11-20 · Bo · .*Mend timeouts.*the pool was never closed/);
  expect(note.flat().join("\n")).not.toContain("old imports");
});

test("others' work takes a share of the room, however much there is of it", () => {
  const words = ["taxes", "mails", "carts", "labels", "stocks", "refunds", "orders", "coupons"];
  const theirs = words.map((word, at) => done(20 - at, word));
  const note = told(...theirs, mine);
  const [, ...others] =
    sections(note).find(([head]) => head === "What others did here since") ?? [];
  expect(others.length).toBeGreaterThan(1);
  expect(others.join("\n").length).toBeLessThan(800);
  expect(note).toContain("The prices are rounded to whole cents now.");
});

test("who begins here goes on from the others", () => {
  const note = told(done(7, "timeouts"), done(6, "exports"));
  expect(note).toMatch(
    /Where things stood last\n- t7 · 2026-11-20 \d\d:\d\d · Bo · .*the pool was never closed/,
  );
  expect(note).not.toContain("no commit seen");
});

test("one's other machine is one's own, and what was changed there is not looked for here", () => {
  const { pieces, ...rest } = done(7, "timeouts", { from: laptop });
  const uncommitted = { ...rest, pieces: pieces.filter(({ kind }) => kind !== "commit") };
  const note = told(uncommitted, mine);
  expect(note).toMatch(/Where things stood last\n- t7 · 2026-11-20 \d\d:\d\d · laptop · /);
  expect(note).not.toContain("What others did");
  expect(note).not.toContain("src/timeouts.ts");
});

test("a decision of another's is shown as theirs", () => {
  const content = "Never round before the tax";
  const said = (part: object) =>
    render({ turns: [mine], laidDownItems: [item("m1", { content, quote: content, ...part })] })
      ?.context ?? "";
  expect(said({})).toContain(`m1 · 2026-11-01 · typed by the user: “${content}”`);
  expect(said({ from: laptop })).toContain("typed by the user");
  expect(said({ from: bo })).toContain(`m1 · 2026-11-01 · Bo: “${content}”`);
  const edited = { time: 1, was: { content: "x" } };
  expect(said({ from: bo, edited })).toContain("typed by the user");
  expect(said({ edited: { ...edited, by: bo } })).toContain("· Bo:");
});

test("one's own is asked for by itself where the newest is of others alone", async () => {
  const asked: object[] = [];
  const storage = new Proxy({} as StorageClient, {
    get: (_, verb) => async (query: { person?: string; session?: string }) => {
      if (verb === "turns") asked.push(query);
      if (verb !== "turns" || query.session !== undefined) return [];
      return query.person === "me" ? [mine] : [done(7, "timeouts")];
    },
  });
  const project = { id: "acme/shop", name: "shop" };
  const material = await gather(storage, { session: "now", source: "startup", project });
  expect(material.turns.map(({ id }) => id)).toEqual(["t7", "t5"]);
});

test("a command that another refused is still the project's", () => {
  const passes = [1, 2].map((at) =>
    turn(at, [["passed", "ok", "go test ./..."]], { session: `s${at}` }),
  );
  const refused = turn(3, [["refusal", "go test takes too long here", "go test ./..."]], {
    session: "refusing",
  });
  expect(told(refused, ...passes)).not.toContain("`go test ./...` ×2");
  const note = told({ ...refused, from: bo }, ...passes);
  expect(note).toContain("`go test ./...` ×2");
  expect(note).not.toContain("refused by the user");
});
