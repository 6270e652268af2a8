// Qwen Code, without its adapter.
import { textField } from "../../text/values.ts";
import type { Client } from "../adapter.ts";

const ownTranscript = /[\\/]projects[\\/][^\\/]+[\\/]chats[\\/][^\\/]+\.jsonl$/;

export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  abilities: {
    way: "hooks",
    sessionContext: true,
    promptContext: true,
    prompts: "told",
    outcomes: "told",
    results: false,
    sessionEnd: "quiet",
    mcp: true,
    backfill: true,
    driven: "0.24.4",
  },
  recognises: (payload) =>
    ownTranscript.test(textField(payload, "transcript_path")) && "timestamp" in payload,
  variable: "QWEN_PROJECT_DIR",
  load: async () => (await import("./index.ts")).qwenAdapter,
};
