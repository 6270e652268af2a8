// The three scopes of a summary: what each field says, and when there is none.
import { describe, expect, test } from "bun:test";
import plugin from "../../../plugins/summarization-heuristic/index.ts";
import { asDone } from "../../../plugins/summarization-heuristic/prose-field.ts";
import { summarize } from "../../../plugins/summarization-heuristic/summarize.ts";
import type { NewPrompt, Observation, Summary } from "../../../src/sdk/model.ts";
import type { SummaryInput, ToolUse } from "../../../src/sdk/work.ts";

const root = "/home/kim/shop";
const session = {
  id: "s1",
  client: "claude-code",
  project: { id: "github.com/kim/shop", name: "shop", root },
};
const prompt = (text: string, promptNumber = 1): NewPrompt => ({
  session: "s1",
  client: "claude-code",
  project: session.project.id,
  promptNumber,
  text,
  time: promptNumber,
});
const use = (name: string, input: unknown, rest: Partial<ToolUse> = {}): ToolUse => ({
  id: `${name}-1`,
  name,
  input,
  response: {},
  time: 1,
  cwd: root,
  ...rest,
});
const observation = (fields: Partial<Observation>): Observation => ({
  id: "o1",
  type: "feature",
  title: "Add coupon codes to the checkout",
  subtitle: "",
  facts: ["src/coupon.ts: new file (40 lines) with CouponStore and redeem"],
  narrative: "n",
  concepts: ["checkout", "api"],
  filesRead: [],
  filesModified: ["src/coupon.ts"],
  toolUseIds: ["t1"],
  session: "s1",
  client: "claude-code",
  project: session.project.id,
  promptNumber: 1,
  time: 1,
  discoveryTokens: null,
  observerTokens: 0,
  provenance: { strategy: "heuristic", model: null },
  ...fields,
});
const input = (fields: Partial<SummaryInput>): SummaryInput => ({
  key: "k",
  scope: "prompt",
  session,
  prompts: [],
  toolUses: [],
  observations: [],
  summaries: [],
  ...fields,
});

describe("opening", () => {
  const openings: Array<[string, string | undefined]> = [
    ["can you please add dark mode to the settings page?", "Add dark mode"],
    ["fix the flaky login test", "Fix the flaky login test"],
    ["ok", undefined],
    ["let's remove this restriction", undefined],
    [
      "the function getTotal in cart.ts returns a negative number when the cart is empty and nobody noticed",
      "About getTotal and cart.ts",
    ],
  ];
  test.each(openings)("%s", (text, title) => {
    const result = summarize(input({ scope: "opening", prompts: [prompt(text)] }));
    expect(result.title).toBe(title);
    expect(result.summary).toBeUndefined();
    if (result.subtitle !== undefined)
      expect(result.subtitle.split(/\s+/).length).toBeLessThanOrEqual(20);
  });

  test("passes over a first prompt that asks for nothing", () => {
    expect(
      summarize(
        input({
          scope: "opening",
          prompts: [prompt("hello"), prompt("rename the cart module", 2)],
        }),
      ).title,
    ).toBe("Rename the cart module");
  });
});

describe("a prompt", () => {
  const closing = [
    "All 42 tests pass.",
    "I've added `redeem()` in `src/coupon.ts`. The problem was that the checkout never asked for a code.",
    "",
    "## Next steps",
    "- Send the coupon mails from the worker",
  ].join("\n");
  const worked = input({
    prompts: [prompt("please add coupon codes to the checkout")],
    toolUses: [
      use("Read", { file_path: `${root}/src/cart.ts` }),
      use("Read", { file_path: `${root}/src/tax.ts` }),
      use("Write", { file_path: `${root}/src/coupon.ts`, content: "export function redeem() {}" }),
      use("Edit", { file_path: `${root}/src/bad.ts` }, { error: "no" }),
    ],
    observations: [observation({})],
    lastAssistantMessage: closing,
  });

  test("is told in all its fields", () => {
    expect(summarize(worked).summary).toEqual({
      request: "Add coupon codes to the checkout.",
      investigated: "Read cart.ts and tax.ts.",
      learned: "The problem was that the checkout never asked for a code.",
      completed: "Added redeem() in src/coupon.ts.",
      nextSteps: "Send the coupon mails from the worker.",
      filesRead: ["src/cart.ts", "src/tax.ts"],
      filesEdited: ["src/coupon.ts"],
      notes: "All 42 tests pass.",
    });
  });

  test("falls back on its observations when nobody closed it with words", () => {
    const { summary } = summarize({ ...worked, lastAssistantMessage: "" });
    expect(summary?.completed).toBe("Added coupon codes to the checkout.");
    expect(summary?.nextSteps).toBe("");
  });

  test("says what still fails and what is left on the list", () => {
    const failing = observation({
      facts: ["bun test still failed at the end: src/cart.ts:14: expected 90, received 100"],
    });
    const todos = use("TodoWrite", {
      todos: [
        { content: "Write the docs", status: "pending" },
        { content: "Done thing", status: "completed" },
      ],
    });
    const { summary } = summarize({
      ...worked,
      toolUses: [...worked.toolUses, todos],
      observations: [failing],
    });
    expect(summary?.nextSteps).toStartWith(
      "Bun test still failed at the end: src/cart.ts:14: expected 90, received 100. Open to-do items: Write the docs.",
    );
  });

  test("keeps an open question when nothing else remains", () => {
    const { summary } = summarize({
      ...worked,
      lastAssistantMessage: "Added `redeem()`.\n\nShould the coupon expire after a year?",
    });
    expect(summary?.nextSteps).toBe("Open question: Should the coupon expire after a year?");
  });

  test("keeps decisions of the user as notes", () => {
    const decision = observation({
      type: "decision",
      filesModified: [],
      facts: ["User decision: Use postgres instead of sqlite for the orders"],
    });
    expect(summarize({ ...worked, observations: [decision] }).summary?.notes).toStartWith(
      "User decision: Use postgres instead of sqlite for the orders.",
    );
  });

  test.each(["thanks!", "ok", "yes", "continue"])("%s without work gives no summary", (text) => {
    expect(
      summarize(
        input({
          prompts: [prompt(text)],
          lastAssistantMessage: "You're welcome! Let me know if you need anything else.",
        }),
      ).summary,
    ).toBeUndefined();
  });

  test("claims no work where nothing was edited, unless it leaves no edit", () => {
    const talked = input({
      prompts: [prompt("how does the cart work?")],
      lastAssistantMessage:
        "- Created orders are kept in `orders.json`\n- Found two carts without an owner in `carts.json`",
    });
    expect(summarize(talked).summary?.completed).toBe(
      "Found two carts without an owner in carts.json.",
    );
  });

  test("names the code that a list is about", () => {
    const { summary } = summarize({
      ...worked,
      lastAssistantMessage:
        "`loadCart()` does three things:\n- Returns the stored lines of the customer",
    });
    expect(summary?.learned).toBe("loadCart: Returns the stored lines of the customer.");
  });

  test("says nothing twice", () => {
    const { summary } = summarize({
      ...worked,
      lastAssistantMessage:
        "- Added `redeem()` in `src/coupon.ts`\n- I've added `redeem()` to `src/coupon.ts`",
    });
    expect(summary?.completed).toBe("Added redeem() in src/coupon.ts.");
  });

  test("does not claim work of earlier prompts that the message repeats", () => {
    const { summary } = summarize({
      ...worked,
      lastAssistantMessage:
        "- Added `redeem()` in `src/coupon.ts`\n- Fixed `oldBug()` in `src/legacy.ts`",
    });
    expect(summary?.completed).toBe("Added redeem() in src/coupon.ts.");
  });
});

describe("titles told as done", () => {
  const titles: Array<[string, string]> = [
    ["Add retry to the sender", "Added retry to the sender"],
    ["Wrap the prompt", "Wrapped the prompt"],
    ["Copy the file", "Copied the file"],
    ["Move it over", "Moved it over"],
    ["Keep sessions in files", "Kept sessions in files"],
    ["Repair streaming", "Repaired streaming"],
    ["Drop the table", "Dropped the table"],
    ["Clean the cache", "Cleaned the cache"],
    ["Edit two files", "Edited two files"],
    ["Removed the import", "Removed the import"],
    ["Sessions are kept in files", "Sessions are kept in files"],
  ];
  test.each(titles)("%s", (title, done) => {
    expect(asDone(title)).toBe(done);
  });
});

describe("a session", () => {
  const done = (promptNumber: number, fields: Partial<Summary>): Summary => ({
    id: `s${promptNumber}`,
    scope: "prompt",
    request: "",
    investigated: "",
    learned: "",
    completed: "",
    nextSteps: "",
    filesRead: [],
    filesEdited: [],
    notes: "",
    session: "s1",
    client: "claude-code",
    project: session.project.id,
    promptNumber,
    time: promptNumber,
    observerTokens: 0,
    provenance: { strategy: "heuristic-summary", model: null },
    ...fields,
  });
  const whole = input({
    scope: "session",
    prompts: [
      prompt("hi there"),
      prompt("add coupon codes to the checkout", 2),
      prompt("thanks", 3),
      prompt("fix the login redirect", 4),
    ],
    observations: [
      observation({ toolUseIds: ["a", "b"] }),
      observation({
        id: "o2",
        type: "bugfix",
        title: "Fix the login redirect",
        filesModified: ["src/login.ts"],
        promptNumber: 4,
      }),
      observation({
        id: "o3",
        title: "Add tests for coupons",
        filesModified: ["test/coupon.test.ts"],
      }),
    ],
    summaries: [
      done(2, {
        learned: "Coupons live in redis. And more.",
        nextSteps: "Send mails.",
        filesEdited: ["src/coupon.ts"],
      }),
      done(4, {
        learned: "The redirect lost its query.",
        filesRead: ["src/login.ts", "src/router.ts", "src/query.ts"],
      }),
    ],
  });

  test("is told from its prompts, observations and summaries", () => {
    const { summary } = summarize(whole);
    expect(summary?.request).toBe("Add coupon codes to the checkout. Fix the login redirect.");
    expect(summary?.completed).toBe(
      "Added coupon codes to the checkout; Fixed the login redirect; Added tests for coupons.",
    );
    expect(summary?.learned).toBe("Coupons live in redis. The redirect lost its query.");
    expect(summary?.nextSteps).toBe("Send mails.");
    expect(summary?.filesEdited).toEqual(["src/coupon.ts", "src/login.ts", "test/coupon.test.ts"]);
    expect(summary?.filesRead).toEqual(["src/router.ts", "src/query.ts"]);
  });

  test("gets its title from the request, or from the largest change", () => {
    expect(summarize(whole).title).toBe("Add coupon codes to the checkout");
    const asked = { ...whole, prompts: [prompt("why is the checkout so slow?")] };
    expect(summarize(asked).title).toBe("Add coupon codes to the checkout");
  });

  test("without anything to tell has no summary", () => {
    expect(
      summarize(input({ scope: "session", prompts: [prompt("hi there")] })).summary,
    ).toBeUndefined();
  });
});

test("odd inputs never throw", () => {
  for (const scope of ["opening", "prompt", "session"] as const) {
    for (const text of [
      "",
      "\u0000",
      "<".repeat(10_000),
      "🎉".repeat(2_000),
      "```",
      "| | |\n|-|",
    ]) {
      summarize(
        input({
          scope,
          prompts: [prompt(text)],
          lastAssistantMessage: text,
          toolUses: [
            use("Write", null),
            use("Edit", { edits: [null, 3] }),
            use("TodoWrite", { todos: [null, 1] }),
          ],
        }),
      );
    }
    summarize(input({ scope }));
  }
  expect(plugin.slot).toBe("summarization");
});
