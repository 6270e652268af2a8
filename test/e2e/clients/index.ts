// The clients beside Claude Code that are really driven: one line each.
import { clineClient } from "./cline.ts";
import { codexClient, codexOfBefore } from "./codex.ts";
import { copilotClient } from "./copilot.ts";
import { droidClient } from "./droid.ts";
import { geminiClient } from "./gemini.ts";
import { grokClient } from "./grok.ts";
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

/** One that runs Claude Code's hooks: it has scenarios of its own. */
export const guestClients: readonly OtherClient[] = [grokClient];

/** Those that only get memoir's tools. */
export const toolsClients: readonly ToolsClient[] = [clineClient];
