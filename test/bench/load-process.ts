// Posts tool uses to a server as fast as it answers, two at a time, until it is killed: `bun load-process.ts <socket>`.
import process from "node:process";
import { readPayload } from "./payloads.ts";

const [, , socket = ""] = process.argv;

async function lane(name: string): Promise<never> {
  for (let serial = 0; ; serial++) {
    const body = readPayload(name, serial);
    const init = { method: "POST", body, unix: socket };
    await (await fetch("http://localhost/hook/claude-code", init)).arrayBuffer();
  }
}

await Promise.all([lane("busy-0"), lane("busy-1")]);
