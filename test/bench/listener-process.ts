// Stands in for the server and answers every event at once with nothing: what is left is the hook command's own cost. `bun listener-process.ts <socket>`.
import process from "node:process";
import { serverHeader } from "../../src/server/endpoint.ts";

const [, , unix = ""] = process.argv;

Bun.serve({
  unix,
  async fetch(request) {
    await request.arrayBuffer();
    return new Response(null, { status: 204, headers: { [serverHeader]: "bench" } });
  },
});
console.log("listening");
