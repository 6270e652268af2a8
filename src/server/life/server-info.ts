// What a server leaves in its home for everyone who wants to reach it: `server.json`, `hook.json`, the token.

import { Buffer } from "node:buffer";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import * as v from "valibot";
import type { Paths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import type { SubscriptionInfo } from "../../runtime/ports.ts";
import { clientEventNames } from "../../sdk/hooks.ts";
import type { ServerInfo } from "../endpoint.ts";
import { ownDeadlineMs } from "../endpoint.ts";

const Info = v.object({
  // Signals are sent to it: 0 and below would mean whole process groups.
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  port: v.number(),
  socket: v.nullable(v.string()),
  version: v.string(),
  startedAt: v.number(),
});

/** What the file says, or undefined when there is none or it cannot be read. It may be stale after a kill. */
export async function readServerInfo(path: string): Promise<ServerInfo | undefined> {
  try {
    const parsed = v.safeParse(Info, JSON.parse(await readFileText(path)));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the file, unless it names another server by now. */
export async function withdraw(paths: Paths, info: ServerInfo | undefined): Promise<void> {
  const found = await readServerInfo(paths.serverInfo);
  if (found && found.pid === info?.pid && found.startedAt === info.startedAt)
    await rm(paths.serverInfo, { force: true });
}

// Tells the hook command which events a plugin wants more time for than the hook's own deadline.

/** The way to the server and back, on top of the plugin's own time. */
const marginMs = 500;

/** Deadlines in ms by event name, for events with a subscription that may take longer than the hook command waits by itself. */
export function hookDeadlines(subscriptions: readonly SubscriptionInfo[]): Record<string, number> {
  const deadlines: Record<string, number> = {};
  for (const name of clientEventNames) {
    const declared = subscriptions
      .filter(({ hook }) => hook === name)
      .map(({ deadlineMs }) => deadlineMs);
    const longest = Math.max(0, ...declared);
    if (longest > ownDeadlineMs(name)) deadlines[name] = longest + marginMs;
  }
  return deadlines;
}

/** Writes `<home>/hook.json`, or removes it when no event needs more time. */
export async function writeHookDeadlines(
  path: string,
  subscriptions: readonly SubscriptionInfo[],
): Promise<void> {
  const deadlines = hookDeadlines(subscriptions);
  if (Object.keys(deadlines).length === 0) await rm(path, { force: true });
  else await atomicWrite(path, `${JSON.stringify(deadlines)}\n`);
}

// The token that loopback TCP asks for, made once per home.

/** The home's token: 32 random bytes in hexadecimal, in a file of mode 0600. Makes it when there is none or it is damaged. */
export async function ensureToken(path: string): Promise<string> {
  const known = await readToken(path);
  if (known !== undefined) {
    await chmod(path, 0o600);
    return known;
  }
  const token = randomBytes(32).toString("hex");
  await atomicWrite(path, `${token}\n`);
  return token;
}

/** The token in the file, or undefined when there is none. */
export async function readToken(path: string): Promise<string | undefined> {
  try {
    const token = (await readFileText(path)).trim();
    return /^[0-9a-f]{64}$/.test(token) ? token : undefined;
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Compares in constant time. */
export function sameToken(given: string, token: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(token);
  return left.length === right.length && timingSafeEqual(left, right);
}
