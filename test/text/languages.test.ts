// Which language texts are in: clear ones by their words or their script, all others are English.
import { expect, test } from "bun:test";
import { languageOf } from "../../src/text/prose/plain.ts";

test.each([
  ["en", "Please fix the login, it loops for ever when the token is old."],
  ["de", "Bitte behebe die Schleife, die nach dem Anmelden auf der Seite ist."],
  ["fr", "Corrige la boucle de connexion, elle ne doit pas être dans ce module."],
  ["es", "Corrige el bucle, no puede ser que los usuarios no entren con la clave."],
  ["pt", "Corrija o laço, não pode ser que os usuários não entrem com a chave."],
  ["it", "Correggi il ciclo, non può essere che gli utenti non entrino con la chiave."],
  ["nl", "Los de lus op, het kan niet zijn dat een gebruiker niet met de sleutel komt."],
  ["ru", "Исправь цикл входа, пожалуйста"],
  ["ja", "ログインのループを直してください"],
  ["zh", "请修复登录循环"],
  ["ko", "로그인 루프를 고쳐 주세요"],
  ["ar", "أصلح حلقة تسجيل الدخول"],
] as const)("%s", (language, text) => {
  expect(languageOf([text])).toBe(language);
});

test.each([
  ["nothing", []],
  ["code", ["const total = sum(lines);", "npm run build"]],
  [
    "English with a foreign word or two",
    ["The handler of the login is in die.ts and the user is not there"],
  ],
  [
    "a Chinese name in an English text",
    ["The 登录 page of the shop loops for ever when the token of the user is old"],
  ],
])("%s counts as English", (_, texts) => {
  expect(languageOf(texts)).toBe("en");
});

test("capitals are of a language as small letters are, and the texts count together", () => {
  expect(languageOf(["BITTE DIE SEITE NICHT NEU LADEN"])).toBe("de");
  expect(languageOf(["ok", "die Seite ist nicht da"])).toBe("de");
});

test("a fifth of the letters makes a script, two common words a language", () => {
  expect(languageOf(["abcd 登"])).toBe("zh");
  expect(languageOf(["abcde 登"])).toBe("en");
  expect(languageOf(["Seite die Seite die Seite"])).toBe("en");
});
