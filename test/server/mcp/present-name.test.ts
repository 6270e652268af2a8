// Calls of tools by the names they had: whoever knows an old one reaches the tool, and all else goes on as it came.
import { expect, test } from "bun:test";
import { underPresentName } from "../../../src/server/mcp/handler.ts";

const url = "http://localhost/mcp";
async function through(body: string, headers: Record<string, string> = {}) {
  const request = new Request(url, { method: "POST", headers, body });
  const changed = await underPresentName(request);
  return { body: await changed.text(), headers: changed.headers, method: changed.method };
}
const call = (params: unknown, more: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params, ...more });

test("an old name becomes the present one, in the body and in the header, and nothing else changes", async () => {
  const params = { name: "fetch_observations", arguments: { ids: ["o1"] }, _meta: { a: 1 } };
  const headers = { "mcp-name": "fetch_observations", "content-length": "9", "x-one": "1" };
  const { body, headers: sent, method } = await through(call(params), headers);
  expect(JSON.parse(body)).toEqual(JSON.parse(call({ ...params, name: "get" })));
  expect([method, sent.get("mcp-name"), sent.get("x-one")]).toEqual(["POST", "get", "1"]);
  expect(sent.has("content-length")).toBe(false);
  const plain = await through(call(params));
  expect(plain.headers.has("mcp-name")).toBe(false);
});

test.each([
  ["a present name", call({ name: "search", arguments: {} })],
  ["a name that every object has", call({ name: "x" })],
  [
    "another method",
    JSON.stringify({ method: "tools/list", params: { name: "fetch_observations" } }),
  ],
  ["a call without a name", call({})],
  ["a name that is no text", call({ name: ["fetch_observations"] })],
  ["no JSON", "{ nope"],
  ["nothing", ""],
])("%s stays as it is", async (_, body) => {
  expect((await through(body, { "mcp-name": "kept" })).body).toBe(body);
});

test("a request that calls nothing is handed on itself", async () => {
  const request = new Request(url);
  expect(await underPresentName(request)).toBe(request);
});
