// What counts as open, what closes it, and how pressing it is.
import { describe, expect, test } from "bun:test";
import { labelsOf } from "../../../plugins/context-handover/line.ts";
import { openThings } from "../../../plugins/context-handover/open.ts";
import { pastOf } from "../../../plugins/context-handover/past.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { localClock } from "../../../src/text/amounts.ts";
import { type ShortPiece, turn } from "../../support/turns.ts";

const labels = labelsOf("en");

/** Each open thing with the turn it is of, its head and what it says. */
function open(...turns: Turn[]) {
  const lines = openThings({ clock: localClock, labels, turns: pastOf(turns) });
  return lines.map(({ ids, head, rank, sayings }) => ({
    ...{ turn: ids[0], head, rank },
    said: sayings().map(({ text }) => text),
  }));
}
const of = (label: string, ...turns: Turn[]) =>
  open(...turns).filter(({ head }) => head.includes(label));
const ends = (number: number, session: string, closing: string, part: object = {}) =>
  turn(
    number,
    [
      ["prompt", `Look at part ${number}`],
      ["closing", closing],
    ],
    { session, ...part },
  );

describe("a question", () => {
  test("is the last sentence of a session, when that asks", () => {
    const asked = ends(1, "one", "The total is right. Should the receipt show cents?");
    expect(of(labels.question, asked)).toMatchObject([
      { turn: "t1", said: ["Should the receipt show cents?"] },
    ]);
    expect(of(labels.question, ends(1, "one", "Is it right? It is."))).toEqual([]);
  });

  test("with a list of answers comes with the whole list", () => {
    const closing = "All done.\nWhich one do you want?\n\n1. SQLite\n2. Postgres?";
    expect(of(labels.question, ends(1, "one", closing))[0]?.said).toEqual([
      "Which one do you want?\n\n1. SQLite\n2. Postgres?",
    ]);
  });

  test("that a later prompt of its session followed is none any more", () => {
    const [asked, next] = [ends(1, "one", "Shall I go on?"), ends(2, "one", "It is done.")];
    expect(of(labels.question, asked, next)).toEqual([]);
  });

  test("of a turn that is still open, or of the fifth newest session, is not told", () => {
    expect(of(labels.question, { ...ends(1, "one", "Shall I go on?"), end: "open" })).toEqual([]);
    const later = [2, 3, 4, 5].map((n) => ends(n, `s${n}`, `Part ${n} is fine.`));
    expect(of(labels.question, ends(1, "one", "Shall I?"), ...later)).toEqual([]);
    expect(of(labels.question, ends(1, "one", "Shall I?"), ...later.slice(1))).toHaveLength(1);
  });

  test("of a newer session is more pressing", () => {
    const [newer, older] = of(
      labels.question,
      ends(1, "one", "Which currency should it be?"),
      ends(2, "two", "Who reads the logs at night?"),
    );
    expect([newer?.turn, older?.turn]).toEqual(["t2", "t1"]);
    expect(older?.rank).toBeLessThan(newer?.rank ?? 0);
  });
});

describe("a list", () => {
  const list = (number: number, session: string, text: string) =>
    turn(
      number,
      [
        ["prompt", "Go on"],
        ["todo", text],
      ],
      { session },
    );
  const text = "- [x] read the parser\n- [ ] settle the rounding\n- [ ] write the migration";

  test("tells what it leaves to do", () => {
    expect(of(labels.todo, list(1, "one", text))[0]?.said).toEqual([
      "settle the rounding; write the migration",
    ]);
    expect(of(labels.todo, list(1, "one", "- [x] read the parser"))).toEqual([]);
  });

  test("is overtaken by any later one, and by a turn that took an entry up", () => {
    const later = list(2, "two", "- [ ] publish the release");
    expect(of(labels.todo, list(1, "one", text), later)[0]?.said).toEqual(["publish the release"]);
    const took = turn(2, [["prompt", "Settle the rounding now"]], { session: "two" });
    expect(of(labels.todo, list(1, "one", text), took)[0]?.said).toEqual(["write the migration"]);
  });

  test("of the fifth newest session is not told", () => {
    const later = [2, 3, 4, 5].map((n) => ends(n, `s${n}`, `Part ${n} is fine.`));
    expect(of(labels.todo, list(1, "one", text), ...later)).toEqual([]);
    expect(of(labels.todo, list(1, "one", text), ...later.slice(1))).toHaveLength(1);
  });
});

describe("a stop", () => {
  const stopped = (number: number, session: string, piece: ShortPiece) =>
    turn(number, [["prompt", "Clean up"], piece], { session });
  const refused = stopped(1, "one", ["refusal", "Not the backups.", "rm -r backups"]);
  const after = ends(2, "two", "It is clean.");

  test("tells what was not to be done, and the user's words", () => {
    const [line] = open(refused, after);
    expect(line).toMatchObject({ turn: "t1", said: ["Not the backups."] });
    expect(line?.head).toContain(`${labels.sections.refused}: \`rm -r backups\``);
    const [esc] = open(stopped(1, "one", ["interrupted", "", "make all"]), after);
    expect(esc?.head).toContain(`${labels.stopped}: \`make all\``);
    expect(esc?.said).toEqual([]);
  });

  test("is not told of the newest turn, which is told whole, nor of long ago", () => {
    expect(open(refused)).toEqual([]);
    expect(open(refused, after, ends(3, "three", "It is still clean."))).toEqual([]);
  });
});

describe("changed files without a commit", () => {
  const changes = (number: number, changed: string[], pieces: ShortPiece[] = []) =>
    turn(number, [["prompt", "Go on"], ...pieces], { changed });
  const commit: ShortPiece = ["commit", "fix: round once", "a81be3f (main)"];

  test("are those since the last commit", () => {
    const turns = [changes(1, ["a.ts"], [commit]), changes(2, ["b.ts"]), changes(3, ["c.ts"])];
    expect(of(labels.uncommitted, ...turns)[0]?.head).toBe(`${labels.uncommitted}: b.ts, c.ts`);
  });

  test("are none where no commit was seen, or none came after it", () => {
    expect(of(labels.uncommitted, changes(1, ["a.ts"]))).toEqual([]);
    expect(of(labels.uncommitted, changes(1, ["a.ts"], [commit]))).toEqual([]);
  });

  test("are the last six by name, the others by number", () => {
    const files = Array.from({ length: 9 }, (_, at) => `f${at}.ts`);
    expect(of(labels.uncommitted, changes(1, [], [commit]), changes(2, files))[0]?.head).toEndWith(
      ": f3.ts, f4.ts, f5.ts, f6.ts, f7.ts, f8.ts +3",
    );
  });
});

describe("a command that fails", () => {
  const fails = (number: number, command: string, session = `s${number}`) =>
    turn(
      number,
      [
        ["prompt", "Check"],
        ["failure", "error: 3 rows differ", command],
      ],
      { session },
    );

  test("is told with what it printed, the last three of them", () => {
    const one = (number: number) => fails(number, `make check-${number}`, "one");
    const lines = of(labels.failed, one(1), one(2), one(3), one(4));
    expect(lines.map(({ turn: id }) => id)).toEqual(["t2", "t3", "t4"]);
    expect(lines[0]?.head).toContain("`make check-2`");
    expect(lines[0]?.said).toEqual(["error: 3 rows differ"]);
  });

  test("of the fifth newest session is not told", () => {
    const later = [2, 3, 4, 5].map((n) => ends(n, `s${n}`, `Part ${n} is fine.`));
    expect(of(labels.failed, fails(1, "make check"), ...later)).toEqual([]);
    expect(of(labels.failed, fails(1, "make check"), ...later.slice(1))).toHaveLength(1);
  });
});
