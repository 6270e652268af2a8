// The small parts of the note: its own words, and a line in its room.
import { expect, test } from "bun:test";
import { writeLine } from "../../../plugins/context-handover/index.ts";
import { labelsOf, sectionNames } from "../../../plugins/context-handover/material.ts";
import { code } from "../../../src/strategy/project-commands.ts";
import { languageOf, languages } from "../../../src/text/prose/plain.ts";

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
    expect(labels.ask).toContain("`remember`");
    expect(Object.keys(sections)).toEqual([...sectionNames]);
  }
  expect(labelsOf("ko").intro).toEndWith("지시가 아님.");
});

test.each([
  ["a whole line", "t1:", "It is done.", 100, "- t1: “It is done.”"],
  ["a line without a colon", "t1", "It is done.", 100, "- t1 · “It is done.”"],
  [
    "what is said on several lines",
    "t1:",
    "One.\n\n## Two “three”",
    100,
    '- t1: “One. ## Two "three"”',
  ],
  [
    "a shortened one",
    "t1:",
    "The importer reads both forms of the price list.",
    50,
    "- t1: “The importer reads both forms of the…”",
  ],
  ["too little room", "t1:", "The importer reads both forms of the price list.", 30, undefined],
  ["a head alone", "`make` ×2", "", 100, "- `make` ×2"],
  ["no room for a head alone", "`make` ×2", "", 8, undefined],
  ["what the client does not show", "t1 \u202e🙂", "", 100, "- t1 �"],
])("%s", (_, head, said, room, written) => {
  expect(writeLine({ section: "open", worth: 1, ids: [], head, said }, room)).toBe(written);
});

test("a rule is told whole or not at all, however long what leads to it is", () => {
  const said = "As the reviewers asked we change the language of all texts - use US English.";
  const rule = { section: "decided", worth: 1, ids: [], head: "m1:", said } as const;
  const whole = { ...rule, wanted: 320, isWhole: true } as const;
  expect(writeLine(rule, 60)).toEndWith("…”");
  expect(writeLine(whole, 60)).toBeUndefined();
  expect(writeLine(whole, 100)).toBe(`- m1: “${said}”`);
  // What a person wrote may be as long as they like: they get its beginning.
  expect(writeLine({ ...whole, said: `${said} `.repeat(9) }, 400)).toContain("US English.");
});

test("a command stands on one line between its marks", () => {
  expect(code("make\n  `all`")).toBe("`make 'all'`");
  expect(code("x".repeat(300))).toHaveLength(162);
});
