// All recorded sessions through observer and summariser: no crash, no broken field rule. Skips when the recordings are not there.
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { observe } from "../../plugins/observation-heuristic/index.ts";
import { summarize } from "../../plugins/summarization-heuristic/index.ts";
import type { ObservationDraft } from "../../src/sdk/model.ts";
import { type RecordedSession, readSessions } from "../support/transcript-events.ts";
import { captured } from "./capture.ts";
import { withContexts } from "./contexts.ts";
import { type ReplayedSession, replaySession } from "./replay.ts";
import { breaksOf } from "./rules.ts";

const root = join(import.meta.dirname, "../../../shared/data/transcripts");
const present = existsSync(root);
if (!present)
  console.log(
    "Skipped: no recorded transcripts beside the repository (../shared/data/transcripts).",
  );

describe.skipIf(!present)("recorded sessions", () => {
  const recorded: Array<{ folder: string; session: RecordedSession }> = [];
  let replayed: ReplayedSession[] = [];
  beforeAll(async () => {
    for (const { folder, path, session } of await readSessions(root)) {
      const { session: kept } = await captured(session);
      recorded.push({ folder, session: await withContexts(kept, path, root) });
    }
    replayed = recorded.map(({ folder, session }) =>
      replaySession(folder, session, { observe, summarize }),
    );
  });

  test("break no rule", () => {
    const breaks = replayed.flatMap((session) => [
      ...session.breaks,
      ...session.prompts.flatMap((prompt) => prompt.breaks),
    ]);
    expect(breaks).toEqual([]);
  });

  test("give observations for work and none for most talk", () => {
    const prompts = replayed.flatMap((session) => session.prompts);
    const worked = prompts.filter((prompt) => prompt.toolUses >= 10);
    const talked = prompts.filter((prompt) => prompt.toolUses === 0);
    expect(
      worked.filter((prompt) => prompt.observations.length > 0).length / worked.length,
    ).toBeGreaterThan(0.8);
    expect(
      talked.filter((prompt) => prompt.observations.length > 0).length / talked.length,
    ).toBeLessThan(0.2);
  });

  test("give the same answer twice", () => {
    const some = recorded.slice(0, 6);
    const again = some.map(({ folder, session }) =>
      replaySession(folder, session, { observe, summarize }),
    );
    const told = (session: ReplayedSession) =>
      session.prompts.map((prompt) => [prompt.observations, prompt.summary]);
    expect(again.map(told)).toEqual(replayed.slice(0, 6).map(told));
  });

  test("hold in the per-tool-use form too", () => {
    const breaks = recorded.slice(0, 12).flatMap(({ session }) =>
      session.prompts.flatMap((prompt) =>
        prompt.toolUses.flatMap((use) =>
          observe({
            key: use.id,
            session: {
              id: session.id,
              client: "claude-code",
              project: { id: "p", name: "p", root: session.cwd || "/nowhere" },
            },
            prompt: { number: prompt.number, text: prompt.text },
            toolUses: [use],
            waiting: true,
          }).observations.flatMap(breaksOf),
        ),
      ),
    );
    expect(breaks).toEqual([]);
  });
});

test("the rules catch what they are there for", () => {
  const sound: ObservationDraft = {
    type: "feature",
    title: "Add a retry",
    subtitle: "Sending is tried three times",
    facts: ["src/send.ts: added the function sendAgain; 12 lines added, 1 removed"],
    narrative: "Asked: Add a retry.",
    concepts: ["api", "typescript"],
    filesRead: [],
    filesModified: ["src/send.ts"],
    toolUseIds: ["t1"],
  };
  expect(breaksOf(sound)).toEqual([]);
  const broken: Array<[Partial<ObservationDraft>, string]> = [
    [{ title: "" }, "title is one line of at most 140 characters"],
    [{ title: "word ".repeat(30) }, "title is one line of at most 140 characters"],
    [{ facts: Array(8).fill("One and the same fact.") }, "at most 7 facts"],
    [{ facts: ["word ".repeat(100)] }, "fact has at most 400 characters"],
    [{ facts: ["two\nlines"] }, "fact is one line"],
    [
      { facts: ["/home/kim/shop/src/send.ts: added the function sendAgain in 12 lines"] },
      "no home path",
    ],
    [{ concepts: ["api"] }, "2 to 5 concepts"],
    [{ concepts: ["API", "Cart"] }, "concepts are lower-case and differ"],
    [{ narrative: "" }, "narrative is not empty"],
    [{ narrative: "a <system-reminder> b" }, "no client markup"],
    [{ narrative: "\u001b[31mred" }, "no terminal codes"],
    [{ narrative: "half a rocket \ud83d" }, "whole characters"],
  ];
  for (const [change, rule] of broken) {
    expect(breaksOf({ ...sound, ...change }).map((found) => found.rule)).toContain(rule);
  }
});
