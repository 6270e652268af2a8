// Which lines of a source are left out, and by which names they are told of.
import { expect, test } from "bun:test";
import { gapsInSource } from "../../../../plugins/endless-live/read/read.ts";
import { defaultPolicy } from "../cases.ts";

const policy = { ...defaultPolicy.read, bodyLines: 3, aroundNamed: 1 };
const gaps = (text: string, ...mentioned: string[]) =>
  gapsInSource(text.split("\n"), (word) => mentioned.includes(word), policy).map(
    ({ from, to, why }) => `${from}-${to} ${why}`,
  );
const body = (name: string, ...lines: string[]) => `function ${name}() {\n${lines.join("\n")}\n}`;
const plain = ["  a();", "  b();", "  c();", "  d();", "  e();", "  f();"];

test("a body of as many lines as the policy says goes, a shorter one and what is no function stay", () => {
  expect(gaps(body("f", ...plain.slice(0, 2)))).toEqual(["1-3 left out"]);
  expect(gaps(body("f", "  a();"))).toEqual([]);
  for (const kind of ["export interface", "pub struct", "public class", "type"])
    expect(gaps(`${kind} Cart {\n${plain.join("\n")}\n}`)).toEqual([]);
});

test("around what a prompt names so many lines stay; two pieces of one body are two gaps", () => {
  const named = body("f", ...plain.with(2, "  applyVoucher();"));
  expect(gaps(named, "applyVoucher")).toEqual(["1-1 left out", "5-7 left out"]);
  expect(gaps(named)).toEqual(["1-7 left out: applyVoucher"]);
});

test("a word points at nothing that is short or stands in two bodies; one in the signature does", () => {
  const short = body("f", ...plain.with(2, "  oneSmall1();"));
  expect(gaps(short, "oneSmall1")).toEqual(["1-7 left out: oneSmall1"]);
  const twice = body("f", ...plain.with(2, "  applyVoucher();"));
  expect(gaps(`${twice}\n${twice}`, "applyVoucher")).toEqual([
    "1-7 left out: applyVoucher",
    "9-15 left out",
  ]);
  expect(gaps(body("applyVoucher", ...plain), "applyVoucher")).toEqual(["2-7 left out"]);
});

test("what is left out is told by the names that stand nowhere in what is shown, as far as there is room", () => {
  const words = `  roundPrice(shownAlready, wonderful, CENTS_OF, nameOf${"A".repeat(54)}, nameOfLittleRoom);`;
  const text = `shownAlready();\n${body("f", ...plain.with(2, words))}`;
  expect(gaps(text)).toEqual(["2-8 left out: roundPrice CENTS_OF"]);
});
