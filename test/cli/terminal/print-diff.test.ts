// How a file would change, as it is shown: what comes is green, what goes is red.
import { expect, test } from "bun:test";
import pc from "picocolors";
import { printDiff } from "../../../src/cli/terminal/print-diff.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

function shown(diff: readonly string[], colored = false): string[] {
  const terminal = plainTerminal({ colors: pc.createColors(colored) });
  printDiff("/a/settings.json", diff, terminal);
  return terminal.out;
}

test("its name, then its lines below it, in the colours of what becomes of them", () => {
  const diff = [" {", '-  "a": 1', '+  "a": 2', " }"];
  expect(shown(diff)).toEqual(["/a/settings.json", ...diff.map((line) => `  ${line}`)]);
  const { bold, dim, red, green } = pc.createColors(true);
  expect(shown(diff, true)).toEqual([
    ...[bold("/a/settings.json"), dim("   {"), red('  -  "a": 1')],
    ...[green('  +  "a": 2'), dim("   }")],
  ]);
});

test("no line is one sentence, and nothing below it", () => {
  expect(shown([])).toEqual(["/a/settings.json would stay as it is."]);
});
