// One leased piece of work over fake hooks, for the tests of what running it asks and stores.
import type { JournalEvent } from "../../../src/runtime/ports.ts";
import type { RunContext } from "../../../src/runtime/worker/piece.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import {
  type FakeHooks,
  fakeHooks,
  memoryStorage,
  type Responders,
} from "../../support/fake-hooks.ts";
import { keptLog } from "../../support/kept-log.ts";

export const shop = {
  ...{ id: "github.com/acme/shop", name: "shop", root: "/home/ada/shop", branch: "main" },
};

/** Events as the journal numbers them, from 1. */
export function journaled(...events: ClientEvent[]): JournalEvent[] {
  return events.map((event, at) => ({ seq: at + 1, promptNumber: 2, receivedAt: 0, event }));
}

interface Given {
  work?: Partial<RunContext["work"]>;
  session?: Partial<RunContext["session"]>;
  journal?: Partial<RunContext["journal"]>;
  hooks?: Responders;
  readContexts?: RunContext["readContexts"];
}

/** A piece of prompt 2 of session `s1`; its journal knows nothing else. */
export function runContext({
  work,
  session,
  journal,
  hooks: responders,
  readContexts,
}: Given = {}) {
  const storage = memoryStorage();
  const hooks: FakeHooks = fakeHooks({ ...storage.responders, ...responders });
  const log = keptLog();
  const context: RunContext = {
    work: {
      ...{ id: 1, key: "k1", kind: "observe", session: "s1", client: "claude-code", row: 1 },
      ...{ promptNumber: 2, events: [], unreadable: [], waiting: false, attempt: 1 },
      ...{ storage: "storage", interruptedIn: null, ...work },
    },
    session: {
      ...{ session: "s1", client: "claude-code", project: shop, prompts: 2, row: 1 },
      ...{ startedAt: 10, lastEventAt: 90, lastReceivedAt: 90, endedAt: null },
      ...{ lastActivity: null, summarizedSeq: 0, ...session },
    },
    journal: {
      isForgotten: () => false,
      isBuried: () => false,
      hasForgotten: () => false,
      prompt: () => undefined,
      toolEvents: () => [],
      lastStop: () => undefined,
      putsIn: () => true,
      ...journal,
    } as RunContext["journal"],
    ...{ hooks, log },
    ...(readContexts && { readContexts }),
  };
  return { context, hooks, storage, log };
}
