// memoir's plugin for OpenCode, loaded as OpenCode does, with a stand-in for the program that it runs.
import { EventEmitter } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RegistrationPlace } from "../../../src/clients/adapter.ts";
import { openCodeRegistration, pluginText } from "../../../src/clients/opencode/index.ts";
import { hookCommand } from "../../../src/install/hook-command.ts";

type Json = Record<string, unknown>;

/** The hooks of the plugin, by OpenCode's names. */
export type Hooks = Record<string, (input?: unknown, output?: unknown) => Promise<void>>;

/** A place with every event wanted. */
export function placeOf(binary: string, seconds = 10): RegistrationPlace {
  const command = hookCommand({ binary, platform: "linux", client: "opencode" });
  const events = new Map(openCodeRegistration.events.map((event) => [event, seconds]));
  return { env: { HOME: "/home/dev" }, binary, home: undefined, command, events };
}

/** The plugin's hooks as its file gives them. */
export async function loadHooks(text: string, context: Json): Promise<Hooks> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-opencode-"));
  try {
    await writeFile(join(folder, "memoir.js"), text);
    const exported = Object.values<(context: Json) => Promise<Hooks>>(
      await import(join(folder, "memoir.js")),
    );
    const [plugin] = exported;
    if (!plugin || exported.length > 1) throw new Error("OpenCode runs every export as a plugin");
    return await plugin(context);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What the program was handed, and what it is to answer. */
export interface Program {
  payloads: Json[];
  answer(payload: Json): unknown;
}

/** Loads the plugin so that no process is begun. */
export async function loadWith(program: Program, more: Json = {}): Promise<Hooks> {
  const text = pluginText(placeOf("/opt/memoir/bin/memoir"));
  const real = 'import { spawn } from "child_process";';
  const name = `memoirSpawn${Math.random().toString(36).slice(2)}`;
  Object.assign(globalThis, { [name]: () => pretended(program) });
  return loadHooks(text.replace(real, `const spawn = globalThis.${name};`), {
    client: { session: { get: async () => ({ data: {} }) } },
    directory: "/home/dev/project",
    ...more,
  });
}

/** A child that reads one payload, prints one line and ends. */
function pretended({ payloads, answer }: Program) {
  const stdout = Object.assign(new EventEmitter(), { setEncoding() {}, destroy() {} });
  const child = Object.assign(new EventEmitter(), { stdout, unref() {}, kill() {} });
  const stdin = Object.assign(new EventEmitter(), {
    end(text: string) {
      const payload: Json = JSON.parse(text);
      payloads.push(payload);
      const said = answer(payload);
      if (said !== undefined) stdout.emit("data", `${JSON.stringify(said)}\n`);
      child.emit("close");
    },
  });
  return Object.assign(child, { stdin });
}
