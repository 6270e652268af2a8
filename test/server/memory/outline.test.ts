// What a card says of a session: counted from its evidence, with what was given to it and who was shown it.
import { expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outlinesOf } from "../../../src/server/memory/overview.ts";
import { usesOf } from "../../../src/strategy/uses.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { session, summary } from "../../support/records.ts";
import { turn } from "../../support/turns.ts";

const project = "github.com/acme/shop";
const given = { session: "s1", client: "claude-code", event: "SessionStart", records: ["t9"] };
const item = {
  ...{ id: "m1", date: "2026-11-20", content: "Two minutes", context: "", project },
  session: "s1",
};

async function outline(of: string) {
  const home = await mkdtemp(join(tmpdir(), "memoir-outline-"));
  const uses = await usesOf(home);
  const note = { kind: "start" as const, project, time: 1 };
  uses.add({ ...note, session: "later", ids: ["t1"] });
  uses.note({ session: "later", named: "memoir show t1" });
  uses.add({ ...note, session: "another", ids: ["t1", "m1"] });
  uses.add({ ...note, session: "s1", ids: ["t1"] });
  const turns = [
    turn(
      1,
      [
        ["prompt", "Fix it"],
        ["failure", "1 failed", "npm test"],
        ["repair", "", "npm test"],
      ],
      { changed: ["a.ts", "b.ts"] },
    ),
    turn(
      2,
      [
        ["plan", "# Plan"],
        ["commit", "Fix it", "4f1c2aa"],
      ],
      { changed: ["a.ts"] },
    ),
  ];
  const hooks = fakeHooks({
    "storage.turns": ({ session: id }) => (id === "s1" ? turns : []),
    "storage.memory": ({ session: id }) =>
      id === "s1"
        ? [
            { ...item, kind: "decisions" as const, state: "standing" as const },
            { ...item, id: "m3", kind: "decisions" as const, state: "candidate" as const },
            { ...item, id: "m2", kind: "workflows" as const },
          ]
        : [],
    "storage.summaries": ({ session: id }) =>
      id === "s1"
        ? [
            summary("s8", { scope: "prompt", completed: "No" }),
            summary("s9", { scope: "session", completed: "Fixed", nextSteps: "Publish" }),
          ]
        : [],
  });
  const toldTo = (asked: { session: string }) =>
    asked.session === "s1"
      ? [
          { ...given, time: 1, tokens: 100 },
          { ...given, time: 2, tokens: 12 },
        ]
      : [];
  return (await outlinesOf({ hooks, home, toldTo }, [session("s1"), session("empty")]))[of];
}

test("everything in it is counted once, and who used it is no more than who was shown it", async () => {
  expect(await outline("s1")).toEqual({
    ...{ outcome: "Fixed", open: "Publish", failures: 1, fixed: 1, commits: 1, files: 2 },
    ...{
      plans: 1,
      worked: 120_000,
      decisions: 1,
      given: { times: 2, tokens: 112 },
      at: { failures: 1, fixed: 1, commits: 2, plans: 2, files: 1 },
      shownTo: 2,
      usedBy: 1,
    },
  });
});

test("a session of which nothing is known", async () => {
  expect(await outline("empty")).toEqual({
    ...{ outcome: "", open: "", failures: 0, fixed: 0, commits: 0, files: 0 },
    ...{ plans: 0, worked: 0, at: {}, decisions: 0, shownTo: 0, usedBy: 0 },
  });
});
