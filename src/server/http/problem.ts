// What is wrong with a request, in words made from the schema: the place, and what may stand there. What was given is never repeated.
import * as v from "valibot";
import { nearest } from "../../runtime/config/problems.ts";
import { MemoirError } from "../../sdk/errors.ts";

/** What a field of this part of a request is called. */
const called = { query: "parameter", body: "field", params: "part of the path" } as const;
/** The parts of a request that have a schema. */
export type RequestPart = keyof typeof called;

/** Valibot's first issue as a `usage` error. `schema` is the one of the whole part. */
export function requestProblem(
  part: RequestPart,
  issue: v.BaseIssue<unknown>,
  schema: unknown,
): MemoirError {
  const what = called[part];
  const path = v.getDotPath(issue);
  if (path === null) return new MemoirError("usage", `The ${part} ${ruleOf(issue)}.`);
  if (issue.type === "strict_object" && issue.expected === "never")
    return unknownKey(what, path, issue.path?.length === 1 ? keysOf(schema) : []);
  return new MemoirError("usage", `\`${path.slice(0, 64)}\` ${ruleOf(issue)}.`);
}

/** An unknown key is part of the input: it is repeated only where it looks like a name. */
function unknownKey(what: string, path: string, known: readonly string[]): MemoirError {
  const message = /^[\w.-]{1,32}$/.test(path)
    ? `There is no such ${what}: \`${path}\`.`
    : `There is a ${what} that is not known here.`;
  const near = nearest(path, known);
  if (near !== undefined) return new MemoirError("usage", message, { fix: `Write \`${near}\`.` });
  if (known.length === 0) return new MemoirError("usage", message);
  const names = known.map((name) => `\`${name}\``).join(", ");
  return new MemoirError("usage", message, { fix: `Use one of ${names}.` });
}

/** The names in an object's schema, however it is wrapped. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if ("wrapped" in schema) return keysOf(schema.wrapped);
  if (!("entries" in schema) || typeof schema.entries !== "object") return [];
  return Object.keys(schema.entries ?? {});
}

/** What is wrong, as the end of a sentence. */
function ruleOf({ message, expected, received }: v.BaseIssue<unknown>): string {
  if (received === "undefined") return "is missing";
  // The library's own words quote the input; a schema's are ours.
  if (!message.startsWith("Invalid ")) return message;
  return `wants ${wordsFor[expected ?? ""] ?? choiceOf(expected ?? "") ?? "another form"}`;
}

const wordsFor: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  Array: "a list",
  Object: "an object",
};

/** `("a" | "b")` as `one of a, b`. */
function choiceOf(expected: string): string | undefined {
  const choices = expected.match(/"[^"]*"/g);
  return choices ? `one of ${choices.map((choice) => choice.slice(1, -1)).join(", ")}` : undefined;
}
