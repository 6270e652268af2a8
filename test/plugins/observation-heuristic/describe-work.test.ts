// A piece of work as an observation: what it rests on, what is too slight to tell, and how decisions read.
import { describe, expect, test } from "bun:test";
import type { Work } from "../../../plugins/observation-heuristic/describe-work.ts";
import { describeWork } from "../../../plugins/observation-heuristic/describe-work.ts";
import type { Evidence, NewTurn } from "../../../src/sdk/turn.ts";
import type { ToolUse } from "../../../src/sdk/work.ts";
import { pathsFrom } from "../../../src/text/paths.ts";
import { sampleTurn } from "../../support/sample-records.ts";

const use = (id: string, name: string, path: string, part: Partial<ToolUse> = {}): ToolUse => ({
  ...{ id, name, input: { file_path: `/w/${path}` }, response: {}, time: 9, cwd: "/w" },
  ...part,
});
const edit = use("e", "Edit", "src/cart.ts");
const prompt: Evidence = { kind: "prompt", text: "Mend the cart of the shop" };
const closing = (text: string): Evidence => ({ kind: "closing", text });
const commit: Evidence = {
  ...{ kind: "commit", toolUseId: "c" },
  text: "fix(cart): count once (#12)\n\nThe voucher of `totalOf` counted 2 times.\n\nSigned-off-by: A",
};

function described(pieces: Evidence[], work: Partial<Work> = {}, part: Partial<NewTurn> = {}) {
  const asked = pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
  return describeWork(
    { uses: [edit], last: true, ...work },
    {
      turn: sampleTurn({ promptNumber: 4, pieces, ...part }),
      prompt: asked,
      paths: pathsFrom("/w"),
    },
  );
}
const places = (one: ReturnType<typeof described>) => one?.evidence?.map(({ piece }) => piece);

describe("it rests on", () => {
  test("the prompt, and a closing that only its story tells", () => {
    const one = described([prompt, closing("As you wished.")]);
    expect([one?.facts, one?.narrative, places(one)]).toEqual([[], "As you wished.", [0, 1]]);
  });

  test("its commit, and not on the closing where that belongs to later work", () => {
    const one = described([prompt, commit, closing("The cart counts vouchers once now.")], {
      ...{ commit: 1, last: false },
    });
    expect(places(one)).toEqual([0, 1]);
    expect(one?.title).toBe("Count once");
    expect(one?.facts).toEqual(["The voucher of totalOf counted 2 times."]);
    expect(one?.narrative).toBe(
      "fix(cart): count once (#12)\n\nThe voucher of totalOf counted 2 times.",
    );
    expect(one?.type).toBe("bugfix");
  });

  test("a commit's message before what was said beside it", () => {
    const said = closing("The reviewers of `totalOf` agreed to count once in all 3 shops.");
    const bare = { ...commit, text: "fix(cart): count the vouchers once" };
    const explained = {
      ...bare,
      text: `${bare.text}\n\nA voucher of \`totalOf\` was read 2 times.`,
    };
    const below = (made: Evidence) => described([prompt, made, said], { commit: 1 })?.subtitle;
    expect(below(explained)).toBe("A voucher of totalOf was read 2 times");
    expect(below(bare)).toBe("The reviewers of totalOf agreed to count once in all 3 shops");
  });

  test("the pull request that is its title, and what that says below it", () => {
    const opened: Evidence = {
      ...{ kind: "published", about: "pull request #8" },
      text: "Count vouchers once\n\n## Summary\n\nA voucher of `totalOf` was read 2 times.",
    };
    const said = closing("The reviewers of `totalOf` agreed to count once in all 3 shops.");
    const one = described([prompt, opened, said]);
    expect([one?.title, one?.subtitle]).toEqual([
      "Count vouchers once",
      "A voucher of totalOf was read 2 times",
    ]);
    expect(one?.facts).toContain("A voucher of totalOf was read 2 times.");
    expect(places(one)).toContain(1);
  });

  test("each piece that a fact comes from, once and in order", () => {
    const one = described([
      closing("The voucher of `cart.ts` counted 2 times. Its `totalOf` counts each of the 3 once."),
      { kind: "choice", text: "Redis", about: "Which store? (Redis | SQLite)" },
      prompt,
    ]);
    expect(one?.facts[0]).toBe('The user chose "Redis" for: Which store?');
    expect(one?.facts).toHaveLength(3);
    expect(places(one)).toEqual([0, 1, 2]);
    expect(one?.evidence?.every((place) => place.turn === 4)).toBe(true);
  });
});

test.each<[string, Evidence, string]>([
  [
    "a choice",
    { kind: "choice", text: "Use *Redis*", about: "Which store?" },
    'The user chose "Use Redis" for: Which store?',
  ],
  [
    "a choice of nothing in particular",
    { kind: "choice", text: "Redis" },
    'The user chose "Redis"',
  ],
  [
    "a plan",
    { kind: "plan", text: "# Move the store\n\n1. Copy" },
    "Plan accepted: Move the store",
  ],
  [
    "a refusal",
    { kind: "refusal", text: "use npm ci", about: "rm -rf x" },
    "The user refused `rm -rf x`: use npm ci",
  ],
  ["a refusal of something unknown", { kind: "refusal", text: "no" }, "The user refused: no"],
])("%s is a decision: %j", (_, piece, fact) => {
  const one = described([prompt, piece], { uses: [] });
  expect([one?.facts, one?.type]).toEqual([[fact], "decision"]);
});

const found = "The cart counts each of its 3 vouchers twice in `totalOf`.";
const more = "`src/mail.ts` asks for the same 2 totals once more.";

test.each<[string, Evidence[], boolean]>([
  ["an answer of one sentence", [prompt, closing(found)], false],
  ["one that says more", [prompt, closing(`${found} ${more}`)], true],
  ["one to a yes", [{ kind: "prompt", text: "yes" }, closing(`${found} ${more}`)], true],
  ["what was asked alone", [prompt, closing("Done.")], false],
  ["a refusal without a word", [prompt, { kind: "refusal", text: "" }], false],
  [
    "a refusal that nothing followed",
    [prompt, { kind: "refusal", text: "I'll tell you" }, closing("Sure, go ahead!")],
    false,
  ],
  [
    "an answer with the options of a question",
    [
      prompt,
      closing(
        `${found}\n\n**Which way?**\n1. **Skip it** - \`src/mail.ts\` keeps 2 totals for now\n2. **Sum once** - \`totalOf\` remembers the 3 sums`,
      ),
    ],
    false,
  ],
  [
    "an answer with what may be done",
    [prompt, closing(`${found} You could call \`totalOf\` in \`src/mail.ts\` 1 time.`)],
    false,
  ],
  [
    "an answer that shows code",
    [
      prompt,
      closing(`${found}\n\nIn \`src/mail.ts\`, behind line 48:\n\n\`\`\`\ntotal()\nsum()\n\`\`\``),
    ],
    false,
  ],
  ["a commit alone", [prompt, commit], true],
])("%s is told: %p", (_, pieces, isTold) => {
  const at = pieces.indexOf(commit);
  const one = described(pieces, { uses: [], ...(at >= 0 && { commit: at }) });
  expect(one !== undefined).toBe(isTold);
});

test.each<[string, Evidence[], string]>([
  [
    "at what was stopped",
    [{ kind: "interrupted", text: "", about: "npm run build" }],
    "Stopped by the user at `npm run build`",
  ],
  [
    "at what was refused last",
    [
      { kind: "interrupted", text: "", about: "a" },
      { kind: "refusal", text: "no", about: "b" },
    ],
    "Stopped by the user at `b`",
  ],
  ["anywhere", [], "Stopped by the user"],
])("work that the user stopped says so: %s", (_, pieces, subtitle) => {
  expect(described([prompt, ...pieces], {}, { end: "interrupted" })?.subtitle).toBe(subtitle);
  const earlier = described(
    [prompt, ...pieces, commit],
    { last: false, commit: pieces.length + 1 },
    { end: "interrupted" },
  );
  expect(earlier?.subtitle).not.toStartWith("Stopped");
});

test("its files, tools and time are those of its own uses; a failure that came last is told", () => {
  const uses = [
    ...Array.from({ length: 60 }, (_, i) => use(`r${i}`, "Read", `src/r${i}.ts`)),
    use("w", "Write", "src/new.ts", { response: { type: "create" }, time: 11 }),
    use("b", "Bash", "", { input: { command: "bun test" }, time: 12 }),
  ];
  const failure: Evidence = {
    kind: "failure",
    text: "Error: no total",
    about: "bun test",
    toolUseId: "b",
  };
  const one = described([prompt, failure], { uses });
  expect([one?.filesRead.length, one?.filesModified, one?.toolUseIds.length]).toEqual([
    50,
    ["src/new.ts"],
    62,
  ]);
  expect([one?.time, one?.type]).toEqual([12, "feature"]);
  expect(one?.facts).toEqual(["`bun test` failed when it was run last: Error: no total"]);
  expect(described([prompt, failure], { uses, last: false })?.facts ?? []).toEqual([]);
  expect(described([prompt, failure], { uses: uses.slice(0, 61) })?.facts ?? []).toEqual([]);
});

test("seven facts at most are told, and 4,000 characters of the story", () => {
  const names = "heron ibis jackal koala lemur marmot narwhal ocelot panda quokka".split(" ");
  const text = names
    .map((name, i) => `The ${name} of src/cart.ts lives in room ${i} of house ${name}${i}.`)
    .join(" ");
  const one = described([prompt, closing(`${text} ${"And more words follow here. ".repeat(300)}`)]);
  expect(one?.facts.length).toBeLessThanOrEqual(7);
  expect(one?.facts.length).toBeGreaterThan(4);
  expect(one?.narrative.length).toBeLessThanOrEqual(4_000);
  expect(one?.narrative.length).toBeGreaterThan(3_900);
});

test("a commit counts as evidence by its subject alone, and concepts are of what changed", () => {
  const bare: Evidence = { kind: "commit", toolUseId: "c", text: "Count vouchers once" };
  const read = use("r", "Read", "mail/templates.ts");
  const one = described([prompt, bare], { uses: [read, edit], commit: 1 });
  expect(places(one)).toEqual([0, 1]);
  expect(one?.concepts).not.toContain("mail");
  expect(one?.concepts).toContain("cart");
});

test("what was decided makes an observation of the turn's last work alone", () => {
  const chosen: Evidence = { kind: "choice", text: "Redis", about: "Which store?" };
  const looked = { uses: [use("r", "Read", "src/cart.ts")] };
  expect(described([prompt, chosen], looked)).toBeDefined();
  expect(described([prompt, chosen], { ...looked, last: false })).toBeUndefined();
});

test("of what was said on the way neither a subagent's, what comes next nor what a change made old is told", () => {
  const told = "The voucher of `totalOf` counted 2 times in src/cart.ts since 3 weeks.";
  const next = "I will look at the 4 templates of src/mail.ts with `render` next.";
  const said = (part: Partial<Evidence>): Evidence => ({
    ...{ kind: "said", text: `${told} ${next}` },
    ...part,
  });
  const asked: Evidence = { kind: "prompt", text: "Why is it paid twice?" };
  const end = closing("It is in `mail.ts`, since 3 weeks and 2 days.");
  const facts = (part: Partial<Evidence> = {}, name = "Read") =>
    described([asked, said(part), end], { uses: [use("u", name, "src/cart.ts")] })?.facts ?? [];
  expect(facts().join(" ")).toContain("counted 2 times");
  expect(facts().join(" ")).not.toContain("templates");
  expect(facts({ agent: "a1" }).join(" ")).not.toContain("counted 2 times");
  expect(facts({}, "Edit").join(" ")).not.toContain("counted 2 times");
});

test("what was taken out is told with what says so", () => {
  const text =
    'Cleaned the tests of vouchers.\n\nRemoved:\n- `TestVoucher` - trivial "no panic" test\n- `TestTotal` - just reads 1 field';
  expect(described([prompt, closing(text)])?.facts.join(" ")).toBe(
    "Removed: TestTotal - just reads 1 field",
  );
});

test("what the user is asked to choose from is no fact where nothing was changed", () => {
  const offered = "- Have `totalOf` count the vouchers of 2 shops\n- Add `voucherOf` to 3 shops";
  const text = (end: string) =>
    `\`totalOf\` counts the vouchers of 1 shop alone. It asks \`mail.ts\` 2 times for them.\n\nOptions:\n${offered}\n\n${end}`;
  const asked: Evidence = { kind: "prompt", text: "Why is it paid twice?" };
  const facts = (end: string, name = "Read") =>
    described([asked, closing(text(end))], { uses: [use("u", name, "src/cart.ts")] })?.facts ?? [];
  expect(facts("Which one?")).toEqual([
    "totalOf counts the vouchers of 1 shop alone.",
    "It asks mail.ts 2 times for them.",
  ]);
  expect(facts("Both were done.").join(" ")).toContain("Have totalOf");
  const numbered = text("Which one?").replaceAll("\n- ", "\n1. ");
  expect(
    described([asked, closing(numbered)], { uses: [use("u", "Edit", "src/cart.ts")] })?.facts,
  ).toEqual(facts("Which one?"));
  expect(facts("Which one?", "Edit").join(" ")).toContain("Have totalOf");
});
