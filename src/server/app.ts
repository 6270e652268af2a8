// All routes but the hooks' in one app, without a guard; errors turned into answers.

import process from "node:process";
import { type AnyElysia, Elysia } from "elysia";
import * as v from "valibot";
import { nearest, plainTypes, unusableNames } from "../runtime/config/problems.ts";
import { MemoirError } from "../sdk/errors.ts";
import { answerPlugins, askOwn } from "./contributed.ts";
import { sessionHeader } from "./endpoint.ts";
import { readJson } from "./hook-route.ts";
import type { ToolDeps } from "./mcp/tool.ts";
import { forAgents } from "./memory/records.ts";
import { answerErrors, type Context, type Deps, type Operation } from "./operation.ts";
import { operations } from "./operations/index.ts";

/** Every route but `POST /hook/:client`, without a guard. */
export function createApp(options: Deps): AnyElysia {
  const { runtime, now } = options;
  const forAgent = forAgents(runtime);
  const mcp = mcpHandler(options, { runtime: forAgent, whole: runtime, now, brought: runtime });
  // Elysia's own parsers have no limit, and look at a content type that callers need not send.
  const parse = "none";
  const app = new Elysia()
    .onError(answerErrors(options.log))
    .all("/mcp", ({ request }) => mcp(request), { parse })
    .all("/plugins/*", ({ request }) => answerPlugins(request, runtime, now), { parse });
  for (const operation of operations as readonly Operation[]) {
    const { brought } = operation;
    app.route(
      operation.method,
      operation.path,
      async ({ params, request, set }) => {
        // `memoir` in an agent's shell says for which session.
        const isAgent = request.headers.has(sessionHeader);
        const context: Context = {
          ...{ ...options, operations, isAgent, request },
          seen: isAgent ? forAgent : runtime,
          headers: set.headers as Record<string, string | number>,
        };
        const work = async () => operation.run(await askedOf(operation, request, params), context);
        const answer = await (brought ? askOwn(runtime, brought, work) : work());
        if (isChecked) checkAnswer(operation.answer, answer);
        return answer;
      },
      { parse },
    );
  }
  return app;
}

/** What speaks the protocol is loaded with the first request: most servers never need it. */
function mcpHandler(
  { version, log }: Deps,
  tools: ToolDeps & { brought: Pick<Deps["runtime"], "parts" | "isOff"> },
) {
  let handler: Promise<(request: Request) => Promise<Response>> | undefined;
  const load = async () => {
    const { createHandler } = await import("./mcp/handler.ts");
    const own = log.child("mcp");
    return createHandler({ ...tools, version, onError: (error) => own.warn("mcp", { error }) });
  };
  return async (request: Request): Promise<Response> => {
    handler ??= load();
    return (await handler)(request);
  };
}

const { NODE_ENV, MEMOIR_CHECK_ANSWERS } = process.env;
/**
 * True under `bun test`, which sets NODE_ENV (a server that a hook starts never inherits it), and where a developer says
 * MEMOIR_CHECK_ANSWERS=1.
 */
const isChecked = NODE_ENV === "test" || MEMOIR_CHECK_ANSWERS === "1";

/** Throws an `internal` error that names the place; the answer itself goes out as it is. */
function checkAnswer(schema: v.GenericSchema, answer: unknown): void {
  const result = v.safeParse(schema, answer);
  if (result.success) return;
  const place = v.getDotPath(result.issues[0]) ?? "as a whole";
  throw new MemoirError("internal", `The answer is not as its schema says: ${place}.`, {
    cause: new v.ValiError(result.issues),
  });
}

// What a request asks, by the schemas of its operation; what is wrong with it is said in words made from them: the place, and what may stand there. What was given is never repeated.

/** What a field of each part of a request is called. */
const called = { params: "part of the path", query: "parameter", body: "field" } as const;
type RequestPart = keyof typeof called;

/** What is asked; parts without a schema are left out. Rejects with `usage` and what `readJson` says. */
async function askedOf(
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
  if (Array.isArray(value)) throw new MemoirError("usage", `The ${part} must be an object.`);
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
function ruleOf(issue: v.BaseIssue<unknown>): string {
  const { message, expected, received, type, requirement, input } = issue;
  if (received === "undefined") return "is missing";
  // The library's own words quote the input; a schema's are ours.
  if (!message.startsWith("Invalid ")) return message;
  if (type === "max_length")
    return `has more than ${requirement} ${typeof input === "string" ? "characters" : "entries"}`;
  const wanted = plainTypes[expected ?? ""] ?? choiceOf(expected ?? "");
  return wanted === undefined ? "must have another form" : `must be ${wanted}`;
}

/** `("a" | "b")` as `one of a, b`. */
function choiceOf(expected: string): string | undefined {
  const choices = expected.match(/"[^"]*"/g);
  return choices ? `one of ${choices.map((choice) => choice.slice(1, -1)).join(", ")}` : undefined;
}
