// Runs a `prompt` piece: the prompt and its session become records; the first prompt may give the session a title.
import type { NewPrompt } from "../../sdk/model.ts";
import { askForSummary, type Summarized } from "./ask-summary.ts";
import { putRecords, type RunContext, type RunResult } from "./run-work.ts";
import { sessionUpdate, workSession } from "./work-session.ts";

/** Rejects when storage failed. A title that cannot be made now is no reason to wait with the prompt. */
export async function runPrompt(context: RunContext): Promise<RunResult> {
  const { work, session } = context;
  const { project } = workSession(session, work.events);
  const prompts = work.events.flatMap(({ event }): NewPrompt[] =>
    event.name === "UserPromptSubmit"
      ? [
          {
            session: session.session,
            client: session.client,
            project: project.id,
            promptNumber: work.promptNumber,
            text: event.prompt,
            time: event.time,
          },
        ]
      : [],
  );
  const titles = work.promptNumber === 1 ? await opening(context, prompts) : undefined;
  const notice = await putRecords(context, project.id, {
    sessions: [sessionUpdate(session, project, titles)],
    prompts,
  });
  return { outcomes: new Map(), notice };
}

async function opening(context: RunContext, prompts: NewPrompt[]): Promise<Summarized | undefined> {
  const { work, session, log } = context;
  try {
    return await askForSummary(context, {
      key: work.key,
      scope: "opening",
      session: workSession(session, work.events),
      prompts,
      toolUses: [],
      observations: [],
      summaries: [],
    });
  } catch (error) {
    log.warn("The session has no title yet: the summarization plugin failed.", {
      session: work.session,
      error,
    });
    return undefined;
  }
}
