// Summaries and session titles: quoted from the evidence, and silent where it says nothing.
import { describe, expect, test } from "bun:test";
import { summarize } from "../../../plugins/summarization-heuristic/index.ts";
import type { Evidence, NewTurn } from "../../../src/sdk/turn.ts";
import type { SummaryInput } from "../../../src/sdk/work.ts";
import { sampleBatch } from "../../support/observer-batch.ts";

const time = Date.UTC(2026, 10, 20, 14, 5);

function turn(promptNumber: number, pieces: Evidence[], part: Partial<NewTurn> = {}): NewTurn {
  return {
    session: "5f3a",
    client: "claude-code",
    project: "github.com/acme/shop",
    promptNumber,
    startedAt: time,
    time,
    end: "closed",
    pieces,
    files: [],
    ...part,
  };
}

function input(scope: SummaryInput["scope"], turns: NewTurn[]): SummaryInput {
  const { session } = sampleBatch([]);
  const prompts = turns.map(({ promptNumber, pieces }) => ({
    session: session.id,
    client: session.client,
    project: session.project.id,
    promptNumber,
    text: pieces.find(({ kind }) => kind === "prompt")?.text ?? "",
    time,
  }));
  return {
    key: "k",
    scope,
    session,
    prompts,
    turns,
    toolUses: [],
    observations: [],
    summaries: [],
  };
}

const changed = { files: [{ path: "src/cart.ts", changed: true }] };
const asked = (prompt: string, closing: string): Evidence[] => [
  { kind: "prompt", text: prompt },
  { kind: "closing", text: closing },
];

test("a session's summary tells no finding about files that were changed later", () => {
  const read = (path: string) => ({ files: [{ path, changed: false }] });
  const turns = [
    turn(1, asked("Why does it fail?", "src/cart.ts has 2 syntax errors."), read("src/cart.ts")),
    turn(2, asked("And the receipt?", "src/receipt.ts prints 2 decimals."), read("src/receipt.ts")),
    turn(3, asked("Mend the cart.", "src/cart.ts compiles again, all 12 tests pass."), changed),
  ];
  const { summary } = summarize(input("session", turns));
  expect(summary?.learned).toBe("src/receipt.ts prints 2 decimals.");
});

test("a finding about files that were only read again later is still told", () => {
  const read = { files: [{ path: "src/cart.ts", changed: false }] };
  const turns = [
    turn(1, asked("Why does it fail?", "src/cart.ts has 2 syntax errors."), read),
    turn(2, asked("Show the first.", "Line 12 of src/cart.ts lacks a brace."), read),
  ];
  expect(summarize(input("session", turns)).summary?.learned).toContain("2 syntax errors");
});

test("a compaction is told where nothing was done after it", () => {
  const summed: Evidence = {
    kind: "compaction",
    text: "The totals of src/cart.ts are read from 3 tables by `totalOf`, one for each of the currencies.",
  };
  const [prompt, closing] = asked(
    "Go on.",
    "src/cart.ts counts each voucher once, and 12 tests pass.",
  );
  if (!prompt || !closing) throw new Error("no pieces");
  const learned = (...pieces: Evidence[]) =>
    summarize(input("session", [turn(1, pieces, changed)])).summary?.learned ?? "";
  expect(learned(prompt, closing, summed)).toContain("3 tables");
  expect(learned(prompt, summed, closing)).not.toContain("3 tables");
});

describe("a prompt's summary", () => {
  test.each([
    [
      "Next: cover the receipt in test/receipt.test.ts.",
      "Cover the receipt in test/receipt.test.ts.",
    ],
    ["Nächste Schritte: den Beleg mit einem Test abdecken.", "Den Beleg mit einem Test abdecken."],
  ])("takes what a label inside a paragraph says is left for left: %s", (left, expected) => {
    const closing = `The total in src/cart.ts counts each voucher once now. ${left}`;
    const { summary } = summarize(input("prompt", [turn(1, asked("Fix it.", closing), changed)]));
    expect(summary?.completed).toBe("The total in src/cart.ts counts each voucher once now.");
    expect(summary?.nextSteps).toBe(expected);
  });

  test("quotes what was said, what is left and what is asked", () => {
    const closing = [
      "The total counts each voucher once now, in `src/cart.ts`.",
      "",
      "## Next steps",
      "- Cover the receipt with a test",
      "",
      "Should I start with the receipt right away?",
    ].join("\n");
    expect(
      summarize(input("prompt", [turn(1, asked("Fix the cart total.", closing), changed)])).summary,
    ).toMatchObject({
      request: "Fix the cart total.",
      completed: "The total counts each voucher once now, in src/cart.ts.",
      learned: "",
      nextSteps: "Cover the receipt with a test. Should I start with the receipt right away?",
      filesEdited: ["src/cart.ts"],
      evidence: [
        { turn: 1, piece: 0 },
        { turn: 1, piece: 1 },
      ],
    });
  });

  test.each([
    "Should I drop the old total, or keep both?",
    "古い合計を削除しますか、それとも両方を残しますか？",
    "هل أحذف المجموع القديم أم أبقي الاثنين؟",
  ])("calls done what names a change while the user is asked which way to go: %s", (question) => {
    const done = "The total in src/cart.ts counts each voucher once now.";
    const learned = "The old cart total is wanted in 2 shops.";
    const closing = `${done}\n\n${learned}\n\n${question}`;
    const asking = turn(1, asked("Fix the cart total.", closing), changed);
    const open = { completed: done, learned, nextSteps: question };
    expect(summarize(input("prompt", [asking])).summary).toMatchObject(open);
    expect(summarize(input("session", [asking])).summary).toMatchObject(open);
    const answered = turn(2, asked("Keep both.", "src/cart.ts keeps 2 totals now."), changed);
    expect(summarize(input("session", [asking, answered])).summary?.completed).toBe(
      `${done} src/cart.ts keeps 2 totals now.`,
    );
    const committed: Evidence = { kind: "commit", text: "Count each voucher once" };
    const landed = { ...asking, pieces: [...asking.pieces, committed] };
    expect(summarize(input("prompt", [landed])).summary).toMatchObject({
      completed: done,
      learned,
    });
  });

  test("says nothing of a turn that only announces what comes", () => {
    const closing = "I'll look through the cart to find each of the vouchers.";
    expect(summarize(input("prompt", [turn(1, asked("Vouchers vanish.", closing))])).summary).toBe(
      undefined,
    );
  });

  test("takes what a plan asks for as no finding", () => {
    const plan: Evidence = {
      ...{ kind: "closing", about: "ExitPlanMode" },
      text: "# Plan: Round the totals once\n\nImplement rounding of `totalOf` in 2 steps.\n\nThe receipt rounds each of its 3 lines.",
    };
    const [prompt] = asked("How would you?", "");
    if (!prompt) throw new Error("no pieces");
    expect(summarize(input("prompt", [turn(1, [prompt, plan])])).summary).toMatchObject({
      learned: "The receipt rounds each of its 3 lines.",
      nextSteps: "Plan proposed: Round the totals once.",
    });
  });

  test("calls done neither an option nor a remark beside a commit", () => {
    const options =
      "Options for the cart of `src/cart.ts`:\n\n1. Keep both\n2. Drop one\n\nWhich one?";
    const asking = turn(1, asked("Mend the cart", options), changed);
    const next = turn(2, asked("the first", "Added a test to `src/cart.ts`."), changed);
    expect(summarize(input("session", [asking, next])).summary?.completed).toBe(
      "Added a test to src/cart.ts.",
    );
    const [prompt, said] = asked("commit this", "Two other files of the shop stay as they were.");
    if (!prompt || !said) throw new Error("no pieces");
    const committed: Evidence = { kind: "commit", text: "Count each voucher once" };
    expect(
      summarize(input("prompt", [turn(1, [prompt, committed, said])])).summary?.completed,
    ).toBe("Count each voucher once.");
  });

  test("calls done what was committed now, and known what was asked beside it", () => {
    const [prompt, closing] = asked(
      "commit this. And is the total read twice?",
      "Done.\n\nThe total is read by `totalOf()` and once more by `shownOf()`.",
    );
    if (!prompt || !closing) throw new Error("no pieces");
    const committed: Evidence = { kind: "commit", text: "Count each voucher once" };
    const { summary } = summarize(input("prompt", [turn(1, [prompt, committed, closing])]));
    expect(summary?.completed).toBe("Count each voucher once.");
    expect(summary?.learned).toBe("The total is read by totalOf() and once more by shownOf().");
  });

  test.each([
    [
      "with all that there is room for",
      "- reads the file\n- sums it up. Each line counts.\n- rounds to cents",
      "`totalOf()` does three things: reads the file; sums it up; rounds to cents.",
    ],
    [
      "with the names of what has lists of its own",
      "1. **`read()`** - Reads the files:\n   - `cart.json`\n   - `shop.json`\n2. **`sum()`** - Sums them up",
      "`totalOf()` does three things: read(), sum().",
    ],
  ])("says a list %s", (_, list, learned) => {
    const closing = `**\`totalOf()\` does three things:**\n${list}`;
    const { summary } = summarize(input("prompt", [turn(1, asked("What does it do?", closing))]));
    expect(summary?.learned).toStartWith(learned.replaceAll("`", ""));
  });

  test("calls known what was wrong before, and done what was done about it", () => {
    const closing =
      "**Problem:** When two carts merge, the voucher of the first one is lost.\n\n**Fix:** `src/cart.ts` keeps 2 vouchers now.";
    expect(
      summarize(input("prompt", [turn(1, asked("Vouchers vanish", closing), changed)])).summary,
    ).toMatchObject({
      completed: "Fix: src/cart.ts keeps 2 vouchers now.",
      learned: "Problem: When two carts merge, the voucher of the first one is lost.",
    });
  });

  test("calls nothing done that only was found out, or whose last check failed", () => {
    const found = asked(
      "mise run lint fails, why?",
      "`mise run lint` fails because src/a.ts imports nothing.",
    );
    const learned = "mise run lint fails because src/a.ts imports nothing.";
    expect(summarize(input("prompt", [turn(1, found)])).summary).toMatchObject({
      completed: "",
      learned,
    });
    const failing: Evidence = { kind: "failure", text: "Exit code 1", about: "mise run lint" };
    const half = turn(1, [...found.slice(0, 1), failing, ...found.slice(1)], changed);
    expect(summarize(input("prompt", [half])).summary).toMatchObject({ completed: "", learned });
  });

  test("calls done what the main agent finished although a check of a subagent failed", () => {
    const done = "The total in src/cart.ts counts each voucher once now.";
    const [prompt, closing] = asked("Fix the cart total.", done) as [Evidence, Evidence];
    const failure = { kind: "failure", text: "Exit code 1", about: "mise run lint" } as const;
    const ofSubagent: Evidence = { ...failure, agent: "a1" };
    const completed = (check: Evidence) =>
      summarize(input("prompt", [turn(1, [prompt, check, closing], changed)])).summary?.completed;
    expect([completed(failure), completed(ofSubagent)]).toEqual(["", done]);
  });

  test("calls nothing done where the closing crosses something out, and leaves that and empty boxes open", () => {
    const closing =
      "✅ **Unit tests pass**\n❌ **3 integration tests of the cart fail**\n\nI fixed the total in src/cart.ts.\n\n- [ ] cover the receipt in a test";
    const { summary } = summarize(input("prompt", [turn(1, asked("Fix it.", closing), changed)]));
    expect(summary).toMatchObject({
      completed: "",
      nextSteps: "❌ 3 integration tests of the cart fail. cover the receipt in a test.",
    });
  });

  test.each(["## Next.js structure", "## TODO App Creation Complete"])(
    "takes no heading about something else for what is next: %s",
    (heading) => {
      const closing = `${heading}\n- The page in src/cart.ts counts each voucher once`;
      const { summary } = summarize(input("prompt", [turn(1, asked("Go", closing), changed)]));
      expect(summary?.nextSteps).toBe("");
    },
  );

  test("says of a stopped turn that it was stopped", () => {
    const pieces: Evidence[] = [
      { kind: "prompt", text: "Rename the heading and migrate." },
      { kind: "interrupted", text: "", about: "bun run migrate" },
    ];
    expect(
      summarize(input("prompt", [turn(1, pieces, { ...changed, end: "interrupted" })])).summary,
    ).toMatchObject({
      completed: "",
      notes: "Stopped by the user at `bun run migrate`.",
    });
  });

  test("keeps choices, refusals, plans and what a list leaves open", () => {
    const pieces: Evidence[] = [
      { kind: "prompt", text: "Plan the export." },
      { kind: "plan", text: "# Export to Parquet\n\n1. Tables" },
      { kind: "choice", text: "Nightly", about: "How often?" },
      { kind: "refusal", text: "Only GET is retried", about: "Edit src/retry.ts" },
      { kind: "todo", text: "- [x] Tables\n- [ ] Rows" },
    ];
    expect(summarize(input("prompt", [turn(1, pieces, { end: "open" })])).summary).toMatchObject({
      notes:
        "Plan accepted: Export to Parquet. Chosen: Nightly (How often?) Refused: Only GET is retried (Edit src/retry.ts).",
      nextSteps: "Export to Parquet. Rows.",
    });
  });

  test("is none where nothing is said", () => {
    expect(
      summarize(input("prompt", [turn(1, asked("thanks", "You are welcome!"))])).summary,
    ).toBeUndefined();
    expect(summarize(input("prompt", []))).toEqual({ model: null, observerTokens: 0 });
  });

  test("has no block quote in its request", () => {
    const quoted = "Check this report, please.\n> We decided to switch off fraud checks.";
    const { summary } = summarize(
      input("prompt", [
        turn(1, asked(quoted, "The report names `src/fraud.ts` rightly, in all 3 places.")),
      ]),
    );
    expect(summary?.request).toBe("Check this report, please.");
  });
});

describe("a session's summary", () => {
  const first = turn(
    1,
    [
      ...asked("Fix the cart total.", "It counts each voucher once in `src/cart.ts` now."),
      { kind: "commit", text: "fix: count vouchers once" },
    ],
    changed,
  );
  const second = turn(
    2,
    asked(
      "Does the receipt show it?",
      "The receipt reads `totalOf` and shows it.\n\nWhich currency should the receipt be in?",
    ),
  );

  test("tells what was committed and done, what was found out, and what the last turn left open", () => {
    expect(summarize(input("session", [first, second])).summary).toMatchObject({
      request: "Fix the cart total. Does the receipt show it?",
      completed: "fix: count vouchers once. It counts each voucher once in src/cart.ts now.",
      learned: "The receipt reads totalOf and shows it.",
      nextSteps: "Which currency should the receipt be in?",
    });
  });

  test.each([
    ["no, the cart is fine", ""],
    ["nein, das war es nicht", ""],
    ["the receipt does not print decimals", ""],
    ["and the cart?", "The receipt prints 2 decimals of each price."],
    ["not now, go on with the cart", "The receipt prints 2 decimals of each price."],
  ])("tells no finding to which the next prompt says no: %s", (next, learned) => {
    const turns = [
      turn(1, asked("What does it print?", "The receipt prints 2 decimals of each price.")),
      turn(2, asked(next, "Ok.")),
      turn(3, asked("commit", "Done."), { pieces: [{ kind: "commit", text: "Mend the cart" }] }),
    ];
    expect(summarize(input("session", turns)).summary?.learned).toBe(learned);
  });

  test("tells no finding that a clause of the next prompt denies", () => {
    const said = "The shop has a night hook that commits all changed files of the cart.";
    const learned = (next: string) =>
      summarize(input("session", [turn(1, asked("What runs?", said)), turn(2, asked(next, "Ok."))]))
        .summary?.learned ?? "";
    expect(learned("the night hook is not right, that one runs at the end of each turn")).toBe("");
    expect(learned("the night hook is right, that one runs at the end of each turn")).toBe(said);
  });

  test("tells a commit by its subject, not by its body", () => {
    const text = "fix: count vouchers once\n\nThe total of two vouchers was off by one.";
    const told = summarize(input("session", [turn(1, [{ kind: "commit", text }])])).summary;
    expect(told?.completed).toBe("fix: count vouchers once.");
  });

  test.each([
    ["There are no lint issues in `src/cart.ts`.", "there are lint issues", ""],
    ["`totalOf` counts each voucher of the cart twice.", "not the cart", "totalOf counts"],
    ["3 files, 3 fixes.", "Then the receipt", ""],
    ["`totalOf` counts each voucher of the cart twice.", "Then the receipt", "totalOf counts"],
    [
      "`totalOf` counts each voucher of the cart twice.",
      "totalOf does not count each voucher of the cart",
      "",
    ],
  ])("of %j says what %j leaves: %j", (said, later, left) => {
    const turns = [
      turn(1, asked("Mend the cart", said), changed),
      turn(2, asked(later, "Shall the receipt show the currency?")),
    ];
    const { completed = "" } = summarize(input("session", turns)).summary ?? {};
    expect(completed.slice(0, left.length || undefined)).toBe(left);
  });

  test("leaves out what later work took back", () => {
    const turns = ["Added `voucherOf` to `src/cart.ts`.", "Removed `voucherOf` again."].map(
      (said, at) => turn(at + 1, asked("Mend the cart", said), changed),
    );
    expect(summarize(input("session", turns)).summary?.completed).toBe("Removed voucherOf again.");
  });

  test("leaves out what a later turn has left behind", () => {
    const { summary } = summarize(input("session", [second, { ...first, promptNumber: 3 }]));
    expect(summary?.nextSteps).toBe("");
  });
});

describe("a session's title", () => {
  test.each([
    [["Fix the cart total. Then the receipt."], "Fix the cart total"],
    [["hello", "yes", "Benenne den Dienst um"], "Benenne den Dienst um"],
    [["请修复购物车的总额。"], "请修复购物车的总额"],
    [["/commit We decided to keep SQLite"], "We decided to keep SQLite"],
  ])("%j → %s", (prompts, title) => {
    const turns = prompts.map((text, at) => turn(at + 1, [{ kind: "prompt", text }]));
    expect(summarize(input("opening", turns)).title).toBe(title);
  });

  test("is what was committed, else said, whatever was asked", () => {
    const said = asked("ok", "The old parser is gone from `src/parse.ts`.");
    expect(summarize(input("session", [turn(1, said)])).title).toBe(
      "The old parser is gone from src/parse.ts",
    );
    const committed: Evidence[] = [...said, { kind: "commit", text: "Drop the old parser" }];
    const committing = turn(2, committed);
    const both = [turn(1, asked("/workflows:review", "The parser reads 3 forms.")), committing];
    expect(summarize(input("session", both)).title).toBe("Drop the old parser");
  });

  test.each([
    ["continue", "The build passes now. Anything else?", "The build passes now"],
    ["thanks", "You're welcome!", "thanks"],
    ["hi", "Hello! What would you like to do?", "hi"],
    ["/review 12", "", "/review 12"],
    ["ok", "好的。", "ok"],
  ])(
    "where nothing was asked or done is the best words there are: %j, %j",
    (prompt, said, title) => {
      const turns = [turn(1, asked(prompt, said))];
      expect(summarize(input("session", turns)).title).toBe(title);
      expect(summarize(input("opening", turns)).title).toBeUndefined();
    },
  );

  test("is that of the pull request that takes all of it along", () => {
    const made: Evidence[] = [
      { kind: "prompt", text: "open a PR" },
      { kind: "published", text: "feat: parse 3 forms (#8)", about: "pull request #8" },
    ];
    const first = turn(1, [{ kind: "commit", text: "Drop the old parser" }], changed);
    expect(summarize(input("session", [first, turn(2, made)])).title).toBe("Parse 3 forms");
  });

  test("is what came of it to its last word, and of a request what finds room", () => {
    const told =
      "Dropped the old parser from src/parse.ts and gave the new one the names of its forms so that each is read once";
    const worked = [turn(1, asked("go on", `${told}.`), changed)];
    expect(summarize(input("session", worked)).title).toBe(told);
    expect(summarize(input("session", [turn(1, asked(told, ""))])).title).toBe(
      "Dropped the old parser from src/parse.ts and gave the new one the names of its forms so that…",
    );
  });

  test.each<[string, Evidence]>([
    [
      "the commit",
      {
        kind: "commit",
        text: "Drop the old parser\n\nThe forms of `parse.ts` are read by 1 function.\n\nSigned-off-by: A",
      },
    ],
    [
      "the pull request",
      {
        ...{ kind: "published", about: "pull request #8" },
        text: "Drop the old parser\n\n## Summary\n\nThe forms of `parse.ts` are read by 1 function.",
      },
    ],
  ])("has what %s says of it below it, before what was said beside it", (_, made) => {
    const said = asked("commit it", "All comments on the old parser in `parse.ts` are answered.");
    const { title, subtitle } = summarize(input("session", [turn(1, [...said, made], changed)]));
    expect([title, subtitle]).toEqual([
      "Drop the old parser",
      "The forms of parse.ts are read by 1 function",
    ]);
  });

  test("has a subtitle that is no repetition of it", () => {
    const turns = [turn(1, asked("Fix the shop's cart total.", "Fixed the shop's cart total."))];
    const { title, subtitle } = summarize(input("session", turns));
    expect(title).toBe("Fixed the shop's cart total");
    expect(subtitle).toBeUndefined();
  });
});

describe("what is next", () => {
  const next = (closing: string, part: Partial<NewTurn> = changed) =>
    summarize(input("prompt", [turn(1, asked("Mend the cart of the shop", closing), part)])).summary
      ?.nextSteps ?? "";
  test("is six things at most, and no question of a word or two", () => {
    const steps = Array.from({ length: 8 }, (_, at) => `- Cover part ${at} of src/cart.ts`);
    const told = next(`The cart counts once.\n\n## Next steps\n\n${steps.join("\n")}`);
    expect(told).toContain("part 5");
    expect(told).not.toContain("part 6");
    expect(next("The cart counts each voucher once now. Ok?")).toBe("");
    expect(next("The cart counts each voucher once now. Shall receipts follow suit?")).toBe(
      "Shall receipts follow suit?",
    );
  });

  test.each([
    [
      "Shall I mend the receipts too? I would:\n\n- Read `receipt.ts`",
      "Shall I mend the receipts too?",
    ],
    ["The cart counts once.\n\nThis fixes the merge of two carts in `src/cart.ts`.", ""],
    ["The cart counts once.\n\nThe change is ready to merge.", "The change is ready to merge."],
    ["The cart counts once.\n\n## Next steps\n\n- with", ""],
  ])("of %j is %j", (closing, expected) => {
    expect(next(closing)).toBe(expected);
  });

  const failed = (about: string): Evidence => ({ kind: "failure", about, text: "rounding is off" });
  const passed = (about: string): Evidence => ({ kind: "passed", about, text: "ok" });
  test.each<[string, Evidence[], boolean]>([
    ["a check that failed last of all", [passed("go vet ./..."), failed("go test ./a")], true],
    ["a slip that another check followed", [failed("go test ./a"), passed("go vet ./...")], false],
    [
      "a check that failed again and again",
      [failed("go test ./a"), failed("go test ./a"), passed("go vet ./...")],
      true,
    ],
  ])("%s", (_, runs, stands) => {
    const pieces = [...runs, ...asked("Mend the cart", "The cart counts once in `src/cart.ts`.")];
    const { summary } = summarize(input("prompt", [turn(1, pieces, changed)]));
    expect((summary?.nextSteps ?? "").includes("go test ./a")).toBe(stands);
  });
});

test("a turn that was broken off has nothing done, whatever it said", () => {
  const pieces = asked("Mend the cart", "src/cart.ts counts each of the 3 vouchers once.");
  const done = (end: NewTurn["end"]) =>
    summarize(input("prompt", [turn(1, pieces, { ...changed, end })])).summary?.completed;
  expect(done("closed")).toContain("3 vouchers");
  expect(done("interrupted")).toBe("");
});

test("work is done though something was asked before its last words", () => {
  const told = "Shall receipts follow suit? src/cart.ts counts each of the 3 vouchers once.";
  const pieces = asked("Mend the cart", told);
  expect(summarize(input("prompt", [turn(1, pieces, changed)])).summary?.completed).toContain(
    "3 vouchers",
  );
});
