// `<home>/server.json`: who serves this home, for everyone who wants to reach it.
import { readFile } from "node:fs/promises";
import * as v from "valibot";
import type { ServerInfo } from "./endpoint.ts";

const Info = v.object({
  pid: v.number(),
  port: v.number(),
  socket: v.nullable(v.string()),
  version: v.string(),
  startedAt: v.number(),
});

/** What the file says, or undefined when there is none or it cannot be read. It may be stale after a kill. */
export async function readServerInfo(path: string): Promise<ServerInfo | undefined> {
  try {
    const parsed = v.safeParse(Info, JSON.parse(await readFile(path, "utf8")));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
