// Failures that were only logged fail the test that caused them. Loaded before all tests: a hook of one file's module would count for that file alone.
import { afterEach, expect } from "bun:test";
import { MemoirError } from "../../src/sdk/errors.ts";

/** True for an error that nobody foresaw: one with a code of its own says what a model, a disk or a person did. */
export function isUnforeseen(error: unknown): boolean {
  return error !== undefined && !(error instanceof MemoirError && error.code !== "plugin_failed");
}

/** Gives what was logged since, and forgets it. */
type Drain = () => readonly unknown[];

const drains = new Set<Drain>();

/** From now on each test ends with a look at what this drains: it has to be nothing. */
export function failOn(drain: Drain): void {
  drains.add(drain);
}

afterEach(() => {
  expect([...drains].flatMap((drain) => drain())).toEqual([]);
});
