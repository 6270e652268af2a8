// Notes what a session was given to read.
import type { ClientEvent, Reply } from "../../sdk/events.ts";
import { estimateTokens } from "../../text/tokens.ts";
import type { Journal } from "../journal/journal-types.ts";

/** Costs nothing now: it is written along with the next transaction. */
export function noteInjection(
  journal: Pick<Journal, "inject">,
  { client, session, project, cwd, name, time }: ClientEvent,
  { context, records = [] }: Reply,
): void {
  if (context === undefined) return;
  journal.inject({
    client,
    session,
    project: project?.id ?? cwd,
    event: name,
    time,
    characters: context.length,
    tokens: estimateTokens(context),
    records,
  });
}
