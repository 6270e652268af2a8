// A client that memoir itself does not know, by the hooks of a plugin that does.
import { clientNamed, type Delivery } from "../../clients/index.ts";
import { originalOf, parsePayload } from "../../clients/normal/parse.ts";
import type { Hooks } from "../../runtime/ports.ts";
import type { ToolOriginal } from "../../sdk/endless.ts";
import type { ClientEvent, Reply } from "../../sdk/events.ts";

/** What the way of an event asks of an adapter, one event at a time. */
interface PluginAdapter {
  /** Rejects with `client_unknown` where no plugin knows the client, and as every adapter does where its answer is no payload. */
  parse(payload: unknown, delivery: Delivery): Promise<ClientEvent | undefined>;
  /** Of the payload that was parsed. */
  original(payload: unknown): ToolOriginal | undefined;
  render(event: ClientEvent, reply: Reply): Promise<Record<string, unknown> | undefined>;
}

/** For one event. */
export function pluginAdapter(client: string, hooks: Pick<Hooks, "first">): PluginAdapter {
  let normal: object | null | undefined;
  return {
    async parse(payload, delivery) {
      const answered = await hooks.first("client.payload", { client, payload });
      // It throws: nobody knows the client.
      if (!answered) return void clientNamed(client);
      normal = answered.result.payload;
      return normal === null ? undefined : parsePayload(client, normal, delivery);
    },
    original: () => (normal ? originalOf(normal) : undefined),
    async render(event, reply) {
      const answered = await hooks.first("client.answer", { event, reply });
      return (answered?.result.answer ?? undefined) as Record<string, unknown> | undefined;
    },
  };
}
