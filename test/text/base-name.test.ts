import { expect, test } from "bun:test";
import { baseName } from "../../src/text/base-name.ts";

test.each([
  ["src/routes/login.ts", "login.ts"],
  ["C:\\work\\shop", "shop"],
  ["github.com/acme/shop", "shop"],
  ["src/", "src"],
  ["plain", "plain"],
  ["/", "/"],
  ["", ""],
])("the last part of %p is %p", (path, last) => {
  expect(baseName(path)).toBe(last);
});
