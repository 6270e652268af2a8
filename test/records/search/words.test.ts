import { expect, test } from "bun:test";
import { indexText, wordsOf } from "../../../src/records/search/words.ts";

const scenarios: Array<[text: string, indexed: string]> = [
  ["", ""],
  ["?! … ☃ 😀", ""],
  ["Plain words, here.", "plain words here"],
  ["refreshToken", "refreshtoken refresh token"],
  ["refresh_token", "refreshtoken refresh token"],
  ["refresh-token", "refreshtoken refresh token"],
  ["__proto__", "proto"],
  ["RefreshToken", "refreshtoken refresh token"],
  ["HTTPServer", "httpserver http server"],
  ["parseURL2Path", "parseurl2path parse url2 path"],
  ["SCREAMING_SNAKE_CASE", "screamingsnakecase screaming snake case"],
  ["src/auth/login.ts", "src auth login ts"],
  ["src/login-form.ts", "src loginform login form ts"],
  ["v1.2.3", "v1 2 3"],
  ["don't", "don t"],
  ["sha256 UTF8 i18n", "sha256 utf8 i18n"],
  ["Café ÉCOLE naïve", "cafe ecole naive"],
  ["ﬁle Ｆｕｌｌ", "file full"],
  ["a".repeat(65), ""],
  ["数据库迁移", "数据 库 迁移"],
  ["认证Token刷新", "认证 token 刷新"],
  ["การเข้าสู่ระบบ", "การ เข้า สู่ ระบบ"],
  ["한국어 검색", "한국어 검색"],
  ["a\ud800b", "a b"],
];

for (const [text, indexed] of scenarios)
  test(`"${text.slice(0, 30).toWellFormed()}" is indexed as "${indexed}"`, () => {
    expect(indexText(wordsOf(text))).toBe(indexed);
  });

test("a part knows the identifier it stands in", () => {
  expect(wordsOf("the refreshToken")).toEqual([
    { word: "the" },
    { word: "refresh", whole: "refreshtoken" },
    { word: "token", whole: "refreshtoken" },
  ]);
});

test("an identifier of absurd length has parts only", () => {
  expect(wordsOf("Very".repeat(12)).every(({ whole }) => whole === undefined)).toBe(true);
});
