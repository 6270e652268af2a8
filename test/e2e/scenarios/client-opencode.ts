// OpenCode beside what every client is tried with: resumed sessions, memory with a prompt, a server that goes, results made smaller.
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "../../../src/sdk/model.ts";
import { type ChatRequest, textOfRequest } from "../clients/chat-api.ts";
import { opencodeClient } from "../clients/opencode.ts";
import type { Scenario } from "../scenario.ts";
import type { World } from "../world.ts";
import { mend, outages, smaller } from "./client-steps.ts";
import { open } from "./clients.ts";

function scenario(name: string, run: (world: World) => Promise<void>): Scenario {
  return { name: `client opencode: ${name}`, client: opencodeClient.name, run };
}

const noted = /<memoir-context[\s\S]*?<\/memoir-context>/g;
const notesIn = (text: string) => [...text.matchAll(noted)].map(String);
const systemOf = ({ messages }: ChatRequest) =>
  messages.flatMap(({ role, content }) => (role === "system" ? [String(content)] : []));

const resumed = scenario("a session that goes on is told nothing twice", async (world) => {
  const room = await open(opencodeClient, world);
  const { api, memoir, run, session } = room;
  await mend(opencodeClient, room);
  const before = api.main().length;
  await session("What was wrong with the total?");
  await run(["run", "--continue", "And what about the tax of the total?"]);
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
  const { api, run, session } = room;
  await mend(opencodeClient, room);
  const before = api.main().length;
  await session("Say hello.");
  await run(["run", "--continue", "Why did total() in src/total.js take the tax off?"]);
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

export const clientOpenCodeScenarios: Scenario[] = [
  resumed,
  prompted,
  removed,
  ...outages(opencodeClient),
  smaller(opencodeClient),
];
