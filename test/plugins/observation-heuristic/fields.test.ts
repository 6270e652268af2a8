// The fields of an observation: facts within their limits, titles, concepts, types.
import { describe, expect, test } from "bun:test";
import { conceptsOf } from "../../../plugins/observation-heuristic/concepts.ts";
import { episodesOf } from "../../../plugins/observation-heuristic/episodes.ts";
import { chooseFacts, toFact } from "../../../plugins/observation-heuristic/fact.ts";
import { kindOfChange } from "../../../plugins/observation-heuristic/kind.ts";
import { commitSubject, titleFrom } from "../../../plugins/observation-heuristic/title.ts";

describe("a fact", () => {
  const facts: Array<[string, string, string | undefined]> = [
    [
      "of the right length stays",
      "src/auth.ts: refreshToken() makes a new token that lives 7 days",
      "src/auth.ts: refreshToken() makes a new token that lives 7 days",
    ],
    ["that is too short goes", "src/auth.ts changed", undefined],
    [
      "that starts with a pronoun goes",
      "It returns the total of all lines in the cart, with the discount taken off",
      undefined,
    ],
    [
      "that points back goes",
      "This makes the checkout faster because the totals are cached for an hour",
      undefined,
    ],
    ["without a pause inside its limits goes", `src/auth.ts: ${"x".repeat(200)}`, undefined],
    [
      "with an open bracket is not cut there",
      `src/auth.ts: the loader reads every module (${"and one more module, ".repeat(10)}) at the start`,
      "src/auth.ts: the loader reads every module at the start",
    ],
    [
      "loses terminal colours",
      "\u001b[31msrc/auth.ts: the token check failed\u001b[0m for expired tokens only",
      "src/auth.ts: the token check failed for expired tokens only",
    ],
  ];
  test.each(facts)("%s", (_name, text, expected) => {
    expect(toFact(text)).toBe(expected);
  });

  test("that is too long is cut at a pause and never ends in a loose word", () => {
    const fact = toFact(
      "src/cart.ts: the totals of a cart are now computed in one place, which is why the three callers no longer need to know about discounts, vouchers and the tax of each country",
    );
    expect(fact).toBe(
      "src/cart.ts: the totals of a cart are now computed in one place, which is why the three callers no longer need to know about discounts",
    );
  });

  test("is chosen by worth, told once, kept in order, seven at most", () => {
    const many = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"].map(
      (name, index) => ({
        text: `src/${name}.ts: added the function ${name}Loader for the ${name} feed`,
        score: index,
      }),
    );
    const chosen = chooseFacts([
      ...many,
      { text: "src/iota.ts: added function iotaLoader for the iota feed", score: 9 },
    ]);
    expect(chosen).toHaveLength(7);
    expect(chosen[0]).toContain("gamma");
    expect(chosen.filter((fact) => fact.includes("iota"))).toHaveLength(1);
  });

  test("that is short takes its fuller wording", () => {
    expect(
      chooseFacts([
        {
          text: "a.ts: added b",
          score: 1,
          fuller: ["a.ts: added b", "a.ts: added the function b; 1 line added and 0 removed"],
        },
      ]),
    ).toEqual(["a.ts: added the function b; 1 line added and 0 removed"]);
  });
});

describe("a title", () => {
  const titles: Array<[string, string | undefined]> = [
    [
      "Removed the unused wrapper functions `TruncateRunes` and `CapitalizeFirst` from `utils.go:14-22`, along with the import.",
      "Removed the unused wrapper functions TruncateRunes and CapitalizeFirst",
    ],
    [
      "Add a retry to the notarization step so that a flaky network does not fail the release",
      "Add a retry to the notarization step",
    ],
    [
      "When using the auto-commit strategy, let's remove the restriction on the default branch",
      "Remove the restriction on the default branch",
    ],
    ["Fixed it", undefined],
    ["For the carts of guests nothing changes", undefined],
    ["This removes the duplicated parsing of settings", undefined],
    ["**Cart totals** - computed in one place", "Cart totals - computed in one place"],
    ["loadSettings() now returns the defaults", "loadSettings() now returns the defaults"],
    ["Why does the build fail on Windows?", "Why does the build fail on Windows?"],
    ["Why does the build fail on Windows when the path has a space in it?", undefined],
    ["ログイン画面を追加してください", undefined],
  ];
  test.each(titles)("%s", (text, expected) => {
    expect(titleFrom(text)).toBe(expected);
  });

  test("takes a commit subject without its prefix", () => {
    expect(commitSubject("feat(api)!: add cursor paging (#123)")).toBe("add cursor paging");
  });
});

describe("concepts", () => {
  test("are two to five lower-case words", () => {
    for (const concepts of [
      conceptsOf("bugfix", "", "", []),
      conceptsOf(
        "feature",
        "Add tests for the login API of the CLI",
        "database query cache docker deploy release lint css",
        ["src/a.ts"],
      ),
    ]) {
      expect(concepts.length).toBeGreaterThanOrEqual(2);
      expect(concepts.length).toBeLessThanOrEqual(5);
      expect(concepts.every((concept) => /^[a-z][a-z0-9+-]*$/.test(concept))).toBe(true);
    }
  });

  test("follow the words, then the files", () => {
    expect(
      conceptsOf(
        "feature",
        "Add password reset to the login form",
        "The login form now sends a token.",
        ["lib/auth.ex"],
      ),
    ).toContain("authentication");
    expect(conceptsOf("refactor", "Tidy the walls", "", ["src/a.rs", "src/b.rs"])).toEqual([
      "rust",
      "code-quality",
    ]);
  });
});

describe("the type", () => {
  const [episode] = episodesOf([
    {
      kind: "change",
      id: "t",
      time: 0,
      path: "a.ts",
      action: "edited",
      added: [],
      removed: [],
      defined: [],
      dropped: [],
      touched: [],
    },
  ]);
  const kinds: Array<[string[], string]> = [
    [["Fix the crash when the cart is empty"], "bugfix"],
    [["Add coupon codes to the checkout"], "feature"],
    [["Extract the totals into a module of their own"], "refactor"],
    [["Remove unused helper functions"], "refactor"],
    [[""], "feature"],
  ];
  test.each(kinds)("%p is %s", (words, kind) => {
    if (episode === undefined) throw new Error("no episode");
    expect(kindOfChange(episode, [], words)).toBe(kind as "bugfix");
  });

  test("a commit's own prefix decides", () => {
    if (episode === undefined) throw new Error("no episode");
    expect(
      kindOfChange(
        { ...episode, commit: { subject: "refactor: fix the add button's name", body: "" } },
        [],
        ["fix"],
      ),
    ).toBe("refactor");
  });
});
