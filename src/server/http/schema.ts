// Valibot schemas as Elysia takes them on a route: what is asked is parsed, what is answered is checked only where memoir itself is being worked on.
import process from "node:process";
import * as v from "valibot";
import { unusableNames } from "../../runtime/config/problems.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type RequestPart, requestProblem } from "./problem.ts";

/** A Standard Schema that never reports issues: what is wrong is thrown as a MemoirError. */
export interface RouteSchema<Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "memoir";
    validate(value: unknown): { value: Output };
    readonly types?: { readonly input: Output; readonly output: Output };
  };
  /** For the document of the routes, and for tests. */
  readonly schema: v.GenericSchema<unknown, Output>;
}

/** A query string's schema. */
export const query = <Output>(schema: v.GenericSchema<unknown, Output>) => asked("query", schema);
/** A body's schema. */
export const body = <Output>(schema: v.GenericSchema<unknown, Output>) => asked("body", schema);
/** The schema of the variable parts of a path. */
export const params = <Output>(schema: v.GenericSchema<unknown, Output>) => asked("params", schema);

/**
 * Thrown from here, a `usage` error leaves no room for Elysia's own, which holds the input and all issues as text: for a
 * list of many wrong items that is many times the body.
 */
function asked<Output>(
  part: RequestPart,
  schema: v.GenericSchema<unknown, Output>,
): RouteSchema<Output> {
  return routeSchema(schema, (value) => {
    // To the library a list is an object too.
    if (Array.isArray(value)) throw new MemoirError("usage", `The ${part} wants an object.`);
    const [unusable] = part === "body" ? unusableNames(value) : [];
    if (unusable)
      throw new MemoirError("usage", `\`${unusable.at(-1)}\` cannot be the name of a field.`);
    const result = v.safeParse(schema, value, { abortEarly: true });
    if (result.success) return { value: result.output };
    throw requestProblem(part, result.issues[0], schema);
  });
}

const { NODE_ENV, MEMOIR_CHECK_ANSWERS } = process.env;
/**
 * True under `bun test`, which sets NODE_ENV (a server that a hook starts never inherits it), and where a developer says
 * MEMOIR_CHECK_ANSWERS=1.
 */
const isChecked = NODE_ENV === "test" || MEMOIR_CHECK_ANSWERS === "1";

/** What a route answers. Unchecked it goes out as it is; checked, one that breaks its schema is an `internal` error that names the place. */
export function answer<Output>(schema: v.GenericSchema<unknown, Output>): RouteSchema<Output> {
  // The value itself in both cases: an answer must not look different where it is checked.
  return routeSchema(schema, (value) => {
    if (isChecked) checkAnswer(schema, value);
    return { value: value as Output };
  });
}

function checkAnswer(schema: v.GenericSchema, value: unknown): void {
  const result = v.safeParse(schema, value);
  if (result.success) return;
  const place = v.getDotPath(result.issues[0]) ?? "as a whole";
  throw new MemoirError("internal", `The answer is not as its schema says: ${place}.`, {
    cause: new v.ValiError(result.issues),
  });
}

function routeSchema<Output>(
  schema: v.GenericSchema<unknown, Output>,
  validate: (value: unknown) => { value: Output },
): RouteSchema<Output> {
  return { "~standard": { version: 1, vendor: "memoir", validate }, schema };
}
