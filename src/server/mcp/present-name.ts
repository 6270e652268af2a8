// Calls of tools by the names they had: conversations and transcripts go on that know the old ones.
import * as v from "valibot";
import { formerNames } from "./tools.ts";

const CallSchema = v.looseObject({
  method: v.literal("tools/call"),
  params: v.looseObject({ name: v.string() }),
});

/** The same request, under the tool's present name. */
export async function underPresentName(request: Request): Promise<Request> {
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
