// A session as a file: every word that somebody said, with who and when.
import { expect, test } from "bun:test";
import { asMarkdown } from "../../src/page/as-markdown.ts";
import { fullTime, timeOfDay } from "../../src/page/words.ts";
import type { Session } from "../../src/sdk/model.ts";
import { sampleSession, sampleTurn } from "../support/sample-records.ts";

test("an accepted plan, a prompt and the answers stand under their speakers; what tools gave does not", () => {
  const base = { ...sampleSession(), title: "Prices", subtitle: "", prompts: 2 };
  const session: Session = { ...base, observations: 0, endedAt: null };
  const [first, second] = [1_000, 61_000];
  const turn = (promptNumber: number, startedAt: number) => ({
    ...sampleTurn({ promptNumber, startedAt }),
    id: `t${promptNumber}`,
  });
  const turns = [
    {
      ...turn(1, first),
      pieces: [
        { kind: "plan" as const, text: "Keep prices in cents." },
        { kind: "said" as const, text: "I begin.", time: second },
        { kind: "passed" as const, text: "ok", about: "bun test" },
        { kind: "closing" as const, text: "Done." },
      ],
    },
    { ...turn(2, second), pieces: [{ kind: "prompt" as const, text: "Commit it." }] },
    { ...turn(3, second), pieces: [{ kind: "passed" as const, text: "ok" }] },
  ];
  expect(asMarkdown({ session, turns })).toBe(`# Prices

## Prompt 1 · ${fullTime(first)}

**Plan that you accepted:**

Keep prices in cents.

**Agent, ${timeOfDay(second)}:**

I begin.

Done.

## Prompt 2 · ${fullTime(second)}

**You:**

Commit it.
`);
});
