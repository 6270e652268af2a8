// Claude Code, without its adapter.
import { textField } from "../../text/values.ts";
import type { Client } from "../adapter.ts";

/** `<folder>/projects/<project>/<session>.jsonl`. */
const ownTranscript = /[\\/]projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/;

export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
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
    driven: "2.1.329",
  },
  recognises: (payload) => ownTranscript.test(textField(payload, "transcript_path")),
  load: async () => (await import("./index.ts")).claudeCodeAdapter,
};
