// `<home>/server.json`: who serves this home, for everyone who wants to reach it.
import { rm } from "node:fs/promises";
import * as v from "valibot";
import type { Paths } from "../../home/paths.ts";
import { readFileText } from "../../home/read-file.ts";
import type { ServerInfo } from "../endpoint.ts";

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
