// Storage and observer are swapped in config under traffic, back and forth: nothing is lost and nothing doubled over both stores.
import { expect, test } from "bun:test";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import type { ClientEvent, StorageClient } from "memoir/sdk";
import sqlite from "../../plugins/storage-sqlite/index.ts";
import { createStorageClient } from "../../src/runtime/hooks/ask-storage.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { clientEvent, testHost } from "../../src/testing/index.ts";
import { memoryLog } from "../support/hooks.ts";
import { inFolder } from "../support/in-folder.ts";
import markdown from "./markdown-storage.ts";

/** More with `MEMOIR_SWAP_SESSIONS`: each has 3 prompts of 8 tool uses. */
const sessions = Number(process.env.MEMOIR_SWAP_SESSIONS ?? 12);
const prompts = 3;
const uses = 8;
const swaps = 20;

/** An observer as a user's file: one observation for each tool use and a summary for each prompt, under its own name. */
const observer = (name: string) => `export default {
  name: "${name}", description: "One for each.", sdk: 1, slot: ["observation", "summarization"],
  events: ["UserPromptSubmit", "PostToolUse", "Stop"],
  hooks: {
    observe: (batch) => ({ observations: batch.toolUses.map(({ id }) => ({
      type: "discovery", title: "${name} saw " + id, subtitle: "", facts: [], narrative: "", concepts: [id],
      filesRead: [], filesModified: [], toolUseIds: [id],
    })) }),
    summarize: ({ scope }) => scope === "opening" ? {} : { summary: { request: "${name}", completed: scope,
      filesRead: [], filesEdited: [] } },
  },
};
`;

const observerAt = (swap: number) => `./plugins/${swap % 4 < 2 ? "alice" : "bob"}.mjs`;

/** The events of one session, in their order. */
function eventsOf(number: number): ClientEvent[] {
  const session = `swap-${number}`;
  const events: ClientEvent[] = [clientEvent("SessionStart", { session })];
  for (let prompt = 1; prompt <= prompts; prompt++) {
    events.push(
      clientEvent("UserPromptSubmit", { session, prompt: `Prompt ${prompt} of ${session}` }),
    );
    for (let use = 1; use <= uses; use++) {
      const toolUseId = `${session}-${prompt}-${use}`;
      const key = `tool:${toolUseId}`;
      events.push(clientEvent("PostToolUse", { session, toolUseId, key, toolName: "Bash" }));
    }
    events.push(clientEvent("Stop", { session }));
  }
  return [...events, clientEvent("SessionEnd", { session })];
}

interface Stored {
  observations: string[];
  prompts: string[];
  summaries: string[];
}

async function storedIn(storage: StorageClient): Promise<Stored> {
  const limit = 200;
  async function all<One>(page: (offset: number) => Promise<One[]>): Promise<One[]> {
    const found: One[] = [];
    for (;;) {
      const next = await page(found.length);
      found.push(...next);
      if (next.length < limit) return found;
    }
  }
  return {
    observations: (
      await all((offset) => storage.observations({ superseded: true, limit, offset }))
    ).flatMap(({ toolUseIds }) => toolUseIds),
    prompts: (await all((offset) => storage.prompts({ limit, offset }))).map(
      ({ session, promptNumber }) => `${session} ${promptNumber}`,
    ),
    summaries: (await all((offset) => storage.summaries({ limit, offset }))).map(
      ({ session, scope, promptNumber }) => `${session} ${scope} ${promptNumber}`,
    ),
  };
}

test(
  `${swaps} swaps under ${sessions} sessions`,
  () =>
    inFolder(async (home) => {
      await mkdir(join(home, "plugins"));
      const example = resolve(import.meta.dir, "markdown-storage.ts");
      await copyFile(example, join(home, "plugins/markdown-storage.ts"));
      for (const name of ["alice", "bob"])
        await writeFile(join(home, `plugins/${name}.mjs`), observer(name));
      const configure = (swap: number) =>
        writeFile(
          join(home, "config.json"),
          JSON.stringify({
            slots: {
              storage: swap % 2 === 0 ? "sqlite" : "./plugins/markdown-storage.ts",
              observation: [observerAt(swap)],
              summarization: [observerAt(swap)],
            },
            worker: { retrySeconds: [0, 1, 1] },
          }),
        );
      await configure(0);
      const log = memoryLog();
      const runtime = await createRuntime({ home, log, sessionWaitMs: 0, env: { HOME: home } });
      const lanes = Array.from({ length: sessions }, (_, number) => eventsOf(number));
      const total = lanes.flat().length;
      let sent = 0;
      const answers: string[] = [];
      const traffic = Promise.all(
        lanes.map(async (events, lane) => {
          for (const event of events) {
            answers.push((await runtime.handle(event)).accepted);
            sent++;
            // Every other session waits for its work, so that swaps meet work of all ages.
            if (event.name === "Stop" && lane % 2 === 0)
              await runtime.drain({ session: event.session, timeoutMs: 5_000 });
          }
        }),
      );
      const inForce = createStorageClient(() => runtime.hooks);
      for (let swap = 1; swap <= swaps; swap++) {
        // The first two swaps leave something in either store, however fast or slow the work is beside the traffic.
        while (swap <= 2 && (await inForce.observations({ limit: 1 })).length === 0)
          await Bun.sleep(1);
        while (sent < Math.min(total, (total * swap) / (swaps + 1))) await Bun.sleep(1);
        await configure(swap);
        await runtime.reload();
      }
      await traffic;
      const drained = await runtime.drain({ timeoutMs: 60_000 });
      const { journal } = await runtime.status();
      await runtime.stop();
      expect(answers.every((answer) => answer === "committed")).toBe(true);
      expect(drained).toBe(true);
      expect(journal).toMatchObject({ parked: [] });

      const stores: Stored[] = [];
      for (const plugin of [sqlite, markdown]) {
        const host = await testHost(plugin, { home });
        stores.push(await storedIn(host.own));
        await host.stop();
      }
      const both = (kind: keyof Stored) => stores.flatMap((store) => store[kind]).sort();
      const wanted = {
        observations: [] as string[],
        prompts: [] as string[],
        summaries: [] as string[],
      };
      for (let number = 0; number < sessions; number++) {
        for (let prompt = 1; prompt <= prompts; prompt++) {
          wanted.prompts.push(`swap-${number} ${prompt}`);
          wanted.summaries.push(`swap-${number} prompt ${prompt}`);
          for (let use = 1; use <= uses; use++)
            wanted.observations.push(`swap-${number}-${prompt}-${use}`);
        }
        wanted.summaries.push(`swap-${number} session ${prompts}`);
      }
      if (process.env.MEMOIR_SWAP_SESSIONS)
        console.log(
          `${total} events; observations by store: ${stores.map((one) => one.observations.length)}; log: ${log.lines.length}`,
        );
      expect(both("observations")).toEqual(wanted.observations.sort());
      expect(both("prompts")).toEqual(wanted.prompts.sort());
      expect(both("summaries")).toEqual(wanted.summaries.sort());
      for (const store of stores) expect(store.observations.length).toBeGreaterThan(0);
    }),
  180_000,
);
