// A tool of memoir's MCP server, called as an agent's client does: one message in, one out, over `memoir mcp`.

/** What stdin is for a single call. */
export function toolCall(name: string, input: object): string {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  return `${JSON.stringify({ ...call, params: { name, arguments: input } })}\n`;
}

/** The text of what came back. */
export function toolText(answer: string): string {
  const { result } = JSON.parse(answer) as { result: { content: Array<{ text: string }> } };
  return result.content.map(({ text }) => text).join("\n");
}
