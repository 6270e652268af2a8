// The Model Context Protocol as a function from Request to Response; the library speaks it, the tools are ours.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import { fetchTool, recallTool, searchTool, type Tool, type ToolDeps } from "./tools.ts";

export interface McpHandlerOptions extends ToolDeps {
  version: string;
  /** Told of errors that are no tool's own. */
  onError(error: unknown): void;
}

/** Stateless: each request stands alone, so a restarted server goes on where the old one was. */
export function createHandler(options: McpHandlerOptions): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "memoir", version: options.version });
      register(server, recallTool, options);
      register(server, fetchTool, options);
      register(server, searchTool, options);
      return server;
    },
    { onerror: (error) => options.onError(error) },
  );
  return (request) => handler.fetch(request);
}

function register<Input extends v.GenericSchema>(
  server: McpServer,
  { name, title, description, input, run }: Tool<Input>,
  options: McpHandlerOptions,
): void {
  const config = {
    title,
    description,
    inputSchema: toStandardJsonSchema(input),
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  server.registerTool(name, config, async (given: unknown) => {
    try {
      const text = await run(given as v.InferOutput<Input>, options);
      return { content: [{ type: "text" as const, text }] };
    } catch (error) {
      if (!(error instanceof MemoirError)) options.onError(error);
      return { content: [{ type: "text" as const, text: wordsOf(error) }], isError: true };
    }
  });
}

function wordsOf(error: unknown): string {
  if (!(error instanceof MemoirError)) return "memoir could not answer; its log says why.";
  return `${error.message.replace(/\.$/, "")}. ${error.fix}`;
}
