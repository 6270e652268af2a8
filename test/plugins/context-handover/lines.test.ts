// Every line that a rich memory gives the note, whole: its section, how pressing it is, its room, its head and its words.
import { expect, test } from "bun:test";
import { join } from "node:path";
import {
  asides,
  build,
  derived,
  earlier,
  files,
  gotchas,
  ownTurns,
  standing,
} from "../../../plugins/context-handover/history.ts";
import type { Line } from "../../../plugins/context-handover/line.ts";
import { labelsOf } from "../../../plugins/context-handover/line.ts";
import { decisions, openThings, refusals } from "../../../plugins/context-handover/open.ts";
import { pastOf } from "../../../plugins/context-handover/past.ts";
import type { MemoryItem } from "../../../src/sdk/model.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { languages } from "../../../src/text/languages.ts";
import { expectGolden } from "../../support/golden.ts";
import { sampleMemory, sampleObservation, sampleSummary } from "../../support/sample-records.ts";
import { type ShortPiece, turn } from "../../support/turns.ts";

const clock = {
  day: (time: number) => new Date(time).toISOString().slice(0, 10),
  time: (time: number) => new Date(time).toISOString().slice(11, 16),
};
const labels = labelsOf("en");

/** The lines as they are, with what they say. */
const whole = (lines: readonly Line[]) =>
  lines.map(({ sayings, rank, ...line }) => ({
    ...line,
    rank: Number(rank.toFixed(6)),
    sayings: sayings(),
  }));

const described = (one: Turn): Turn => ({
  ...one,
  pieces: one.pieces.map((piece) =>
    piece.kind === "failure" ? { ...piece, described: "Runs it" } : piece,
  ),
});
const day = 24;
const turns: Turn[] = [
  turn(
    1,
    [
      ["prompt", "Write the importer for vouchers of partners"],
      ["failure", "error: no such table vouchers", "bun test vouchers"],
      [
        "repair",
        "error: no such table vouchers\n\n→ src/schema.sql\nsrc/vouchers.ts",
        "bun test vouchers",
      ],
      ["passed", "3 pass", "bun test vouchers"],
      ["choice", "Postgres", "Which store do the vouchers live in? (Postgres | SQLite)"],
      [
        "commit",
        "Import vouchers\n\nPartners send them as tables.\nSigned-off-by: Ada",
        "a1b2c3d main",
      ],
      ["closing", "The importer reads vouchers of partners.\n\nShall the receipt list them too?"],
    ],
    { session: "four", changed: ["src/schema.sql", "src/vouchers.ts"] },
  ),
  turn(
    1 + day,
    [
      ["prompt", "Clean up the mail templates"],
      ["failure", "error: no such table vouchers", "bun test vouchers"],
      ["repair", "error: no such table vouchers\n\n→ src/schema.sql", "bun test vouchers"],
      ["passed", "3 pass", "bun test vouchers"],
      [
        "said",
        "The templates of mails share one header now and use inline styles. Next the footer.",
      ],
      [
        "refusal",
        "Do not touch the invoices, the tax office has seen them",
        "Edit(src/invoice.ts)",
      ],
    ],
    { session: "three", changed: ["src/mail.ts"], end: "interrupted" },
  ),
  turn(
    1 + 2 * day,
    [
      ["prompt", "Plan the search page of the shop"],
      ["plan", "Index titles nightly.\nShow prices beside every hit.\nPaginate with cursors."],
      [
        "todo",
        "- [x] index titles\n- [ ] paginate with cursors\n- [ ] colour schemes for evenings",
      ],
      [
        "report",
        `The agent looked through the index and found that ${"titles are stored twice; ".repeat(8)}`,
        "explorer",
      ],
      ["compaction", "Thinking aloud.\nSummary:\nThe search page shows hits with their prices."],
      ["interrupted", "", "bun run index"],
    ],
    { session: "two", changed: ["src/search.ts"] },
  ),
  described(
    turn(
      1 + 3 * day,
      [
        ["prompt", "Make the totals exact"],
        ["passed", "ok", "bun run lint"],
        ["passed", "12 pass", "bun test cart"],
        ["commit", "Count in cents", "d4e5f6a main"],
        ["closing", "Totals are counted in integer cents now."],
      ],
      { session: "one", changed: ["src/cart.ts", "src/mail.ts"] },
    ),
  ),
  described(
    turn(
      2 + 3 * day,
      [
        ["prompt", "Round the discounts too"],
        ["typed", "only for members"],
        ["passed", "ok", "bun run lint"],
        ["failure", "FAIL discount rounds up\nexpected 3", "bun test discount"],
        [
          "closing",
          "Discounts of members are rounded down; one test still fails.\n\nShould guests get them?",
        ],
      ],
      { session: "one", changed: ["src/cart.ts", "src/discount.ts"] },
    ),
  ),
];
const item = (id: string, part: Partial<MemoryItem>): MemoryItem => ({
  ...sampleMemory({ session: "four", ...part }),
  id,
});
const settled = [
  item("m1", { kind: "decisions", content: "Amounts are integer cents", state: "standing" }),
  item("m2", { content: "Tests come first", state: "candidate", session: "three" }),
  item("m3", { content: "Keep functions small" }),
];
const practice = [
  item("w1", { kind: "workflows", content: "bun run lint", state: "standing" }),
  item("w2", { kind: "workflows", content: "bun test cart", state: "candidate", session: "one" }),
  item("w3", { kind: "workflows", content: "bun test discount", state: "standing" }),
  item("g1", {
    kind: "gotchas",
    content: "The table must exist before vouchers are read",
    quote: "loading\nerror: no such table vouchers",
  }),
];

test("all lines of a rich memory", async () => {
  const past = pastOf(turns);
  const note = { clock, labels, turns: past };
  const material = {
    ...{
      project: { id: "shop", name: "shop" },
      turns: [],
      own: [],
      settled,
      practice,
      pinned: [],
      hidden: [],
    },
    observations: [
      {
        ...sampleObservation({ title: "Vouchers expire", facts: ["After a year."], time: 5 }),
        id: "o1",
      },
    ],
    summaries: [
      {
        ...sampleSummary({ scope: "session", request: "Importer", completed: "It reads." }),
        id: "s1",
      },
      { ...sampleSummary({ scope: "prompt", request: "Mails", learned: "Headers." }), id: "s2" },
    ],
  };
  const lines = {
    standing: whole(standing(note)),
    earlier: whole(earlier(note)),
    own: whole(ownTurns(past, note)),
    open: whole(openThings(note)),
    decisions: whole(decisions(note, { standingItems: settled, hidden: [] })),
    refusals: whole(refusals(note)),
    asides: whole(asides(note)),
    build: whole(build(note, practice)),
    buildOfTurns: whole(build(note, [])),
    gotchas: whole(gotchas(note, practice)),
    files: whole(files(note)),
    derived: whole(derived(material, note)),
  };
  await expectGolden(
    join(import.meta.dir, "golden/lines.json"),
    `${JSON.stringify(lines, null, 1)}\n`,
  );
});

test("every label in every language", async () => {
  const all = Object.fromEntries(languages.map((language) => [language, labelsOf(language)]));
  await expectGolden(
    join(import.meta.dir, "golden/labels.json"),
    `${JSON.stringify(all, null, 1)}\n`,
  );
});

test("of nine refusals in one turn the last four and the first four are told, and how many are between", () => {
  const given = Array.from(
    { length: 9 },
    (_, at): ShortPiece => ["refusal", `No ${at}`, `Edit(${at})`],
  );
  const heads = (count: number, more = {}) => {
    const one = turn(1, [...given.slice(0, count), ["refusal", " ", "x"]], more);
    return refusals({ clock, labels, turns: pastOf([one]) }).map(({ head }) =>
      head.split(" · ").at(-1),
    );
  };
  const code = (at: number) => `\`Edit(${at})\``;
  expect(heads(8)).toEqual([7, 6, 5, 4, 3, 2, 1, 0].map(code));
  expect(heads(9)).toEqual([...[8, 7, 6, 5].map(code), "… +1", ...[3, 2, 1, 0].map(code)]);
  expect(heads(9, { leftOut: { refusal: 4 } })[4]).toBe("… +5");
});

test("of several plans the last is told, less pressing once it was committed", () => {
  const planned = (...more: ShortPiece[]) =>
    decisions(
      {
        ...{ clock, labels },
        turns: pastOf([
          turn(1, [
            ["plan", "Index titles nightly"],
            ["plan", "Paginate results with cursors"],
            ...more,
          ]),
        ]),
      },
      { standingItems: [], hidden: [] },
    );
  const [open] = planned();
  expect(open?.sayings()).toMatchObject([{ text: "Paginate results with cursors" }]);
  const [done] = planned(["commit", "Paginate the results", "a1b2c3d main"]);
  expect(done?.rank).toBeLessThan(open?.rank ?? 0);
});

test("an item stands for the very piece that it was taken from, in the session that its place names", () => {
  const past = pastOf([
    turn(1, [
      ["choice", "Postgres", "Which store?"],
      ["choice", "Bun", "Which runtime?"],
    ]),
  ]);
  const chosen = (place: object, session = "s1") => ({
    ...item("m9", { kind: "decisions", content: "?" }),
    ...{ session, evidence: [{ turn: 1, piece: 0, ...place }] },
  });
  const told = (hidden: MemoryItem) =>
    decisions({ clock, labels, turns: past }, { standingItems: [], hidden: [hidden] }).map(
      (one) => one.sayings()[0]?.text,
    );
  expect(told(chosen({}))).toEqual(["Bun"]);
  expect(told(chosen({ piece: 1 }))).toEqual(["Postgres"]);
  expect(told(chosen({ session: "s1" }, "later"))).toEqual(["Bun"]);
  expect(told(chosen({ session: "s2" }))).toHaveLength(2);
});
