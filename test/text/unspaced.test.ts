// Which scripts stand in which range, a word of each.
import { expect, test } from "bun:test";
import { blanklessRange, denseRange, hasUnspaced, unspacedRange } from "../../src/text/text.ts";

test.each([
  ["Chinese", "数据", { unspaced: true, blankless: true, dense: true }],
  ["rare Chinese", "㐀", { unspaced: true, blankless: true, dense: true }],
  ["Hiragana", "ください", { unspaced: true, blankless: true, dense: true }],
  ["Katakana with its long vowel", "データ", { unspaced: true, blankless: true, dense: true }],
  ["Korean", "데이터", { unspaced: true, blankless: false, dense: true }],
  ["Thai", "ข้อมูล", { unspaced: true, blankless: true, dense: false }],
  ["Latin", "données", { unspaced: false, blankless: false, dense: false }],
  ["Cyrillic", "данные", { unspaced: false, blankless: false, dense: false }],
  ["full-width marks", "。！", { unspaced: false, blankless: false, dense: false }],
])("%s", (_, word, expected) => {
  const isOf = (range: string) => new RegExp(`^[${range}]+$`, "u").test(word);
  expect({
    ...{ unspaced: isOf(unspacedRange), blankless: isOf(blanklessRange), dense: isOf(denseRange) },
  }).toEqual(expected);
  expect(hasUnspaced(`a ${word} b`)).toBe(expected.unspaced);
});
