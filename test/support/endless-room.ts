// Endless Mode's room over a real file, with capture's own scrubbing, a clock and a journal of the test's choice.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scrubEvent } from "../../plugins/capture-privacy/index.ts";
import { parseConfig } from "../../src/runtime/config/config.ts";
import {
  createEndless,
  type Endless,
  type EndlessDeps,
} from "../../src/runtime/endless/endless.ts";
import type { JournalSession } from "../../src/runtime/ports.ts";
import type { KeepRequest } from "../../src/sdk/endless.ts";
import { type KeptLog, keptLog } from "./kept-log.ts";

export interface EndlessRoom {
  endless: Endless;
  folder: string;
  path: string;
  log: KeptLog;
  /** Moves the clock on by so many ms. */
  pass(ms: number): void;
  /** Puts another `endless` part of config in force. */
  configure(set: object): void;
  /** How often capture was asked. */
  captures(): number;
  /** Another room over the same file, as after a restart. */
  again(): Promise<Endless>;
  close(): Promise<void>;
}

/** A project that sessions whose id begins with `shop` belong to. */
export const shop = { id: "example.com/acme/shop", name: "shop", root: "/shop" };

export async function openEndlessRoom(more: Partial<EndlessDeps> = {}): Promise<EndlessRoom> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-endless-"));
  const path = join(folder, "endless.db");
  const log = keptLog();
  let time = Date.parse("2026-11-21T10:00:00");
  let config = parseConfig("/c", "{}").config.endless;
  let captured = 0;
  const session = (id: string): JournalSession | undefined =>
    id.startsWith("shop")
      ? {
          session: id,
          client: "claude-code",
          project: shop,
          prompts: 1,
          startedAt: 0,
          lastEventAt: 0,
          endedAt: null,
        }
      : undefined;
  const make = () =>
    createEndless({
      path,
      now: () => time,
      log,
      config: () => config,
      capture: async (event) => {
        captured++;
        return { event: scrubEvent(event), failed: [] };
      },
      session,
      waitFor: async () => undefined,
      folders: [folder],
      ...more,
    });
  const rooms = [make()];
  return {
    endless: rooms[0] as Endless,
    ...{ folder, path, log },
    pass(ms) {
      time += ms;
    },
    configure(set) {
      config = parseConfig("/c", JSON.stringify({ endless: set })).config.endless;
    },
    captures: () => captured,
    async again() {
      for (const room of rooms) await room.stop();
      const next = make();
      rooms.push(next);
      return next;
    },
    async close() {
      for (const room of rooms) await room.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Something to keep. */
export function keepRequest(over: Partial<KeepRequest> = {}): KeepRequest {
  const value = { stdout: "line one\nline two\n", stderr: "", interrupted: false };
  return {
    session: "shop-1",
    toolUseId: "toolu_01",
    tool: "Bash",
    part: "output",
    value,
    before: "x".repeat(1_000),
    after: "x".repeat(100),
    ...over,
  };
}
