// Kill -9 in the middle of a call to a model, again and again: no observation is lost, none comes twice, and every call is counted. `KILLS=50` makes it fifty.
import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { builtins } from "../../../src/runtime/builtins.ts";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import { keptLog } from "../../support/kept-log.ts";
import { answered, startModelServer } from "../../support/model-server.ts";
import { modelStrategy } from "../../support/model-strategy.ts";

const kills = Number(process.env.KILLS ?? 8);

/** Runs a child until its first question about new tool uses; the tool uses that it had accepted. */
async function runUntilAsked(home: string, round: number, asked: Promise<void>): Promise<string[]> {
  const script = join(import.meta.dir, "ask-until-killed.ts");
  const child = Bun.spawn([process.execPath, script, home, String(round)], {
    env: { PATH: process.env.PATH ?? "" },
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = new Response(child.stdout).text();
  await Promise.race([asked, child.exited]);
  child.kill("SIGKILL");
  await child.exited;
  return (await output).split("\n").filter(Boolean);
}

test("nothing is lost, doubled or uncounted", async () => {
  const home = await mkdtemp(join(tmpdir(), "memoir-kill-"));
  const server = startModelServer();
  try {
    await writeFile(join(home, "keys.json"), JSON.stringify({ anthropic: "sk-test" }));
    const config = {
      slots: {
        observation: ["scripted", "heuristic"],
        summarization: "heuristic-summary",
        provider: "anthropic",
      },
      plugins: {
        anthropic: { baseURL: server.url },
        "capture-skip-tools": { keep: ["Read"] },
      },
      budget: { dailyTokens: 1_000_000, sessionTokens: 1_000_000 },
    };
    await writeFile(join(home, "config.json"), JSON.stringify(config));
    const seen = new Set<unknown>();
    let ask = () => {};
    // A question that is new is never answered: its asker is killed. Asked again, it is.
    server.say((body) => {
      const question = JSON.stringify(body.messages);
      if (seen.has(question)) return "hello";
      seen.add(question);
      ask();
      return undefined;
    });
    const accepted: string[] = [];
    for (let round = 0; round < kills; round++) {
      const asked = new Promise<void>((resolve) => {
        ask = resolve;
      });
      accepted.push(...(await runUntilAsked(home, round, asked)));
    }
    expect(seen.size).toBe(kills);
    ask = () => {};
    const runtime = await createRuntime({
      home,
      log: keptLog(),
      env: { HOME: home },
      builtins: { ...builtins, scripted: async () => ({ default: modelStrategy }) },
    });
    expect(await runtime.drain({ timeoutMs: 20_000 })).toBe(true);
    const stored: string[] = [];
    for (let offset = 0; ; offset += 50) {
      const query = { session: "s1", limit: 50, offset, superseded: true };
      const answer = await runtime.hooks.first("storage.observations", query);
      const page = answer?.result ?? [];
      for (const { toolUseIds, provenance } of page) {
        expect(provenance.strategy).toBe("scripted");
        stored.push(...toolUseIds);
      }
      if (page.length < 50) break;
    }
    expect(stored.toSorted()).toEqual(accepted.toSorted());
    expect(accepted).toHaveLength(kills * 2);
    const { journal } = await runtime.status();
    expect(journal).toMatchObject({ pendingWork: 0, leasedWork: 0, parkedWork: 0 });
    const { total } = runtime.usage({});
    expect(total).toMatchObject({
      calls: kills * 2,
      failed: kills,
      output: kills * answered.output,
    });
    await runtime.stop();
  } finally {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  }
}, 180_000);
