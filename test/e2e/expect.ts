// What must hold in every session, whatever else a scenario is about.
import assert from "node:assert/strict";
import type { ClientSession } from "./client-session.ts";

/** Longest hook context that the client passes on whole. */
const longestContext = 10_000;

/** The client ended well, and every hook exited 0, said nothing on stderr, and printed nothing or one JSON object. */
export function assertUnharmed(session: ClientSession): void {
  assert.equal(session.exitCode, 0, session.stderr);
  assert.ok(session.hooks.length > 0, "the client ran no hook");
  for (const { event, exitCode, stdout, stderr, outcome } of session.hooks) {
    assert.equal(exitCode, 0, `${event} exited ${exitCode} (${outcome}): ${stderr}`);
    assert.equal(stderr, "", `${event} wrote to stderr`);
    if (stdout === "") continue;
    const output: { hookSpecificOutput?: { additionalContext?: string } } = JSON.parse(stdout);
    const context = output.hookSpecificOutput?.additionalContext ?? "";
    assert.ok(context.length <= longestContext, `${event} gave ${context.length} characters`);
  }
}

/** The one value that passes, or a failure that shows them all. */
export function findOne<Value>(values: readonly Value[], test: (value: Value) => boolean): Value {
  const value = values.find(test);
  assert.ok(value !== undefined, `none of these: ${JSON.stringify(values, null, 2)}`);
  return value;
}
