// Every route but the way to it, put together; errors turned into answers.
import process from "node:process";
import { type AnyElysia, Elysia } from "elysia";
import * as v from "valibot";
import { MemoirError } from "../sdk/errors.ts";
import { answerErrors } from "./http/errors.ts";
import type { Context, Deps, Operation } from "./http/operation.ts";
import { askedOf } from "./http/request.ts";
import type { ToolDeps } from "./mcp/tool.ts";
import { searcher } from "./memory/ask-search.ts";
import { gitMarks } from "./memory/git-marks.ts";
import { recallText } from "./memory/recall-page.ts";
import { forAgents } from "./memory/records.ts";
import { operations } from "./operations/index.ts";
import { createTakeHook } from "./routes/take-hook.ts";

/** Every route, without a guard. */
export function createApp(options: Deps): AnyElysia {
  const { runtime, now } = options;
  const marks = gitMarks(now);
  const forAgent = forAgents(runtime);
  const search = searcher(runtime, marks);
  const take = createTakeHook(options);
  const mcp = mcpHandler(options, {
    ...{ runtime: forAgent, whole: runtime, now },
    search: searcher(forAgent, marks),
    recall: (asked) => recallText(runtime, asked),
  });
  // Elysia's own parsers have no limit, and look at a content type that callers need not send.
  const parse = "none";
  const app = new Elysia()
    .onError(answerErrors(options.log))
    // The client's adapter parses the payload, strictly and once, and every tool use of a session waits for it.
    .post("/hook/:client", ({ request, params }) => take(params.client, request), { parse })
    .all("/mcp", ({ request }) => mcp(request), { parse });
  for (const operation of operations as readonly Operation[])
    app.route(
      operation.method,
      operation.path,
      async ({ params, request, set }) => {
        // `memoir` in an agent's shell says for which session.
        const isAgent = request.headers.has("memoir-session");
        const context: Context = {
          ...{ ...options, search, operations, isAgent, request },
          seen: isAgent ? forAgent : runtime,
          headers: set.headers as Record<string, string | number>,
        };
        const asked = await askedOf(operation, request, params);
        const answer = await operation.run(asked, context);
        if (isChecked) checkAnswer(operation.answer, answer);
        return answer;
      },
      { parse },
    );
  return app;
}

/** What speaks the protocol is loaded with the first request: most servers never need it. */
function mcpHandler({ version, log }: Deps, tools: ToolDeps) {
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
