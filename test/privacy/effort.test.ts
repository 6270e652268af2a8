// What reading costs is bounded for any text, counted in characters read: no clock. What exceeds the bound does not stay.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { expect, test } from "bun:test";
import { mostReadings, readSoFar } from "../../src/privacy/redact/runs.ts";
import { redactDeep, redactText, rules } from "../../src/privacy/redact.ts";
import { fake } from "./corpus/fake.ts";
import { examplesOf } from "./examples.ts";

/** How often each character is read, on average, in a text of so many that repeats a piece. */
function readings(piece: string, length: number): number {
  const begun = readSoFar();
  redactText(piece.repeat(Math.ceil(length / piece.length)).slice(0, length));
  return (readSoFar() - begun) / length;
}

/** The text itself, its readings without escapes, and what the last of these still reads. */
const most = 5 * mostReadings;

/** Of each rule its words, and its examples, whole and up to the secret; of services that are told by their names alone a few. */
function beginnings(): string[] {
  const pieces = rules.flatMap((rule) => {
    const { id, words = [] } = rule;
    const prefixes = "prefixes" in rule ? (rule.prefixes as string[]) : words;
    const few = prefixes.length > 400 ? prefixes.slice(0, 20) : prefixes;
    const { gone } = examplesOf(id);
    const before = gone.map((one) => fake(one.slice(0, one.indexOf("«")), id).text);
    const lines = gone.map((one) => `${fake(one, id).text}\n`);
    return [...few, ...before, ...lines];
  });
  return [...new Set(pieces)].filter((piece) => piece !== "");
}

const hostile = [
  "token",
  "token=",
  "password: ",
  'password="',
  "<password>",
  "secret\\n",
  "eyJ",
  "-eyJ",
  "eyJa.eyJa.",
  "sk-",
  "-sk-",
  "AKIA",
  "://",
  "://a:",
  ":// a@",
  "cookie: a=",
  "bearer ",
  "authorization: ",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\nAAAAAAAA",
  "AAAAAAAA\n",
  "AAAAAAAA\n-----END PRIVATE KEY-----",
  "-u a:",
  "1234567890:AA",
  "\\",
  '\\"',
  'key: "',
  "a",
  "a ",
  "_",
  "-",
  ".",
  "name: password, value",
  "<private",
  "connection_",
  "123456789",
  "name,password\n",
  "password,",
  "tokens:\n - ",
  'secrets: ["',
  "a_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-",
  "> token\n> ",
  "> > password\n",
  "clé ",
];

test("no beginning of any rule, repeated, is read more often than the bound says", () => {
  const over = [...beginnings(), ...hostile].flatMap((piece) => {
    const count = readings(piece, 4_096);
    return count > most ? [[piece, Math.round(count)]] : [];
  });
  expect(over).toEqual([]);
}, 180_000);

test.each([
  "密码：不能为空",
  "{SMD5}",
  "key=",
  'password=\\\\"%2525&amp;amp;quot;',
  "-token\n",
  "密码",
])(
  "twice the text is no more than twice the work: %j",
  (piece) => {
    const [half, whole] = [readings(piece, 131_072), readings(piece, 262_144)];
    expect(whole).toBeLessThan(1.1 * half + 0.1);
    expect(whole).toBeLessThan(most);
  },
  180_000,
);

test("what exceeds the bound is withheld, and the rest of the text is read as ever", () => {
  const { text: secret } = fake("Zug um Zug {a16}", "withheld");
  const dense = `${"{SMD5}".repeat(2_000)}${secret}${"{SMD5}".repeat(2_000)}`;
  const around = (inside: string): string =>
    `${"a quiet line of prose.\n".repeat(200)}${inside}${"\nand more of it, quietly.".repeat(200)}\npassword=hunter22x\n`;
  const { text } = redactText(around(dense));
  expect(text).toContain("[redacted:unchecked]");
  expect(text).not.toContain(secret.slice(-8));
  expect(text).not.toContain("hunter22x");
  expect(text.split("a quiet line").length).toBeGreaterThan(100);
  expect(text.split("quietly").length).toBeGreaterThan(100);
  expect(redactText(text)).toEqual({ text, count: 0 });
  expect(JSON.stringify(redactDeep({ a: [dense] }).value)).not.toContain(secret.slice(-8));
});
