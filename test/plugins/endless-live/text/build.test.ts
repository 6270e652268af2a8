// What is left out of a build's output, and what never is.
import { expect, test } from "bun:test";
import { shortenBuild } from "../../../../plugins/endless-live/text/build.ts";
import { defaultPolicy } from "../cases.ts";

const downloads = Array.from({ length: 120 }, (_, at) => `Downloading part-${at} v1.${at}.0`);
const shorten = (lines: readonly string[], command = "cargo build") =>
  shortenBuild(lines.join("\n"), defaultPolicy, { command });

test("progress goes, and a line of progress that tells of trouble stays", () => {
  const broken = "Downloading part-60 v1.60.0: connection refused";
  const short = shorten([...downloads.with(60, broken), "Finished dev in 3.1s"]);
  expect(short?.text).toContain(broken);
  expect(short?.text).toContain("Finished dev");
  expect(short?.text).not.toContain("part-40 ");
});

test("an error comes with its own paragraph, up to the blank line", () => {
  const error = ["error[E0308]: mismatched types", "  --> src/cart.rs:7", "   expected i64", ""];
  const short = shorten([...downloads, ...error, ...downloads]);
  expect(short?.text).toContain(error.slice(0, 3).join("\n"));
});

test("other commands' output is a build's only where a third of it is progress", () => {
  expect(shorten(downloads, "./make-it")).toBeDefined();
  const words = Array.from({ length: 300 }, (_, at) => `row ${at} of the report`);
  expect(shorten([...downloads.slice(0, 90), ...words], "./make-it")).toBeUndefined();
});
