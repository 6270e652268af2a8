// OpenCode's payloads in the normal form: memoir's own, and what its plugin makes of recorded hooks.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { clientSuite, type Payload, payloadsIn } from "../suite.ts";
import { loadWith } from "./loaded-plugin.ts";

const recorded = join(import.meta.dirname, "../../../../shared/data/other-clients/opencode");

type Json = Record<string, unknown>;

/** The order of a session; hooks that tell memoir nothing come with them. */
const order = [
  ...["session.created", "session.updated", "chat.message", "chat.params", "message.updated"],
  ...["part.delta", "updated-text", "messages.transform", "system.transform", "session.status"],
  ...["text.complete", "step", "tool-", "shell.env", "execute.before", "execute.after", "patch"],
  ...["file", "session.diff", "session.idle", "dispose"],
];

/** What memoir is handed while the recording is played to its plugin, by the recording's name. */
async function handedOn(): Promise<{ payloads: Payload[]; silent: string[] }> {
  const kept = process.env.XDG_DATA_HOME;
  process.env.XDG_DATA_HOME = "/home/dev/.local/share";
  const told: Json[] = [];
  const hooks = await loadWith({ payloads: told, answer: () => undefined });
  const place = (name: string) => order.findIndex((part) => name.includes(part));
  const payloads: Payload[] = [];
  const silent: string[] = [];
  const found = payloadsIn(recorded).sort((one, other) => place(one.name) - place(other.name));
  for (const { name, value } of found) {
    const { input, output } = value as Json;
    const hook = name.startsWith("event.")
      ? "event"
      : [...hookNames].find((one) => name.startsWith(one));
    if (hook === "event") await hooks.event?.({ event: value });
    else if (hook) await hooks[hook]?.(input, structuredClone(output));
    // What is told without being waited for.
    await new Promise((resolve) => setImmediate(resolve));
    const news = told.splice(0);
    if (news.length === 0) silent.push(name);
    for (const [at, payload] of news.entries())
      payloads.push({
        name: at === 0 ? name : name.replace(".json", `-${at + 1}.json`),
        value: payload,
      });
  }
  if (kept === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = kept;
  return { payloads, silent };
}

const hookNames = [
  ...["chat.message", "tool.execute.before", "tool.execute.after", "dispose"],
  ...["experimental.chat.system.transform", "experimental.session.compacting"],
];

const played = existsSync(recorded) ? await handedOn() : { payloads: [], silent: [] };

test.skipIf(!existsSync(recorded))("hooks that tell memoir nothing are known", () => {
  const told = payloadsIn(recorded).length - played.silent.length;
  expect(told).toBe(12);
  for (const name of played.silent) expect(name).not.toMatch(/^tool|^chat\.message|idle|error/);
});

clientSuite({
  client: "opencode",
  ownHooksOnly: true,
  folder: import.meta.dirname,
  recorded: "opencode",
  handedOn: played.payloads,
});
