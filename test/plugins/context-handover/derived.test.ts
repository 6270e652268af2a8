// Which stored notes are told beside turns: what a turn does not say itself, and sessions of which no turn is known.
import { expect, test } from "bun:test";
import { derived } from "../../../plugins/context-handover/history.ts";
import type { Material } from "../../../plugins/context-handover/index.ts";
import { labelsOf } from "../../../plugins/context-handover/line.ts";
import type { Note } from "../../../plugins/context-handover/past.ts";
import { observation, summary } from "../../support/records.ts";
import { turn } from "../../support/turns.ts";

const note = {
  clock: { day: (time: number) => `day ${time}`, time: () => "" },
  labels: labelsOf("en"),
} as unknown as Note;
const empty: Material = {
  ...{ project: { id: "shop", name: "shop" }, turns: [], own: [], settled: [], practice: [] },
  ...{ observations: [], summaries: [], pinned: [], hidden: [] },
};
const lines = (material: Partial<Material>) => derived({ ...empty, ...material }, note);
const said = (material: Partial<Material>) =>
  lines(material).map((line) => line.sayings().map(({ text }) => text));

const seen = (more: object = {}) => ({
  ...observation("o1"),
  ...{ session: "s1", promptNumber: 1, id: "o1", time: 5, type: "decision" },
  ...{ title: "Prices are cached", subtitle: "For a day", facts: ["In Redis", "By SKU"] },
  ...more,
});
const about = (text: string, session = "s1") => ({
  ...turn(1, [["prompt", text]], { session }),
  promptNumber: 1,
});

test("an observation of a turn that is not there has its subtitle and first fact too", () => {
  const [line] = lines({ observations: [seen()] });
  expect(line).toMatchObject({ head: "o1 · day 5 · decision:", ids: ["o1"], section: "notes" });
  expect(said({ observations: [seen()] })).toEqual([
    ["Prices are cached", "For a day", "In Redis"],
  ]);
  expect(said({ observations: [seen({ subtitle: "", facts: [] })] })).toEqual([
    ["Prices are cached"],
  ]);
});

test("beside its turn it has its title, and nothing where the turn says that, in its own or another session", () => {
  const observations = [seen()];
  expect(said({ observations, turns: [about("Make it fast")] })).toEqual([["Prices are cached"]]);
  expect(said({ observations, turns: [about("why: prices ARE cached?")] })).toEqual([[]]);
  expect(said({ observations, own: [about("Prices are cached.")] })).toEqual([[]]);
  expect(said({ observations, turns: [about("Prices are cached.", "s2")] })[0]).toHaveLength(3);
});

test("what the user edited is told though its turn says it", () => {
  const edited = { time: 1, was: { title: "Prices" } };
  expect(said({ observations: [seen({ edited })], turns: [about("Prices are cached.")] })).toEqual([
    ["Prices are cached", "For a day", "In Redis"],
  ]);
});

test("the newer of two is the more pressing", () => {
  const ranks = lines({ observations: [seen(), seen({ id: "o2" })] }).map(({ rank }) => rank);
  expect(ranks[0]).toBeGreaterThan(ranks[1] ?? 1);
});

test("the summary of a session is told where no turn of it is known, before observations", () => {
  const whole = { ...summary("y1"), id: "y1", scope: "session" as const, session: "s2", time: 7 };
  const texts = { request: "Cache", completed: "Done", learned: "", nextSteps: "Purge" };
  const summaries = [
    { ...whole, ...texts },
    { ...whole, ...texts, id: "y2", session: "s1" },
    { ...whole, ...texts, id: "y3", session: "s3", scope: "prompt" as const },
  ];
  const material = { summaries, observations: [seen()], turns: [about("x")] };
  const found = lines(material);
  expect(found.map(({ ids }) => ids[0])).toEqual(["y1", "o1"]);
  expect(found[0]?.head).toBe("y1 · day 7 · summary:");
  expect(found[0]?.sayings().map(({ text }) => text)).toEqual(["Cache", "Done", "Purge"]);
  expect(found[0]?.rank).toBeLessThan(0.9);
  // All that is known of a project comes first.
  expect(lines({ summaries: summaries.slice(0, 1) })[0]?.rank).toBeGreaterThan(0.9);
});
