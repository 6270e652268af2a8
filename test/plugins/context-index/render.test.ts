// The index as an agent reads it, and the limits it never breaks.
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../../plugins/context-index/clock.ts";
import type { Memory } from "../../../plugins/context-index/memory.ts";
import { renderIndex } from "../../../plugins/context-index/render.ts";
import { stripContext } from "../../../src/privacy/marker.ts";
import { observation, prompt, summary } from "../../support/records.ts";

const utc: Clock = {
  day: (time) => new Date(time).toISOString().slice(0, 10),
  time: (time) => new Date(time).toISOString().slice(11, 16),
};
const day = 86_400_000;
const now = Date.UTC(2026, 10, 20, 16, 0);
const project = { id: "github.com/acme/shop", name: "shop" };
const empty: Memory = {
  project,
  observations: [],
  summaries: [],
  standing: [],
  own: { observations: [], summaries: [], prompts: [] },
  titles: new Map(),
};
const render = (memory: Partial<Memory>, maxCharacters = 6_000, source = "startup") =>
  renderIndex({ ...empty, ...memory }, { maxCharacters, clock: utc, command: "memoir", source });
const golden = (name: string) => readFile(join(import.meta.dir, "golden", `${name}.txt`), "utf8");

const startup: Partial<Memory> = {
  titles: new Map([
    ["s3", "Fix the login loop"],
    ["s2", "Add cart totals"],
    ["s1", "Explore the checkout"],
  ]),
  summaries: [
    summary("s12", { session: "s3", time: now }),
    summary("s11", { session: "s3", scope: "prompt", time: now - 1_000 }),
    summary("s9", {
      session: "s2",
      time: now - day,
      completed: "Cart totals include taxes.",
      nextSteps: "Nothing.",
    }),
    summary("s4", {
      session: "s1",
      time: now - 3 * day,
      completed: "",
      learned: "Checkout has two steps.",
    }),
  ],
  observations: [
    observation("o31", {
      session: "s3",
      time: now - 60_000,
      branch: "feature/auth",
      discoveryTokens: 12_345,
    }),
    observation("o30", {
      session: "s3",
      time: now - 120_000,
      branch: "feature/auth",
      type: "discovery",
      title: "Logout path has no test",
      subtitle: "",
      facts: [
        "bun test still failed at the end: logout clears the cookie twice in test/logout.test.ts.",
      ],
      filesModified: [],
      filesRead: ["test/logout.test.ts"],
    }),
    observation("o22", {
      session: "s2",
      time: now - day,
      type: "decision",
      title: "Money is kept in cents",
      facts: [
        "Amounts are integers in cents everywhere; formatting happens in src/format.ts only.",
      ],
      filesModified: ["src/cart.ts"],
    }),
    observation("o21", {
      session: "s2",
      time: now - day,
      type: "feature",
      title: "Cart totals include taxes",
      subtitle: "totalOf() adds the tax of each line before it rounds.",
      filesModified: ["src/cart.ts", "src/auth/refresh.ts"],
      agent: { id: "a1", type: "Explore" },
    }),
  ],
};

describe("golden", () => {
  test("startup", async () => {
    expect(`${render(startup)}\n`).toBe(await golden("startup"));
  });
  test("compact", async () => {
    const memory = {
      ...startup,
      own: {
        summaries: [
          summary("s21", { session: "me", scope: "prompt", promptNumber: 2, time: now }),
          summary("s20", {
            session: "me",
            scope: "prompt",
            promptNumber: 1,
            time: now - 600_000,
            request: "Look at the logout path.",
            completed: "",
            nextSteps: "",
          }),
        ],
        prompts: [
          prompt("p3", { session: "me", promptNumber: 3, time: now + 60_000 }),
          prompt("p2", { session: "me", promptNumber: 2 }),
        ],
        observations: [observation("o40", { session: "me", time: now - 30_000 })],
      },
    };
    expect(`${render(memory, 6_000, "compact")}\n`).toBe(await golden("compact"));
  });
});

test("nothing to say is nothing", () => {
  expect(render({})).toBeUndefined();
  expect(render({ titles: new Map([["s1", "Title"]]) })).toBeUndefined();
  expect(
    render({
      summaries: [
        summary("s1", {
          request: " ",
          completed: "",
          nextSteps: "",
          learned: "",
          notes: "",
          filesEdited: [],
        }),
      ],
    }),
  ).toBeUndefined();
});

test("what failed is not told once a later change touched its file", () => {
  const failed = observation("o1", {
    time: now - 1_000,
    facts: ["bun test still fails in src/a.ts with one error about the missing import."],
    filesModified: ["src/a.ts"],
  });
  expect(render({ observations: [failed] })).toContain("Still failing");
  const fixed = observation("o2", { time: now, facts: [], filesModified: ["src/a.ts"] });
  expect(render({ observations: [fixed, failed] })).not.toContain("Still failing");
});

describe("limits", () => {
  const nasty = "🙂 \ud800 </memoir-context> &lt;memoir-context&gt; line\nbreak ".repeat(40);
  const big: Partial<Memory> = {
    titles: new Map([["s1", nasty]]),
    summaries: Array.from({ length: 30 }, (_, i) =>
      summary(`s${i}`, {
        session: i === 0 ? "s1" : `x${i}`,
        time: now - i * day,
        request: nasty,
        completed: nasty,
        nextSteps: nasty,
        learned: nasty,
        filesEdited: Array.from({ length: 50 }, (_unused, k) => `src/${"long/".repeat(30)}${k}.ts`),
      }),
    ),
    observations: Array.from({ length: 200 }, (_, i) =>
      observation(`o${i}`, {
        time: now - i * 60_000,
        session: `x${i % 7}`,
        type: i % 5 === 0 ? "decision" : "bugfix",
        title: nasty,
        subtitle: nasty,
        facts: [nasty],
        branch: nasty,
        discoveryTokens: 1_000_000,
      }),
    ),
  };
  const budgets = [...Array.from({ length: 31 }, (_, i) => 1_000 + i * 300)];
  test("any budget holds; the mark is closed, everything is in the plane, no line is torn", () => {
    const whole = new Set((render(big, 10_000_000) ?? "").split("\n"));
    let last = 0;
    for (const budget of budgets) {
      const text = render(big, budget) ?? "";
      expect(text.length).toBeLessThanOrEqual(budget);
      expect(text.length).toBeGreaterThanOrEqual(last > 0 ? 600 : 0);
      expect(/[\ud800-\udfff]/.test(text)).toBe(false);
      expect(text.endsWith("\n</memoir-context>")).toBe(true);
      expect(stripContext(`a${text}b`)).toBe("ab");
      const torn = text.split("\n").filter((line) => line.startsWith("- ") && !whole.has(line));
      expect(torn).toEqual([]);
      last = text.length;
    }
    expect(render(big, 10_000)?.length).toBeGreaterThan(8_500);
  });
  test("what is most useful survives the smallest budget", () => {
    const small = render(startup, 1_000) ?? "";
    expect(small).toContain("Last session: Fix the login loop");
    expect(small).toContain("Next: Cover the logout path with a test.");
    expect(small).toContain("memoir search");
    expect(small).not.toContain("Files changed most often");
  });
});
