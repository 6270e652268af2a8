// Where a home's server is reached. Imports nothing but paths: the hook command uses it on its short path.
import type { Paths } from "../runtime/paths.ts";

/** What `<home>/server.json` says. */
export interface ServerInfo {
  pid: number;
  port: number;
  /** Absolute path, or null where only TCP is served. */
  socket: string | null;
  version: string;
  /** Epoch ms. */
  startedAt: number;
}

/** Systems refuse longer socket paths (104 bytes on macOS, 108 on Linux). */
const longestSocketPath = 100;

/** The unix socket of a home, or undefined where loopback TCP has to do: Windows, and homes with a long path. */
export function socketOf(paths: Paths, platform: string): string | undefined {
  if (platform === "win32") return undefined;
  return new TextEncoder().encode(paths.socket).length > longestSocketPath
    ? undefined
    : paths.socket;
}
