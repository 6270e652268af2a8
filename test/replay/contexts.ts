// Gives a recorded session's tool uses the conversation around them, as a running memoir would.

import { silentLog } from "../../src/home/log.ts";
import { scrubDeep } from "../../src/privacy/redact.ts";
import { createContextReader } from "../../src/runtime/context/read-contexts.ts";
import { defaultContextLimits } from "../../src/transcript/context.ts";
import type { RecordedPrompt, RecordedSession } from "../support/transcript-events.ts";

/** The session with contexts; `path` is its transcript, below `root`. */
export async function withContexts(
  session: RecordedSession,
  path: string,
  root: string,
): Promise<RecordedSession> {
  const read = createContextReader({
    folders: [root],
    limits: defaultContextLimits,
    scrub: async (texts) => texts.map((text) => String(scrubDeep(text).value)),
    log: silentLog,
  });
  const project = { id: session.cwd, name: "project", root: session.cwd };
  const prompts: RecordedPrompt[] = [];
  for (const prompt of session.prompts) {
    const { contexts } = await read({
      key: `${session.id}:${prompt.number}`,
      session: { id: session.id, client: "claude-code", project, transcriptPath: path },
      toolUses: prompt.toolUses,
      waiting: false,
    });
    const toolUses = prompt.toolUses.map((use) => {
      const context = contexts.get(use.id);
      return context ? { ...use, context } : use;
    });
    prompts.push({ ...prompt, toolUses });
  }
  return { ...session, prompts };
}
