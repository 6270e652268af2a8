// What was said on the way: which turns tell it, in which order, and what of it.
import { expect, test } from "bun:test";
import { asides } from "../../../plugins/context-handover/history.ts";
import { labelsOf } from "../../../plugins/context-handover/line.ts";
import { pastOf } from "../../../plugins/context-handover/past.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { localClock } from "../../../src/text/amounts.ts";
import { turn } from "../../support/turns.ts";

const long = "The subagent read every caller of the rounding and found three that round twice.";
const report = `${long} ${long}`;

function told(...turns: Turn[]) {
  const lines = asides({ clock: localClock, labels: labelsOf("en"), turns: pastOf(turns) });
  return lines.map(({ ids, rank, sayings }) => ({ ids, rank, texts: sayings() }));
}

test("the newest turn comes first, and older sessions rank lower", () => {
  const lines = told(
    turn(1, [["report", report, "Explore"]], { session: "one" }),
    turn(2, [["report", report, "Explore"]], { session: "two" }),
    turn(3, [["report", report, "Explore"]], { session: "two" }),
  );
  expect(lines.map(({ ids }) => ids[0])).toEqual(["t3", "t2", "t1"]);
  expect(lines[2]?.rank).toBeLessThan(lines[0]?.rank ?? 0);
});

test("of sessions before the third newest nothing is told", () => {
  const turns = [1, 2, 3, 4].map((number) =>
    turn(number, [["report", report]], { session: `s${number}` }),
  );
  expect(told(...turns).map(({ ids }) => ids[0])).toEqual(["t4", "t3", "t2"]);
});

test("a commit is told when it has a body, the newest first, without who signed it", () => {
  const signed = "fix: round once\n\nTwice lost cents.\n\nCo-authored-by: Kim <kim@example.org>";
  const lines = told(
    turn(1, [
      ["commit", signed, "a81be3f (main)"],
      ["commit", "docs: no body", "b000000 (main)"],
      ["commit", "feat: vouchers\n\nThey count once.", "c92cf40 (main)"],
    ]),
  );
  expect(lines.map(({ texts }) => texts[0])).toMatchObject([
    { text: "feat: vouchers\n\nThey count once.", label: expect.stringContaining("c92cf40:") },
    { text: "fix: round once\n\nTwice lost cents.", label: expect.stringContaining("a81be3f:") },
  ]);
});

test("a subagent's report that only says that it is over is left out", () => {
  expect(told(turn(1, [["report", "Done.", "Explore"]]))).toEqual([]);
  const [line] = told(turn(1, [["report", report, "Explore"]]));
  expect(line?.texts[0]?.label).toContain("(Explore):");
});

test("of the client's own summaries the newest is told, and what was said twice is told once", () => {
  const slow = "The cache is slow since prices are rounded twice in the cart.";
  const [said, summary] = told(
    turn(1, [
      ["compaction", "Thinking.\nSummary:\nCarts are kept in Redis."],
      ["said", `${slow} Now I look.`],
      ["said", `${slow} Now I mend it.`],
      ["compaction", "Thinking.\nSummary:\nCarts are kept in Postgres."],
    ]),
  );
  expect(said?.texts[0]?.text).toBe(slow);
  expect(summary?.texts[0]?.text.trim()).toBe("Summary:\nCarts are kept in Postgres.");
});

test("what was said on the way is not told where the turn's own end says it anew", () => {
  const rounds = "The basket rounds every price in whole cents there.";
  const kept = "Vouchers live in a table of their own since partners send them.\n\nMails wait.";
  const pieces = [["said", `${rounds}\n\n${kept} Now I look.`]] as const;
  expect(told(turn(1, pieces))[0]?.texts[0]?.text).toBe(`${rounds}\n\n${kept}`);
  const end = ["closing", "Every price of the basket rounds in tenths of cents."] as const;
  expect(told(turn(1, [...pieces, end]))[0]?.texts[0]?.text).toBe(`…\n\n${kept}`);
});

test("what a later turn said otherwise is not told of a summary any more", () => {
  const older =
    "Summary:\nThe basket rounds every price in whole cents. Vouchers are kept in Redis for a day. Carts go to the warehouse at night.";
  const first = turn(1, [["compaction", older]], { changed: ["src/cart.ts"] });
  const [whole] = told(first);
  expect(JSON.stringify(whole?.texts)).toContain("whole cents");
  const lines = told(
    first,
    turn(2, [["closing", "Every price of the basket rounds in tenths of cents."]]),
  );
  const summary = JSON.stringify(lines.find(({ ids }) => ids[0] === "t1")?.texts);
  expect(summary).toContain("Vouchers are kept in Redis");
  expect(summary).not.toContain("whole cents");
});
