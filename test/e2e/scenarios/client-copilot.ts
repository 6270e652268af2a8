// GitHub Copilot CLI beside what every client is tried with: resumed sessions, Claude Code's hooks in the project, a server that goes, results made smaller.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Session } from "../../../src/sdk/model.ts";
import { textOfRequest } from "../clients/chat-api.ts";
import { copilotClient } from "../clients/copilot.ts";
import type { Scenario } from "../scenario.ts";
import { mend, outages, smaller } from "./client-steps.ts";
import { open } from "./clients.ts";

const times = (text: string, part: string) => text.split(part).length - 1;

const resumed: Scenario = {
  name: "client copilot: a prompt gets what belongs to it, and a resumed session repeats nothing",
  client: copilotClient.name,
  async run(world) {
    const room = await open(copilotClient, world);
    const { api, memoir, session } = room;
    await mend(copilotClient, room);
    const before = api.main().length;
    await session("Say hello.");
    await session("Why did the total leave out the tax?", "--continue");
    const [first, second] = api.main().slice(before).map(textOfRequest);
    assert.ok(first && second);
    assert.ok(second.includes("Say hello."), "it is no resumed one");
    const offered = api.main()[before]?.tools ?? [];
    for (const tool of ["search", "timeline", "get", "recall"])
      assert.ok(offered.includes(`memoir-${tool}`), offered.join(" "));
    // What it is given at the start it forgets when it is resumed: then it is given anew, and once.
    const start = /<memoir-context.*?<\/memoir-context>/.exec(first)?.[0] ?? "";
    assert.ok(start.includes("now it is added"), `no context at the start: ${first}`);
    assert.equal(times(first, "<memoir-context"), 1);
    const asked = second.slice(second.lastIndexOf("<current_datetime>"));
    assert.ok(asked.includes("memoir-context") && asked.includes("taken off"), asked);
    assert.ok(times(second.slice(0, second.indexOf("Say hello.")), "<memoir-context") <= 1, second);
    await memoir.settle();
    const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
    assert.equal(sessions.length, 2);
    await api.stop();
  },
};

const twoRoads: Scenario = {
  name: "client copilot: with Claude Code's hooks in the project, each event is one, and Copilot's",
  client: copilotClient.name,
  async run(world) {
    const room = await open(copilotClient, world);
    const { api, memoir, project, session } = room;
    const install = [join(memoir.home, "bin/memoir"), "install", "--scope", "project", "--yes"];
    const scoped = Bun.spawnSync(install, { cwd: project.root, env: world.env });
    assert.equal(scoped.exitCode, 0, scoped.stderr.toString());
    await mend(copilotClient, room, "--trust-folder");
    const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
    assert.deepEqual(
      sessions.map((one) => one.client),
      ["copilot"],
    );
    const { journal } = await memoir.json<{ journal: { counters: Record<string, number> } }>(
      "status",
    );
    for (const [event, count] of Object.entries({
      ...{ SessionStart: 1, UserPromptSubmit: 1, Stop: 1, SessionEnd: 1 },
      ...{ PostToolUse: 3, PostToolUseFailure: 1 },
    }))
      assert.equal(journal.counters[`event:${event}`], count, event);
    const { prompts, turns } = await memoir.records(sessions[0]?.id ?? "");
    assert.equal(prompts.length, 1);
    const kinds = turns.flatMap(({ pieces }) => pieces.map(({ kind }) => kind));
    const many = (kind: string) => kinds.filter((one) => one === kind).length;
    assert.deepEqual([many("failure"), many("repair")], [1, 1], kinds.join(", "));
    const before = api.main().length;
    await session("Say hello.", "--trust-folder");
    const [hello] = api.main().slice(before).map(textOfRequest);
    assert.ok(hello);
    assert.equal(times(hello, "<memoir-context"), 1, hello);
    await api.stop();
  },
};

export const clientCopilotScenarios: Scenario[] = [
  resumed,
  twoRoads,
  ...outages(copilotClient),
  smaller(copilotClient),
];
