// What `--project .` means, by the sessions of before.
import { expect, test } from "bun:test";
import { projectHolding } from "../../../src/cli/memory/filter.ts";
import { session } from "../../support/records.ts";

const at = (id: string, root: string) => session(id, { project: { id, name: id, root } });
const sessions = [at("shop", "/w/shop"), at("till", "/w/shop/till"), at("all", "/w")];

test.each([
  ["the project's own folder", "/w/shop", "shop"],
  ["a folder inside it", "/w/shop/src/cart", "shop"],
  ["a project inside another", "/w/shop/till/src", "till"],
  ["a folder whose name only begins alike", "/w/shop-of-others", "all"],
  ["a folder that none holds", "/home/ada", undefined],
])("%s", (_, cwd, project) => {
  expect(projectHolding(cwd, sessions)).toBe(project as string);
  expect(projectHolding(cwd, sessions.toReversed())).toBe(project as string);
});
