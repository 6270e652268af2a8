// The clients beside Claude Code that are really driven: one line each.
import { clineClient } from "./cline.ts";
import { codexClient, codexOfBefore } from "./codex.ts";
import { copilotClient } from "./copilot.ts";
import { droidClient } from "./droid.ts";
import { geminiClient } from "./gemini.ts";
import { opencodeClient } from "./opencode.ts";
import type { OtherClient, ToolsClient } from "./other-client.ts";
import { piClient } from "./pi.ts";
import { qwenClient } from "./qwen.ts";

export const otherClients: readonly OtherClient[] = [
  codexClient,
  codexOfBefore,
  copilotClient,
  geminiClient,
  opencodeClient,
  qwenClient,
  droidClient,
  piClient,
];

/** Those that only get memoir's tools. */
export const toolsClients: readonly ToolsClient[] = [clineClient];
