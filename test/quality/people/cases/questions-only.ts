// Only questions: nothing is run or changed, yet there are answers worth keeping.
import type { Person } from "../script.ts";

export const questionsOnly: Person = {
  name: "questions-only",
  cwd: "/home/pat/scheduler",
  sessions: [
    {
      start: "2026-06-15T11:00:00Z",
      steps: [
        { user: "How does the scheduler decide which job runs first?" },
        {
          says: "By priority, then by age: jobs wait in a heap in queue.rs, and a job gains one priority point for every 30 seconds it waits.",
        },
        { user: "What happens when a worker dies in the middle of a job?" },
        {
          says: "Its lease runs out after 90 seconds and the job goes back to the heap; so a job may run twice and must be idempotent.",
        },
        { user: "Could we make the lease shorter?" },
        {
          says: "Yes, lease_seconds in config.toml, but under 20 seconds garbage collection pauses of the Java workers cause false expiries; that was seen in March.",
        },
        { user: "Good to know, then we leave it at 90." },
        { says: "Agreed, the lease stays at 90 seconds." },
      ],
    },
  ],
  notes: [
    {
      id: "order",
      note: "Priority, then age; a point each 30 seconds.",
      ask: "job order",
      tokens: [["priority"], ["30 seconds"]],
    },
    {
      id: "idempotent",
      note: "Jobs may run twice and must be idempotent.",
      ask: "can a job run twice",
      tokens: [["idempotent"]],
    },
    { id: "lease", note: "The lease stays at 90 seconds.", ask: "lease time", tokens: [["90"]] },
    {
      id: "gc",
      note: "Below 20 seconds GC pauses cause false expiries.",
      ask: "why not a shorter lease",
      tokens: [["garbage collection", "false expiries"]],
    },
  ],
  never: [
    {
      id: "shorter",
      what: "The lease is to be shortened.",
      tokens: [["make the lease shorter"]],
      unless: ["asked", "stays"],
    },
  ],
};
