// pi beside what every client is tried with: resumed sessions, memory with a prompt, a server that goes, results made smaller.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "../../../src/sdk/model.ts";
import { type ChatRequest, textOfRequest } from "../clients/chat-api.ts";
import { piClient } from "../clients/pi.ts";
import type { Scenario } from "../scenario.ts";
import type { World } from "../world.ts";
import { open, type Room } from "./clients.ts";

const { tools } = piClient;

function scenario(name: string, run: (world: World) => Promise<void>): Scenario {
  return { name: `client pi: ${name}`, client: piClient.name, run };
}

/** One session that finds out what is wrong and mends it. */
async function mend({ api, memoir, project, session }: Room): Promise<void> {
  const file = project.path("src/total.js");
  api.say([
    ["I look at it.", tools.read("src/total.js")],
    [tools.run("node test.js")],
    [tools.edit(file, "price - tax", "price + tax")],
    [tools.run("node test.js")],
    ["The tax was taken off; now it is added."],
  ]);
  await session("Find out why the total leaves out the tax, and mend it.");
  await memoir.settle();
}

const times = (text: string, part: string) => text.split(part).length - 1;
const resultsOf = ({ messages }: ChatRequest): string[] =>
  messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.stringify(content) ?? "");

const resumed = scenario("a resumed session repeats nothing", async (world) => {
  const room = await open(piClient, world);
  const { api, memoir, session } = room;
  await mend(room);
  const before = api.main().length;
  await session("Say hello.");
  await session("And again.", "-c");
  const [first, second] = api.main().slice(before).map(textOfRequest);
  assert.ok(first && second);
  assert.ok(second.includes("Say hello.") && second.includes("And again."), "it is no resumed one");
  const given = /<memoir-context.*?<\/memoir-context>/.exec(first)?.[0];
  assert.ok(given, `no context at the start: ${first}`);
  assert.ok(given.includes("now it is added"), given);
  assert.equal(times(first, given), 1);
  assert.equal(times(second, given), 1);
  assert.equal(times(second, "<memoir-context"), 1);
  await memoir.settle();
  const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
  assert.equal(sessions.length, 2);
  await api.stop();
});

const prompted = scenario("a prompt gets the memory that belongs to it", async (world) => {
  const room = await open(piClient, world);
  const { api, session } = room;
  await mend(room);
  const before = api.main().length;
  // Each further argument is a prompt of its own in the same session.
  await session("Why did the total leave out the tax?", "Say hello.");
  const [hello, asked] = api.main().slice(before);
  assert.ok(hello && asked);
  const added = textOfRequest(asked).slice(textOfRequest(hello).length);
  assert.ok(added.includes("Why did the total leave out the tax?"), added);
  assert.ok(added.includes("memoir-context") && added.includes("taken off"), added);
  await api.stop();
});

const outages = (["KILL", "STOP"] as const).map((signal) =>
  scenario(
    `a server that ${signal === "KILL" ? "dies" : "hangs"} while the agent works changes nothing`,
    async (world) => {
      const { api, memoir, project, session } = await open(piClient, world);
      const { pid } = JSON.parse(await readFile(join(memoir.home, "server.json"), "utf8"));
      api.say([
        ["I look at it.", tools.read("src/total.js")],
        [tools.run(`kill -${signal} ${pid}`)],
        [tools.run("node test.js")],
        [tools.edit(project.path("src/total.js"), "price - tax", "price + tax")],
        [tools.run("node test.js")],
        ["The tax was taken off; now it is added."],
      ]);
      const said = await session("Find out why the total leaves out the tax, and mend it.");
      assert.ok(said.includes("now it is added"), said);
      const last = api.main().at(-1);
      assert.ok(last);
      const [, , failed = "", , passed = ""] = resultsOf(last);
      assert.ok(failed.includes("TotalMismatch") && failed.includes("exited with code 3"), failed);
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
  ),
);

const log = [
  ...Array.from({ length: 150 }, (_, at) => `10:00 INFO replayed order ${at}`),
  "10:01 ERROR could not replay order 150: price missing in data/150.json",
  ...Array.from({ length: 150 }, (_, at) => `10:02 INFO replayed order ${151 + at}`),
].join("\n");

const smaller = scenario(
  "a long result arrives smaller, and the whole can be asked for",
  async (world) => {
    const live = { slots: { "endless-mode": ["live"] }, endless: { everywhere: ["live"] } };
    const { api, memoir, project, session } = await open(piClient, world, live);
    await Bun.write(project.path("replay.log"), `${log}\n`);
    const script = 'while IFS= read -r line; do printf "%s\\n" "$line"; done < replay.log\n';
    await Bun.write(project.path("replay.sh"), script);
    api.say([["I replay it.", tools.run("sh replay.sh")], ["One order has no price."]]);
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
);

export const clientPiScenarios: Scenario[] = [resumed, prompted, ...outages, smaller];
