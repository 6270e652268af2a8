// Sharing memory with other machines and people.
import type { Loading } from "../cli/commands/declared.ts";
import { feature } from "./feature.ts";

/** What every invitation to a space begins with. */
export const invitationStart = "memoir-invitation-";
/** Of an invitation that is a key. */
export const keySays = "For containers and CI: any number of homes, until you remove it";

const commands = () => import("../cli/memory/sync.ts");

const space = {
  "--space <kind>": {
    says: "Which space, if this home is in two",
    choices: ["mine", "team"],
  },
} as const;

const takeBack = "Ask the others to remove what this home sent; copies stay";

const self = {
  "--as <person>": "How others see you; default: your user name",
  "--machine <name>": "How others see this machine; default: its name",
} as const;

export const sync = feature({
  name: "sync",
  description: "Shares memory between machines and with a team.",
  topic: {
    does: "Share memory between machines and with a team",
    usually: "status",
    examples: ["memoir sync init ~/Sync", "memoir sync invite", "memoir sync status"],
  },
  operations: {
    init: {
      does: "Create a space on a hub that can't read it",
      for: ["command", "route"],
      load: async (): Loading => (await commands()).init,
      args: [["<hub>", "A folder that another program syncs, or `postgres`"]],
      options: {
        "--team": "For several people; nothing is shared until you share a project",
        "--mine": "For your own machines, also beside a team's space; shares every project",
        ...self,
      },
      more: `A space of your own shares every project between your machines. For postgres, the
address is read from a hidden prompt or from stdin and stored in keys.json, which only
you can read. If you are in a space already, the same host and database with another
user or password only replaces the address; --team or --mine creates a second space.`,
      examples: [
        "memoir sync init ~/Sync",
        "memoir sync init postgres --team",
        "memoir sync init postgres < address.txt",
      ],
    },
    invite: {
      does: "Create an invitation for another machine or person",
      for: ["command", "route"],
      load: async (): Loading => (await commands()).invite,
      options: {
        "--role <role>": {
          says: "What it allows",
          choices: ["owner", "writer", "reader"],
          default: "writer",
        },
        "--key": keySays,
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
      for: ["command", "route"],
      load: async (): Loading => (await commands()).join,
      options: {
        "--folder <path>": "Where the synced folder is on this machine",
        ...self,
      },
      more: `The invitation is read from a hidden prompt or from stdin. If this home is in the
space already, an invitation for a higher role gives it that role.`,
      examples: ["memoir sync join", "memoir sync join --folder ~/Sync < invitation.txt"],
    },
    share: {
      does: "Share a project",
      for: ["command", "route"],
      load: async (): Loading => (await commands()).share,
      args: [["[project]", "Its name or id", { default: "." }]],
      options: space,
      more: "A team also gets what was stored before.",
      examples: ["memoir sync share", "memoir sync share github.com/acme/shop"],
    },
    unshare: {
      does: "Keep a project local",
      for: ["command"],
      load: async (): Loading => (await commands()).unshare,
      args: [["[project]", "Its name or id", { default: "." }]],
      options: { ...space, "--take-back": takeBack },
      more: "Without --take-back, what was already shared stays with the others.",
      examples: ["memoir sync unshare", "memoir sync unshare --take-back"],
    },
    status: {
      does: "Show the hub, what is shared, and what came from whom",
      for: ["command", "route"],
      load: async (): Loading => (await commands()).status,
      examples: ["memoir sync status --json"],
    },
    now: {
      does: "Sync now and wait for it",
      for: ["command", "route"],
      load: async (): Loading => (await commands()).syncNow,
      examples: ["memoir sync now"],
    },
    members: {
      does: "List who is in a space",
      for: ["command", "route"],
      load: async (): Loading => (await commands()).members,
      options: space,
      examples: ["memoir sync members"],
    },
    remove: {
      does: "Remove a member and change the space's key",
      for: ["command", "route"],
      load: async (): Loading => (await commands()).remove,
      args: [["<member>", "Person, machine or id, as `members` lists it"]],
      options: { ...space, "-y, --yes": "Remove without asking" },
      more: "They keep what they have already received, and get nothing new.",
      examples: ["memoir sync remove old-laptop"],
    },
    leave: {
      does: "Leave a space",
      for: ["command", "route"],
      load: async (): Loading => (await commands()).leave,
      options: {
        ...space,
        "--force": "Leave on this machine even if the hub is away or doesn't know the space",
        "--take-back": takeBack,
        "-y, --yes": "Leave without asking",
      },
      more: `What came from it stays here. Without --take-back, what you shared stays with the
others.`,
      examples: ["memoir sync leave"],
    },
  },
});

export default sync.plugin;
