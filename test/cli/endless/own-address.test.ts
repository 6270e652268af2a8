// Behind another address the client leaves something out: which addresses are others, and what is said of it.
import { expect, test } from "bun:test";
import { isDefault, ownAddressNote } from "../../../src/cli/endless/narrower-address.ts";

test.each([
  ["https://api.anthropic.com", true],
  ["https://api.anthropic.com/v1/", true],
  ["https://user@api.anthropic.com:443", true],
  ["https://api.anthropic.com.evil.test", false],
  ["http://127.0.0.1:4000", false],
  ["no address", false],
  ["", false],
])("%p is the API's own: %p", (upstream, own) => {
  expect(isDefault(upstream)).toBe(own);
});

test("the note says what is left out, and what it costs", () => {
  for (const words of [
    "Through an address that is not the API's own",
    "three beta features",
    "about 8,000 tokens",
    "`memoir endless gateway status`",
  ])
    expect(ownAddressNote).toContain(words);
});
