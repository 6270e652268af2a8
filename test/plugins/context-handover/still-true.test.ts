// What of an older message is told as current: superseded and settled statements are not.
import { describe, expect, test } from "bun:test";
import { afterTurn, asksAtEnd, pastOf, stillTrue } from "../../../plugins/context-handover/past.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { turn } from "../../support/turns.ts";

function left(closing: string, ...later: Turn[]): string {
  const [first] = pastOf([turn(1, [["closing", closing]], { changed: ["src/cart.ts"] }), ...later]);
  return first ? stillTrue(closing, afterTurn(first)) : "";
}

describe("what is left of a message", () => {
  const message =
    "The basket rounds every price in whole cents. Next: cover vouchers in src/voucher.ts.";
  test("all of it while nothing came after", () => {
    expect(left(message)).toBe(message);
  });
  test.each<[string, Turn, string]>([
    [
      "other work changes nothing",
      turn(2, [["closing", "The imprint is translated."]], { changed: ["imprint.md"] }),
      message,
    ],
    [
      "work on the file settles what was open",
      turn(2, [["closing", "Done."]], { changed: ["src/voucher.ts"] }),
      "The basket rounds every price in whole cents. …",
    ],
    [
      "a command on it as well",
      turn(2, [
        ["passed", "ok", "bun test src/voucher.ts"],
        ["closing", "Done."],
      ]),
      "The basket rounds every price in whole cents. …",
    ],
    [
      "so does the user's word on it",
      turn(2, [["prompt", "leave src/voucher.ts alone for ever"]]),
      "The basket rounds every price in whole cents. …",
    ],
    [
      "a newer statement about the same thing supersedes the older one",
      turn(2, [["closing", "Every price of the basket rounds in tenths of cents."]]),
      "… Next: cover vouchers in src/voucher.ts.",
    ],
  ])("%s", (_, later, wanted) => {
    expect(left(message, later)).toBe(wanted);
  });
  test("an open end without a name is settled by work on what the message names", () => {
    const older =
      "4 queries in queries/ are rewritten, measured and documented. Next: the other seven.";
    const later = turn(2, [["closing", "All eleven work."]], { changed: ["queries/margin.sql"] });
    expect(left(older, later)).toBe(
      "4 queries in queries/ are rewritten, measured and documented. …",
    );
  });
  test("a question is over with the next prompt", () => {
    const later = turn(2, [["prompt", "no"]]);
    expect(left("The lists are sorted by name now. Shall I go on with trees?", later)).toBe(
      "The lists are sorted by name now. …",
    );
  });
  test("fragments of which most is gone are not told", () => {
    const later = turn(2, [
      ["closing", "The cart sums prices in tenths now, and taxes are separate lines."],
    ]);
    expect(left("The cart sums prices now. Taxes are separate lines now. Fine.", later)).toBe("");
  });
  test("the code of an older message gives way to its prose", () => {
    const later = turn(2, [["closing", "Other work."]]);
    expect(left("The wrapper is exported.\n```ts\nexport const a = 1;\n```\nUse it.", later)).toBe(
      "The wrapper is exported.\n…\nUse it.",
    );
  });
  test("a list keeps its numbers, and gaps are one gap", () => {
    const older =
      "1. Alpha beta gamma.\n2. Delta epsilon zeta.\n3. Eta theta iota.\n4. Kappa lambda omega, which nobody has touched so far.\n\nEnd of list.";
    const later = turn(2, [["closing", "Alpha beta gamma! Delta epsilon zeta! Eta theta iota!"]]);
    expect(left(older, later)).toBe(
      "…\n4. Kappa lambda omega, which nobody has touched so far.\n\nEnd of list.",
    );
  });
});

test.each([
  ["Shall I?", true],
  ["本当に？", true],
  ["هل أكمل؟", true],
  ["**Really?**", true],
  ["Done.", false],
])("%s asks: %p", (text, wanted) => {
  expect(asksAtEnd(text)).toBe(wanted);
});

test("a message of mostly code keeps what its prose says", () => {
  const code = `\`\`\`ts\n${"export const a = 1;\n".repeat(20)}\`\`\``;
  const later = turn(2, [["closing", "Other work."]]);
  expect(left(`The wrapper is exported.\n${code}`, later)).toBe("The wrapper is exported.\n…");
});

test("a name is found in what was touched whatever its case", () => {
  const later = turn(2, [["closing", "Done."]], { changed: ["src/Voucher.ts"] });
  const next = "Next: tests for every partner, currency, country and rounding mode of voucher.ts.";
  const said =
    "The basket rounds every price in whole cents, also where a discount of a member lowers it.";
  expect(left(`${said}\n\n${next}`, later)).toBe(`${said}\n\n…`);
});
