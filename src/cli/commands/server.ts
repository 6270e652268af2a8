// The commands around the server, and what clients run.
import { clients } from "../../clients/index.ts";
import type { Declared, Loading } from "./declared.ts";

const names = [...clients].map(([name, { title }]) => `  ${name}   ${title}`).join("\n");

/** The page. */
export const openCommands = {
  open: {
    does: "Open your memory in the browser",
    load: async (): Loading => (await import("../server/start-stop.ts")).open,
    options: { "--print": "Only print the link; it works once and expires in a minute" },
    examples: ["memoir open"],
  },
} as const satisfies Declared;

/** How it is doing, its start and its end, and what speaks to it. */
export const serverCommands = {
  status: {
    does: "Show what was captured and how the server is doing",
    load: async (): Loading => (await import("../server/status.ts")).status,
    more: "Exits with 3 when no server is running.",
    examples: ["memoir status --json"],
  },
  start: {
    does: "Start the server in the background",
    load: async (): Loading => (await import("../server/start-stop.ts")).start,
    more: "A newer memoir takes over from an older server.",
    examples: ["memoir server start"],
  },
  stop: {
    does: "Stop the server",
    load: async (): Loading => (await import("../server/start-stop.ts")).stop,
    more: "It finishes its current work first. The next hook or command that needs it starts it again.",
    examples: ["memoir server stop"],
  },
  retry: {
    does: "Retry failed work",
    load: async (): Loading => (await import("../server/start-stop.ts")).retry,
    args: [["[ids...]", "Ids under `parked` in `memoir status --json`; all by default"]],
    examples: ["memoir server retry"],
  },
  serve: {
    does: "Run the server in the foreground",
    load: async (): Loading => async (options: { standIn?: boolean; json?: boolean }) =>
      options.standIn
        ? (await import("../server/serve.ts")).serveStandIn()
        : (await import("../server/serve.ts")).serve(options),
    options: { "--stand-in": { says: "Only pass on what open sessions send", hidden: true } },
    examples: ["memoir serve"],
  },
  mcp: {
    does: "Serve memoir's tools to an agent: MCP on stdin and stdout",
    load: async (): Loading => (await import("../server/mcp.ts")).serveMcp,
    options: { "--json": "No effect: its messages are JSON" },
    examples: ["memoir mcp     (a client runs it; `memoir install` registers it)"],
  },
  // The entry runs it; one that names no client must not exit with 2, which would block the agent.
  hook: {
    does: "Handle a client's event (run by the client)",
    load: async (): Loading => async () => 0,
    args: [["[client]", "Whose hook it is"]],
    options: {
      "--home <folder>": "memoir's home, if the client's environment doesn't name it",
      "--json": "No effect: it only prints JSON",
    },
    more: `JSON on stdin, JSON or nothing on stdout; always exits with 0.\n\nClients:\n${names}`,
    examples: ["memoir hook claude-code < event.json"],
  },
} as const satisfies Declared;
