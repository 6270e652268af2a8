// The Model Context Protocol as a function from Request to Response; the library speaks it, the tools are ours.

import type { InputRequiredResult } from "@modelcontextprotocol/server";
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type * as v from "valibot";
import { wrapContext } from "../../privacy/marker.ts";
import { errorFixes, MemoirError } from "../../sdk/errors.ts";
import { head } from "../../text/text.ts";
import { underPresentName } from "./present-name.ts";
import { smallSchema } from "./small-schema.ts";
import type { Question } from "./tool.ts";
import { type Caller, mostCharacters, type Tool, type ToolDeps } from "./tool.ts";
import { tools } from "./tools.ts";

interface McpHandlerOptions extends ToolDeps {
  version: string;
  /** Told of errors that are no tool's own. */
  onError(error: unknown): void;
}

/** Clients put this into the first request of a session; some show no more than 512 characters of it. */
const instructions = `memoir remembers earlier coding sessions, with this agent and others: what was asked, decided, tried and changed, and how errors were fixed.
- search: when the user mentions earlier work, and before you debug an error or choose an approach. Pass 2-4 phrasings in \`queries\`.
- get: full records by the ids that search returns. timeline: what happened before and after.
- remember: only what the user asks you to keep.
- correct, forget: only when the user asks.
- recall: when a line says \`memoir recall <id>\`.
Files show how things are now; memory shows how they were.`;

/** Stateless: each request stands alone, so a restarted server goes on where the old one was. */
export function createHandler(options: McpHandlerOptions): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const about = { name: "memoir", version: options.version };
      const server = new McpServer(about, { instructions });
      const caller = callerOf(requestInfo);
      for (const tool of tools) register(server, tool as Tool, options, caller);
      return server;
    },
    { onerror: (error) => options.onError(error) },
  );
  return async (request) => handler.fetch(await underPresentName(request));
}

/** `memoir mcp` says for whom it asks. */
function callerOf(request: Request | undefined): Caller {
  const session = request?.headers.get("memoir-session");
  const cwd = request?.headers.get("memoir-cwd");
  const isUnattended = request?.headers.has("memoir-unattended") ?? false;
  return { isUnattended, ...(session ? { session } : {}), ...(cwd ? { cwd: decoded(cwd) } : {}) };
}

/** Headers hold no more than Latin letters. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function register<Input extends v.GenericSchema>(
  server: McpServer,
  { name, description, input, changes, run }: Tool<Input>,
  options: McpHandlerOptions,
  caller: Caller,
): void {
  const config = {
    description,
    inputSchema: smallSchema(input),
    annotations:
      changes === undefined ? { readOnlyHint: true } : { destructiveHint: changes === "deletes" },
  };
  server.registerTool(name, config, async (given: unknown, ctx: ServerContext) => {
    try {
      const confirmation = caller.isUnattended ? "agent" : confirmationIn(ctx);
      const asked = given as v.InferOutput<Input>;
      // Where the client asks its user, an agent's word for it does not count.
      const input =
        changes === undefined || confirmation === "agent"
          ? asked
          : { ...(asked as object), confirm: confirmation === "agreed" };
      const said = await run(input as v.InferOutput<Input>, options, caller);
      if (typeof said === "string") return { content: [{ type: "text" as const, text: said }] };
      if (confirmation === "unasked") return asking(said);
      const text =
        confirmation === "refused"
          ? "The user did not agree. Nothing was changed."
          : wrapContext(head(askedOfAgent(said), mostCharacters));
      return { content: [{ type: "text" as const, text }] };
    } catch (error) {
      if (!(error instanceof MemoirError)) options.onError(error);
      return { content: [{ type: "text" as const, text: wordsOf(error) }], isError: true };
    }
  });
}

function wordsOf(error: unknown): string {
  if (!(error instanceof MemoirError)) return "memoir could not answer; its log says why.";
  // An agent sees what a tool takes, and has no `--help`.
  const fix = error.fix === errorFixes.usage ? "Its description says what it takes." : error.fix;
  return `${error.message.replace(/\.$/, "")}. ${fix}`;
}

// What a user has to agree to: asked by the client itself where it can, else through the agent, which says `confirm`.

/** What the user said, or that nobody can ask but the agent. */
type Confirmation = "agreed" | "refused" | "unasked" | "agent";

/** What came of asking in this request. */
function confirmationIn({ mcpReq }: ServerContext): Confirmation {
  // Only since each request says what its client can do is it known here: requests stand alone.
  const can: unknown = Reflect.get(mcpReq.envelope ?? {}, CLIENT_CAPABILITIES_META_KEY);
  if (typeof can !== "object" || can === null || !("elicitation" in can)) return "agent";
  const answer = inputResponse(mcpReq.inputResponses, "confirm");
  if (answer.kind !== "elicit") return "unasked";
  return answer.action === "accept" ? "agreed" : "refused";
}

/** Has the client ask its user. */
function asking({ ask }: Question): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      confirm: inputRequired.elicit({
        message: ask,
        // Nothing to fill in: the client's own way to accept is the answer.
        requestedSchema: { type: "object", properties: {} },
      }),
    },
  });
}

/** The same said to an agent, which asks. */
function askedOfAgent({ ask }: Question): string {
  return `Nothing was changed. ${ask}\nAsk the user; if they agree, call again with confirm: true.`;
}
