// A client that a plugin describes, as its author tries it; and what every description promises.
import assert from "node:assert/strict";
import { isAbsolute } from "node:path";
import { diskPath } from "../../clients/described/places.ts";
import { describedReading } from "../../clients/described/reading.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent, Reply } from "../../sdk/events.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { type SuiteCase, skip, suiteCase } from "../room.ts";
import { hostileTexts } from "../samples.ts";

/** A described client's payloads and lines, read as memoir reads them. */
export interface TestClient {
  /** The event of one payload; undefined for what is none. Throws `payload_invalid` naming the field. */
  event(payload: unknown): ClientEvent | undefined;
  /** What memoir prints for the event of this payload; undefined where it prints nothing. */
  answer(payload: unknown, reply: Reply): unknown;
  /** A line of its history in Claude Code's form; undefined for one that says nothing. */
  line(value: Record<string, unknown>): unknown;
}

const delivery = { id: "test-delivery", time: 1_790_000_000_000 };

/**
 * The client of that name that the plugin describes. Throws where it describes none, or one that is `like` another, whose
 * payloads are memoir's own business.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { definePlugin } from "memoir/sdk";
 * import { testClient } from "memoir/testing";
 *
 * const plugin = definePlugin({
 *   name: "quill-client",
 *   description: "Quill.",
 *   sdk: 1,
 *   clients: {
 *     quill: { title: "Quill", folder: "~/.quill", payload: { fields: { session_id: "run" } } },
 *   },
 *   hooks: {},
 * });
 * const payload = { run: "r1", cwd: "/w", hook_event_name: "UserPromptSubmit", prompt: "Hi" };
 * assert.equal(testClient(plugin, "quill").event(payload)?.session, "r1");
 * ```
 */
export function testClient(plugin: AnyPlugin, name: string): TestClient {
  const adapter = adapterOf(plugin, name);
  if (!adapter) throw new Error(`${plugin.name} describes no client ${name} of its own form`);
  const event = (payload: unknown) => adapter.parse(payload, delivery);
  return {
    event,
    answer(payload, reply) {
      const found = event(payload);
      return found && adapter.render(found, reply);
    },
    line: (value) => adapter.transcripts?.normalLine?.(value) ?? undefined,
  };
}

function adapterOf({ clients = {} }: AnyPlugin, name: string) {
  const description = Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (!description || (description.like ?? "claude-code") !== "claude-code") return undefined;
  return describedReading(name, description);
}

/** Every client whose form is its own. */
function described(plugin: AnyPlugin) {
  const names = Object.keys(plugin.clients ?? {});
  const found = names.flatMap((name) => {
    const adapter = adapterOf(plugin, name);
    return adapter ? [{ name, adapter }] : [];
  });
  return found.length > 0 ? found : skip("its clients are like others, whose forms are memoir's");
}

/** Payloads of any form: what a client may send on its worst day. */
function hostilePayloads(events: readonly string[]): unknown[] {
  const odd = [
    undefined,
    null,
    0,
    "",
    [],
    {},
    [[]],
    { a: { b: null } },
    Number.NaN,
    ...hostileTexts,
  ];
  const whole = odd.flatMap((value) =>
    events.map((event) => ({
      ...{ session_id: "s", cwd: "/w", hook_event_name: event, event, prompt: value },
      ...{ tool_name: value, tool_input: value, tool_response: value, error: value },
    })),
  );
  return [...odd, ...whole];
}

export const clientCases: readonly SuiteCase[] = [
  suiteCase(
    "makes of any payload an event, nothing, or a refusal that names the field",
    async (room) => {
      for (const { name, adapter } of described(room.plugin)) {
        const own = Object.keys(room.plugin.clients?.[name]?.payload?.events ?? {});
        for (const payload of hostilePayloads([...own, "PostToolUse", "UserPromptSubmit", "Stop"]))
          try {
            const event = adapter.parse(payload, delivery);
            adapter.original(payload);
            if (!event) continue;
            assert.equal(event.client, name);
            JSON.stringify(adapter.render(event, { context: "known" }));
          } catch (error) {
            const isRefusal = error instanceof MemoirError && error.code === "payload_invalid";
            assert.ok(isRefusal, `${name}: ${JSON.stringify(payload)} made it throw ${error}`);
          }
      }
    },
  ),

  suiteCase("reads any line of its history without a stumble", async (room) => {
    for (const { name, adapter } of described(room.plugin)) {
      const read = adapter.transcripts?.normalLine;
      if (!read) continue;
      const forms = room.plugin.clients?.[name]?.transcripts?.lines ?? [];
      for (const form of forms)
        for (const value of [null, [], 7, {}, ...hostileTexts]) {
          const fields = [form.text, form.id, form.name, form.input, form.each].flat();
          const more = fields.map((path) => [path?.split(".")[0] ?? "x", value]);
          const line = { ...form.when, ...Object.fromEntries(more) };
          assert.doesNotThrow(() => read(line), `${name}: ${JSON.stringify(line)}`);
        }
    }
  }),

  suiteCase("puts memoir into files of the user's, each once", async (room) => {
    const seen = new Set<string>();
    const env = { HOME: "/home/dev" };
    for (const [name, { folder, install, like }] of Object.entries(room.plugin.clients ?? {})) {
      if (!install && like === undefined)
        room.warn(`${name}: \`memoir install ${name}\` has no file to put memoir into`);
      for (const { path } of install ?? []) {
        const file = diskPath(path, env, diskPath(folder, env));
        assert.ok(isAbsolute(file), `${name}: ${file} is no absolute path`);
        assert.ok(!seen.has(file), `${name}: ${file} is named twice; say both things in one entry`);
        seen.add(file);
      }
    }
  }),
];
