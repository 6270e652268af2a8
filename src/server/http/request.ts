// What a request asks, by the schemas of its operation; what is wrong with it is said in words made from them: the place, and what may stand there. What was given is never repeated.
import * as v from "valibot";
import { nearest, unusableNames } from "../../runtime/config/problems.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { readJson } from "./body.ts";
import type { Operation } from "./operation.ts";

/** What a field of each part of a request is called. */
const called = { params: "part of the path", query: "parameter", body: "field" } as const;
type RequestPart = keyof typeof called;

/** What is asked; parts without a schema are left out. Rejects with `usage` and what `readJson` says. */
export async function askedOf(
  operation: Operation,
  request: Request,
  params: unknown,
): Promise<Record<RequestPart, unknown>> {
  const given = {
    params,
    // A query is names and texts.
    query: Object.fromEntries(new URL(request.url).searchParams),
    // None is the same as an empty one.
    body: operation.body && ((await readJson(request)) ?? {}),
  };
  const part = (name: RequestPart) => {
    const schema = operation[name];
    return schema && parsed(name, schema, given[name]);
  };
  return { params: part("params"), query: part("query"), body: part("body") };
}

function parsed(part: RequestPart, schema: v.GenericSchema, value: unknown): unknown {
  // To the library a list is an object too.
  if (Array.isArray(value)) throw new MemoirError("usage", `The ${part} wants an object.`);
  const [unusable] = part === "body" ? unusableNames(value) : [];
  if (unusable)
    throw new MemoirError("usage", `\`${unusable.at(-1)}\` cannot be the name of a field.`);
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  if (path === null) throw new MemoirError("usage", `The ${part} ${ruleOf(issue)}.`);
  if (issue.type === "strict_object" && issue.expected === "never")
    throw unknownKey(called[part], path, issue.path?.length === 1 ? keysOf(schema) : []);
  throw new MemoirError("usage", `\`${path.slice(0, 64)}\` ${ruleOf(issue)}.`);
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
