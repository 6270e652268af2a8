// Errors as data for the log, and as sentences for people.
import { expect, test } from "bun:test";
import { describeError, errorMessage, errorWithFix } from "../../src/home/describe-error.ts";
import { MemoirError } from "../../src/sdk/errors.ts";

test("anything thrown has a message, of at most 2,000 characters", () => {
  expect(errorMessage(new Error("no"))).toBe("no");
  expect(errorMessage(new TypeError(""))).toBe("TypeError");
  expect(errorMessage("a text")).toBe("a text");
  expect(errorMessage(undefined)).toBe("undefined");
  expect(errorMessage(new Error("x".repeat(2_000)))).toBe("x".repeat(2_000));
  expect(errorMessage(new Error("x".repeat(2_001)))).toBe(`${"x".repeat(2_000)}…`);
});

test("what went wrong and what to do are sentences, each with one end", () => {
  const own = (message: string) => new MemoirError("usage", message, { fix: "Do this." });
  expect(errorWithFix(own("It broke"))).toBe("It broke. Do this.");
  for (const end of [".", "?", "!", "…"])
    expect(errorWithFix(own(`It broke${end}`))).toBe(`It broke${end} Do this.`);
  expect(errorWithFix(new Error("It broke"))).toBe("It broke.");
});

test("the log gets code, blame and every cause, and the stack where it is asked for", () => {
  const inner = new Error("disk is full");
  const middle = new Error("could not write", { cause: inner });
  const error = new MemoirError("internal", "It broke.", {
    ...{ plugin: "mine", hook: "observe", cause: middle },
  });
  expect(describeError(error)).toEqual({
    ...{ code: "internal", plugin: "mine", hook: "observe", message: "It broke." },
    causes: ["could not write", "disk is full"],
  });
  expect(describeError(error, true).stack).toContain("It broke.");
  expect(describeError(new Error("plain"))).toEqual({ message: "plain" });
  expect(describeError(new MemoirError("internal", "It broke."))).toEqual({
    ...{ code: "internal", message: "It broke." },
  });
  expect(describeError("text", true)).toEqual({ message: "text" });
});

test("of a chain of causes that never ends five are told; a cause may be anything", () => {
  const round = new Error("round");
  round.cause = round;
  expect(describeError(round).causes).toEqual(Array(5).fill("round"));
  expect(describeError(new Error("a", { cause: "a text" })).causes).toEqual(["a text"]);
});
