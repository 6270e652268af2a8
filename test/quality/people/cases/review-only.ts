// Review only: reading, findings, no change.
import type { Person } from "../script.ts";

export const reviewOnly: Person = {
  name: "review-only",
  cwd: "/home/tess/upload-service",
  sessions: [
    {
      start: "2026-10-05T14:00:00Z",
      steps: [
        {
          user: "Review the branch resumable-uploads. Don't change anything, I only want findings.",
        },
        {
          runs: "git diff main...resumable-uploads --stat",
          prints: " src/upload.rs | 120 +++\n src/store.rs | 44 +",
        },
        { reads: "src/upload.rs", content: "let part = body.bytes().await?;" },
        {
          delegates: "Look at src/store.rs for races.",
          report:
            "store.rs: two parts with the same number overwrite each other; the map is not guarded.",
        },
        {
          says: "Three findings:\n1. upload.rs reads a part wholly into memory; a 5 GB part kills the pod. Must be fixed before merging.\n2. store.rs: two parts with the same number overwrite each other, a race.\n3. Minor: the error text names the bucket.\nThe checksum handling is right; I had suspected it, but it compares the whole file.",
        },
        { user: "Number 3 is intended. Post 1 and 2 to the pull request." },
        {
          runs: "gh pr comment 88 --body-file -",
          prints: "https://example.test/pull/88#issuecomment-1",
        },
        {
          says: "Posted findings 1 and 2 to pull request 88. Finding 3 is intended and was left out.",
        },
      ],
    },
  ],
  notes: [
    {
      id: "memory",
      note: "Finding 1: a part is read wholly into memory.",
      ask: "memory problem in upload",
      tokens: [["upload.rs"], ["memory"]],
    },
    {
      id: "race",
      note: "Finding 2: same part numbers overwrite each other.",
      ask: "race in the store",
      tokens: [["store.rs"], ["overwrite"]],
    },
    {
      id: "intended",
      note: "That the error names the bucket is intended.",
      ask: "is the bucket name in errors a problem",
      tokens: [["intended"]],
    },
    {
      id: "posted",
      note: "Findings 1 and 2 were posted to pull request 88.",
      ask: "where were the findings posted",
      tokens: [["88"]],
    },
    {
      id: "checksum",
      note: "The checksum handling is right.",
      ask: "is the checksum correct",
      tokens: [["checksum"]],
      tell: false,
    },
  ],
  never: [
    {
      id: "fixed",
      what: "The memory problem is fixed.",
      tokens: [["upload.rs"], ["fixed the", "completed"]],
    },
  ],
};
