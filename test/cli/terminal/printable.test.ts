// Nothing that was remembered commands the terminal it is shown on.
import { expect, test } from "bun:test";
import { printable } from "../../../src/cli/terminal/layout.ts";

const cases: Array<[string, string]> = [
  ["plain, with\ttab\nand line — 日本 👍", "plain, with\ttab\nand line — 日本 👍"],
  ["\u001b[31mred\u001b[0m", "red"],
  ["\u001b]52;c;cm0gLXJm\u0007copied", "copied"],
  ["\u001b]0;title\u001b\\text", "text"],
  ["back\u0008\u0008space\rreturn\u0000null\u009b2Jcsi", "backspacereturnnull2Jcsi"],
  ["safe\u202egnp.exe", "safegnp.exe"],
];
test.each(cases)("%j", (text, shown) => {
  expect(printable({ list: [text], number: 1, none: null })).toEqual({
    list: [shown],
    number: 1,
    none: null,
  });
});
