// What is tried with each client whose hooks tell all and take other results: a server that goes, a long result.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "../../../src/sdk/model.ts";
import type { ChatRequest } from "../clients/chat-api.ts";
import { type OtherClient, scenarioName } from "../clients/other-client.ts";
import type { Scenario } from "../scenario.ts";
import { open, type Room } from "./clients.ts";

/** One session that finds out what is wrong and mends it; `more` are arguments for its client. */
export async function mend(
  { tools }: OtherClient,
  { api, memoir, project, session }: Room,
  ...more: string[]
): Promise<void> {
  const file = project.path("src/total.js");
  api.say([
    ["I look at it.", tools.read(file)],
    [tools.run("node test.js")],
    [tools.edit(file, "price - tax", "price + tax")],
    [tools.run("node test.js")],
    ["The tax was taken off; now it is added."],
  ]);
  await session("Find out why the total leaves out the tax, and mend it.", ...more);
  await memoir.settle();
}

/** What the tools answered, as its model was told. */
export const resultsOf = ({ messages }: ChatRequest): string[] =>
  messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.stringify(content) ?? "");

/** The server dies or hangs while the agent works: nothing changes for it, and nothing is lost. */
export function outages(client: OtherClient): Scenario[] {
  const { tools } = client;
  return (["KILL", "STOP"] as const).map((signal) => ({
    name: scenarioName(
      client,
      `a server that ${signal === "KILL" ? "dies" : "hangs"} while the agent works changes nothing`,
    ),
    client: client.name,
    run: async (world) => {
      const { api, memoir, project, session } = await open(client, world);
      const { pid } = JSON.parse(await readFile(join(memoir.home, "server.json"), "utf8"));
      const file = project.path("src/total.js");
      api.say([
        ["I look at it.", tools.read(file)],
        [tools.run(`kill -${signal} ${pid}`)],
        [tools.run("node test.js")],
        [tools.edit(file, "price - tax", "price + tax")],
        [tools.run("node test.js")],
        ["The tax was taken off; now it is added."],
      ]);
      const said = await session("Find out why the total leaves out the tax, and mend it.");
      assert.ok(said.includes("now it is added"), said);
      const last = api.main().at(-1);
      assert.ok(last);
      const [, , failed = "", , passed = ""] = resultsOf(last);
      assert.ok(failed.includes("TotalMismatch"), failed);
      assert.ok(passed.includes("1 passing"), passed);
      if (signal === "STOP") process.kill(pid, "SIGCONT");
      await memoir.settle();
      const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
      assert.equal(sessions.length, 1);
      const { turns } = await memoir.records(sessions[0]?.id ?? "");
      const kinds = turns.flatMap(({ pieces }) => pieces.map(({ kind }) => kind));
      for (const kind of ["failure", "repair"] as const)
        assert.ok(kinds.includes(kind), `no ${kind} in ${kinds.join(", ")}`);
      await api.stop();
    },
  }));
}

const log = [
  ...Array.from({ length: 150 }, (_, at) => `10:00 INFO replayed order ${at}`),
  "10:01 ERROR could not replay order 150: price missing in data/150.json",
  ...Array.from({ length: 150 }, (_, at) => `10:02 INFO replayed order ${151 + at}`),
].join("\n");

/** Endless Mode's `live` in a client that takes another result for a tool's. */
export function smaller(client: OtherClient): Scenario {
  return {
    name: scenarioName(client, "a long result arrives smaller, and the whole can be asked for"),
    client: client.name,
    run: async (world) => {
      const live = {
        slots: { "endless-mode": ["live"] },
        endless: { everywhere: ["live"] },
        plugins: { live: { early: "all" } },
      };
      const { api, memoir, project, session } = await open(client, world, live);
      await Bun.write(project.path("replay.log"), `${log}\n`);
      const script = 'while IFS= read -r line; do printf "%s\\n" "$line"; done < replay.log\n';
      await Bun.write(project.path("replay.sh"), script);
      api.say([["I replay it.", client.tools.run("sh replay.sh")], ["One order has no price."]]);
      await session("Replay the orders.");
      const last = api.main().at(-1);
      assert.ok(last);
      const [seen = ""] = resultsOf(last);
      assert.ok(seen.includes("price missing in data/150.json"), seen);
      assert.ok(seen.length < log.length / 2, `it is ${seen.length} characters still`);
      const id = / recall ([\w-]+)/.exec(seen)?.[1];
      assert.ok(id, `it does not say how to get the whole: ${seen}`);
      const whole = await memoir.run("recall", id);
      assert.ok(whole.stdout.includes("replayed order 77"), whole.stdout + whole.stderr);
      await api.stop();
    },
  };
}
