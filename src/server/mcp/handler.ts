// The Model Context Protocol as a function from Request to Response; the library speaks it, the tools are ours.

import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { wrapContext } from "../../privacy/marker.ts";
import { explain } from "../../runtime/config/problems.ts";
import { toolName } from "../../runtime/hooks/parts.ts";
import type { Contribution } from "../../runtime/status-schema.ts";
import { errorFixes, MemoirError } from "../../sdk/errors.ts";
import { field, head } from "../../text/text.ts";
import { askOperation, askOwn, callerOf, operationsFor } from "../contributed.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { inputsSchema, offeredOf } from "../operation.ts";
import { type Caller, mostCharacters, type Question, type Tool, type ToolDeps } from "./tool.ts";
import { formerNames, tools } from "./tools.ts";

interface McpHandlerOptions extends ToolDeps {
  /** What plugins bring, and which are off. */
  brought: Pick<ServerRuntime, "parts" | "isOff">;
  version: string;
  /** Gets errors that are no tool's own. */
  onError(error: unknown): void;
}

const about =
  "memoir remembers earlier coding sessions: what was asked, decided, tried and changed, and how errors were fixed.";
const beyond = "Files show how things are now; memory shows how they were.";

/** Clients put this into the first request of a session; some show no more than 512 characters of it. */
function instructionsFor(offered: readonly Tool[]): string {
  const lines = offered.flatMap(({ when }) => (when === undefined ? [] : `- ${when}`));
  return [about, ...lines, beyond].join("\n");
}

/** Stateless: each request stands alone, so a restarted server goes on where the old one was. */
export function createHandler(options: McpHandlerOptions): (request: Request) => Promise<Response> {
  const named = { name: "memoir", version: options.version };
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const offered = offeredOf(tools as readonly Tool[], options.brought.parts.list());
      const server = new McpServer(named, { instructions: instructionsFor(offered) });
      const caller = {
        ...callerOf(requestInfo),
        isUnattended: requestInfo?.headers.has("memoir-unattended") ?? false,
      };
      for (const tool of offered) register(server, tool, options, caller);
      for (const operation of operationsFor(options.brought, "tool"))
        registerOperation(server, operation, options, caller);
      return server;
    },
    { onerror: (error) => options.onError(error) },
  );
  return async (request) => handler.fetch(await underPresentName(request));
}

function register<Input extends v.GenericSchema>(
  server: McpServer,
  { name, description, input, changes, brought, run }: Tool<Input>,
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
      const work = () => run(input as v.InferOutput<Input>, options, caller);
      const said = await (brought ? askOwn(options.brought, brought, work) : work());
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

/** An operation of a plugin as a tool. Its texts are the plugin's: they are marked as data, as memory is. */
function registerOperation(
  server: McpServer,
  { plugin, name = "", does = "", takes = {}, changes }: Contribution,
  { brought, now, onError }: McpHandlerOptions,
  { session, cwd }: Caller,
): void {
  const config = {
    description: does,
    inputSchema: unchecked(inputsSchema(takes)),
    annotations:
      changes === undefined ? { readOnlyHint: true } : { destructiveHint: changes === "deletes" },
  };
  server.registerTool(toolName(plugin, name), config, async (given: unknown) => {
    try {
      const about = { door: "tool" as const, ...(session && { session }), ...(cwd && { cwd }) };
      const answer = await askOperation(brought, [plugin, name], given ?? {}, about, now());
      const said = field(answer, "text") ?? answer ?? "Done.";
      const whole = typeof said === "string" ? said : JSON.stringify(said, null, 1);
      const text =
        whole.length > mostCharacters
          ? `${head(whole, mostCharacters - 200)}\n(cut: ${whole.length} characters; ask for less)`
          : whole;
      return { content: [{ type: "text" as const, text: wrapContext(text) }] };
    } catch (error) {
      if (!(error instanceof MemoirError)) onError(error);
      return { content: [{ type: "text" as const, text: wordsOf(error) }], isError: true };
    }
  });
}

/** A schema that only describes: the operation's own input is read by what it takes, with clear words. */
function unchecked(schema: Record<string, unknown>) {
  const describe = () => schema;
  return {
    "~standard": {
      ...{ version: 1 as const, vendor: "memoir" },
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: describe, output: describe },
    },
  };
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

// Calls of tools by the names they had: conversations and transcripts go on that know the old ones.

const CallSchema = v.looseObject({
  method: v.literal("tools/call"),
  params: v.looseObject({ name: v.string() }),
});

/** The same request, under the tool's present name. */
async function underPresentName(request: Request): Promise<Request> {
  if (request.method !== "POST") return request;
  const body = await request.text();
  const call = v.safeParse(CallSchema, parsed(body));
  const name = call.success ? formerNames[call.output.params.name] : undefined;
  if (!call.success || name === undefined) return changed(request, body);
  const headers = new Headers(request.headers);
  if (headers.has("mcp-name")) headers.set("mcp-name", name);
  const { params } = call.output;
  return changed(request, JSON.stringify({ ...call.output, params: { ...params, name } }), headers);
}

function changed(request: Request, body: string, headers = new Headers(request.headers)): Request {
  headers.delete("content-length");
  return new Request(request.url, { method: "POST", headers, body, signal: request.signal });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A tool's arguments as JSON Schema, without what a model does not need: bounds stay checked, and their errors say which was crossed.

const mostIssues = 5;
const unsaid = new Set([
  "$schema",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "propertyNames",
]);

/** As the protocol's library takes it. */
function smallSchema<Input extends v.GenericSchema>(input: Input) {
  const schema = toStandardJsonSchema(input);
  const standard = schema["~standard"];
  const { jsonSchema } = standard;
  return {
    ...schema,
    "~standard": {
      ...standard,
      validate: (value: unknown) => checked(input, value),
      jsonSchema: {
        ...jsonSchema,
        input: (options: Parameters<typeof jsonSchema.input>[0]) => slim(jsonSchema.input(options)),
      },
    },
  };
}

/** An agent that wrote a field wrongly reads what is wrong, and which fields there are; of many wrong ones the first few. */
function checked<Input extends v.GenericSchema>(input: Input, value: unknown) {
  const result = v.safeParse(input, value);
  if (result.success) return { value: result.output };
  const issues = explain(input, result.issues.slice(0, mostIssues));
  return { issues: issues.map(({ message, keys }) => ({ message, path: keys })) };
}

/** The same without the keywords that are not said, at any depth. */
function slim(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      if (unsaid.has(name)) return [];
      if (name === "required" && Array.isArray(value) && value.length === 0) return [];
      if (name === "properties")
        return [[name, mapped(value as Record<string, Record<string, unknown>>)]];
      return [[name, name === "items" ? slim(value as Record<string, unknown>) : value]];
    }),
  );
}

function mapped(properties: Record<string, Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, slim(value)]));
}
