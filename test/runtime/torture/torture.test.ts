// Whatever a plugin does: no event is lost, every hook is answered rightly, the server lives, and the user is told who it was.
// One server stands all of them, one after another: what a plugin did to it would show with the next.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createColors } from "picocolors";
import { statusLines } from "../../../src/cli/server/status.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { liftPauses } from "../../../src/runtime/isolation/oversight.ts";
import type { ServerStatus } from "../../../src/server/schemas/status.ts";
import type { PluginServer } from "../../support/plugin-server.ts";
import { type Kind, kinds, source } from "./kinds.ts";
import { besideWitness, configOf, load } from "./load.ts";

/** Two sessions; the bench takes more, and a figure. */
const total = 40;
/** Sessions of an attempt are its own: a second attempt's would be the first one's again. */
let attempts = 0;
const colors = createColors(false);

let server: PluginServer;
let pid: number;
const over = Promise.withResolvers<void>();
let served: Promise<void>;
beforeAll(async () => {
  const started = Promise.withResolvers<void>();
  served = besideWitness({}, async (one) => {
    server = one;
    started.resolve();
    await over.promise;
  });
  await Promise.race([started.promise, served]);
});
afterAll(async () => {
  over.resolve();
  await served;
});
const serverPid = async () => (await server.ask<{ pid: number }>("/api/status")).pid;

/** Puts this plugin in the place of the one before. */
async function replaceBy(kind: Kind): Promise<void> {
  // One that ended the server is not the fault of those that follow.
  pid = await serverPid().catch(() => server.start());
  const folder = `torture/${kinds.indexOf(kind)}`;
  await mkdir(join(server.home, folder), { recursive: true });
  await writeFile(join(server.home, folder, "torture.ts"), source(kind));
  const config = JSON.stringify(configOf(kind, `./${folder}/torture.ts`));
  await writeFile(join(server.home, "config.json"), config);
  await liftPauses(memoirPaths(server.home).pauses, "torture");
  await server.ask("/api/reload", {});
}

async function counted() {
  const { journal } = await server.status();
  if ("error" in journal) throw new Error(journal.error);
  const { counters, pendingEvents } = journal;
  const of = (name: string) => counters[name] ?? 0;
  return {
    tools: of("event:PostToolUse"),
    prompts: of("event:UserPromptSubmit"),
    settled: of("settled:stored") + of("settled:skipped"),
    parked: of("settled:parked"),
    withheld: of("withheld"),
    pendingEvents,
  };
}

/** What was logged since: what a worker prints comes a moment after its answer. */
async function loggedSince(before: number, wanted: RegExp): Promise<string> {
  for (let looks = 0; ; looks++) {
    const log = (await server.log()).slice(before);
    if (wanted.test(log) || looks === 100) return log;
    await Bun.sleep(50);
  }
}

describe.each(kinds)("$name", (kind) => {
  test("costs that plugin its turn, and nobody else anything", async () => {
    await replaceBy(kind);
    const before = await counted();
    const logBefore = (await server.log()).length;
    const { tools, prompts } = await load(server, `torture-${attempts++}`, total);
    // Every hook was answered, and the healthy plugin's words are in the answers.
    expect(tools.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    for (const { text } of prompts) expect(text).toContain("the witness was heard");

    const after = await counted();
    expect(after).toEqual({
      tools: before.tools + total,
      prompts: before.prompts + prompts.length,
      settled: before.settled + total,
      parked: before.parked,
      withheld: kind.withheld ? expect.any(Number) : before.withheld,
      pendingEvents: 0,
    });
    expect(after.withheld > before.withheld).toBe(kind.withheld === true);
    expect(await serverPid()).toBe(pid);

    const status = await server.status();
    const torture = status.plugins.find(({ name }) => /^torture$|torture\.ts$/.test(name));
    expect(torture?.state).toBe(kind.neverRuns ? "failed" : "running");
    expect((torture?.paused ?? []).map(({ part }) => part)).toEqual(
      kind.paused ? [kind.paused] : [],
    );
    expect(status.textWithheld).toBe(false);

    const shown = statusLines(await server.ask<ServerStatus>("/api/status"), {
      colors,
      now: Date.now,
      width: undefined,
    });
    if (kind.told) expect(shown.join("\n")).toMatch(kind.told);
    if (kind.logged) expect(await loggedSince(logBefore, kind.logged)).toMatch(kind.logged);
  }, 180_000);
});
