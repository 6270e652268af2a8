// Cursor by its documented payloads: their normal form, its answers, its settings.
import { expect, test } from "bun:test";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createFillIn } from "../../../src/backfill/fill-in.ts";
import { adapterNamed, chooseClient } from "../../../src/clients/index.ts";
import { putPart, stateOf, takePart } from "../../../src/install/client-files.ts";
import { createDuplicates } from "../../../src/runtime/journal/seen-before.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { inFolder } from "../../support/in-folder.ts";
import { keptLog } from "../../support/kept-log.ts";
import { clientSuite } from "../suite.ts";

const folder = import.meta.dirname;
// Nobody could record one here.
clientSuite({ client: "cursor", folder, recorded: "cursor" });

const adapter = await adapterNamed("cursor");
const time = Date.parse("2026-11-22T12:00:00.000Z");

async function fixture(name: string): Promise<Record<string, unknown>> {
  return Bun.file(join(folder, "fixtures", `${name}.json`)).json();
}
async function parsed(name: string, id: string, more: object = {}): Promise<ClientEvent> {
  const event = await adapter.parse({ ...(await fixture(name)), ...more }, { id, time });
  if (!event) throw new Error("no event");
  return event;
}

test("by its own settings and by Claude Code's, an event is one", async () => {
  for (const name of ["start", "prompt", "command-passed", "command-failed", "stop"]) {
    const roads = createDuplicates(() => time);
    for (const [id, isSecond] of [["delivery-1", false] as const, ["delivery-2", true] as const]) {
      const payload = await fixture(name);
      expect(chooseClient("claude-code", payload, new Set())?.name).toBe("cursor");
      expect([name, roads.isSecond(await parsed(name, id))]).toEqual([name, isSecond]);
    }
  }
});

test("its answers are its own, and none where it asks for leave", async () => {
  const reply = { context: "known", systemMessage: "hi", updatedToolOutput: "x" };
  const answer = async (name: string) => adapter.render(await parsed(name, "d"), reply);
  expect(await answer("start")).toEqual({ additional_context: "known" });
  expect(await answer("command-passed")).toEqual({ additional_context: "known" });
  for (const name of ["prompt", "before-a-tool", "stop", "subagent-stop"])
    expect([name, await answer(name)]).toEqual([name, undefined]);
});

test("the last words come from its transcript, which has no times", () =>
  inFolder(async (home) => {
    const session = "5b0d6c1e-0000-4000-8000-00000000000a";
    const place = join(home, ".cursor/projects/home-dev-project/agent-transcripts", session);
    const transcript_path = join(place, `${session}.jsonl`);
    await mkdir(place, { recursive: true });
    const say = (role: string, text: string) =>
      appendFile(
        transcript_path,
        `${JSON.stringify({ role, message: { content: [{ type: "text", text }] } })}\n`,
      );
    await say("user", "Go");
    await say("assistant", "I look.");
    await say("assistant", "Done: it adds.");
    const runtime = { recover: async () => [], workOn: () => {} };
    const fillIn = createFillIn({ runtime, env: { HOME: home }, log: keptLog(), waitMs: 60_000 });
    expect(await fillIn(await parsed("stop", "d1", { transcript_path }))).toMatchObject({
      lastAssistantMessage: "Done: it adds.",
    });
    await say("user", "And now?");
    const next = await fillIn(await parsed("stop", "d2", { transcript_path }));
    expect(next).not.toHaveProperty("lastAssistantMessage");
  }));

test("its list of hooks gets memoir's behind others', and a version where there is none", () => {
  const env = { HOME: "/home/dev" };
  const command = '"/home/dev/.memoir/bin/memoir" hook cursor';
  const events = new Map([["SessionStart", 10] as const, ["Stop", 10] as const]);
  const binary = "/home/dev/.memoir/bin/memoir";
  const place = { env, binary, home: undefined, command, events };
  const file = adapter.registration?.files(place).find(({ path }) => path.endsWith("hooks.json"));
  const [part] = file?.parts ?? [];
  if (!file || !part) throw new Error("no hooks");
  const put = (text: string) => putPart(text, part, command, file.path);
  const take = (text: string, before?: string) => takePart(text, part, file.path, before);
  expect(JSON.parse(put(""))).toEqual({
    version: 1,
    hooks: { sessionStart: [{ command }], stop: [{ command }] },
  });
  const mine = '{"version": 1, "hooks": {"stop": [{"command": "./mine.sh", "timeout": 5}]}}\n';
  const both = put(mine);
  expect(JSON.parse(both).hooks.stop).toEqual([{ command: "./mine.sh", timeout: 5 }, { command }]);
  expect(put(both)).toBe(both);
  expect(stateOf(both, part, command, file.path)).toBe("current");
  expect(JSON.parse(take(both, mine) ?? "")).toEqual(JSON.parse(mine));
  // Without a copy of what was there, a version that others' hooks need stays.
  expect(JSON.parse(take(both) ?? "")).toEqual(JSON.parse(mine));
  expect(JSON.parse(take(put("{}"), "{}") ?? "")).toEqual({});
});
