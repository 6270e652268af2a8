// An MCP server over stdio with one tool, in as few lines as the protocol allows.

/** The source of a server whose tool gives these texts, block by block. */
export function toolServer(name: string, blocks: readonly string[]): string {
  return `import { createInterface } from "node:readline";
const blocks = ${JSON.stringify(blocks)};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "shop", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [{ name: "${name}", description: "What there is", inputSchema: { type: "object" } }],
  }),
  "tools/call": () => ({ content: blocks.map((text) => ({ type: "text", text })) }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params);
  const body = result ? { result } : { error: { code: -32601, message: "unknown method" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
}
`;
}
