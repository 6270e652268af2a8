// Passwords of addresses in what memoir says of itself.
import { expect, test } from "bun:test";
import { withoutPasswords, withoutPasswordsDeep } from "../../src/privacy/passwords.ts";

test.each([
  ["at https://ada:rosebud@h.example/v1", "at https://ada:[redacted:password]@h.example/v1"],
  ["https://ada:rose@bud@h.example", "https://ada:[redacted:password]@h.example"],
  ["https://ada:rose/bud@h.example", "https://ada:[redacted:password]@h.example"],
  ["redis://:rosebud@h:6379", "redis://:[redacted:password]@h:6379"],
  [
    "http://a:x@h/1 and http://b:y@h/2",
    "http://a:[redacted:password]@h/1 and http://b:[redacted:password]@h/2",
  ],
  ["http://localhost:8080/@scope/name", "http://localhost:8080/@scope/name"],
  [
    "mail ada@h.example, see https://h.example:443",
    "mail ada@h.example, see https://h.example:443",
  ],
  ['{"a":"http://h:1","b":"x@y"}', '{"a":"http://h:1","b":"x@y"}'],
])("%p", (text, expected) => {
  expect(withoutPasswords(text)).toBe(expected);
  expect(withoutPasswords(expected)).toBe(expected);
});

test("every text inside a value; what has none stays as it is", () => {
  const value = { n: 1, list: [{ error: "http://u:secret@h" }], none: null };
  expect(withoutPasswordsDeep(value)).toEqual({
    n: 1,
    list: [{ error: "http://u:[redacted:password]@h" }],
    none: null,
  });
  const clean = { url: "http://h" };
  expect(withoutPasswordsDeep(clean)).toBe(clean);
});
