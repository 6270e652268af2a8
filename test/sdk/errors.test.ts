// The catalogue of errors: each fix is a whole sentence that destroys nothing, and an error carries what is known of it.
import { expect, test } from "bun:test";
import { errorFixes, MemoirError } from "../../src/sdk/errors.ts";

test.each(Object.entries(errorFixes))("%s is mended by a sentence: %s", (code, fix) => {
  expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
  expect(fix).toMatch(/^[A-Z].{10,}\.$/);
  expect(fix.length).toBeLessThan(170);
  expect((fix.match(/`/g) ?? []).length % 2).toBe(0);
  expect(fix).not.toMatch(/\brm\b|\bdelete|\bremove|\bforget|\boverwrite|--force/i);
});

test("an error says what is wrong, its code, and the catalogue's fix", () => {
  const error = new MemoirError("usage", "No such command.");
  expect(error).toBeInstanceOf(Error);
  expect([error.name, error.code, error.message, error.fix]).toEqual([
    "MemoirError",
    "usage",
    "No such command.",
    errorFixes.usage,
  ]);
  expect([error.plugin, error.hook, error.retryAfterMs, "cause" in error]).toEqual([
    undefined,
    undefined,
    undefined,
    false,
  ]);
});

test("what is known more exactly takes the catalogue's place", () => {
  const cause = new Error("below");
  const error = new MemoirError("plugin_failed", "It failed.", {
    ...{ plugin: "mine", hook: "observe", fix: "Mend it.", retryAfterMs: 0, cause },
  });
  expect([error.plugin, error.hook, error.fix, error.retryAfterMs, error.cause]).toEqual([
    "mine",
    "observe",
    "Mend it.",
    0,
    cause,
  ]);
});
