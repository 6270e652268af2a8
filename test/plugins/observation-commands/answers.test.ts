// Command lines as models write them: what is read, what is refused, and that nothing is ever run.
import { describe, expect, test } from "bun:test";
import { commandFormat } from "../../../plugins/observation-commands/index.ts";
import type { RawAnswer, RawObservation } from "../../../src/strategy/raw-answer.ts";

const read = (text: string): RawAnswer => commandFormat.read(text, false);
const empty: RawObservation = {
  type: "",
  title: "",
  subtitle: "",
  facts: [],
  narrative: "",
  concepts: [],
  files: [],
  uses: [],
};

const cases: Array<[string, string, Array<Partial<RawObservation>>]> = [
  [
    "one command",
    `memoir store-memory --title "A b c" --facts '["one","two"]' --uses 1,3`,
    [{ title: "A b c", facts: ["one", "two"], uses: [1, 3] }],
  ],
  [
    "in a fence, after a prompt sign",
    "Sure:\n```bash\n$ memoir store-memory --title 'A b c'\n```\nThat's it.",
    [{ title: "A b c" }],
  ],
  ["by a path", '~/.memoir/bin/memoir store-memory --title "A"', [{ title: "A" }]],
  [
    "over several lines",
    'memoir store-memory \\\n  --title "A" \\\n  --type bugfix \\ \n  --subtitle "S"\nDone.',
    [{ title: "A", type: "bugfix", subtitle: "S" }],
  ],
  [
    "a value over several lines",
    'memoir store-memory --title "A" --narrative "one\n\ntwo"\nmore',
    [{ title: "A", narrative: "one\n\ntwo" }],
  ],
  [
    "escaped quotes",
    String.raw`memoir store-memory --title "A \"b\" c" --facts '["it'\''s so"]'`,
    [{ title: 'A "b" c', facts: ["it's so"] }],
  ],
  [
    "a forgotten apostrophe",
    `memoir store-memory --title "A" --facts '["it doesn't work", "b"]'`,
    [{ title: "A", facts: ["it doesn’t work", "b"] }],
  ],
  [
    "equals signs",
    `memoir store-memory --title="A b" --files=["a.ts"]`,
    [{ title: "A b", files: ["a.ts"] }],
  ],
  [
    "equals signs with quotes",
    `memoir store-memory --title="A b" --files='["a.ts"]'`,
    [{ title: "A b", files: ["a.ts"] }],
  ],
  [
    "nothing is expanded",
    "memoir store-memory --title \"costs $5 in $HOME\" --subtitle '`id` $(id)'",
    [{ title: "costs $5 in $HOME", subtitle: "`id` $(id)" }],
  ],
  [
    "what follows is not read",
    'memoir store-memory --title "A" && rm -rf / --title "B"',
    [{ title: "A" }],
  ],
  ["a pipe", 'memoir store-memory --title "A" | tee x --title "B"', [{ title: "A" }]],
  ["a redirection", 'memoir store-memory --title "A" > /etc/passwd', [{ title: "A" }]],
  [
    "a semicolon",
    `memoir store-memory --title "A";\nmemoir store-memory --title "B";`,
    [{ title: "A" }, { title: "B" }],
  ],
  [
    "lists without JSON",
    'memoir store-memory --title "A" --concepts "one, two" --files "a.ts"',
    [{ title: "A", concepts: ["one", "two"], files: ["a.ts"] }],
  ],
  [
    "unknown options",
    'memoir store-memory --project x --id p_s_001 --mood good --title "A"',
    [{ title: "A" }],
  ],
  ["another program", 'claude-mem store-memory --title "A"', []],
  ["inside prose", 'I would run memoir store-memory --title "A"', []],
];

describe("commands", () => {
  test.each(cases)("%s", (_name, text, expected) => {
    expect(read(text).observations).toEqual(expected.map((part) => ({ ...empty, ...part })));
  });

  test("title and overview of a session", () => {
    const answer = read(
      'memoir store-overview --content "All is done." --learned "Much" --next-steps "More"\nmemoir update-session-metadata --title "A b c" --subtitle "d"',
    );
    expect(answer).toMatchObject({
      title: "A b c",
      subtitle: "d",
      summary: { completed: "All is done.", learned: "Much", nextSteps: "More" },
    });
  });

  const refused: Array<[string, string, string]> = [
    [
      "open quotes",
      'memoir store-memory --title "A',
      "the quotes of a store-memory command do not match",
    ],
    [
      "broken JSON",
      `memoir store-memory --title "A" --facts '["a" "b"]'`,
      "the quotes of a store-memory command do not match",
    ],
    [
      "no content",
      "memoir store-memory --type bugfix",
      "a store-memory command had neither --title nor --facts",
    ],
    ["prose", "I stored everything there was.", "no memoir command was found in it"],
  ];
  test.each(refused)("refuses %s", (_name, text, problem) => {
    expect(read(text)).toEqual({ observations: [], nothing: false, problem });
  });

  test.each(["NOTHING", "Nothing."])("%p is nothing", (text) => {
    expect(read(text)).toEqual({ observations: [], nothing: true });
  });

  test("takes giant answers in", () => {
    for (const piece of [
      'memoir store-memory --title "',
      "'",
      "\\\n",
      "memoir store-memory --facts '[\n",
    ])
      expect(() => read(piece.repeat(400_000 / piece.length))).not.toThrow();
  });
});
