// Pair programming by refusals: the user says no until it is right, each time with a reason.
import type { Person } from "../script.ts";

export const refusals: Person = {
  name: "refusals",
  cwd: "/home/nora/gateway",
  sessions: [
    {
      start: "2026-02-02T10:00:00Z",
      steps: [
        { user: "Add retries to the upstream client." },
        {
          refusesEdit: "src/client.go",
          to: "for { retry() }",
          because: "No endless loops. At most three attempts.",
        },
        {
          refusesEdit: "src/client.go",
          to: "time.Sleep(time.Second)",
          because: "Don't sleep in the request path, use the backoff package.",
        },
        {
          refuses: "go get github.com/other/retry",
          because: "No new dependencies without asking, we already have internal/backoff.",
        },
        { edits: "src/client.go", from: "return do(req)", to: "return backoff.Do(3, req)" },
        { refuses: "git push --force", because: "Never force push here." },
        { runs: "go test ./src/...", prints: "ok gateway/src 1.2s" },
        {
          says: "Retries use internal/backoff with three attempts; tests pass. POST requests are not retried, as they are not idempotent.",
        },
        { user: "ok. GET only is right." },
        { refuses: "git commit -am wip" },
      ],
      ends: "killed",
    },
  ],
  notes: [
    {
      id: "three",
      note: "At most three attempts.",
      ask: "how many retries",
      tokens: [["three attempts"]],
    },
    {
      id: "backoff",
      note: "Use internal/backoff, no sleeping in the request path.",
      ask: "how to wait between retries",
      tokens: [["backoff"], ["sleep", "internal/backoff"]],
    },
    {
      id: "deps",
      note: "No new dependencies without asking.",
      ask: "may I add a library",
      tokens: [["No new dependencies"]],
    },
    { id: "force", note: "Never force push.", ask: "force push", tokens: [["force push"]] },
    {
      id: "get",
      note: "Only GET is retried.",
      ask: "is POST retried",
      tokens: [["POST", "GET only"]],
    },
    {
      id: "uncommitted",
      note: "Nothing is committed: the user stopped the commit.",
      ask: "is the retry work committed",
      tokens: [["commit"], ["refused", "stopped", "not committed", "rejected", "declined"]],
    },
  ],
  never: [
    {
      id: "other",
      what: "The library other/retry was added.",
      tokens: [["github.com/other/retry"]],
      unless: ["refus", "declin", "reject", "No new dependencies"],
    },
    { id: "committed", what: "It was committed.", tokens: [["committed as", "Committed:"]] },
  ],
};
