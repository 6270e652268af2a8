// What sessions left open, and what settles it.
import { expect, test } from "bun:test";
import type { Turn } from "../../src/sdk/turn.ts";
import { openEnds } from "../../src/strategy/open-ends.ts";
import { type ShortPiece, turn } from "../support/turns.ts";

const changed = ["src/cart.ts"];
const list = "- [x] draw icons\n- [ ] translate the imprint\n- [ ] measure the page";
const says = (closing: string, ...before: ShortPiece[]) =>
  turn(1, [["prompt", "Round the cart's prices"], ...before, ["closing", closing]], { changed });

test.each<[string, Turn[], Array<[kind: string, text: string, about?: string]>]>([
  [
    "a question",
    [says("The cart rounds.\n\nWant me to commit this?")],
    [["question", "Want me to commit this?"]],
  ],
  [
    "eine Frage",
    [says("Der Korb rundet. Soll ich das committen?")],
    [["question", "Soll ich das committen?"]],
  ],
  [
    "a question with choices",
    [says("All is renamed.\n\nShall I:\n1. Commit it?\n2. Revert it?")],
    [["question", "Shall I: 1. Commit it? 2. Revert it?"]],
  ],
  [
    "a question and the agent's own answer",
    [says("It is slow. Which one do you prefer? I would take the first.")],
    [["question", "Which one do you prefer? I would take the first."]],
  ],
  [
    "a question in the middle",
    [says("Should it round up? I took the usual way. The cart rounds to cents.")],
    [],
  ],
  [
    "a question that the next prompt answered",
    [
      says("Want me to commit this?"),
      turn(2, [
        ["prompt", "no"],
        ["closing", "The cart stays as it is."],
      ]),
    ],
    [],
  ],
  [
    "what a greeting asks",
    [
      turn(1, [
        ["prompt", "hello"],
        ["closing", "Hi! How can I help you today?"],
      ]),
    ],
    [],
  ],
  [
    "a commit that is ready",
    [says("All tests pass.\n\n1 commit ahead, ready to push.", ["commit", "Round prices"])],
    [["next", "1 commit ahead, ready to push."]],
  ],
  [
    "a push that was done",
    [says("All tests pass.\n\nThe push went to main.", ["passed", "", "git push"])],
    [],
  ],
  [
    "praise of what a step of git's would take",
    [says("All tests pass.\n\nThe branch is ready for review and merge!")],
    [],
  ],
  ["what is spoken of by a step's name", [says("It rounds.\n\nNone of them block the merge.")], []],
  ["what has a step's name in it", [says("It rounds.\n\nNo merge conflicts were left.")], []],
  ["what the code does", [says("It rounds.\n\nThe release job will push the tag.")], []],
  ["what the work does", [says("It rounds.\n\nThis lets you commit without a price.")], []],
  [
    "what the work is ready for",
    [says("It rounds.\n\nThis is ready to merge.")],
    [["next", "This is ready to merge."]],
  ],
  [
    "a step behind the same word for what it is about",
    [says("It rounds.\n\nThe commit is split, so you can commit the rest.")],
    [["next", "The commit is split, so you can commit the rest."]],
  ],
  [
    "eine Sache zum Pushen",
    [says("Der Korb rundet.\n\nJetzt noch pushen.")],
    [["next", "Jetzt noch pushen."]],
  ],
  [
    "a count of what was done",
    [
      turn(1, [
        ["prompt", "Test it with 3 carts"],
        ["closing", "It rounds. The cart is tested with 4 subtests."],
      ]),
    ],
    [],
  ],
  [
    "a step of git's that the work took already",
    [says("It rounds.\n\nReady to push.", ["passed", "pushed", "git push origin main"])],
    [],
  ],
  ["a step of git's that is the result", [says("The commit hook now rounds.")], []],
  [
    "a command to run",
    [says("Rounded.\n\nRun `make lint` before you stop.", ["passed", "", "make test"])],
    [["next", "Run make lint before you stop."]],
  ],
  [
    "a question about the list above it",
    [says("Two ways:\n\n1. **Here** - one by one\n\n2. **There** - at once\n\nWhich approach?")],
    [["question", "1. Here - one by one 2. There - at once Which approach?"]],
  ],
  [
    "a question whose options stand above what is said of them",
    [
      says(
        "Options:\n1. **Here** - one by one\n2. **There**\n\nI lean to 2. Shall I go on with that?",
      ),
    ],
    [["question", "1. Here - one by one 2. There Shall I go on with that?"]],
  ],
  [
    "a question whose options are bold lines, each with what is said of it",
    [
      says(
        "**Option A: In the cart**\n- Simple\n\n**Option B: In the till** (new)\nIt is exact.\n\nWhat do you prefer?",
      ),
    ],
    [["question", "Option A: In the cart Option B: In the till (new) What do you prefer?"]],
  ],
  [
    "a question whose options are headings",
    [says("### Variante 1: Hier\nEinfach.\n\n### Variante 2: Dort\nGenau.\n\nSoll ich anfangen?")],
    [["question", "Variante 1: Hier Variante 2: Dort Soll ich anfangen?"]],
  ],
  [
    "a question that asks which of a list, with a paragraph between",
    [says("1. Round up\n2. Round down\n\nBoth are exact.\n\nWhich one shall I take for prices?")],
    [["question", "1. Round up 2. Round down Which one shall I take for prices?"]],
  ],
  [
    "a question that names entries of the list",
    [says("1. Round up\n2. Round down\n\nShall I fix the prices? I would begin with #2.")],
    [["question", "1. Round up 2. Round down Shall I fix the prices? I would begin with #2."]],
  ],
  [
    "a question about options below it, each with what is said of it",
    [
      says(
        "Where should prices round?\n\n**A) In the cart**\n- Simple\n\n**B) In the till**\n- Exact",
      ),
    ],
    [["question", "Where should prices round? A) In the cart B) In the till"]],
  ],
  [
    "a question before what leads to its options",
    [says("Is that a concern? Options:\n1. Keep it\n2. Warn")],
    [["question", "Is that a concern? Options: 1. Keep it 2. Warn"]],
  ],
  [
    "a question below an option that is leaned to",
    [
      says(
        "1. Round up\n2. Round down\n\nI'd lean toward **option 2**.\n\n```\nround(2)\n```\n\nWhat do you think of it?",
      ),
    ],
    [["question", "1. Round up 2. Round down What do you think of it?"]],
  ],
  [
    "a question beside a sentence with which",
    [
      says(
        "1. Rounded up\n2. Rounded down\n\nIt reads the price, which is slow. Want me to cache prices?",
      ),
    ],
    [["question", "Want me to cache prices?"]],
  ],
  [
    "a question before what leads to what would be done",
    [says("Shall I mend the till too? I would:\n1. Read it\n2. Round it")],
    [["question", "Shall I mend the till too? I would:"]],
  ],
  [
    "a question with more options than there is room for",
    [
      says(
        `Options:\n${[1, 2, 3].map((at) => `${at}. Round ${"the price of the cart ".repeat(9)}`).join("\n")}\n\nWhich one?`,
      ),
    ],
    [
      [
        "question",
        [
          ...[1, 2, 3].map(
            (at) => `${at}. Round ${"the price of the cart ".repeat(3)}the price of the…`,
          ),
          "Which one?",
        ].join(" "),
      ],
    ],
  ],
  [
    "a question below what was done, in numbers",
    [says("1. Rounded the price\n2. Drew the icon\n\nAll pass. Shall I open #91 for the prices?")],
    [["question", "Shall I open #91 for the prices?"]],
  ],
  [
    "a question which one, of another part than the numbers",
    [
      says(
        "1. Reads the price\n2. Rounds it\n\n## Places\n\nThe cart or the till. Which place is better?",
      ),
    ],
    [["question", "Which place is better?"]],
  ],
  [
    "options that were taken",
    [says("Where should prices round?\n\nA) In the cart\nB) In the till\n\nI took the cart.")],
    [],
  ],
  [
    "options of which one was taken by its letter",
    [
      says(
        "Where should prices round?\n\nA) In the cart\nB) In the till\n\nI implemented option A.",
      ),
    ],
    [],
  ],
  [
    "a question above options of which one is recommended",
    [
      says(
        "**Where should prices round?**\n\n1. In the cart\n2. In the till\n\nI'd suggest **option 1**: it is simple.",
      ),
    ],
    [["question", "Where should prices round? 1. In the cart 2. In the till"]],
  ],
  [
    "a question above the code that it is about, and sources",
    [
      says(
        "Prices are cut. Shall I round the prices?\n\n```ts\nround(2)\n```\n\nSources:\n- [Rounding](https://example.com/a)\n- Money: https://example.com/b",
      ),
    ],
    [["question", "Shall I round the prices?"]],
  ],
  [
    "a question about options, above its sources",
    [
      says(
        "Options:\n1. Round up\n2. Round down\n\nI'd take option 1. What do you think?\n\n## Sources\n\n- [Rounding](https://example.com/a)",
      ),
    ],
    [["question", "1. Round up 2. Round down What do you think?"]],
  ],
  [
    "no code but what is right below the question",
    [
      says(
        "Shall I round the prices?\n\n```ts\nround(2)\n```\n\nPrices are cut so:\n\n```ts\ncut(2)\n```",
      ),
    ],
    [],
  ],
  [
    "a question about links below it",
    [
      says(
        "Which page shall prices link to? Pages:\n- https://example.com/a\n- https://example.com/b",
      ),
    ],
    [["question", "Which page shall prices link to? Pages:"]],
  ],
  [
    "options that nobody asks about",
    [says("The ways were:\n\n**A) In the cart**\n- Simple\n\n**B) In the till**\n- Exact")],
    [],
  ],
  [
    "a question that says what it is about, below a list",
    [says("Done:\n\n- Rounded\n- Drawn\n\nShall I commit the prices?")],
    [["question", "Shall I commit the prices?"]],
  ],
  [
    "a result that names a command before it",
    [says("Moved from `make lint` to `make check`. It takes less.", ["passed", "", "make test"])],
    [],
  ],
  [
    "a result that tells of commits at length",
    [
      says(
        "All pass.\n\nNow the reader keeps the whole message of the last commit where it finds none, and the other one is for checks.",
      ),
    ],
    [],
  ],
  [
    "what was to be looked at, where nothing was done",
    [
      turn(1, [
        ["prompt", "Cache the prices"],
        ["closing", "It is new. I'll look at the price cache next."],
      ]),
    ],
    [],
  ],
  [
    "a command that ran",
    [says("Rounded.\n\nI ran `make lint` once more.", ["passed", "", "make lint"])],
    [],
  ],
  [
    "the next of a row",
    [
      turn(1, [
        ["prompt", "Do phase 13"],
        ["closing", "It is done. Ready for phase 14."],
      ]),
    ],
    [["next", "Ready for phase 14."]],
  ],
  [
    "what the agent was about to do",
    [says("I'll look at the price cache next.")],
    [["next", "I'll look at the price cache next."]],
  ],
  ["code at the end", [says("Rounded.\n```\nWant me to commit this?\n```")], []],
  [
    "a list",
    [says("Drawn.", ["todo", list])],
    [["todo", "translate the imprint; measure the page", "1/3"]],
  ],
  [
    "a list of which a later session took an entry up",
    [
      says("Drawn.", ["todo", list]),
      turn(2, [["closing", "I could translate the whole imprint."]], { session: "s2" }),
    ],
    [["todo", "measure the page", "2/3"]],
  ],
  [
    "a list that a later commit closed",
    [
      says("Drawn.", ["todo", list]),
      turn(2, [
        ["commit", "Draw icons"],
        ["closing", "Committed."],
      ]),
    ],
    [],
  ],
  [
    "a list whose pull request was opened",
    [
      says("Drawn.", ["todo", list]),
      turn(2, [
        ["published", "Draw icons", "pull request #3"],
        ["closing", "Opened."],
      ]),
    ],
    [],
  ],
  [
    "a list of which a commit of its own turn names an entry",
    [says("Drawn.", ["commit", "Translate the imprint"], ["todo", list])],
    [["todo", "measure the page", "2/3"]],
  ],
  [
    "a failed check",
    [says("It fails.", ["failure", "1 failed\nrounding is off by a cent", "make test"])],
    [["failure", "rounding is off by a cent", "make test"]],
  ],
  ["a failed look", [says("Nothing.", ["failure", "", "grep -r cart"])], []],
  [
    "a check that passed as another part",
    [
      says("It fails.", ["failure", "off", "make test"]),
      turn(
        2,
        [
          ["passed", "", "make lint && make test"],
          ["closing", "Fine."],
        ],
        { session: "s2" },
      ),
    ],
    [],
  ],
  [
    "a plan that was accepted",
    [
      turn(1, [
        ["prompt", "Plan it"],
        ["plan", "# Move to DuckDB\n1. Export"],
      ]),
    ],
    [["plan", "Move to DuckDB", "accepted"]],
  ],
  [
    "a plan that was carried out",
    [
      turn(
        1,
        [
          ["plan", "# Move to DuckDB\n1. Export"],
          ["closing", "The export is written."],
        ],
        { changed },
      ),
    ],
    [],
  ],
  [
    "a plan that was proposed",
    [turn(1, [["refusal", "", "ExitPlanMode: # Move to DuckDB\n1. Export"]])],
    [["plan", "Move to DuckDB", "proposed"]],
  ],
  [
    "work that was stopped",
    [
      turn(1, [
        ["prompt", "Migrate"],
        ["said", "I begin."],
        ["interrupted", "", "node migrate.js"],
      ]),
    ],
    [["stopped", "", "node migrate.js"]],
  ],
  [
    "work that was stopped, and only talked about since",
    [
      turn(1, [
        ["prompt", "Migrate"],
        ["interrupted", "", "node migrate.js"],
      ]),
      turn(2, [
        ["prompt", "Wait for me"],
        ["closing", "Waiting."],
      ]),
    ],
    [["stopped", "", "node migrate.js"]],
  ],
  [
    "work that was stopped, and went on",
    [
      turn(1, [["interrupted", "", "node migrate.js"]]),
      turn(2, [["closing", "Done."]], { changed: ["a.ts"] }),
    ],
    [],
  ],
  ["a prompt that never ran", [turn(1, [["prompt", "Migrate"]])], []],
  [
    "what a later session's work on the file took up",
    [says("Want me to add a test?"), turn(2, [["closing", "Tested."]], { session: "s2", changed })],
    [],
  ],
  [
    "a commit that a later session made",
    [
      says("Want me to commit this?"),
      turn(
        2,
        [
          ["commit", "Round"],
          ["closing", "Committed."],
        ],
        { session: "s2" },
      ),
    ],
    [],
  ],
])("%s", (_, turns, ends) => {
  const found = openEnds(turns).map(({ kind, text, about }): (typeof ends)[number] =>
    about === "" ? [kind, text] : [kind, text, about],
  );
  expect(found).toEqual(ends);
  expect(openEnds(turns.toReversed())).toEqual(openEnds(turns));
});

test("the newest session comes first", () => {
  const asks = (number: number) =>
    turn(
      number,
      [
        ["closing", `Part ${number} is done. Go on with it?`],
        ["said", ""],
      ],
      { session: `s${number}` },
    );
  expect(openEnds([1, 3, 2].map(asks)).map(({ turn: { id } }) => id)).toEqual(["t3", "t2", "t1"]);
});
