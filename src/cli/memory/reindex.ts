// `memoir memory reindex`: what search needs beside the records is made anew; the records stay as they are.
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { MemoirError } from "../../sdk/errors.ts";
import type { SearchIndexState } from "../../sdk/storage.ts";
import { plural } from "../../text/text.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import type { Terminal } from "../terminal/terminal.ts";

const pollMs = 200;

/** Begins, and tells how far it is until it is done; the server goes on with it should this command be ended. */
export async function reindex(options: { json?: boolean }, terminal: Terminal): Promise<number> {
  const draws = terminal.width !== undefined && !options.json;
  let state = await server.post("/api/reindex");
  while (!state.isWhole) {
    if (draws) process.stdout.write(`\r\u001b[2K${progress(state)}`);
    await pause(pollMs);
    state = await indexState();
  }
  if (draws) process.stdout.write("\r\u001b[2K");
  return answer(terminal, options, state, () => [
    `${terminal.colors.green("✓")} ${plural(state.records, "record")} can be found.`,
  ]);
}

async function indexState(): Promise<SearchIndexState> {
  const { storage } = await server.get("/api/status");
  if (!("error" in storage) && storage.index) return storage.index;
  const why = "error" in storage ? storage.error : "it keeps no index of its own";
  throw new MemoirError("storage_unanswered", `The storage does not tell how far it is: ${why}.`);
}

function progress({ indexed, records }: SearchIndexState): string {
  return `${indexed} of ${plural(records, "record")}`;
}
