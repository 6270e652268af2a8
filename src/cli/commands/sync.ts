// Sharing memory with other machines and people.
import type { Declared, Loading } from "./declared.ts";

const sync = () => import("../memory/sync.ts");

const space = {
  "--space <kind>": {
    says: "Which space, where this home is in two",
    choices: ["mine", "team"],
  },
} as const;

const self = {
  "--as <person>": "How others see you; default: your user name",
  "--machine <name>": "How others see this machine; default: its name",
} as const;

/** The topic `sync`. */
export const syncCommands = {
  sync: {
    does: "Share memory between machines and with a team",
    usually: "status",
    examples: ["memoir sync init ~/Sync", "memoir sync invite", "memoir sync status"],
    commands: {
      init: {
        does: "Create a space on a hub that can't read it",
        load: async (): Loading => (await sync()).init,
        args: [["<hub>", "A folder that another program syncs, or `postgres`"]],
        options: {
          "--team": "For several people: nothing is shared until you share its project",
          ...self,
        },
        more: `A space of your own shares every project between your machines. For postgres, the
address is read from the terminal without showing it, or from stdin; it is stored in
keys.json, which only you can read. Once you are in a space, the same host and database
with another user or password only replaces the address.`,
        examples: [
          "memoir sync init ~/Sync",
          "memoir sync init postgres --team",
          "memoir sync init postgres < address.txt",
        ],
      },
      invite: {
        does: "Create an invitation for another machine or person",
        load: async (): Loading => (await sync()).invite,
        options: {
          "--role <role>": {
            says: "What it allows",
            choices: ["owner", "writer", "reader"],
            default: "writer",
          },
          "--key": "For containers and CI: any number of homes, until you remove it",
          "--label <text>": "How `memoir sync members` lists it",
          "--days <count>": { says: "Days until it expires; default 7, a key doesn't", most: 365 },
          ...space,
        },
        more: `Treat the invitation as a password: whoever has it can join. It works once.
Containers take a key from the variable MEMOIR_SYNC, or from a file it names.`,
        examples: ["memoir sync invite", "memoir sync invite --key --label CI > memoir-key"],
      },
      join: {
        does: "Join a space with an invitation",
        load: async (): Loading => (await sync()).join,
        options: {
          "--folder <path>": "Where the synced folder is on this machine",
          ...self,
        },
        more: "The invitation is read from the terminal without showing it, or from stdin.",
        examples: ["memoir sync join", "memoir sync join --folder ~/Sync < invitation.txt"],
      },
      share: {
        does: "Share a project",
        load: async (): Loading => (await sync()).share,
        args: [["[project]", "Its name or id", { default: "." }]],
        options: space,
        more: "In a team's space, also what was stored before.",
        examples: ["memoir sync share", "memoir sync share github.com/acme/shop"],
      },
      unshare: {
        does: "Keep a project local",
        load: async (): Loading => (await sync()).unshare,
        args: [["[project]", "Its name or id", { default: "." }]],
        options: space,
        more: "What was already shared stays with the others.",
        examples: ["memoir sync unshare"],
      },
      status: {
        does: "Show the hub, what is shared, and what came from whom",
        load: async (): Loading => (await sync()).status,
        examples: ["memoir sync status --json"],
      },
      now: {
        does: "Sync now and wait for it",
        load: async (): Loading => (await sync()).syncNow,
        examples: ["memoir sync now"],
      },
      members: {
        does: "List who is in a space",
        load: async (): Loading => (await sync()).members,
        options: space,
        examples: ["memoir sync members"],
      },
      remove: {
        does: "Remove a member and change the space's key",
        load: async (): Loading => (await sync()).remove,
        args: [["<member>", "Person, machine or id, as `members` lists it"]],
        options: { ...space, "-y, --yes": "Remove without asking" },
        more: "They keep what they have already received, and get nothing new.",
        examples: ["memoir sync remove old-laptop"],
      },
      leave: {
        does: "Leave a space",
        load: async (): Loading => (await sync()).leave,
        options: {
          ...space,
          "--force": "Also where the hub is away or doesn't know the space: then here only",
          "-y, --yes": "Leave without asking",
        },
        more: "What came from it stays here, and what you shared stays with the others.",
        examples: ["memoir sync leave"],
      },
    },
  },
} as const satisfies Declared;
