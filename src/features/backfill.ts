// Recorded sessions become memory.

import type { Loading } from "../cli/commands/declared.ts";
import { clients } from "../clients/index.ts";
import { feature } from "./feature.ts";

/** The clients whose history is read. */
const recorded = [...clients.values()]
  .flatMap(({ abilities, title }) => (abilities.backfill ? [title] : []))
  .join(", ");

export const backfill = feature({
  name: "backfill",
  description: "Imports sessions that were recorded before memoir was there.",
  operations: {
    backfill: {
      does: "Import recorded sessions, newest first (safe to repeat)",
      for: ["command", "route"],
      isAlone: true,
      load: async (): Loading => (await import("../cli/history/backfill.ts")).backfill,
      args: [
        [
          "[path...]",
          `Transcript folders or \`.jsonl\` files; by default the history of ${recorded}`,
        ],
      ],
      options: {
        "-p, --project <folder>":
          "Only sessions in this folder (its name or path; `.` is this one)",
        "--since <when>": { says: "Only sessions active after this time", is: "time" },
        "--provider <provider>": "Allow this active provider, or `none` to ask no model",
        "--dry-run": "Show what would be imported, import nothing",
        "-y, --yes": "Don't ask; with an active provider, also pass --provider",
      },
      more: "Ctrl-C stops it; run it again to continue. Exits with 1 if something was not read.",
      examples: [
        "memoir backfill --dry-run",
        "memoir backfill --provider none --yes",
        "memoir backfill --project shop --since 1w",
      ],
    },
    progress: { does: "How the newest backfill is doing", for: ["route"] },
    read: { does: "Files that were read already", for: ["route"] },
    look: { does: "What a recorded session has that memory does not", for: ["route"] },
    stop: { does: "Stop the backfill where it is", for: ["route"] },
  },
});

export default backfill.plugin;
