// The table of clients memoir can listen to. An adapter is loaded when its client calls.
import { MemoirError } from "../sdk/errors.ts";
import type { Client, ClientAdapter } from "./adapter.ts";
import { antigravity } from "./antigravity/client.ts";
import { claudeCode } from "./claude-code/client.ts";
import { codex } from "./codex/client.ts";
import { copilot } from "./copilot/client.ts";
import { cursor } from "./cursor/client.ts";
import { droid } from "./droid/client.ts";
import { gemini } from "./gemini/client.ts";
import { grok } from "./grok/client.ts";
import { opencode } from "./opencode/client.ts";
import { pi } from "./pi/client.ts";
import { qwen } from "./qwen/client.ts";
import { toolsOnlyClients } from "./tools-only/clients.ts";

export type { Client, ClientAbilities, ClientAdapter, Delivery } from "./adapter.ts";

/** Every client by its name: one word each. */
const table: readonly Client[] = [
  claudeCode,
  codex,
  copilot,
  cursor,
  gemini,
  opencode,
  qwen,
  droid,
  pi,
  antigravity,
  grok,
  ...toolsOnlyClients,
];

/** Every client by its name, in the order of the table. */
export const clients: ReadonlyMap<string, Client> = new Map(
  table.map((client) => [client.name, client]),
);

/** The client of that name; throws MemoirError `client_unknown`. */
export function clientNamed(name: string): Client {
  const client = clients.get(name);
  if (client) return client;
  const known = [...clients.keys()].join(", ");
  throw new MemoirError("client_unknown", `There is no client of that name; known: ${known}.`);
}

const loaded = new Map<string, Promise<ClientAdapter>>();

/** The client's adapter, loaded once. */
export function adapterOf(client: Client): Promise<ClientAdapter> {
  const known = loaded.get(client.name) ?? client.load();
  loaded.set(client.name, known);
  return known;
}

/** The adapter of that name; rejects with MemoirError `client_unknown`. */
export async function adapterNamed(name: string): Promise<ClientAdapter> {
  return adapterOf(clientNamed(name));
}

/** The adapters of all clients: for work that is not on an event's way. */
export function allAdapters(): Promise<ClientAdapter[]> {
  return Promise.all([...clients.values()].map(adapterOf));
}
