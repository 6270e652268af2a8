// The parts of an observation that need no words: what was touched, what is known of commands and files, and of which kind it is.

import { describe, expect, test } from "bun:test";
import {
  fileFacts,
  openFailures,
  repairFacts,
} from "../../../plugins/observation-heuristic/describe-work.ts";
import { type Happened, kindOf } from "../../../plugins/observation-heuristic/kind.ts";
import type { Evidence, NewTurn } from "../../../src/sdk/turn.ts";

const turn = (...pieces: Evidence[]): NewTurn => ({
  ...{ session: "s", client: "c", project: "p", promptNumber: 1, startedAt: 0, time: 0 },
  ...{ end: "closed", files: [], pieces },
});

describe("the kind", () => {
  const happened: Happened = { changed: 1, made: 0, committed: false, repaired: false, words: [] };
  const choice: Evidence = { kind: "choice", text: "SQLite" };
  test.each<[string, Partial<Happened>, Evidence[], string]>([
    ["nothing changed, nothing decided", { changed: 0 }, [], "discovery"],
    ["nothing changed, and the user chose", { changed: 0 }, [choice], "decision"],
    [
      "nothing changed, and a plan was accepted",
      { changed: 0 },
      [{ kind: "plan", text: "x" }],
      "decision",
    ],
    ["a refusal with its reason", { changed: 0 }, [{ kind: "refusal", text: "No" }], "decision"],
    [
      "a refusal that only asks",
      { changed: 0 },
      [{ kind: "refusal", text: "should it dry-run?" }],
      "discovery",
    ],
    ["a refusal without a reason", { changed: 0 }, [{ kind: "refusal", text: "" }], "discovery"],
    ["a commit alone, after a choice", { changed: 0, committed: true }, [choice], "change"],
    [
      "the words of the commit before those of the request",
      { words: ["fix: it", "Add a page"] },
      [],
      "bugfix",
    ],
    ["the request where the commit says nothing", { words: ["wip", "Add a page"] }, [], "feature"],
    ["mostly new files", { changed: 3, made: 2 }, [], "feature"],
    ["what failed and passes now", { changed: 3, made: 1, repaired: true }, [], "bugfix"],
    ["some new files", { changed: 3, made: 1 }, [], "feature"],
    ["changes alone", { changed: 3 }, [], "change"],
  ])("%s", (_, part, pieces, kind) => {
    expect(kindOf({ ...happened, ...part }, turn(...pieces))).toBe(kind as "change");
  });
});

test("a file is told with six of the names that changed in it, and how many there are", () => {
  const symbols = [..."abcdefgh"];
  const files = [
    { path: "a.ts", changed: true, symbols },
    { path: "b.ts", changed: true, symbols: ["x"] },
    { path: "c.ts", changed: true },
  ];
  expect(fileFacts(files, ["a.ts", "b.ts", "c.ts", "d.ts"])).toEqual([
    { text: "a.ts changed: a, b, c, d, e, f … (8 in all)" },
    { text: "b.ts changed: x" },
  ]);
});

const repair = (more: Partial<Evidence> = {}): Evidence => ({
  ...{ kind: "repair", about: "npm test", text: "Error: 90 is not 80\n\n→ a.ts\nb.ts\nc.ts\nd.ts" },
  ...more,
});

test("a repair names the command, what failed and three of the files; nobody else's is told", () => {
  const within = new Set(["t1"]);
  const said =
    "`npm test` failed: Error: 90 is not 80; it passed after changes to a.ts, b.ts, c.ts, …";
  expect(repairFacts(turn({ kind: "prompt", text: "x" }, repair()), within)).toEqual([
    { text: said, piece: 1 },
  ]);
  expect(repairFacts(turn(repair({ toolUseId: "t1" })), within)).toHaveLength(1);
  expect(repairFacts(turn(repair({ toolUseId: "t2" })), within)).toEqual([]);
  expect(repairFacts(turn(repair({ agent: "a7" })), within)).toEqual([]);
});

describe("a failure that is open", () => {
  const fails = (about: string, more: Partial<Evidence> = {}): Evidence => ({
    ...{ kind: "failure", about, text: "Error: no", ...more },
  });
  const passes = (about: string): Evidence => ({ kind: "passed", about, text: "" });
  const open = (...pieces: Evidence[]) =>
    openFailures(turn(...pieces), new Set()).map(({ text }) => /`([^`]+)`/.exec(text)?.[1]);

  test.each<[string, Evidence[], string[]]>([
    ["failed last of all", [passes("make"), fails("npm test")], ["npm test"]],
    ["failed again and again", [fails("npm test", { times: 2 }), passes("make")], ["npm test"]],
    ["is none when it was a slip and other things ran", [fails("npm tets"), passes("make")], []],
    ["is none when it passed later", [fails("npm test", { times: 2 }), passes("npm test")], []],
    [
      "is none once something was committed",
      [fails("npm test", { times: 2 }), { kind: "commit", text: "Mend it" }],
      [],
    ],
    ["is none of a subagent's", [fails("npm test", { agent: "a7" })], []],
  ])("%s", (_, pieces, wanted) => {
    expect(open(...pieces)).toEqual(wanted);
  });
});
