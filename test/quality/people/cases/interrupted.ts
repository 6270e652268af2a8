// Stopped with Esc in the middle of work; later done differently.
import type { Person } from "../script.ts";

export const interrupted: Person = {
  name: "interrupted",
  cwd: "/home/sam/wiki",
  sessions: [
    {
      start: "2026-08-24T16:00:00Z",
      steps: [
        {
          user: "Rename the heading in index.md to Handbook and migrate all pages to the new slugs.",
        },
        { edits: "index.md", from: "# Wiki", to: "# Handbook" },
        { says: "The heading is renamed. Now I migrate the pages." },
        { stopsRun: "node migrate.js --all" },
        {
          user: "wait, the live server reads these files. do it on a copy in /srv/wiki-next first",
        },
        { runs: "cp -r /srv/wiki /srv/wiki-next", prints: "" },
        { says: "The copy is made; I start with the pages under howto/." },
        { stops: true },
        { user: "have to leave. howto/ is not migrated yet, the rest neither" },
        { says: "Noted: no page is migrated yet; the copy is in /srv/wiki-next." },
      ],
    },
  ],
  notes: [
    {
      id: "heading",
      note: "The heading in index.md is renamed to Handbook.",
      ask: "heading of index.md",
      tokens: [["Handbook"]],
    },
    {
      id: "copy",
      note: "Work on the copy in /srv/wiki-next, as the live server reads the files.",
      ask: "where to migrate pages",
      tokens: [["/srv/wiki-next"]],
    },
    {
      id: "live",
      note: "The live server reads the files.",
      ask: "why not migrate in place",
      tokens: [["live server"]],
    },
    {
      id: "state",
      note: "No page is migrated yet.",
      ask: "how far is the migration",
      tokens: [["not migrated", "no page is migrated"]],
    },
    {
      id: "stopped",
      note: "The migration was stopped by the user.",
      ask: "was migrate.js run",
      tokens: [["migrate"], ["stopped", "interrupted"]],
    },
  ],
  never: [
    {
      id: "done",
      what: "The pages are migrated.",
      tokens: [
        [
          "Done: Renamed the heading and migrate",
          "migrated all pages",
          "Completed: Rename the heading",
          "Rename the heading in index.md to Handbook and migrate",
        ],
        ["done", "completed"],
      ],
    },
    { id: "now", what: "Now the pages are migrated.", tokens: [["Now I migrate the pages"]] },
  ],
};
