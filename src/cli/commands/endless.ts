// The commands of Endless Mode.
import { operationInputs, optionsOf } from "../../server/inputs.ts";
import type { Declared, Loading } from "./declared.ts";

const place = {
  "--session <id>": { says: "Only in this session", conflicts: ["everywhere"] },
  "--everywhere": "In every project",
} as const;
const switched = async (on: boolean): Loading =>
  (await import("../endless/switch.ts")).switchEndless.bind(undefined, on);

/** What was left out, and `memoir endless …`. */
export const endlessCommands = {
  recall: {
    does: operationInputs.recall.does,
    load: async (): Loading => (await import("../endless/restore.ts")).recall,
    args: [["<tool-use>", "The tool use's id, or an unambiguous beginning of it"]],
    options: {
      ...optionsOf(operationInputs.recall.takes),
      "--json": {
        says: "Print all of it as JSON, exactly as it was",
        conflicts: ["lines", "grep", "page"],
      },
    },
    examples: ["memoir recall toolu_01Ab --lines 120-180"],
  },
  endless: {
    does: "Keep long sessions going by shortening bulky results",
    usually: "status",
    examples: ["memoir endless on"],
    commands: {
      on: {
        does: "Turn strategies on, in this folder's project by default",
        load: () => switched(true),
        args: [["[strategy...]", "Which ones; live by default"]],
        options: place,
        examples: ["memoir endless on"],
      },
      off: {
        does: "Turn strategies off",
        load: () => switched(false),
        args: [["[strategy...]", "Which ones; all by default"]],
        options: place,
        examples: ["memoir endless off"],
      },
      gateway: {
        does: "Route the client's model requests through memoir",
        usually: "status",
        examples: ["memoir endless gateway status"],
        commands: {
          on: {
            does: "Start the gateway and point the client at it",
            load: async (): Loading => (await import("../endless/gateway.ts")).gatewayOn,
            examples: ["memoir endless gateway on && memoir endless on gateway"],
          },
          off: {
            does: "Restore the client's settings exactly",
            load: async (): Loading => (await import("../endless/gateway.ts")).gatewayOff,
            examples: ["memoir endless gateway off"],
          },
          status: {
            does: "Show where requests go and what came of them",
            load: async (): Loading => (await import("../endless/status.ts")).gatewayStatus,
            examples: ["memoir endless gateway status"],
          },
        },
      },
      status: {
        does: "Show what is on, what was left out and what pays off",
        load: async (): Loading => (await import("../endless/status.ts")).endlessStatus,
        examples: ["memoir endless status"],
      },
      metrics: {
        does: operationInputs.metrics.does,
        load: async (): Loading => (await import("../endless/metrics.ts")).endlessMetrics,
        options: optionsOf(operationInputs.metrics.takes),
        examples: ["memoir endless metrics --since 30d --project ."],
      },
      restore: {
        does: "Restore a transcript to the bytes it had before",
        load: async (): Loading => (await import("../endless/restore.ts")).restoreSession,
        args: [["<session>", "The session's id, or an unambiguous beginning of it"]],
        options: { "--dry-run": "Show what would be done, change nothing" },
        examples: ["memoir endless restore 3f2a91c0 --dry-run"],
      },
    },
  },
} as const satisfies Declared;
