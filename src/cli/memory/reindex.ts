// `memoir memory reindex`: rebuilds the search index; the records stay as they are.
import { setTimeout as pause } from "node:timers/promises";
import { MemoirError } from "../../sdk/errors.ts";
import type { SearchIndexState } from "../../sdk/storage.ts";
import { plural } from "../../text/text.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import { drawnLine } from "../terminal/drawn-line.ts";
import type { Terminal } from "../terminal/terminal.ts";

const pollMs = 200;

/** Shows the progress until it is done; the server continues if this command is ended. */
export async function reindex(options: { json?: boolean }, terminal: Terminal): Promise<number> {
  const line = drawnLine(terminal, options);
  let state = await server.post("/api/reindex");
  while (!state.isWhole) {
    const { indexed, records } = state;
    line.show(() => `${indexed} of ${plural(records, "record")}`);
    await pause(pollMs);
    state = await indexState();
  }
  line.end();
  return answer(terminal, options, state, () => [
    `${terminal.colors.green("✓")} ${plural(state.records, "record")} can be found.`,
  ]);
}

async function indexState(): Promise<SearchIndexState> {
  const { storage } = await server.get("/api/status");
  if (!("error" in storage) && storage.index) return storage.index;
  const why = "error" in storage ? storage.error : "it keeps no index of its own";
  throw new MemoirError("storage_unanswered", `The storage does not report its progress: ${why}.`);
}
