// The small parts of the note: languages, words, telling lines, lines and their room.
import { describe, expect, test } from "bun:test";
import { fitLines } from "../../../plugins/context-handover/index.ts";
import {
  type Line,
  labelsOf,
  sectionNames,
  writeLine,
} from "../../../plugins/context-handover/line.ts";
import { code, namesIn, tellingLine, termsOf } from "../../../plugins/context-handover/past.ts";
import { languageOf, languages } from "../../../src/text/languages.ts";

test.each([
  ["en", "Please fix the rounding of the cart and run all tests"],
  ["de", "Der Rechner rundet falsch, bitte reparieren und die Tests laufen lassen"],
  ["fr", "Corrige la page dans les deux langues et ne touche pas au menu"],
  ["es", "Los datos de abril están mal, hay que corregir el script"],
  ["pt", "Não mude os testes, isso já está certo para o usuário"],
  ["it", "Non cambiare il menu, la pagina è già corretta per gli utenti"],
  ["nl", "Het menu is niet goed, maak het zoals op de andere pagina"],
  ["ru", "Исправь округление цен"],
  ["ar", "أصلح الصفحة الرئيسية"],
  ["ja", "ログイン画面を直してください auth.ts"],
  ["zh", "修复登录页面的错误 auth.ts"],
  ["ko", "로그인 화면을 고쳐 주세요"],
  ["en", "auth.ts refreshToken 401"],
  ["en", "Create a hello world function\nNow add a goodbye function"],
  ["en", "le"],
  ["en", ""],
])("%s: %s", (language, text) => {
  expect(languageOf([text])).toBe(language as "en");
});

test("every language has every label, and names what it must name", () => {
  const english = labelsOf("en");
  for (const language of languages) {
    const { sections, ...labels } = labelsOf(language);
    for (const text of [...Object.values(labels), ...Object.values(sections)])
      expect([language, text.trim()]).toEqual([language, expect.stringMatching(/\p{L}/u)]);
    expect(Object.keys(labels)).toEqual(Object.keys(english).filter((name) => name !== "sections"));
    expect(labels.intro).toContain("{name}");
    expect(labels.more.split("{command}").length).toBe(3);
    expect(labels.quoted).toContain("{n}");
    expect(Object.keys(sections)).toEqual([...sectionNames]);
  }
  expect(labelsOf("ko").quoted).toBe("[인용 {n}줄]");
  expect(labelsOf("ko").intro).toEndWith("지시가 아님.");
});

describe("what is quoted", () => {
  const written = (text: string, most = 1_000) =>
    writeLine("t1", [{ text, as: "quote" }], most)
      ?.split("\n")
      .slice(1)
      .map((line) => line.slice(4));
  test("has one gap where several things are missing", () => {
    expect(written("One.\n…\n\n…\n---\n… \nTwo.\n…\n…")).toEqual(["One.", "…", "Two.", "…"]);
  });
  test("announces nothing that is missing", () => {
    expect(
      written(
        "# Done\nOne.\n## Options\n…\nUse it:\n```\n…\n```\n**Files:**\n- a.ts\nOr in a container:",
      ),
    ).toEqual(["# Done", "One.", "…", "**Files:**", "- a.ts", "…"]);
    expect(written("# Only a heading\nand more: this")).toEqual([
      "# Only a heading",
      "and more: this",
    ]);
  });
  test("does not go on inside a sentence", () => {
    const sentence = (word: string) => `${`${word} `.repeat(60).trim()}.`;
    const text = `${sentence("first")}\n${sentence("second")}\n${sentence("third")}`;
    expect(written(text, 300)?.join(" ")).not.toContain("third");
    expect(written(`${text}\nThe end.`, 420)?.at(-1)).toBe("The end.");
  });
  test("leaves out pictures that the client cannot show, and letters stay", () => {
    expect(written("🚀 Ready ✅\n👩‍💻🏽 done 𠮷")).toEqual(["Ready ✅", "done \ufffd"]);
  });
});

test("words are compared without endings and common words; scripts without spaces by pairs", () => {
  expect(termsOf("The exported files are with us").size).toBe(2);
  expect(termsOf("The exported files are with us")).toEqual(termsOf("EXPORT, files!"));
  expect(termsOf("max_tokens of über, x 42")).toEqual(new Set([...termsOf("max_t"), "über"]));
  expect(termsOf("abc abd abcd abcde").size).toBe(4);
  expect(termsOf("修复登录")).toEqual(new Set(["修复", "复登", "登录"]));
});

test.each([
  ["see ./src/a.ts and queries/.", ["src/a.ts", "queries"]],
  ["call readFile() twice", ["readfile"]],
  ["nothing here", []],
  ["only q/ stands there", []],
])("names in %s", (text, wanted) => {
  const found = namesIn(text);
  for (const name of wanted) expect(found).toContain(name);
  if (wanted.length === 0) expect(found).toEqual([]);
});

test.each([
  [
    "Exit code 1\n1 failed\n  island surcharge expected 1250, got 12.5",
    "island surcharge expected 1250, got 12.5",
  ],
  ["\u001b[31mboom\u001b[0m", "boom"],
  ["", ""],
  ["port is taken\ndisk was full", "port is taken"],
  [`${"every word of this line counts alone ".repeat(9)}\nport is taken`, "port is taken"],
])("the telling line of %j", (output, wanted) => {
  expect(tellingLine(output)).toBe(wanted);
});

const line = (rank: number, text: string, part: Partial<Line> = {}): Line => ({
  section: "open",
  rank,
  ids: [],
  head: `h${rank}`,
  sayings: () => [{ text, as: "user" }],
  wanted: 100,
  least: 20,
  ...part,
});

test("a line that says in other marks what was told is left out", () => {
  const lines = [
    line(0.9, "The **`cache`** is purged when prices change, as it should."),
    line(0.5, "The cache is purged when prices change…"),
    line(0.4, "urge"),
  ];
  expect(fitLines(lines, 1_000, () => 0).map(({ line: one }) => one.rank)).toEqual([0.9, 0.4]);
});

test("a line of which too little has room makes room for others", () => {
  const long = line(0.9, `${"It says a lot of things about the cart. ".repeat(9)}`, {
    head: "t9 · 2026-11-20 · before later changes of cart.ts",
    needsSaying: true,
    wanted: 300,
  });
  expect(fitLines([long], 120, () => 0)).toEqual([]);
  expect(fitLines([long], 300, () => 0).length).toBe(1);
  const short = { ...long, sayings: () => [{ text: "Yes.", as: "user" as const }] };
  expect(fitLines([short], 120, () => 0).length).toBe(1);
});

test("a line of which nothing is left to say is left out", () => {
  const gap = line(0.9, "…\n\n…", { head: "t9 · then", needsSaying: true });
  expect(fitLines([gap], 1_000, () => 0)).toEqual([]);
});

describe("room", () => {
  const fit = (lines: Line[], budget: number) =>
    fitLines(lines, budget, () => 10).map(({ text }) => text);
  test("goes by rank, and lines keep their order", () => {
    expect(fit([line(0.1, "low low low low low"), line(0.9, "high high high high")], 60)).toEqual([
      "- h0.9 · “high high high high”",
    ]);
    expect(fit([line(0.1, "low"), line(0.9, "high")], 200)).toEqual([
      "- h0.1 · “low”",
      "- h0.9 · “high”",
    ]);
  });
  test("that is left lets shortened lines grow, the first ones first", () => {
    const long = "A sentence of some length. ".repeat(10).trim();
    const [text = ""] = fit([line(0.9, long)], 400);
    expect(text).toContain(long);
    expect(fit([line(0.9, long)], 120)[0]).toContain("…");
  });
  test("is not spent on what is told already, nor on lines that need something to say", () => {
    expect(fit([line(0.9, "It is said, and said well."), line(0.5, "said well")], 400).length).toBe(
      1,
    );
    expect(fit([line(0.9, "", { sayings: () => [], needsSaying: true })], 400)).toEqual([]);
  });
});

test("of two sayings the first gives way: the last is whole", () => {
  const last = "The total is a getter now, and the cart asks for it once.";
  const text = writeLine(
    "t1",
    [
      { text: "The cart shows an old total. ".repeat(40), as: "user", label: "asked:" },
      { text: last, as: "plain" },
    ],
    400,
  );
  expect(text).toContain("asked: “The cart shows an old total.");
  expect(text).toEndWith(last);
});

test("a line keeps to its room, whatever it says", () => {
  const nasty = "🙂 \ud800 word. ".repeat(200);
  for (let most = 60; most < 3_000; most += 37)
    for (const as of ["user", "quote", "plain"] as const) {
      const text = writeLine(
        "t1",
        [
          { text: nasty, as, label: "asked:" },
          { text: `${nasty}\n${nasty}`, as },
        ],
        most,
      );
      expect(text === undefined || text.length <= most).toBe(true);
    }
});

test("a head has no character that the client does not show", () => {
  expect(writeLine("t1 \u{1f680} run", [], 100)).toBe("- t1 \ufffd run");
});

test("a command stands on one line between its marks, cut at 200 characters", () => {
  expect(code("echo `date`\n  && ls")).toBe("`echo 'date' && ls`");
  expect(code("a".repeat(200))).toBe(`\`${"a".repeat(200)}\``);
  expect(code("a".repeat(201))).toBe(`\`${"a".repeat(199)}…\``);
});
