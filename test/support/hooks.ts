// Plugins and hooks for tests: small definitions in, runners out.

import type { Log } from "../../src/home/log.ts";
import { createHooks, type HeldHooks } from "../../src/runtime/hooks/hooks.ts";
import type { RunningPlugin } from "../../src/runtime/hooks/subscription.ts";
import type { PluginContext } from "../../src/sdk/context.ts";
import type { PostToolUseEvent, UserPromptSubmitEvent } from "../../src/sdk/events.ts";
import type { HookName } from "../../src/sdk/hooks.ts";
import { type AnyPlugin, type Slot, slots } from "../../src/sdk/plugin.ts";
import type { CompletionRequest } from "../../src/sdk/provider.ts";

/** A log that keeps its lines. */
export function memoryLog(): Log & {
  lines: Array<{ level: string; message: string; fields: Record<string, unknown> }>;
} {
  const lines: Array<{ level: string; message: string; fields: Record<string, unknown> }> = [];
  const at =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      lines.push({ level, message, fields });
    };
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  return { ...log, lines, child: () => ({ ...log, child: () => log as Log }) };
}

/** A plugin from its hooks and whatever else matters. */
export function fakePlugin(
  name: string,
  rest: Partial<AnyPlugin> & Pick<AnyPlugin, "hooks">,
): AnyPlugin {
  return { name, description: `The test plugin ${name}.`, sdk: 1, ...rest };
}

type HandlerOf<Name extends HookName> = Extract<
  AnyPlugin["hooks"][Name],
  (...given: never[]) => unknown
>;

/** A plugin with one subscription; `declared` is what stands beside its handler. */
export function on<Name extends HookName>(
  hook: Name,
  name: string,
  handler: HandlerOf<Name>,
  declared: object = {},
): AnyPlugin {
  return fakePlugin(name, { hooks: { [hook]: { handler, ...declared } } });
}

/** A plugin as if it had been started. */
export function runningPlugin(
  plugin: AnyPlugin,
  fills: RunningPlugin["fills"] = {},
): RunningPlugin {
  const context = { plugin: plugin.name, config: {} } as PluginContext;
  return { plugin, fills, context, state: undefined };
}

/** Runners over plugins of which none fills a slot, in the given order. */
export function hooksOf(plugins: AnyPlugin[], log: Log = memoryLog()): HeldHooks {
  return createHooks(
    plugins.map((plugin) => runningPlugin(plugin)),
    { log, now: () => 0 },
  );
}

/** A tool use of a session. */
export function toolEvent(over: Partial<PostToolUseEvent> = {}): PostToolUseEvent {
  return {
    id: "e1",
    key: "k1",
    name: "PostToolUse",
    client: "claude-code",
    session: "s1",
    time: 1_000,
    cwd: "/shop",
    toolName: "Bash",
    toolInput: { command: "ls" },
    toolUseId: "t1",
    toolResponse: { stdout: "a.ts" },
    ...over,
  };
}

/** A prompt of a session. */
export function promptEvent(over: Partial<UserPromptSubmitEvent> = {}): UserPromptSubmitEvent {
  const { id, client, session, time, cwd } = toolEvent();
  return {
    id,
    client,
    session,
    time,
    cwd,
    key: "p1",
    name: "UserPromptSubmit",
    prompt: "hello",
    ...over,
  };
}

/** Handlers for the whole work of a slot, which do nothing. */
export function slotHooks(slot: Slot): AnyPlugin["hooks"] {
  return Object.fromEntries(slots[slot].hooks.map((hook) => [hook, () => undefined]));
}

/** Never done. */
export const never = () => new Promise<never>(() => {});

/** A question to a provider. */
export const request: CompletionRequest = {
  system: "",
  messages: [],
  maxTokens: 1,
  purpose: "test",
  session: "s",
};

/** A provider's answer. */
export const completion = (text: string) => ({
  text,
  model: "m",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  stopReason: "end" as const,
});
