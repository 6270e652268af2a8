// POST /mcp: the Model Context Protocol, for `memoir mcp` and any client that speaks it over HTTP.
import { Elysia } from "elysia";
import type { Log } from "../../home/log.ts";
import type { ToolDeps } from "../mcp/tool.ts";

interface McpRouteOptions extends ToolDeps {
  version: string;
  log: Log;
}

/** The route. What speaks the protocol is loaded with the first request: most servers never need it. */
export function mcpRoute(options: McpRouteOptions) {
  let handler: Promise<(request: Request) => Promise<Response>> | undefined;
  const load = async () => {
    const { createHandler } = await import("../mcp/handler.ts");
    const log = options.log.child("mcp");
    return createHandler({ ...options, onError: (error) => log.warn("mcp", { error }) });
  };
  return new Elysia().all(
    "/mcp",
    async ({ request }) => {
      handler ??= load();
      return (await handler)(request);
    },
    { parse: "none", detail: { summary: "The Model Context Protocol." } },
  );
}
