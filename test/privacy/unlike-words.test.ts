// Letters that nobody strung together as words are told from words and from names of code.
import { expect, test } from "bun:test";
import { isUnlikeWords } from "../../src/privacy/redact/values.ts";

test.each([
  "correct horse battery staple",
  "AbstractAuthenticationTokenProcessingFilter",
  "getUserPasswordFromEnvironment",
  "max_completion_tokens",
  "configuration",
  "WebSocket",
  "",
  "qx",
])("%s reads as words", (text) => {
  expect(isUnlikeWords(text)).toBe(false);
});

test.each(["zvocwondwzcxnfmnc", "PjRkwZVKCPzJZotCcMz", "xlQO.hqBLFX.kd", "GpfQ(rYBvCxZq"])(
  "%s does not",
  (text) => {
    expect(isUnlikeWords(text)).toBe(true);
  },
);
