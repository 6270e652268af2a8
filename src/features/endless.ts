// Endless Mode: what it left out of a conversation is shown again, and its strategies are switched.
import type { Loading } from "../cli/commands/declared.ts";
import { feature } from "./feature.ts";
import { memory } from "./memory.ts";

const { since, project, session } = memory.timeline.takes;

/** The halves of a tool use. */
export const toolParts = ["input", "output"] as const;

const recallTakes = {
  part: {
    says: "Which half of the tool use; by default what was left out",
    typed: "--part <part>",
    choices: toolParts,
    agents: "",
  },
  lines: {
    says: "Only these lines, such as 120-180",
    typed: "--lines <from-to>",
    agents: "120-180",
  },
  grep: {
    says: "Only lines that match this regular expression, with their numbers",
    typed: "--grep <expression>",
    agents: "Regex",
  },
  page: {
    is: "count",
    says: "Which page of a long text",
    most: 999_999,
    typed: "--page <number>",
    agents: "",
  },
} as const;

const metricsTakes = { since: { ...since, default: "7d" }, project, session } as const;

const place = {
  "--session <id>": { says: "Only in this session", conflicts: ["everywhere"] },
  "--everywhere": "In every project",
} as const;
const switched = async (on: boolean): Loading =>
  (await import("../cli/endless/switch.ts")).switchEndless.bind(undefined, on);

export const endless = feature({
  name: "endless",
  description: "Keeps long sessions going: what bulky results leave out can be recalled.",
  topic: {
    does: "Keep long sessions going by shortening bulky results",
    usually: "status",
    examples: ["memoir endless on"],
  },
  topics: {
    gateway: {
      does: "Route the client's model requests through memoir",
      usually: "status",
      examples: ["memoir endless gateway status"],
    },
  },
  operations: {
    recall: {
      does: "Show the original text that Endless Mode left out",
      for: ["command", "route", "tool"],
      takes: recallTakes,
      isAlone: true,
      load: async (): Loading => (await import("../cli/endless/restore.ts")).recall,
      args: [["<tool-use>", "The tool use's id, or an unambiguous beginning of it"]],
      options: {
        "--json": {
          says: "Print all of it as JSON, exactly as it was",
          conflicts: ["lines", "grep", "page"],
        },
      },
      examples: ["memoir recall toolu_01Ab --lines 120-180"],
    },
    "recall-value": { does: "What was left out, as the value it was", for: ["route"] },
    on: {
      does: "Turn strategies on, in this folder's project by default",
      for: ["command"],
      load: () => switched(true),
      args: [["[strategy...]", "Which ones; live by default"]],
      options: place,
      examples: ["memoir endless on"],
    },
    off: {
      does: "Turn strategies off",
      for: ["command"],
      load: () => switched(false),
      args: [["[strategy...]", "Which ones; all by default"]],
      options: place,
      examples: ["memoir endless off"],
    },
    "gateway-on": {
      does: "Start the gateway and point the client at it",
      for: ["command"],
      load: async (): Loading => (await import("../cli/endless/gateway.ts")).gatewayOn,
      examples: ["memoir endless gateway on && memoir endless on gateway"],
    },
    "gateway-off": {
      does: "Restore the client's settings exactly",
      for: ["command"],
      load: async (): Loading => (await import("../cli/endless/gateway.ts")).gatewayOff,
      examples: ["memoir endless gateway off"],
    },
    "gateway-status": {
      does: "Show where requests go and what came of them",
      for: ["command"],
      load: async (): Loading => (await import("../cli/endless/status.ts")).gatewayStatus,
      examples: ["memoir endless gateway status"],
    },
    status: {
      does: "Show what is on, what was left out and what pays off",
      for: ["command"],
      load: async (): Loading => (await import("../cli/endless/status.ts")).endlessStatus,
      examples: ["memoir endless status"],
    },
    metrics: {
      does: "Show what was left out and what requests took",
      for: ["command", "route"],
      takes: metricsTakes,
      load: async (): Loading => (await import("../cli/endless/metrics.ts")).endlessMetrics,
      examples: ["memoir endless metrics --since 30d --project ."],
    },
    restore: {
      does: "Restore a transcript to the bytes it had before",
      for: ["command"],
      load: async (): Loading => (await import("../cli/endless/restore.ts")).restoreSession,
      args: [["<session>", "The session's id, or an unambiguous beginning of it"]],
      options: { "--dry-run": "Show what would be done, change nothing" },
      examples: ["memoir endless restore 3f2a91c0 --dry-run"],
    },
  },
});

export default endless.plugin;
