// OpenAI's Codex CLI, without its adapter.
import type { Client } from "../adapter.ts";

export const codex: Client = {
  name: "codex",
  title: "Codex CLI",
  abilities: {
    way: "hooks",
    sessionContext: true,
    promptContext: true,
    prompts: "told",
    outcomes: "transcript",
    results: false,
    sessionEnd: "quiet",
    mcp: true,
    backfill: true,
    driven: "0.169.0",
  },
  remark:
    "It runs hooks only after you trusted them: start `codex` once after the install and review them; until then it skips them, `codex exec` without a word. `memoir doctor` asks Codex itself whether it trusts them; memoir never sets that, and what you trusted stays noted in `config.toml` after an uninstall. A resumed session has its context still and gets none again. Its interactive form tells of no session's end.",
  load: async () => (await import("./index.ts")).codexAdapter,
};
