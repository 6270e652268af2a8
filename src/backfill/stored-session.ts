// What storage has of one session, by prompt: read to see what is missing.

import type { StoredSession } from "../runtime/events/works-again.ts";
import { askStorage } from "../runtime/hooks/ask-storage.ts";
import type { Hooks } from "../runtime/ports.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { Session } from "../sdk/model.ts";
import type { NumberedPrompt } from "./number-prompts.ts";

/** Also with the prompts' texts, and how many records there are. */
export interface ReadSession extends StoredSession {
  told: NumberedPrompt[];
  records: number;
}

type List = "storage.prompts" | "storage.turns" | "storage.summaries" | "storage.observations";
const most = 10_000;

/** Rejects when storage failed. `known`: the session as storage lists it. */
export async function readStored(
  hooks: Pick<Hooks, "first">,
  { session, client }: { session: string; client: string },
  known: Session | undefined,
): Promise<ReadSession> {
  const listed = async <Name extends List>(name: Name) => {
    const query = { session, order: "oldest" as const, limit: most };
    const found = await askStorage<List>(hooks, name, query).catch((error: unknown) => {
      // It begins the ids of others, and storage has nothing of it.
      if (error instanceof MemoirError && error.code === "session_ambiguous") return [];
      throw error;
    });
    return (found as Array<{ session: string; client: string }>).filter(
      (one) => one.session === session && one.client === client,
    ) as Awaited<ReturnType<typeof askStorage<Name>>>;
  };
  const prompts = await listed("storage.prompts");
  const turns = await listed("storage.turns");
  const summaries = await listed("storage.summaries");
  const observations = await listed("storage.observations");
  const numbers = (of: ReadonlyArray<{ promptNumber: number }>) =>
    new Set(of.map(({ promptNumber }) => promptNumber));
  const ofPrompts = prompts.map(({ promptNumber: number, text, time }) => ({ number, text, time }));
  const ofTurns = turns.flatMap(({ promptNumber: number, startedAt: time, pieces }) => {
    const text = pieces.find(({ kind }) => kind === "prompt")?.text;
    return text === undefined ? [] : [{ number, text, time }];
  });
  const told = new Map([...ofTurns, ...ofPrompts].map((prompt) => [prompt.number, prompt]));
  return {
    prompts: numbers(prompts),
    turns: numbers(turns),
    summaries: numbers(summaries.filter(({ scope }) => scope === "prompt")),
    observed: numbers(observations),
    observations: new Set(observations.map(({ id }) => id)),
    isKnown: known !== undefined && known.title !== "",
    isSummed: summaries.some(({ scope }) => scope === "session"),
    told: [...told.values()],
    records: prompts.length + turns.length + summaries.length + observations.length,
  };
}
