// Which values are secrets and which only look like one. The fake ones are put together here.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders in other people's files are what is tested
import { describe, expect, test } from "bun:test";
import {
  isRandom,
  isSecretBare,
  isSecretLiteral,
  isSecretLoose,
} from "../../src/privacy/redact/values.ts";

const random = ["q8Zr2LxV5t", "N0wK7bYd3Hs9Gf"].join("");

describe("typed by nobody", () => {
  test.each<[string, string, boolean]>([
    ["digits among letters", random, true],
    ["with signs of base64", `${random}+/==`, true],
    ["too short", random.slice(0, 19), false],
    ["a hash", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", false],
    ["a UUID", "3f2a91c0-7b1d-4e8a-9c55-0d6e1f2a3b4c", false],
    ["a tool use's id", "toolu_01AbCdEfGhIjKlMnOpQrSt", false],
    ["letters alone", "qwertzuiopasdfghjklyxcvbnm", false],
    ["digits alone", "48151623421234567890123456", false],
    ["a path", "src/components/cart2/total3.ts", false],
    ["words with hyphens", "cart-total-getter-version-2-final", false],
    ["one letter over and over", `a1${"a".repeat(30)}`, false],
    ["with a space", `${random} ${random}`, false],
  ])("%s", (_, value, is) => {
    expect(isRandom(value)).toBe(is);
  });
});

describe("a quoted value under a secret's name", () => {
  test.each<[string, string, boolean]>([
    ["a word that somebody chose", "hunter2", true],
    ["two words", "correct horse", true],
    ["words with a capital inside", "correct Horse battery staple", true],
    ["a placeholder", "<your-token>", false],
    ["another", "your_api_key_here", false],
    ["crosses", "xxxxxxxx", false],
    ["nothing", "", false],
    ["two letters", "ab", false],
    ["what was redacted before", "[redacted:key]", false],
    ["a template", "pre-${TOKEN}-post", false],
    ["its own name", "api_token", false],
    ["a sentence", "Please enter your token here", false],
    ["a word for it", "Bearer", false],
  ])("%s", (_, value, is) => {
    expect(isSecretLiteral(value, "apiToken")).toBe(is);
  });
});

test.each(
  "password token secret passwd credential credentials api-key api_key apikey bearer basic".split(
    " ",
  ),
)("the bare word %s is no secret, with a number it is", (word) => {
  expect([isSecretLiteral(word, "value"), isSecretLiteral(word.toUpperCase(), "value")]).toEqual([
    false,
    false,
  ]);
  expect(isSecretLiteral(`${word}7x`, "value")).toBe(true);
});

describe("a value without quotes", () => {
  test.each<[string, string, boolean, boolean]>([
    ["a word, where the sign is tight", "swordfish", true, true],
    ["a word, where it is not", "swordfish", false, false],
    ["a word with a digit", "swordf1sh", false, true],
    ["a reference", "process.env.TOKEN", true, false],
    ["a call", "getSecret()", true, false],
    ["a path", "/run/secrets/token", true, false],
    ["an address", "https://a.example/b1", true, false],
    ["a name for it", "userPassword", true, false],
    ["a number", "12345678", false, false],
  ])("%s", (_, value, tight, is) => {
    expect(isSecretBare(value, "secret", { tight, variable: false })).toBe(is);
  });

  test("a number is a password, and nothing else", () => {
    expect(isSecretBare("12345678", "password", { tight: false, variable: false })).toBe(true);
  });

  test("behind its name in a sentence only what no word of prose is", () => {
    expect(isSecretLoose("swordf1sh", "password")).toBe(true);
    expect(isSecretLoose("wrong", "password")).toBe(false);
    expect(isSecretLoose("a1b2", "password")).toBe(false);
    expect(isSecretLoose("incorrect!", "password")).toBe(false);
  });
});
