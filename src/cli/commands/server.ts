// The commands around the server, and what clients run.
import { clients } from "../../clients/index.ts";
import type { Declared } from "./declared.ts";

const names = [...clients].map(([name, { title }]) => `  ${name}   ${title}`).join("\n");

/** The page. */
export const openCommands = {
  open: {
    does: "open memory in your browser: search it, read sessions, correct it",
    options: { "--print": "only print the address; it opens the page once, within a minute" },
    examples: ["memoir open"],
  },
} as const satisfies Declared;

/** How it is doing, its start and its end, and what speaks to it. */
export const serverCommands = {
  status: {
    does: "show what was captured, what became of it, and how the server is doing",
    more: "Exits with 3 when no server runs.",
    examples: ["memoir status --json"],
  },
  start: {
    does: "start the server in the background; a newer binary takes over from an older one",
    examples: ["memoir server start"],
  },
  stop: {
    does: "finish what is under way and stop the server",
    more: "The next hook starts it again.",
    examples: ["memoir server stop"],
  },
  retry: {
    does: "put work that was given up after its last try back to work",
    args: [["[ids...]", "ids of `parked` in `memoir status --json`; without any, all of it"]],
    examples: ["memoir server retry"],
  },
  serve: {
    does: "run the server in the foreground",
    options: { "--stand-in": { says: "only pass on what open sessions send", hidden: true } },
    examples: ["memoir serve"],
  },
  mcp: {
    does: "what a client runs to give its agent memoir's tools: MCP on stdin and stdout",
    options: { "--json": "its messages are JSON in any case" },
    examples: ["memoir mcp     (a client runs it; `memoir install` registers it)"],
  },
  // The entry runs it; one that names no client must not exit with 2, which would block the agent.
  hook: {
    does: "what a client runs on each event: JSON on stdin, JSON or nothing on stdout, always exit 0",
    args: [["[client]", "whose hook it is"]],
    options: {
      "--home <folder>": "memoir's home, when the client's environment does not name it",
      "--json": "nothing else is ever printed",
    },
    more: `Clients:\n${names}`,
    examples: ["memoir hook claude-code < event.json"],
  },
} as const satisfies Declared;
