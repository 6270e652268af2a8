// pi, without its adapter.
import { field, textField } from "../../text/values.ts";
import type { Client } from "../adapter.ts";

export const pi: Client = {
  name: "pi",
  title: "pi",
  abilities: {
    way: "hooks",
    sessionContext: true,
    promptContext: true,
    prompts: "told",
    outcomes: "told",
    results: true,
    sessionEnd: "told",
    mcp: true,
    backfill: true,
    driven: "0.87.1",
  },
  remark:
    "It has no hooks and no MCP: memoir writes an extension of a few functions, which hands on what happens and offers memoir's tools as pi's own. Calls of tools that pi refuses by itself come from the transcript. Works with `@mariozechner/pi-coding-agent` 0.73.1 too; 1.x was not tried.",
  recognises: (payload) =>
    textField(field(payload, "event"), "type") !== "" &&
    textField(field(payload, "ctx"), "sessionId") !== "",
  load: async () => (await import("./index.ts")).piAdapter,
};
