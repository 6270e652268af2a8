// What the hook command and the server agree on: where the server is reached, and how long an answer may take. Imports nothing but types.
import type { Paths } from "../home/paths.ts";

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

/** In every answer of a memoir server, with its version. Without it another program has our port by now. */
export const serverHeader = "x-memoir-server";

/** Names of the variables in a hook's environment that tell which client runs it, with spaces between them. */
export const variablesHeader = "x-memoir-variables";

/** A delivery's own id and time, so that a repeated one is recognized; and that it probes a server that was late. */
export const eventHeader = "x-memoir-event";
export const timeHeader = "x-memoir-time";
/** Older binaries send this name. */
export const probeHeader = "x-memoir-looks";

/** Says that a command asks an operation of a plugin, and in which folder something is asked. */
export const doorHeader = "memoir-door";
export const folderHeader = "memoir-cwd";

/** The session that a command in an agent's shell, or its tools' server, asks for. */
export const sessionHeader = "memoir-session";

/**
 * Variables that clients set for their hooks, by which their payloads are told apart where these do not tell. A list
 * here and not of the clients: the hook command loads no more than this file.
 */
export const clientVariables: readonly string[] = [
  "COPILOT_CLI",
  "QWEN_PROJECT_DIR",
  "DROID_PROJECT_DIR",
  "GEMINI_SESSION_ID",
  "ANTIGRAVITY_CONVERSATION_ID",
  "CURSOR_VERSION",
];

/** Systems refuse longer socket paths (104 bytes on macOS, 108 on Linux). */
const longestSocketPath = 100;

/** The unix socket of a home, or undefined where loopback TCP has to do: Windows, and homes with a long path. */
export function socketOf(paths: Paths, platform: string): string | undefined {
  if (platform === "win32") return undefined;
  // Three bytes a character at most; only a path that might be too long is worth encoding.
  const { length } = paths.socket;
  if (length * 3 <= longestSocketPath) return paths.socket;
  const bytes = new TextEncoder().encode(paths.socket).length;
  return bytes > longestSocketPath ? undefined : paths.socket;
}

/** Events whose answer the client puts before the model: worth waiting for a server that is just starting. */
export const answeredEvents: readonly string[] = ["SessionStart", "UserPromptSubmit"];

/**
 * How long the hook command waits by itself for the answer to an event, in ms. What it waits for, with the most that each may take:
 * - events in the spool that go first: 250; 5,000 for an event that is late or a probe (`events/spool.ts`)
 * - what a client's hooks leave out and its transcript has: 500 (`backfill/fill-in.ts`)
 * - at a session's start the look at its project's plugins: 300 (`plugins/project-plugins.ts`)
 * - each capture plugin: 500; the built-in ones take a few (`hooks/hook-table.ts`)
 * - the commit: as long as the disk takes
 * - at a session's start the work of earlier sessions: 700 (`runtime.ts`)
 * - the event's handlers together: 1,200 at a start, 1,500 at a prompt, else 1,000 (`hooks/hook-table.ts`)
 * - for a client that a plugin brings, its payload 2,000 and its answer 1,000 (`hooks/hook-table.ts`)
 * All of it is more than the hook waits. It then keeps the event in the spool too, whose second delivery is recognized; only
 * the answer is lost.
 */
export function ownDeadlineMs(eventName: string): number {
  return answeredEvents.includes(eventName) ? 2_000 : 1_000;
}

/** What to do about a request that cannot be, in place of the `--help` of a command: who asks over HTTP has none. */
export const usageFix = "See `GET /api/openapi.json` for what each route takes.";

/** Path of a plugin's panel; the page's frame gets it with a ticket. */
export const panelPath = /^\/plugins\/([a-z0-9-]+)\/panels\/([a-z0-9-]+)$/;
