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
  // As a path is made of an address that was taken for one.
  ["/shop/https:/ada:rosebud@h.example/x", "/shop/https:/ada:[redacted:password]@h.example/x"],
  ["https://a1B2c3D4e5f6a7B8c9@git.example/x", "https://[redacted:token]@git.example/x"],
  ["http://h/v1?api_key=rosebud&x=1", "http://h/v1?api_key=[redacted:secret]&x=1"],
  [
    "http://h/v1?x=1&access-token=rose%20bud#top",
    "http://h/v1?x=1&access-token=[redacted:secret]#top",
  ],
  ["http://h/v1?key=rosebud", "http://h/v1?key=[redacted:secret]"],
  ["http://h/?token=a&sig=b", "http://h/?token=[redacted:secret]&sig=[redacted:secret]"],
  ["http://h/v1?monkey=rose&author=bud", "http://h/v1?monkey=rose&author=bud"],
  ["ssh://deploy-user-of-shop@h/x, git@h:x", "ssh://deploy-user-of-shop@h/x, git@h:x"],
  ["PATH=/usr/bin:/opt/x:/y@z", "PATH=/usr/bin:/opt/x:/y@z"],
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
