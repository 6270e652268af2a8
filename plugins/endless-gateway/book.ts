// What was sent and what was decided in each session, as Endless Mode's store has it: a server that is started again repeats every decision to the byte.
import type { PluginContext } from "../../src/sdk/index.ts";
import type { Edit, Injection } from "./messages.ts";

/** A message that went out, and when it was last the end of what was known. */
export interface Sent {
  /** Epoch ms. */
  at: number;
  model: string;
}

/** Everything that one request adds; on disk before the request goes out. */
export interface Entry {
  model: string;
  /** Epoch ms. */
  at: number;
  /** Its messages that were never sent before. */
  fresh: readonly string[];
  /** Of its last message. */
  last: string;
  edits: readonly Edit[];
  injection: Injection | undefined;
}

/** One session's. */
export interface Book {
  /** Whether any request of the session went out. */
  isKnown(): boolean;
  /** Undefined for a message that never went out. */
  sent(hash: string): Sent | undefined;
  edit(toolUseId: string, part: Edit["part"]): Edit | undefined;
  injection(hash: string): Injection | undefined;
  /** What other sessions decided about these tool uses: a conversation that was forked goes on from it. */
  inherited(toolUseIds: string[]): Promise<Edit[]>;
  /** False where it could not be written: then nothing of it counts. */
  write(entry: Entry): Promise<boolean>;
  /** The request went out without it. */
  takeBack(entry: Entry): Promise<void>;
}

type Store = Pick<PluginContext["endless"], "decide" | "decided">;
type Decision = NonNullable<Awaited<ReturnType<Store["decided"]>>>[number];

const sentKey = (hash: string) => `sent ${hash}`;
const editKey = (toolUseId: string, part: Edit["part"]) => `${part} ${toolUseId}`;
const putKey = (hash: string) => `put ${hash}`;

function decisionsIn({ model, at, fresh, last, edits, injection }: Entry): Decision[] {
  const sent = [...new Set([...fresh, last])].map((hash) => ({
    key: sentKey(hash),
    value: { at, model } satisfies Sent,
  }));
  const edited = edits.map(({ toolUseId, part, hash, instead }) => ({
    ...{ key: editKey(toolUseId, part), toolUseId, value: { hash, instead } },
  }));
  if (!injection) return [...sent, ...edited];
  const { hash, place, json, observations: records } = injection;
  return [...sent, ...edited, { key: putKey(hash), value: { place, json }, records }];
}

function editOf({ key, value, toolUseId = "" }: Decision): Edit {
  const part = key === editKey(toolUseId, "input") ? "input" : "output";
  return { toolUseId, part, ...(value as Pick<Edit, "hash" | "instead">) };
}

function injectionOf(hash: string, { value, records = [] }: Decision): Injection {
  return { hash, ...(value as Pick<Injection, "place" | "json">), observations: [...records] };
}

function bookOf(session: string, known: readonly Decision[], store: Store): Book {
  const decided = new Map(known.map((one) => [one.key, one]));
  return {
    isKnown: () => decided.size > 0,
    sent: (hash) => decided.get(sentKey(hash))?.value as Sent | undefined,
    edit(toolUseId, part) {
      const found = decided.get(editKey(toolUseId, part));
      return found && editOf(found);
    },
    injection(hash) {
      const found = decided.get(putKey(hash));
      return found && injectionOf(hash, found);
    },
    async inherited(toolUseIds) {
      const others = toolUseIds.length > 0 ? await store.decided({ toolUseIds }) : [];
      // The oldest first: who asks later takes what was decided first, as whoever it was forked from did.
      const first = new Map((others ?? []).toReversed().map((one) => [one.key, one]));
      return [...first.values()].filter(({ key }) => !decided.has(key)).map(editOf);
    },
    async write(entry) {
      const own = decisionsIn(entry);
      if (!(await store.decide(session, own))) return false;
      for (const one of own) decided.set(one.key, one);
      return true;
    },
    async takeBack(entry) {
      const gone = decisionsIn(entry).filter(
        ({ key }) => key !== sentKey(entry.last) || entry.fresh.includes(entry.last),
      );
      for (const { key } of gone) decided.delete(key);
      await store.decide(
        session,
        gone.map(({ key }) => ({ key, value: null })),
      );
    },
  };
}

/** Sessions whose decisions are held in memory. */
const mostHeld = 20;

export type Books = ReturnType<typeof createBooks>;

/** Reads a session's book when it is first asked for. */
export function createBooks(store: Store) {
  const held = new Map<string, Book>();
  return {
    /** Rejects where it cannot be read: a request then goes on as it came. */
    async of(session: string): Promise<Book> {
      let book = held.get(session);
      if (!book) {
        const known = await store.decided({ session });
        if (!known) throw new Error("What was decided in this session cannot be read.");
        book = bookOf(session, known, store);
      }
      held.delete(session);
      held.set(session, book);
      for (const oldest of held.keys()) {
        if (held.size <= mostHeld) break;
        held.delete(oldest);
      }
      return book;
    },
    /** The session goes out whole from now on, and so do those that are forked from it later. */
    async withdraw(session: string): Promise<void> {
      held.delete(session);
      const known = (await store.decided({ session })) ?? [];
      const gone = known.filter(({ key }) => !key.startsWith(sentKey("")));
      await store.decide(
        session,
        gone.map(({ key }) => ({ key, value: null })),
      );
    },
    /** Something was taken out of the store. */
    reread: (): void => held.clear(),
  };
}
