// Every route but the way to it, put together; errors turned into answers.
import { type AnyElysia, Elysia } from "elysia";
import { answerErrors } from "./http/errors.ts";
import { type Deps, routesOf } from "./http/operation.ts";
import { searcher } from "./memory/ask-search.ts";
import { forAgents } from "./memory/for-agents.ts";
import { gitMarks } from "./memory/git-marks.ts";
import { recallText } from "./memory/recall-page.ts";
import { operations } from "./operations/index.ts";
import { hookRoute } from "./routes/hook.ts";
import { mcpRoute } from "./routes/mcp.ts";
import { createTakeHook } from "./routes/take-hook.ts";

/** Every route, without a guard. */
export function createApp(options: Deps): AnyElysia {
  const { runtime, now } = options;
  const marks = gitMarks(now);
  const told = forAgents(runtime);
  const served = { ...options, search: searcher(runtime, marks), routes: () => app.routes };
  const tools = {
    ...options,
    ...{ runtime: told, whole: runtime },
    search: searcher(told, marks),
    recall: (asked: Parameters<typeof recallText>[1]) => recallText(runtime, asked),
  };
  const app: AnyElysia = new Elysia()
    .onError(answerErrors(options.log))
    .use(hookRoute(createTakeHook(options)))
    .use(mcpRoute(tools))
    .use(routesOf(operations, served));
  return app;
}
