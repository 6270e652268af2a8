// What is kept of a long answer: beginning, headings and conclusion, what was asked for with what is beside it, and the paths of the rest.
import { expect, test } from "bun:test";
import { askedIn } from "../../../../plugins/endless-live/look/asked.ts";
import { shortenAnswer } from "../../../../plugins/endless-live/text/log.ts";
import { defaultPolicy } from "../cases.ts";

const paragraph = (at: number) =>
  `Paragraph ${at} is about nothing that matters. `.repeat(4).trim();
const sections = (count: number, said: (at: number) => string[] = () => []) =>
  Array.from({ length: count }, (_, at) => [
    ...[`## Part ${at}`, "", paragraph(at), "", ...said(at), paragraph(at + 100), ""],
    ...[`${paragraph(at + 200)} src/part${at}.ts`, ""],
  ]).flat();
const shorten = (lines: readonly string[], prompt?: string, firstLine?: number) =>
  shortenAnswer(lines.join("\n"), defaultPolicy, {
    command: "",
    ...(firstLine !== undefined && { firstLine }),
    ...(prompt !== undefined && { asked: askedIn([prompt]) }),
  });

test("one that fits is left alone", () => {
  const of = (length: number) => shortenAnswer("x".repeat(length), defaultPolicy, { command: "" });
  expect(of(defaultPolicy.answerCharacters)).toBeUndefined();
  expect(of(defaultPolicy.answerCharacters + 1)).toBeDefined();
});

test("beginning, headings and the end stay, and the paths of the rest are listed", () => {
  const text = [...sections(30), "So it is the cache.", "", "Delete the key and it works."];
  const short = shorten(text)?.text ?? "";
  expect(short.startsWith(`## Part 0\n\n${paragraph(0)}`)).toBe(true);
  expect(short.includes("So it is the cache.\n\nDelete the key and it works.\n")).toBe(true);
  expect(short.match(/^## Part \d+$/gm)?.length).toBe(30);
  expect(short.includes("src/part17.ts")).toBe(true);
});

test.each([
  ["by its word, inflected", "which retries are set?", "The retry count is four."],
  ["by a name", "what is FST_ERR_BODY?", "It answers FST_ERR_BODY with a 413."],
  ["by a word that is akin in another language", "¿qué adaptadores hay?", "Each adapter is tried."],
  ["by a word in another alphabet", "какой коннектор?", "The konnektor is closed."],
  ["joined", "are there hard-coded keys?", "One key is hardcoded here."],
  ["by a short word that stands alone", "what of ws?", "Then ws is loaded."],
])("what was asked for stays, %s, with the paragraph after it", (_, prompt, said) => {
  const whole = `${said} ${paragraph(7)}`;
  const text = sections(60, (at) =>
    at === 31 ? [paragraph(5), "", paragraph(6), "", whole, "", "See number 5419.", ""] : [],
  );
  // A name is worth keeping by itself.
  expect(shorten(text)?.text.includes(said)).toBe(/_/.test(said));
  expect(shorten(text, prompt)?.text.includes(`${whole}\n\nSee number 5419.`)).toBe(true);
});

test("lines are counted from where the answer begins in the whole", () => {
  const gap = (first?: number) =>
    Number(/… lines (\d+)/.exec(shorten(sections(30), undefined, first)?.text ?? "")?.[1]);
  expect(gap(31)).toBe(gap() + 30);
});

test.each([
  ["a shorter one is read whole: it fills its room", 19, true],
  ["of a long one what has far less stays out", 40, false],
])("what the best paragraph has less of: %s", (_, count, isFilled) => {
  const text = sections(count, (at) => (at === 9 ? ["FST_ERR_BODY is set here, by retries."] : []));
  const short = shorten(text, "where is FST_ERR_BODY set?")?.text ?? "";
  expect(short.includes("FST_ERR_BODY is set here")).toBe(true);
  expect((short.match(/^Paragraph/gm)?.length ?? 0) > 20).toBe(isFilled);
});

test("one of many words that were asked for is enough, whatever another paragraph has of them", () => {
  const prompt = "how are lorry, harbor, ferry, tariff, customs and ballast told apart?";
  const all = "Lorry, harbor, ferry, tariff, customs and ballast are told apart by number.";
  const text = sections(60, (at) =>
    at === 9 ? [all, ""] : at === 40 ? ["Of ballast 12 t.", ""] : [],
  );
  const short = shorten(text, prompt)?.text ?? "";
  expect([short.includes(all), short.includes("Of ballast 12 t.")]).toEqual([true, true]);
});

test.each([
  [10_500, 0.7],
  [16_000, 0.45],
  [40_000, 0.3],
])("of %d characters a good part stays", (size, least) => {
  const text = sections(60).join("\n").slice(0, size).split("\n");
  const { length } = shorten(text, "what is it about?")?.text ?? "";
  expect(length).toBeGreaterThan(size * least);
  expect(length).toBeLessThan(16_000);
});
