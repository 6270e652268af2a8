// Which turn of a session speaks for it.
import { expect, test } from "bun:test";
import type { Evidence, NewTurn } from "../../src/sdk/turn.ts";
import { outcomeOfSession } from "../../src/strategy/session-outcome.ts";
import { sampleTurn } from "../support/sample-records.ts";

const prompt = (text: string): Evidence => ({ kind: "prompt", text });
const closing = (text: string): Evidence => ({ kind: "closing", text });
const commit = (text: string): Evidence => ({ kind: "commit", text });
const published = (about: string, text: string): Evidence => ({ kind: "published", about, text });
const cart = [{ path: "src/cart.ts", changed: true, symbols: ["totalOf", "voucherOf"] }];
const mail = [{ path: "src/mail.ts", changed: true, symbols: ["send", "retry", "queueOf"] }];

/** A turn that ended with these words. */
const turn = (said: string, files: NewTurn["files"] = [], pieces: Evidence[] = []): NewTurn =>
  sampleTurn({ pieces: [prompt("go on"), ...pieces, closing(said)], files, end: "closed" });
const titleOf = (...turns: NewTurn[]) => outcomeOfSession(turns)?.title;

test("a session is titled by its work rather than by more tests of it", () => {
  const work = sampleTurn({
    pieces: [prompt("mend it"), closing("`totalOf` counts each voucher once.")],
    files: cart,
  });
  const tests = sampleTurn({
    pieces: [prompt("add tests"), closing("Added 3 tests of `totalOf` with two carts.")],
    files: [{ path: "src/cart.test.ts", changed: true, symbols: ["one", "two", "three", "four"] }],
  });
  expect(outcomeOfSession([work, tests])?.title).toBe("totalOf counts each voucher once (cart.ts)");
});

test("a session is titled by a pull request that it opened, not by one whose description it wrote anew", () => {
  const work = sampleTurn({
    pieces: [prompt("mend it"), closing("`totalOf` counts each voucher once.")],
    files: cart,
  });
  const described = sampleTurn({
    pieces: [
      prompt("tell of it in #7"),
      published(
        "pull request https://example.com/7",
        "## Summary\n\n- Wire vouchers into the cart",
      ),
      closing("The description of #7 is updated."),
    ],
  });
  const opened = sampleTurn({
    pieces: [published("pull request", "Count vouchers once\n\n## Summary"), closing("Opened.")],
  });
  expect(outcomeOfSession([work, described])?.title).toBe(
    "totalOf counts each voucher once (cart.ts)",
  );
  expect(outcomeOfSession([work, opened, described])?.title).toBe("Count vouchers once");
});

test.each<[string, NewTurn[], string]>([
  [
    "the turn that did most",
    [turn("Fixed `totalOf` for empty carts.", cart), turn("Added `send` with its retries.", mail)],
    "Added send with its retries (mail.ts)",
  ],
  [
    "the work rather than a follow-up on the same names",
    [
      turn("Fixed `totalOf` for empty carts.", cart),
      turn("Added `limitOf` to reject long vouchers.", [
        { path: "src/cart.ts", changed: true, symbols: ["totalOf", "voucherOf", "limitOf"] },
      ]),
    ],
    "Fixed totalOf for empty carts (cart.ts)",
  ],
  [
    "of as much work what names what was changed",
    [
      turn("Fixed the rounding of empty carts.", cart),
      turn("Fixed `queue.ts` for late mail.", [
        { path: "src/queue.ts", changed: true, symbols: ["push", "pop"] },
      ]),
    ],
    "Fixed queue.ts for late mail",
  ],
  [
    "no condition",
    [
      turn("Fixed `totalOf` for empty carts.", cart),
      turn("If the queue changes between two runs, that is the one losing mail.", mail),
    ],
    "Fixed totalOf for empty carts (cart.ts)",
  ],
  [
    "no line that only leads to what it shows",
    [
      turn("Fixed `totalOf` for empty carts.", cart),
      turn("The queue of late mail will now show:\n\n```\nsent 1\nsent 2\n```", mail),
    ],
    "Fixed totalOf for empty carts (cart.ts)",
  ],
  [
    "no work with a reserve that a later turn carried on",
    [
      turn(
        "I've wired `send` into the queue.\n\nHowever, there is an issue with its retries.",
        mail,
      ),
      turn("Fixed the retries that `send` makes.", mail.slice(0, 1)),
    ],
    "Fixed the retries that send makes (mail.ts)",
  ],
  [
    "nothing that a later turn took out again",
    [
      turn("Created docs/geese.md with an overview of geese.", [
        { path: "docs/geese.md", changed: true },
      ]),
      turn("Done - docs/geese.md has been deleted."),
    ],
    "docs/geese.md has been deleted",
  ],
  [
    "of answers the one that says what was done",
    [
      turn("Created three issues for the cart: SHOP-1, SHOP-2 and SHOP-3."),
      turn(`I see the problem now. ${"The cart is read twice in each request. ".repeat(60)}`),
    ],
    "Created three issues for the cart: SHOP-1, SHOP-2 and SHOP-3",
  ],
])("a session is spoken for by %s", (_, turns, title) => {
  expect(titleOf(...turns)).toBe(title);
});

test.each<[string, NewTurn[], string]>([
  [
    "work with a reserve that nothing carried on",
    [
      turn("Fixed `totalOf` for empty carts.", cart),
      turn(
        "I've wired `send` into the queue.\n\nHowever, there is an issue with its retries.",
        mail,
      ),
    ],
    "Wired send into the queue; however, there is an issue with its retries",
  ],
  [
    "a line that leads on and says what was done",
    [
      turn("Fixed `totalOf` for empty carts.", cart),
      turn("Fixed the queue of late mail by trying again:\n\n```\nsent 1\nsent 2\n```", mail),
    ],
    "Fixed the queue of late mail by trying again (mail.ts)",
  ],
  [
    "work of which a test's name tells nothing",
    [
      turn("Fixed the rounding of empty carts.", [
        { path: "src/cart.ts", changed: true, symbols: ["totalOf"] },
      ]),
      turn("Added `TestQueue` for late mail.", [
        { path: "src/queue.ts", changed: true },
        { path: "src/queue.test.ts", changed: true, symbols: ["TestQueue"] },
      ]),
    ],
    "Fixed the rounding of empty carts (cart.ts)",
  ],
  [
    "work that a request alone takes back",
    [
      turn("Created docs/geese.md with an overview of geese.", [
        { path: "docs/geese.md", changed: true },
      ]),
      sampleTurn({ pieces: [prompt("delete docs/geese.md")], files: [], end: "interrupted" }),
    ],
    "Created docs/geese.md with an overview of geese",
  ],
])("a session is still spoken for by %s", (_, turns, title) => {
  expect(titleOf(...turns)).toBe(title);
});

test("a commit takes along the turns before it", () => {
  const small = turn("Committed.", cart, [commit("Round the cart's totals")]);
  const work = turn("`send` tries again.", mail);
  const later = turn("Committed.", [], [commit("Try to send mail again")]);
  expect(titleOf(work, later, small)).toBe("Try to send mail again");
  expect(titleOf(small, work, later)).toBe("Try to send mail again");
});

test("a commit gives way where more was done after it than before", () => {
  const early = turn("Committed.", [], [commit("Round the cart's totals")]);
  const work = turn("Added `send` with its retries.", mail);
  const little = turn("Fixed a typo in `totalOf`.", [{ path: "src/cart.ts", changed: true }]);
  expect(titleOf(early, work)).toBe("Added send with its retries (mail.ts)");
  expect(titleOf(work, early, little)).toBe("Round the cart's totals");
});

test("after a commit, what says nothing leaves the session to what was done before", () => {
  const early = turn("Committed.", [], [commit("Round the cart's totals")]);
  const made = turn("Created docs/geese.md with an overview of geese.", [
    { path: "docs/geese.md", changed: true },
  ]);
  const gone = turn("docs/geese.md has been deleted.");
  expect(titleOf(early, made, gone)).toBe("docs/geese.md has been deleted");
  const nothing = sampleTurn({ pieces: [prompt("")], files: cart, end: "interrupted" });
  expect(titleOf(early, { ...nothing, files: [] })).toBe("Round the cart's totals");
});

test("a plan was stopped only where no later turn carried it on", () => {
  const plan = sampleTurn({
    pieces: [
      { kind: "plan", text: "# Count each voucher once" },
      { kind: "interrupted", text: "" },
    ],
    files: cart,
    end: "interrupted",
  });
  const other = turn("Fixed the retries of `send`.", mail);
  expect(titleOf(plan, other)).toBe("Stopped while implementing: Count each voucher once");
  const further = turn("Fixed a typo in the name of the voucher.", cart.slice(0, 1));
  expect(titleOf(plan, further)).toBe("Implemented: Count each voucher once");
  expect(titleOf(plan, { ...further, end: "interrupted" })).toBe(
    "Stopped while implementing: Count each voucher once",
  );
});

test("one of several things is titled with what the branch is for", () => {
  const list =
    "All done:\n\n- Added a mark for vouchers to `totalOf`\n- Removed the loop of `voucherOf`";
  const of = (
    branch: string,
    { said = list, asked = "each session list shall show its vouchers" } = {},
  ): NewTurn => ({
    ...sampleTurn({ pieces: [prompt(asked), closing(said)], files: cart }),
    branch,
  });
  const both = "Added a mark for vouchers to totalOf; Removed the loop of voucherOf";
  expect(titleOf(of("ann/session-list"))).toBe(`Session list: ${both}`);
  // A ticket's or a day's number, and what is no word, say nothing.
  expect(titleOf(of("feature/shop-12-session-list"))).toBe(`Session list: ${both}`);
  expect(titleOf(of("20260205-session_list-xq7"))).toBe(`Session list: ${both}`);
  // A trunk says nothing, nor does one word.
  for (const name of ["main", "session", "v1"]) expect(titleOf(of(name))).toBe(both);
  // What the branch was made for may be over.
  expect(titleOf(of("ann/tax-table"))).toBe(both);
  expect(titleOf(of("ann/session-tax-table"))).toBe(both);
  // What comes later is not what the work is for.
  for (const asked of [
    "mend the totals. not the session list, that comes later",
    "no session list",
  ])
    expect(titleOf(of("ann/session-list", { asked }))).toBe(both);
  expect(titleOf(of("ann/session-list", { asked: "No totals. Mend the session list" }))).toBe(
    `Session list: ${both}`,
  );
  // The title says it already.
  expect(titleOf(of("ann/mark-voucher", { asked: "mark each voucher" }))).toBe(both);
  expect(titleOf(of("ann/marks-vouchers", { asked: "marks of vouchers" }))).toBe(both);
  // A whole is said without it.
  expect(titleOf(of("ann/session-list", { said: "Added `markOf()` to all vouchers." }))).toBe(
    "Added markOf() to all vouchers (cart.ts)",
  );
});

test("what a branch is for stands before a whole that names nothing, a list, a heading, a place and bare changes", () => {
  const of = (said: string, branch = "ann/session-list"): string | undefined =>
    titleOf({
      ...sampleTurn({ pieces: [prompt("Mend the session list"), closing(said)], files: cart }),
      branch,
    });
  expect(of("The marks of all vouchers are now counted once.")).toBe(
    "Session list: The marks of all vouchers are now counted once (cart.ts)",
  );
  expect(of("I made changes to `cart.ts`:\n\n- `totalOf`: rounds\n- `voucherOf`: counts")).toBe(
    "Session list: Made changes to cart.ts: totalOf, voucherOf",
  );
  expect(of("## Summary\n\n### 1. Added `markOf()` to vouchers\n\n### 2. More")).toBe(
    "Session list: Added markOf() to vouchers (cart.ts)",
  );
  expect(of("# Added `markOf()` to vouchers\n\nMore.")).toBe(
    "Added markOf() to vouchers (cart.ts)",
  );
  expect(of("Done.\n\n**`src/cart.ts`** - Added `markOf()` to vouchers")).toBe(
    "Session list: Added markOf() to vouchers (cart.ts)",
  );
  // Names of code say it too, however they are written.
  const named = (name: string) => `Done:\n\n- Added a mark to \`${name}\`\n- More`;
  expect(of(named("sessionList"))).toBe("Added a mark to sessionList (cart.ts)");
  const list = "Done:\n\n- Added `markOf()` to the session-list of carts\n- More";
  expect(of(`${list}\n\nThe sessionlist is short.`, "ann/sessionlist-marks")).toBe(
    "Added markOf() to the session-list of carts (cart.ts)",
  );
  const bare = sampleTurn({ pieces: [prompt("ok do that")], files: cart });
  const asked = sampleTurn({ pieces: [prompt("Mend the session list")], files: cart });
  const other = sampleTurn({ pieces: [closing("The session list is short.")] });
  const branch = "ann/session-list";
  expect(titleOf({ ...bare, branch }, other)).toBe("Session list: Changed cart.ts (totalOf, …)");
  const counted = turn("The voucher count is kept.");
  expect(titleOf({ ...bare, branch: "ann/voucher-count" }, counted)).toStartWith("Voucher count: ");
  expect(titleOf({ ...asked, branch: "ann/voucher-count" }, counted)).toBe(
    "cart.ts (totalOf, …): Mend the session list",
  );
});

test("only the branch of the work itself stands before it, and a pair is cut for it", () => {
  const entries = [
    "Added `markOf()` to `voucherOf` for the carts of all buyers",
    "Removed the loop of `totalOf` for all the others",
  ];
  const work = sampleTurn({
    pieces: [prompt("Mend the session list"), closing(`Done:\n\n- ${entries.join("\n- ")}`)],
    files: cart,
  });
  const first = "Added markOf() to voucherOf for the carts of all buyers";
  expect(titleOf({ ...work, branch: "main" })).toStartWith(`${first}; Removed`);
  expect(titleOf({ ...work, branch: "ann/session-list-short" })).toBe(
    `Session list short: ${first}`,
  );
  const later = { ...turn("The session list is short."), branch: "ann/session-list-short" };
  expect(titleOf({ ...work, branch: "main" }, later)).toStartWith(`${first}; Removed`);
  // What takes the work back is never cut.
  const taken = `Done:\n\n- ${entries[0]}\n- More\n\nHowever, my change breaks the checkout of the shop.`;
  const reserved = { ...work, pieces: [prompt("Mend the session list"), closing(taken)] };
  expect(titleOf({ ...reserved, branch: "ann/session-list-short" })).toBe(
    `${first}; however, my change breaks the checkout of the shop`,
  );
  // Where not even one of them finds room, it stands alone.
  const long = "ann/session-list-of-every-buyer-who-ever-came-to-the-shop-with-vouchers";
  expect(titleOf({ ...work, branch: long })).toStartWith(`${first}; Removed`);
});

test("a session is titled by a condition only where nothing else says more", () => {
  const bound = turn("When the cart is empty, the total is now zero and no tax is added.", cart);
  const answer = turn("The tax table is read from `tax.json` once, when the shop starts.");
  expect(titleOf(bound, answer)).toContain("tax.json");
  expect(titleOf(bound)).toContain("the total is now zero");
});

test("a folder whose name only begins like one of tests holds work", () => {
  const work = turn("Added `readSpec` with its cache.", [
    { path: "packages/spec-loader/src/load.ts", changed: true, symbols: ["readSpec", "cache"] },
  ]);
  const note = turn("Changed a line about carts.", [{ path: "README.md", changed: true }]);
  expect(titleOf(work, note)).toBe("Added readSpec with its cache (load.ts)");
});

test.each([
  ["I've successfully added `retry` to the mail.", "Added retry to the mail (mail.ts)"],
  ["I have now wired `send` into the queue.", "Wired send into the queue (mail.ts)"],
  ["Finally I added `retry` to the mail.", "Added retry to the mail (mail.ts)"],
  ["I set the limit of `send` to ten mails.", "I set the limit of send to ten mails (mail.ts)"],
  [
    "Ich habe `send` um Wiederholungen erweitert.",
    "Ich habe send um Wiederholungen erweitert (mail.ts)",
  ],
  ["Added `retry` to the mail.", "Added retry to the mail (mail.ts)"],
  ["I have not fixed the retry of mails.", "I have not fixed the retry of mails (mail.ts)"],
  ["I almost removed the old mail queue.", "I almost removed the old mail queue (mail.ts)"],
  [
    "I've only partially added the queue to `send`.",
    "I've only partially added the queue to send (mail.ts)",
  ],
  ["I've also added `retry` to the mail.", "Added retry to the mail (mail.ts)"],
  ["I just added `retry` to the mail.", "Added retry to the mail (mail.ts)"],
  ["I've already added `retry` to the mail.", "Added retry to the mail (mail.ts)"],
])("of a session is said what was done, and not who did it: %s", (said, title) => {
  expect(titleOf(turn(said, mail))).toBe(title);
});

const one = { path: "src/checkout.ts", changed: true };
const test2 = { path: "test/checkout.test.ts", changed: true };
test.each<[string, NewTurn["files"], string]>([
  ["Fixed the rounding of empty carts.", [one], "Fixed the rounding of empty carts (checkout.ts)"],
  [
    "Fixed the rounding of empty carts.",
    [one, test2],
    "Fixed the rounding of empty carts (checkout.ts)",
  ],
  ["Fixed the rounding of empty carts.", [test2], "Fixed the rounding of empty carts"],
  [
    "Fixed the rounding of empty carts.",
    [one, { ...one, path: "src/mail.ts" }],
    "Fixed the rounding of empty carts",
  ],
  ["Fixed `checkout.ts` for empty carts.", [one], "Fixed checkout.ts for empty carts"],
  ["Fixed the rounding (and a typo).", [one], "Fixed the rounding (and a typo)"],
  [
    "Fixed the rounding of empty carts that come back from a saved session with 2 vouchers in them.",
    [one],
    "Fixed the rounding of empty carts that come back from a saved session with 2 vouchers in them",
  ],
])("a session's title names its one file: %s %j", (said, files, title) => {
  expect(titleOf(turn(said, files))).toBe(title);
});

test("an answer keeps who speaks", () => {
  expect(titleOf(turn("I noticed two carts in the request of `checkout.ts`."))).toStartWith(
    "I noticed two carts in the request of checkout.ts",
  );
});

test("a line that says enough leads a session, whatever it shows", () => {
  const long =
    "Now each later run of the queue shows the mail that it had sent before:\n\n```\n1\n2\n```";
  expect(titleOf(turn("Fixed `totalOf` for empty carts.", cart), turn(long, mail))).toBe(
    "Now each later run of the queue shows the mail that it had sent before (mail.ts)",
  );
});

test("of turns that say nothing there is no outcome", () => {
  expect(outcomeOfSession([])).toBeUndefined();
  expect(outcomeOfSession([turn("Hello! How can I help you today?")])?.basis).not.toBe("said");
});
