import { expect, test } from "bun:test";
import { baseName } from "../../src/text/base-name.ts";
import { field } from "../../src/text/field.ts";

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

test.each([
  [{ a: 1 }, "a", 1],
  [{ a: 1 }, "b", undefined],
  [{}, "toString", undefined],
  ["text", "length", undefined],
  [null, "a", undefined],
  [undefined, "a", undefined],
])("of %p the field %p is %p", (value, name, found) => {
  expect(field(value, name)).toBe(found);
});
