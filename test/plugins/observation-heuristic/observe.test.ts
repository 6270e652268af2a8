// Observations of turns: what is quoted, where it comes from, and what is left as routine.

import { describe, expect, test } from "bun:test";
import { observe } from "../../../plugins/observation-heuristic/index.ts";
import { conceptsOf, kindWords } from "../../../plugins/observation-heuristic/kind.ts";
import type { Evidence, NewTurn } from "../../../src/sdk/turn.ts";
import type { ObservationBatch, ToolUse } from "../../../src/sdk/work.ts";
import { bare, phrasesOf } from "../../../src/text/prose/phrases.ts";
import { failureLine } from "../../../src/text/prose/plain.ts";
import { sampleBatch } from "../../support/observer-batch.ts";

const root = "/home/ada/shop";
const time = Date.UTC(2026, 10, 20, 14, 5);

function use(id: string, name: string, input: object, part: Partial<ToolUse> = {}): ToolUse {
  return { id, name, input, response: {}, time, cwd: root, ...part };
}
const edit = (id: string, path: string) =>
  use(id, "Edit", { file_path: `${root}/${path}`, old_string: "a", new_string: "b" });
const read = (id: string, path: string) => use(id, "Read", { file_path: `${root}/${path}` });
const bash = (id: string, command: string, part: Partial<ToolUse> = {}) =>
  use(id, "Bash", { command }, part);

function batch(
  toolUses: ToolUse[],
  pieces: Evidence[],
  part: Partial<NewTurn> = {},
  more: Partial<ObservationBatch> = {},
): ObservationBatch {
  const prompt = pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
  const turn: NewTurn = {
    session: "5f3a",
    client: "claude-code",
    project: "github.com/acme/shop",
    promptNumber: 3,
    startedAt: time,
    time,
    end: "closed",
    pieces,
    files: [],
    ...part,
  };
  return sampleBatch(toolUses, { prompt: { number: 3, text: prompt }, turn, ...more });
}

const said = (prompt: string, closing: string): Evidence[] => [
  { kind: "prompt", text: prompt },
  { kind: "closing", text: closing },
];

describe("a turn in which something changed", () => {
  const closing =
    "Done!\n\nThe total was wrong because `totalOf` counted a voucher twice. It is checked in test/cart.test.ts with 3 vouchers.";

  test("is what the closing comes to, with its sentences and the names that changed", () => {
    const { observations, skipped } = observe(
      batch(
        [read("r", "src/cart.ts"), edit("e", "src/cart.ts")],
        said("Hi, fix the cart total please.", closing),
        {
          files: [{ path: "src/cart.ts", changed: true, symbols: ["totalOf"] }],
        },
      ),
    );
    expect(skipped).toEqual({});
    expect(observations).toMatchObject([
      {
        type: "bugfix",
        title: "The total was wrong because totalOf counted a voucher twice",
        subtitle: "It is checked in test/cart.test.ts with 3 vouchers",
        facts: [
          "The total was wrong because totalOf counted a voucher twice.",
          "It is checked in test/cart.test.ts with 3 vouchers.",
          "src/cart.ts changed: totalOf",
        ],
        filesModified: ["src/cart.ts"],
        toolUseIds: ["r", "e"],
        evidence: [
          { turn: 3, piece: 0 },
          { turn: 3, piece: 1 },
        ],
      },
    ]);
    expect(observations[0]?.narrative).toContain("counted a voucher twice");
  });

  test("takes its title from what it came to when the prompt was only a yes", () => {
    const { observations } = observe(
      batch([edit("e", "src/cart.ts")], said("yes please", closing)),
    );
    expect(observations[0]?.title).toBe(
      "The total was wrong because totalOf counted a voucher twice",
    );
  });

  test("has nothing of what was said after it was over", () => {
    const late = "That was the run over `src/cart.ts` from before, with 12 tests in 3 files.";
    const { observations } = observe(
      batch(
        [edit("e", "src/cart.ts")],
        [...said("Fix the cart", closing), { kind: "said", text: `${late} Next.` }],
      ),
    );
    expect(observations[0]?.facts.join("\n")).not.toContain("12 tests");
  });

  test("and when it only pointed at something", () => {
    const { observations } = observe(
      batch([edit("e", "src/cart.ts")], said("yes, let's add this", closing)),
    );
    expect(observations[0]?.title).toStartWith("The total was wrong");
  });

  test.each([
    ["Improve the error handling of the cart", "change"],
    ["Corrige el error del carrito", "bugfix"],
  ])("is of the kind that was asked for: %s", (prompt, type) => {
    const [one] = observe(batch([edit("e", "src/cart.ts")], said(prompt, closing))).observations;
    expect(one?.type).toBe(type as "change");
  });

  test.each([
    ["mise run lint", "passed"],
    ["mise run lint && mise run test | grep FAIL", "ran"],
  ] as const)("says of no command that it failed last when it ran again: %s", (about, kind) => {
    const failure: Evidence = {
      kind: "failure",
      text: "a.ts:90: dupl",
      about: "mise run lint 2>&1",
      toolUseId: "l",
    };
    const pieces = said("Fix src/cart.ts", closing);
    const again: Evidence = { kind, text: "", about, toolUseId: "m" };
    const uses = [bash("l", "mise run lint 2>&1"), edit("e", "src/cart.ts"), bash("m", about)];
    const facts = (...more: Evidence[]) =>
      observe(
        batch(uses, [...pieces.slice(0, 1), failure, ...more, ...pieces.slice(1)]),
      ).observations[0]?.facts.join("\n");
    expect(facts()).toContain("failed when it was run last");
    expect(facts(again)).not.toContain("failed when it was run last");
  });

  test.each([
    ["Corrige le total du panier.", "Corrige le total du panier", "bugfix"],
    ["Ergänze eine Suche über alle Artikel.", "Ergänze eine Suche über alle Artikel", "feature"],
    ["Renombra el servicio de pagos.", "Renombra el servicio de pagos", "refactor"],
    ["请修复购物车的总额。", "请修复购物车的总额", "bugfix"],
    ["Der Warenkorb soll netter aussehen.", "Der Warenkorb soll netter aussehen", "change"],
  ])(
    "that nothing was said of is its file and what was asked, in any language: %s",
    (prompt, asked, type) => {
      const [one] = observe(batch([edit("e", "src/cart.ts")], said(prompt, "OK."))).observations;
      expect(one).toMatchObject({ title: `cart.ts: ${asked}`, type });
    },
  );

  test("is nothing that a paste or a cheer says", () => {
    const [one] = observe(
      batch(
        [edit("e", "src/a.ts")],
        said("Change src/a.ts", "Perfect!\n\nLet me know!\n\nShall I commit?"),
      ),
    ).observations;
    expect(one).toMatchObject({ title: "a.ts: Change src/a.ts", facts: [], subtitle: "" });
  });
});

describe("a turn that is read in batches", () => {
  const closing = "The total was wrong because `totalOf` counted a voucher of 3 shops twice.";
  const ran = (id: string, part: Partial<Evidence> = {}): Evidence => ({
    ...{ kind: "passed", text: "", about: `run ${id}`, toolUseId: id },
    ...part,
  });
  const repair = { kind: "repair", text: "FAIL: total is 3\n\n→ src/a.ts" } as const;
  const pieces = (...first: Evidence[]): Evidence[] => [
    { kind: "prompt", text: "Fix the cart total" },
    ...first,
    { kind: "said", text: "I moved `totalOf` of all 3 shops into `src/b.ts`. Next." },
    ran("b"),
    { kind: "commit", text: "Count each voucher once", toolUseId: "b" },
    { kind: "closing", text: closing },
  ];
  const early = [edit("e", "src/a.ts"), bash("a", "run a")];
  const ofEarly = (first: Evidence[], part?: Partial<NewTurn>) =>
    observe(batch(early, pieces(...first), part)).observations[0];

  test.each<[string, Evidence[], string]>([
    ["its files, and what was asked", [ran("a")], "a.ts: Fix the cart total"],
    ["a failure that it mended", [ran("a", repair)], "Fixed: total is 3"],
    ["its commit", [{ kind: "commit", text: "Split a.ts", toolUseId: "a" }], "Split a.ts"],
  ])("is told before its end by %s", (_, first, title) => {
    const one = ofEarly(first);
    expect(one?.title).toBe(title);
    expect(JSON.stringify(one)).not.toMatch(/voucher|3 shops/);
  });

  test("says the same whether its end was known or not", () => {
    const first = [ran("a", repair)];
    const open = batch(early, pieces(...first).slice(0, 2), { end: "open" });
    expect(ofEarly(first)).toEqual(observe(open).observations[0]);
  });

  test("ends with what the user stopped, which no batch has", () => {
    const stop: Evidence = { kind: "interrupted", text: "", about: "Grep x", toolUseId: "z" };
    const turn = [...pieces(ran("a")).slice(0, 2), stop];
    const [one] = observe(batch(early, turn, { end: "interrupted" })).observations;
    expect(one?.subtitle).toBe("Stopped by the user at `Grep x`");
  });

  test("has its closing in the last, also where that left no evidence but came with the end", () => {
    const uses = [edit("f", "src/b.ts"), bash("b", "run b")];
    const last = observe(batch(uses, pieces(ran("a"))));
    expect(last.observations[0]?.narrative).toContain(closing.slice(0, 20));
    const ended = (more: Partial<ObservationBatch>) =>
      observe(batch([edit("f", "src/b.ts")], pieces(ran("a")), {}, more)).observations[0]?.title;
    expect(ended({ lastAssistantMessage: closing })).toStartWith("The total was wrong");
    expect(ended({})).toBe("b.ts: Fix the cart total");
  });
});

test("each commit is one observation, by its subject and body without trailers", () => {
  const commit = (id: string, text: string): Evidence => ({ kind: "commit", text, toolUseId: id });
  const { observations } = observe(
    batch(
      [
        edit("a", "src/a.ts"),
        bash("c1", "git commit"),
        edit("b", "src/b.ts"),
        bash("c2", "git commit"),
        bash("p", "git push"),
      ],
      [
        { kind: "prompt", text: "continue until all are done" },
        commit(
          "c1",
          "feat(a): keep retries in a table (#12)\n\nThe table `retries` survives a crash.\n\nCo-Authored-By: Somebody <a@b.c>",
        ),
        commit("c2", "fix: count only GET"),
        { kind: "closing", text: "Both are committed." },
      ],
    ),
  );
  expect(observations).toMatchObject([
    {
      type: "feature",
      title: "Keep retries in a table",
      facts: ["The table retries survives a crash."],
      filesModified: ["src/a.ts"],
      toolUseIds: ["a", "c1"],
    },
    {
      type: "bugfix",
      title: "Count only GET",
      filesModified: ["src/b.ts"],
      toolUseIds: ["b", "c2", "p"],
    },
  ]);
  expect(observations[0]?.narrative).not.toContain("Co-Authored-By");
});

test("a command that failed and then passed is a repair; one that failed last is told as that", () => {
  const pieces: Evidence[] = [
    { kind: "prompt", text: "Der Warenkorb soll netter aussehen." },
    {
      kind: "repair",
      about: "bun test",
      text: "Exit code 1\nTypeError: total is undefined\n\n→ src/cart.ts",
      toolUseId: "t",
    },
    {
      kind: "failure",
      about: "bun run lint",
      text: "Exit code 1\nsrc/cart.ts:3 error unused import",
      toolUseId: "l",
    },
  ];
  const [one] = observe(
    batch(
      [edit("e", "src/cart.ts"), bash("t", "bun test"), bash("l", "bun run lint", { error: "x" })],
      pieces,
    ),
  ).observations;
  expect(one?.type).toBe("bugfix");
  expect(one?.facts).toEqual([
    "`bun test` failed: TypeError: total is undefined; it passed after changes to src/cart.ts",
    "`bun run lint` failed when it was run last: src/cart.ts:3 error unused import",
  ]);
});

test("a turn that the user stopped is stopped, not done", () => {
  const [one] = observe(
    batch(
      [edit("e", "src/a.ts")],
      [
        { kind: "prompt", text: "Rename the heading and migrate." },
        { kind: "interrupted", text: "", about: "bun run migrate" },
      ],
      { end: "interrupted" },
    ),
  ).observations;
  expect(one).toMatchObject({
    title: "Stopped after changes to a.ts: Rename the heading and migrate",
    subtitle: "Stopped by the user at `bun run migrate`",
  });
});

test("answers, refusals and plans are decisions, with who made them", () => {
  const [one] = observe(
    batch(
      [use("q", "AskUserQuestion", {})],
      [
        { kind: "prompt", text: "Where do we keep sessions?" },
        { kind: "choice", text: "SQLite", about: "Which store? (SQLite | Redis)" },
        {
          kind: "refusal",
          text: "Never delete node_modules here: always use npm ci",
          about: "rm -rf node_modules",
        },
      ],
    ),
  ).observations;
  expect(one).toMatchObject({
    type: "decision",
    facts: [
      'The user chose "SQLite" for: Which store?',
      "The user refused `rm -rf node_modules`: Never delete node_modules here: always use npm ci",
    ],
  });
});

test("a subagent is told by its report", () => {
  const agent = { id: "a1", type: "Explore" };
  const { observations } = observe(
    batch(
      [use("t", "Task", {}), { ...read("r", "src/auth.ts"), agent }],
      [
        { kind: "prompt", text: "ok" },
        { kind: "task", about: "Map the login", text: "Find out how the login works." },
        {
          kind: "report",
          about: "Map the login",
          text: "The login lives in `src/auth.ts`, which signs tokens for 15 minutes.",
          agent: "a1",
        },
      ],
    ),
  );
  expect(observations).toMatchObject([
    {
      type: "discovery",
      title: "The login lives in src/auth.ts, which signs tokens for 15 minutes",
      agent,
      facts: ["The login lives in src/auth.ts, which signs tokens for 15 minutes."],
      toolUseIds: ["r"],
      evidence: [
        { turn: 3, piece: 1 },
        { turn: 3, piece: 2 },
      ],
    },
  ]);
});

test.each([
  ["looking around", [read("r", "src/a.ts")], said("ls", "Three files.")],
  [
    "a yes without consequence",
    [bash("g", "git status")],
    said("ok", "The tree is clean, and there is nothing left to be done in here today."),
  ],
])("%s is routine", (_, uses, pieces) => {
  expect(observe(batch(uses, pieces))).toMatchObject({
    observations: [],
    skipped: { [uses[0]?.id ?? ""]: "routine" },
  });
});

test("one tool use alone, for somebody who waits", () => {
  const alone = (one: ToolUse) =>
    observe(batch([one], [{ kind: "prompt", text: "Fix it" }], {}, { waiting: true })).observations;
  expect(alone(edit("e", "src/a.ts"))).toMatchObject([
    { title: "Edit src/a.ts", facts: ["Changed src/a.ts with Edit"] },
  ]);
  expect(alone(bash("t", "bun test", { error: "Exit code 1\nError: no total" }))).toMatchObject([
    { title: "bun test", facts: ["`bun test` failed: Error: no total"] },
  ]);
  expect(alone(read("r", "src/a.ts"))).toEqual([]);
});

const after = "Three names of src/a.ts are others now.";

test.each(
  kindWords.flatMap(({ kind, words }) =>
    words.flatMap(phrasesOf).map((word) => [kind, bare(word)] as const),
  ),
)("%s: %s", (kind, word) => {
  const [one] = observe(
    batch([edit("e", "src/a.ts")], said(`Now ${word} 3 src/a.ts`, after)),
  ).observations;
  expect(one?.type).toBe(kind);
});

test.each(["prefix the names", "addition of sums", "the terror of moves"])(
  "a word inside another says nothing: %s",
  (prompt) => {
    const [one] = observe(batch([edit("e", "src/a.ts")], said(prompt, after))).observations;
    expect(one?.type).toBe("change");
  },
);

test("concepts are areas and words of paths", () => {
  expect(conceptsOf("bugfix", ["src/auth/session-store.ts", "test/auth/login.test.ts"])).toEqual([
    "debugging",
    "testing",
    "auth",
    "login",
    "session-store",
  ]);
  expect(conceptsOf("feature", ["services/backend/handlers/cart/priceRounding.ts"])).toEqual([
    "implementation",
    "cart",
    "handlers",
    "price-rounding",
  ]);
  expect(conceptsOf("discovery", [])).toEqual(["how-it-works", "project-knowledge"]);
  expect(conceptsOf("change", ["/etc/nginx/sites", "~/notes/all"])).toEqual([
    "changes",
    "project-knowledge",
  ]);
  // By files, not by how often a path repeats itself.
  expect(
    conceptsOf("change", ["cart/cart", "cart/cart.ts", "mail/a1", "mail/b2", "mail/c3"]),
  ).toEqual(["changes", "mail", "cart"]);
});

test.each([
  ["FAIL\ncart_test.go:152: Expected enabled\nFAIL", "cart_test.go:152: Expected enabled"],
  [
    "Exit code 1\nfunc run(w io.Writer) error {\nlint.go:3:1: unused (nilerr)",
    "lint.go:3:1: unused (nilerr)",
  ],
  ["Traceback\n  in export\nArrowInvalid: negative scale", "ArrowInvalid: negative scale"],
  ["Exit code 1", ""],
])("a failure's own line: %j", (text, line) => {
  expect(failureLine(text)).toBe(line);
});

test("what is withheld is observed in nothing, and said to be withheld", () => {
  const hidden = { ...edit("h", "src/secret.ts"), withheld: true };
  const pieces = said("Mend the cart", "The cart counts each of its 3 vouchers once in `cart.ts`.");
  const { observations, skipped } = observe(batch([hidden, edit("e", "src/cart.ts")], pieces));
  expect(observations).toMatchObject([{ toolUseIds: ["e"], filesModified: ["src/cart.ts"] }]);
  expect(skipped).toEqual({ h: "withheld" });
});

test("a subagent's changes are its own, and its last words count", () => {
  const agent = { id: "a1", type: "Explore" };
  const pieces = said("Mend the cart", "The cart counts each of its 3 vouchers once in `cart.ts`.");
  const agentMessages = [
    "It begins with the 2 tables.",
    "`sum.ts` adds the 3 tables once more.",
  ].map((text) => ({ agent, text }));
  const { observations } = observe(
    batch(
      [edit("e", "src/cart.ts"), { ...edit("s", "src/sum.ts"), agent }],
      pieces,
      {},
      {
        agentMessages,
      },
    ),
  );
  expect(observations.map(({ toolUseIds }) => toolUseIds)).toEqual([["e"], ["s"]]);
  expect(observations[1]?.narrative).toContain("once more");
});

test("a commit closes work of turns before it, too, and the last work has the closing", () => {
  const commit = (toolUseId: string, text: string): Evidence => ({
    kind: "commit",
    toolUseId,
    text,
  });
  const closing = "The cart counts each of its 3 vouchers once in `cart.ts`.";
  const { observations } = observe(
    batch(
      [
        bash("c1", "git commit -am one"),
        edit("e", "src/cart.ts"),
        bash("c2", "git commit -am two"),
      ],
      [
        { kind: "prompt", text: "Mend the cart" },
        commit("c1", "Write the notes down"),
        commit("c2", "Count vouchers once"),
        { kind: "closing", text: closing },
      ],
    ),
  );
  expect(observations).toMatchObject([
    { title: "Write the notes down", toolUseIds: ["c1"], filesModified: [] },
    {
      title: "Count vouchers once",
      toolUseIds: ["e", "c2"],
      facts: [closing.replaceAll("`", "")],
    },
  ]);
});
