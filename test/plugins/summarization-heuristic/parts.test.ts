// Parts of a summary: what was read and changed, sentences side by side, and how much of a long session is told.
import { expect, test } from "bun:test";
import { summarize } from "../../../plugins/summarization-heuristic/index.ts";
import type { Evidence, NewTurn } from "../../../src/sdk/turn.ts";
import type { SummaryInput } from "../../../src/sdk/work.ts";
import { sampleBatch } from "../../support/observer-batch.ts";
import { observation, prompt, summary } from "../../support/records.ts";
import { sampleTurn } from "../../support/sample-records.ts";

const { session } = sampleBatch([]);
const file = (path: string, changed = false) => ({ path, changed });
const turn = (promptNumber: number, pieces: Evidence[], part: Partial<NewTurn> = {}): NewTurn =>
  sampleTurn({ promptNumber, pieces, ...part });
const input = (
  scope: SummaryInput["scope"],
  turns: NewTurn[] | undefined,
  part: Partial<SummaryInput> = {},
): SummaryInput => ({
  ...{ key: "k", scope, session, prompts: [], toolUses: [], observations: [], summaries: [] },
  ...(turns && { turns }),
  ...part,
});
const asked = (text: string, closing: string): Evidence[] => [
  { kind: "prompt", text },
  { kind: "closing", text: closing },
];
const check = (kind: "failure" | "passed", about = "bun test"): Evidence => ({
  kind,
  text: "",
  about,
});
const told = asked("Mend the cart of the shop", "The cart counts each voucher once now");
const of = (turns: NewTurn[] | undefined, part: Partial<SummaryInput> = {}) =>
  summarize(input("prompt", turns, part)).summary;

test.each<[string, number, string]>([
  ["one file beside a change is not told", 1, ""],
  ["two are", 2, "Read r0.ts, r1.ts."],
  ["six are all named", 6, "Read r0.ts, r1.ts, r2.ts, r3.ts, r4.ts, r5.ts."],
  [
    "of more the others are counted",
    8,
    "Read r0.ts, r1.ts, r2.ts, r3.ts, r4.ts, r5.ts and 2 more.",
  ],
])("what was read: %s", (_, count, text) => {
  const read = Array.from({ length: count }, (_value, i) => file(`src/r${i}.ts`));
  expect(of([turn(1, told, { files: [file("src/cart.ts", true), ...read] })])?.investigated).toBe(
    text,
  );
});

test("what subagents were sent for and commands looked at comes before what was read", () => {
  const looked: Evidence[] = [
    { kind: "task", text: "Find it", about: "Find vouchers" },
    { kind: "ran", text: "", about: "git log | head", described: "Show recent commits" },
    { kind: "ran", text: "", about: "ls", described: "List files", agent: "a1" },
  ];
  const files = [file("src/cart.ts"), file("src/mail.ts")];
  const found = (part: Partial<NewTurn>) => of([turn(1, [...told, ...looked], part)])?.investigated;
  expect(found({ files })).toBe("Find vouchers. Show recent commits. Read cart.ts, mail.ts.");
  expect(found({ files: [file("src/cart.ts", true)] })).toBe("Find vouchers.");
});

test("one file alone is told where nothing was changed", () => {
  const found = asked(
    "Why does the cart of the shop count twice?",
    "The cart counts vouchers twice in `totalOf`.",
  );
  expect(of([turn(1, found, { files: [file("src/cart.ts")] })])?.investigated).toBe(
    "Read cart.ts.",
  );
});

test("files are those of turns, observations and summaries, what was changed not among what was read, fifty at most", () => {
  const more = {
    observations: [observation("o1", { filesRead: ["b.ts", "a.ts"], filesModified: ["c.ts"] })],
    summaries: [summary("s1", { filesRead: ["d.ts", "e.ts"], filesEdited: ["e.ts"] })],
  };
  const one = of([turn(1, told, { files: [file("a.ts", true), file("f.ts")] })], more);
  expect([one?.filesEdited, one?.filesRead]).toEqual([
    ["a.ts", "c.ts", "e.ts"],
    ["f.ts", "b.ts", "d.ts"],
  ]);
  const many = Array.from({ length: 120 }, (_, i) => file(`f${i}.ts`, i % 2 === 0));
  const long = of([turn(1, told, { files: many })]);
  expect([long?.filesEdited.length, long?.filesRead.length]).toEqual([50, 50]);
});

test("a storage that keeps no turns is summed up by its prompts and the last words", () => {
  const made = of(undefined, {
    prompts: [prompt("p1", { promptNumber: 3, text: "Mend the cart of the shop" })],
    observations: [
      observation("o1", { promptNumber: 3, filesModified: ["a.ts", "a.ts"] }),
      observation("o2", { promptNumber: 2, filesModified: ["b.ts"] }),
    ],
    lastAssistantMessage: "The cart counts each voucher once now",
  });
  expect([made?.request, made?.completed]).toEqual([
    "Mend the cart of the shop",
    "The cart counts each voucher once now.",
  ]);
  expect(made?.evidence).toEqual([
    { turn: 3, piece: 0 },
    { turn: 3, piece: 1 },
  ]);
  expect(of(undefined, { prompts: [prompt("p1")] })).toBeUndefined();
  expect(of([])).toBeUndefined();
});

const commit = (text: string): Evidence => ({ kind: "commit", text });
const whole = (turns: NewTurn[]) => summarize(input("session", turns)).summary;
const subjects = "Heron,Ibis,Jackal,Koala,Lemur,Marmot,Narwhal,Ocelot".split(",");

test("a long session tells its first request and its last two", () => {
  const requests = subjects.map((name, i) =>
    turn(i + 1, [...asked(`Paint the ${name} blue`, ""), commit(`Paint ${name}`)]),
  );
  expect(whole(requests)?.request).toBe(
    "Paint the Heron blue. … Paint the Narwhal blue. Paint the Ocelot blue.",
  );
  expect(whole(requests.slice(0, 3))?.request).toBe(
    "Paint the Heron blue. Paint the Ibis blue. Paint the Jackal blue.",
  );
});

test("of many commits the last six are told, by their subjects, none twice, and then what it came to", () => {
  const commits = [...subjects, "Ocelot"].map((name) =>
    commit(`${name} has colour\n\nWith a body`),
  );
  const made = whole([
    turn(1, [...asked("Paint all", "All animals of the zoo are painted"), ...commits]),
  ]);
  const last = subjects.slice(2).map((name) => `${name} has colour.`);
  expect(made?.completed).toBe([...last, "All animals of the zoo are painted."].join(" "));
});

test("of each turn of a session the first thing that it came to is told", () => {
  const turns = ["heron", "badger"].map((name, i) =>
    turn(
      i + 1,
      asked(
        `Paint the ${name}`,
        `The ${name} of the pond wears colours today. Its \`${name}.ts\` counts 3 feathers.`,
      ),
      { files: [file(`${name}.ts`, true)] },
    ),
  );
  expect(whole(turns)?.completed).toBe(
    "The heron of the pond wears colours today. The badger of the pond wears colours today.",
  );
});

test("an opening gives titles alone, a prompt none, a session both", () => {
  const part = { prompts: [prompt("p1", { text: "Mend the cart of the shop" })] };
  const turns = [turn(1, told, { files: [file("a.ts", true)] })];
  const opening = summarize(input("opening", undefined, part));
  expect(opening).toEqual({ title: "Mend the cart of the shop", model: null, observerTokens: 0 });
  expect(Object.keys(summarize(input("prompt", turns, part))).sort()).toEqual([
    "model",
    "observerTokens",
    "summary",
  ]);
  const ended = summarize(input("session", turns, part));
  expect([ended.title, ended.subtitle, ended.summary?.completed]).toEqual([
    "The cart counts each voucher once now (a.ts)",
    "Mend the cart of the shop",
    "The cart counts each voucher once now.",
  ]);
});

test("without turns the last words and the changes belong to the last prompt and its own", () => {
  const prompts = [1, 2].map((promptNumber) =>
    prompt(`p${promptNumber}`, { promptNumber, text: `Mend part ${promptNumber} of the shop` }),
  );
  const made = summarize(
    input("session", undefined, {
      prompts,
      observations: [
        observation("o1", { promptNumber: 2, filesModified: ["a.ts"], filesRead: [] }),
      ],
      lastAssistantMessage: "The cart counts each voucher once now",
    }),
  ).summary;
  expect(made?.completed).toBe("The cart counts each voucher once now.");
  expect(made?.evidence).toEqual([
    { turn: 1, piece: 0 },
    { turn: 2, piece: 0 },
    { turn: 2, piece: 1 },
  ]);
});

test("a prompt is summed up by its last turn", () => {
  const files = [file("src/cart.ts", true)];
  const turns = [
    turn(1, asked("Look at the mails", "The mails share one header of 3 lines."), { files }),
    turn(1, told, { files }),
  ];
  expect(of(turns)?.completed).toBe("The cart counts each voucher once now.");
});

test("of a session earlier stops are no notes, and earlier findings lapse where work was done", () => {
  const stop: Evidence[] = [
    { kind: "prompt", text: "Migrate the mails" },
    { kind: "interrupted", text: "", about: "bun run migrate" },
  ];
  const found = asked("Why does the lint fail?", "`src/a.ts` imports 3 names that nobody has.");
  const worked = { files: [file("src/b.ts", true)], end: "open" as const };
  const turns = [
    turn(1, stop, { end: "interrupted" }),
    turn(2, found, worked),
    turn(3, told, { files: [file("src/cart.ts", true)] }),
  ];
  const made = whole(turns);
  expect(made?.notes).toBe("");
  expect(made?.learned).toBe("");
});

test("a compaction is told only where nothing was changed after it", () => {
  const summed: Evidence = {
    kind: "compaction",
    text: "The totals of src/cart.ts are read from 3 tables by `totalOf`, one for each of the currencies.",
  };
  const first = turn(1, [...asked("Go on", "It goes on."), summed], {
    files: [file("src/cart.ts")],
  });
  const learned = (changed: boolean) =>
    whole([first, turn(2, told, { files: [file("src/cart.ts", changed)] })])?.learned ?? "";
  expect(learned(false)).toContain("3 tables");
  expect(learned(true)).not.toContain("3 tables");
});

test.each<[string, Evidence[], Evidence[], boolean]>([
  ["untried, and the next check failed", [], [check("failure")], false],
  ["untried, and a later check passed first", [], [check("passed"), check("failure")], true],
  ["tried, though a later check failed", [check("passed")], [check("failure")], true],
  ["untried, and a tool failed that checks nothing", [], [check("failure", "Edit cart.ts")], true],
])("a session's result is told as done: %s", (_, tried, next, isDone) => {
  const turns = [
    turn(1, [...told.slice(0, 1), ...tried, ...told.slice(1)], {
      files: [file("src/cart.ts", true)],
    }),
    turn(
      2,
      [...asked("And the mails of the shop", "The mailer of the shop waits a minute now"), ...next],
      {
        files: [file("src/mail.ts", true)],
      },
    ),
  ];
  const { completed = "" } = summarize(input("session", turns)).summary ?? {};
  expect(completed.includes("The cart counts each voucher once now")).toBe(isDone);
});

test("what is done is told with what takes it back", () => {
  const both = "Fixed the total of the cart. However, it breaks the mails of the shop.";
  const turns = [turn(1, asked("Fix the total", both), { files: [file("src/cart.ts", true)] })];
  expect(of(turns)?.completed).toBe(both);
});

test("a document that was written again is done", () => {
  const done = asked(
    "Say how carts are counted",
    "Rewrote the doc as `docs/carts.md` - it now describes both tills.",
  );
  const one = of([turn(1, done, { files: [file("docs/carts.md", true)] })]);
  expect(one?.completed).toBe("Rewrote the doc as docs/carts.md - it now describes both tills.");
});

test("before a question a word that is a symbol's name, too, calls nothing done", () => {
  const closing = (said: string) =>
    of([
      turn(1, asked("let's move on", `${said}\n\nWorth changing now?`), {
        files: [{ path: "src/till.ts", changed: true, symbols: ["Till", "voucherOf"] }],
      }),
    ])?.completed;
  expect(closing("Yes, it is a bit circular - each till asks the other till for its name.")).toBe(
    "",
  );
  const choices = "Is that a concern? Options:\n\n1. Keep it\n2. Go through all of them";
  expect(closing(`**The whole till**: goes through each cart.\n\n${choices}`)).toBe("");
  expect(closing("`voucherOf` asks for its name once.")).toBe("voucherOf asks for its name once.");
});

test.each<[string, string, Partial<NewTurn>, boolean]>([
  ["without a look at anything", "the second one", {}, false],
  ["to a question", "where do vouchers stand?", {}, true],
  ["of what was looked at", "the second one", { files: [file("src/cart.ts")] }, true],
])("before a question what names nothing is known: %s", (_, request, part, isKnown) => {
  const [named, plain] = [
    "`voucherOf` reads the till at midnight.",
    "We keep the vouchers of each day in a list of their own.",
  ];
  const text = `${named} ${plain}\n\nDoes this design work?`;
  expect(of([turn(1, asked(request, text), part)])?.learned).toBe(
    [named.replaceAll("`", ""), ...(isKnown ? [plain] : [])].join(" "),
  );
});

test("a few words that point back to what is not told are nothing known", () => {
  const learned = (said: string) =>
    of([turn(1, asked("Why is the cart not passed?", said), { files: [file("src/cart.ts")] })])
      ?.learned;
  expect(learned("The caller has it! It's right there in the list of carts.")).toBeUndefined();
  expect(learned("It's passed by `totalOf` of the till, which the caller has.")).toBe(
    "It's passed by totalOf of the till, which the caller has.",
  );
});
