// pi beside what every client is tried with: resumed sessions, memory with a prompt, a server that goes, results made smaller.
import assert from "node:assert/strict";
import type { Session } from "../../../src/sdk/model.ts";
import { textOfRequest } from "../clients/chat-api.ts";
import { piClient } from "../clients/pi.ts";
import type { Scenario } from "../scenario.ts";
import type { World } from "../world.ts";
import { mend, outages, smaller } from "./client-steps.ts";
import { open } from "./clients.ts";

function scenario(name: string, run: (world: World) => Promise<void>): Scenario {
  return { name: `client pi: ${name}`, client: piClient.name, run };
}

const times = (text: string, part: string) => text.split(part).length - 1;
const resumed = scenario("a resumed session repeats nothing", async (world) => {
  const room = await open(piClient, world);
  const { api, memoir, session } = room;
  await mend(piClient, room);
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
  await mend(piClient, room);
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

export const clientPiScenarios: Scenario[] = [
  resumed,
  prompted,
  ...outages(piClient),
  smaller(piClient),
];
