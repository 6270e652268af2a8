// The commands of Endless Mode.
import type { Declared } from "./declared.ts";

const place = {
  "--session <id>": { says: "only in this session", conflicts: ["everywhere"] },
  "--everywhere": "in every project",
} as const;

/** What was left out, and `memoir endless …`. */
export const endlessCommands = {
  recall: {
    does: "give back, exactly, what Endless Mode left out of a conversation",
    args: [["<id>", "the tool use's id, or an unambiguous beginning of it"]],
    options: {
      "--part <part>": { says: "which half of the tool use", choices: ["input", "output"] },
      "--lines <from-to>": "only these lines, such as 120-180",
      "--grep <expression>": "only lines that match, with their numbers",
      "--page <number>": { says: "long texts come in pages", most: 1_000_000 },
      "--json": {
        says: "print all of it as JSON, the value exactly as it was",
        conflicts: ["lines", "grep", "page"],
      },
    },
    examples: ["memoir recall toolu_01Ab --lines 120-180"],
  },
  endless: {
    does: "Endless Mode: keep the meaning, leave out the bulk, so that sessions go on",
    usually: "status",
    examples: ["memoir endless on"],
    commands: {
      on: {
        does: "switch strategies on, in this folder's project unless you say otherwise",
        args: [["[strategy...]", "default: live"]],
        options: place,
        examples: ["memoir endless on"],
      },
      off: {
        does: "switch them off again; without a name, all of them",
        args: [["[strategy...]", "default: every one"]],
        options: place,
        examples: ["memoir endless off"],
      },
      gateway: {
        does: "the way through memoir to the model's API, for the strategy of that name",
        usually: "status",
        examples: ["memoir endless gateway status"],
        commands: {
          on: {
            does: "listen on this machine, and lead the client through it by its settings",
            examples: ["memoir endless gateway on && memoir endless on gateway"],
          },
          off: {
            does: "give the client's settings back, byte for byte",
            examples: ["memoir endless gateway off"],
          },
          status: {
            does: "where requests go, what became of them, and the sums of the last batches",
            examples: ["memoir endless gateway status"],
          },
        },
      },
      status: {
        does: "what is on where, what was left out and fetched back, and what does not pay",
        examples: ["memoir endless status"],
      },
      metrics: {
        does: "what was left out by tool and strategy, and what the agent's requests took",
        options: {
          "--since <when>": { says: "2h, 7d, yesterday, 2026-11-21 or an ISO time", default: "7d" },
          "-p, --project <project>": "only this project; `.` is this folder's",
          "-s, --session <id>": "only this session",
        },
        examples: ["memoir endless metrics --since 30d --project ."],
      },
      restore: {
        does: "give a session's transcript the bytes back that it had before memoir rewrote it",
        args: [["<session>", "the session's id, or an unambiguous beginning of it"]],
        options: { "--dry-run": "say what would be done, change nothing" },
        examples: ["memoir endless restore 3f2a91c0 --dry-run"],
      },
    },
  },
} as const satisfies Declared;
