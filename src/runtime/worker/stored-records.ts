// Everything storage has of one session, oldest first.
import type { HookOutput } from "../../sdk/hooks.ts";
import type { RunContext } from "./run-work.ts";

type SessionList =
  | "storage.observations"
  | "storage.prompts"
  | "storage.summaries"
  | "storage.turns";

const page = 200;
/** A session is cut off here, at its newest records: a summary needs no more. */
const most = 2_000;

/** Asks in pages; empty when no storage answers. Rejects when storage failed. */
export async function storedOfSession<Name extends SessionList>(
  { hooks, session }: RunContext,
  name: Name,
): Promise<HookOutput<Name>> {
  const found: Array<HookOutput<Name>[number]> = [];
  for (let offset = 0; offset < most; offset += page) {
    const answer = await hooks.first<SessionList>(name, {
      session: session.session,
      order: "newest",
      limit: page,
      offset,
    });
    const records = answer?.result ?? [];
    found.push(...records);
    if (records.length < page) break;
  }
  // Storage takes the beginning of a session id as well, and another client may use the same one.
  const own = found.filter(
    (record) => record.session === session.session && record.client === session.client,
  );
  return own.reverse() as HookOutput<Name>;
}
