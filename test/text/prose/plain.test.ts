// Markdown and markup as plain text, the line of a failure, and names that only code has.
import { describe, expect, test } from "bun:test";
import { saysOtherwise } from "../../../src/text/prose/phrases.ts";
import {
  cleanText,
  codeNames,
  failureLine,
  isFiller,
  meaningOf,
  overlap,
  plainLine,
  sentencesOf,
  startsDangling,
  tellingWords,
  withoutClientMarkup,
} from "../../../src/text/prose/plain.ts";
import { isAnnouncement } from "../../../src/text/prose/telling.ts";

test.each([
  ["a [link](https://x.y/a_(b)) and ![image](x.png)", "a link and image"],
  ["**bold** and *slanted* and ~~gone~~ and `code`", "bold and slanted and gone and code"],
  ["a * b * c = 2**3", "a * b * c = 2**3"],
  ["src/**/a.ts", "src/**/a.ts"],
  ["**/a.ts", "**/a.ts"],
  ["**half bold", "half bold"],
  ["it ends here.**", "it ends here."],
  ["_slanted_ but snake_case_name and _a", "slanted but snake_case_name and _a"],
  ["✅ done ⚠ → ", "done"],
  ["a → b", "a → b"],
  ["“said” – ‘so’ — twice", "\"said\" - 'so' - twice"],
  ["  several\n lines\tand  spaces ", "several lines and spaces"],
])("%p as one line: %p", (markdown, line) => {
  expect(plainLine(markdown)).toBe(line);
});

test.each([
  ["\u001b[31mred\u001b[0m\r\nnext\rlast", "red\nnext\nlast"],
  ["zero\u200bwidth\u2028line\u0007 ✔\ufe0f", "zerowidthline ✔"],
  ["tab\tstays\n", "tab\tstays\n"],
])("%p is cleaned to %p", (text, clean) => {
  expect(cleanText(text)).toBe(clean);
});

test.each([
  ["before<system-reminder>a\nb</system-reminder>after", "before after"],
  ['x<system-reminder kind="a">never closed', "x "],
  ["<command-name>/x</command-name>y", " y"],
  ["<command-message>m</command-message><command-contents>c</command-contents>", "  "],
  ["<local-command-stdout>a</local-command-stdout>b<local-command-stderr>c", " b "],
  ["<local-command-caveat>a</local-command-caveat><task-notification>b</task-notification>", "  "],
  ["<tool_use_error>no</tool_use_error>", " no "],
  ["<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>", " a  b "],
  ["<bash-input>a</bash-input><command-args>b</command-args>", " a  b "],
  ["<user-prompt-submit-hook>a</user-prompt-submit-hook>", " a "],
  [
    "<SUMMARY>a</SUMMARY><analysis>b</analysis><result>c</result><output>d</output>",
    " a  b  c  d ",
  ],
  ["<persisted-output>a</persisted-output><error>b</error>", " a  b "],
  ["a < b, <div>html</div>, <summaryX>", "a < b, <div>html</div>, <summaryX>"],
])("%p without the client's markup: %p", (text, own) => {
  expect(withoutClientMarkup(text)).toBe(own);
});

describe("a failure's line", () => {
  test.each<[string, string[], string]>([
    [
      "names a place and fails",
      ["src/b.ts:1:2: note", "expected 2", "src/a.ts:3:7: error TS2345: no"],
      "src/a.ts:3:7: error TS2345: no",
    ],
    [
      "begins with what it is",
      ["Some words here", "TypeError: x is no function"],
      "TypeError: x is no function",
    ],
    ["names a place", ["Words to read", "src/a.ts:3 here it is"], "src/a.ts:3 here it is"],
    [
      "fails in words",
      ["Words to read", "the build was refused by it", "more words"],
      "the build was refused by it",
    ],
    [
      "opens no block of code",
      ["if (failed) {", "the check failed twice", "last words"],
      "the check failed twice",
    ],
    [
      "is the last that says something",
      ["Exit code 1", "one thing said", "other things said", "…", "ok"],
      "other things said",
    ],
    ["is the last at all", ["Exit code 1", "aaaa"], "aaaa"],
    ["is none", ["Exit code 1", "…", "ok"], ""],
  ])("%s", (_, lines, found) => {
    expect(failureLine(lines.join("\n"))).toBe(found);
  });

  test("has no colours, and 160 characters at most", () => {
    expect(failureLine("\u001b[31merror: it broke\u001b[0m")).toBe("error: it broke");
    expect(failureLine(`error: ${"long ".repeat(80)}`).length).toBeLessThanOrEqual(160);
  });
});

test.each<[string, string[]]>([
  [
    "readFile and ReadFile read max_tokens in auth.ts, run() it",
    ["readFile", "ReadFile", "max_tokens", "auth.ts"],
  ],
  ["start() begins", ["start"]],
  ["a.ts b.c e.g. Read the file", ["a.ts"]],
  ["words only, No names Here", []],
])("names of code in %p: %p", (text, names) => {
  expect(codeNames(text)).toEqual(names);
});

test("names of code are read of a text's first 2,000 characters", () => {
  expect(codeNames(`${"a ".repeat(1_000)}readFile`)).toEqual([]);
  expect(codeNames(`${"a ".repeat(990)}readFile`)).toEqual(["readFile"]);
});

test.each([
  ["Now let me look", true],
  ["Next, I'll read it", true],
  ["Okay, I will", true],
  ["First, I need to", true],
  ["I'm going to read", true],
  ["Let's see", true],
  ["I should check", true],
  ["Here are the results", true],
  ["Done: here is what changed", false],
  ["As asked, here is what changed", true],
  ["Als nächstes ich werde lesen", true],
  ["Lass mich sehen", true],
  ["Hier kommt der Rest", true],
  ["Hier sindbad", false],
  ["Maintenant, je vais lire", true],
  ["Laisse-moi voir", true],
  ["Permíteme leer", true],
  ["接下来我来看", true],
  ["The tests let me look", false],
  ["Letting it be", false],
])("%p announces: %p", (text, announces) => {
  expect(isAnnouncement(text)).toBe(announces);
});

test.each([
  ["These are slow", true],
  ["Which is why", true],
  ["Another retry", true],
  ["Items are slow", false],
  ["It calls readFile", false],
  ['It says "no"', false],
  ["It is in /tmp", false],
  ["It is either / or", true],
])("%p dangles: %p", (text, dangles) => {
  expect(startsDangling(text)).toBe(dangles);
});

test.each<[string, string[]]>([
  ["Yes, PLEASE do it 12 times", ["times"]],
  ["don’t stop let’s", ["don't"]],
  ["'fix' -the- src/cart.ts.", ["fix", "src/cart.ts"]],
  ["请继续修复", ["修复"]],
])("words of %p that tell something: %p", (text, words) => {
  expect(tellingWords(text)).toEqual(words);
});

test("two letters beside fillers are no request, three are", () => {
  expect([isFiller("ok ab"), isFiller("ok abc")]).toEqual([true, false]);
});

test.each<[string, string[]]>([
  ["The cart.ts/ of A b 7", ["cart.ts"]],
  ["The /cart/ -path-", ["cart", "path"]],
  ["数据库", ["数据", "据库"]],
  ["数", ["数"]],
  ["Keep IT", ["keep"]],
  ["-x y. /z/", []],
])("the meaning of %p: %p", (text, words) => {
  expect([...meaningOf(text)]).toEqual(words);
});

test("likeness is the share of the smaller text, in either order, and nothing is like nothing", () => {
  expect(overlap("heron pond", "heron lake reed wind")).toBe(0.5);
  expect(overlap("heron lake reed wind", "heron pond")).toBe(0.5);
  expect(overlap("", "heron")).toBe(0);
});

test.each([
  ["Deploys go to Berlin", "Deploys go to Paris", true],
  ["Berlin has the deploys here", "Paris has the deploys here", false],
  ["It ran. Berlin has the deploys", "It ran. Paris has the deploys", false],
  ["The limit is max_size here", "The limit is max_rows here", true],
  ["The limit of rows is B", "The limit of rows is C", false],
  ["use version v1.2.", "use version v1.2", false],
])("%p says otherwise than %p: %p", (newer, older, wanted) => {
  expect(saysOtherwise(newer, older)).toBe(wanted);
});

test.each<[string, string[]]>([
  ["Done (see below. Or not). Next", ["Done (see below. Or not).", "Next"]],
  ["Done) here. Next", ["Done) here.", "Next"]],
  ['He said "stop." Then he left.', ['He said "stop."', "Then he left."]],
  ["Ask A. Smith. Now", ["Ask A. Smith.", "Now"]],
  ["See no. 3 in fig. 2", ["See no. 3 in fig. 2"]],
  ["1. First thing", ["1. First thing"]],
  ["Run v1. then go", ["Run v1. then go"]],
  ["It ended. then it began", ["It ended.", "then it began"]],
  ["هل تم؟ نعم", ["هل تم؟", "نعم"]],
  ["(好。完了", ["(好。", "完了"]],
])("sentences of %p: %p", (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences);
});
