// OpenCode beside what every client is tried with: resumed sessions, memory with a prompt, and what an uninstall leaves.
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "../../../src/sdk/model.ts";
import { type ChatRequest, textOfRequest } from "../clients/chat-api.ts";
import { opencodeClient } from "../clients/opencode.ts";
import type { Scenario } from "../scenario.ts";
import type { World } from "../world.ts";
import { open, type Room } from "./clients.ts";

const { tools } = opencodeClient;

function scenario(name: string, run: (world: World) => Promise<void>): Scenario {
  return { name: `client opencode: ${name}`, client: opencodeClient.name, run };
}

/** One session that finds out what is wrong and mends it. */
async function mend({ api, memoir, project, session }: Room): Promise<void> {
  const file = project.path("src/total.js");
  api.say([
    ["I look at it.", tools.read(file)],
    [tools.run("node test.js")],
    [tools.edit(file, "price - tax", "price + tax")],
    [tools.run("node test.js")],
    ["The tax was taken off; now it is added."],
  ]);
  await session("Find out why the total leaves out the tax, and mend it.");
  await memoir.settle();
}

const noted = /<memoir-context[\s\S]*?<\/memoir-context>/g;
const notesIn = (text: string) => [...text.matchAll(noted)].map(String);
const systemOf = ({ messages }: ChatRequest) =>
  messages.flatMap(({ role, content }) => (role === "system" ? [String(content)] : []));

const resumed = scenario("a session that goes on is told nothing twice", async (world) => {
  const room = await open(opencodeClient, world);
  const { api, memoir, session } = room;
  await mend(room);
  const before = api.main().length;
  await session("What was wrong with the total?");
  await session("And what about the tax of the total?", "--continue");
  const [first, second] = api.main().slice(before);
  assert.ok(first && second, "nothing was asked");
  const text = textOfRequest(second);
  assert.ok(text.includes("What was wrong with the total?"), "it is another session");
  for (const request of [first, second]) {
    const notes = notesIn(textOfRequest(request));
    assert.ok(notes.length > 0, "nothing is told");
    assert.equal(new Set(notes).size, notes.length, notes.join("\n\n"));
    assert.equal(systemOf(request).length, 1, "some models take one system message only");
  }
  await memoir.settle();
  const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
  assert.equal(sessions.length, 2);
  await api.stop();
});

const prompted = scenario("a prompt gets the memory that belongs to it", async (world) => {
  const room = await open(opencodeClient, world);
  const { api, session } = room;
  await mend(room);
  const before = api.main().length;
  await session("Say hello.");
  await session("Why did total() in src/total.js take the tax off?", "--continue");
  const [, second] = api.main().slice(before);
  assert.ok(second);
  const asked = JSON.stringify(second.messages.at(-1)?.content);
  assert.ok(asked.includes("take the tax off?"), asked);
  assert.ok(asked.includes("<memoir-context"), `the prompt is told nothing: ${asked}`);
  assert.ok(asked.includes("now it is added"), asked);
  await api.stop();
});

const removed = scenario("an uninstall leaves none of memoir's files", async (world) => {
  const { memoir, api } = await open(opencodeClient, world);
  const folder = join(world.home, ".config/opencode");
  assert.ok((await readdir(folder)).includes("plugins"));
  const gone = await memoir.run("uninstall", "opencode", "--yes");
  assert.equal(gone.code, 0, gone.stderr);
  assert.deepEqual((await readdir(folder)).toSorted(), [
    ...["node_modules", "opencode.json", "package-lock.json", "package.json"],
  ]);
  await api.stop();
});

export const clientOpenCodeScenarios: Scenario[] = [resumed, prompted, removed];
