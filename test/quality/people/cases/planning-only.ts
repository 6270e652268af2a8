// Planning only: options weighed, choices made, nothing built.
import type { Person } from "../script.ts";

export const planningOnly: Person = {
  name: "planning-only",
  cwd: "/home/omar/ticketing",
  sessions: [
    {
      start: "2026-11-02T15:00:00Z",
      steps: [
        {
          user: "We have to sell 40,000 tickets in ten minutes on 12 December. Let's only plan today.",
        },
        {
          says: "The heart of it is holding seats. Options: a queue in front, optimistic locking on seats, or reserving blocks per worker.",
        },
        {
          asks: "How are seats held?",
          options: ["Waiting room", "Optimistic locking", "Blocks per worker"],
          answer: "Waiting room, 500 people at a time",
        },
        {
          asks: "How long is a seat held?",
          options: ["5 minutes", "10 minutes"],
          answer: "7 minutes",
        },
        {
          user: "Optimistic locking we tried in 2023, it collapsed after 9,000 users. Payment stays with Adyen.",
        },
        {
          plans:
            "1. Waiting room lets in 500 at a time\n2. A seat is held for 7 minutes in Redis\n3. Adyen for payment\n4. Load test with 60,000 virtual users on 1 December",
          accepted: true,
        },
        {
          says: "The plan stands. Next: build the waiting room first; the load test with 60,000 virtual users is on 1 December.",
        },
      ],
    },
  ],
  notes: [
    {
      id: "room",
      note: "A waiting room lets in 500 at a time.",
      ask: "how many are let in",
      tokens: [["waiting room"], ["500"]],
    },
    {
      id: "hold",
      note: "A seat is held for 7 minutes.",
      ask: "how long is a seat reserved",
      tokens: [["7 minutes"]],
    },
    {
      id: "rejected",
      note: "Optimistic locking collapsed in 2023 and is ruled out.",
      ask: "why not optimistic locking",
      tokens: [["optimistic locking"], ["2023", "collapsed"]],
    },
    {
      id: "adyen",
      note: "Payment stays with Adyen.",
      ask: "payment provider",
      tokens: [["Adyen"]],
    },
    {
      id: "load",
      note: "Load test with 60,000 on 1 December.",
      ask: "when is the load test",
      tokens: [["60,000"]],
    },
    {
      id: "next",
      note: "Next: the waiting room.",
      ask: "what is built first",
      tokens: [["waiting room first", "build the waiting room"]],
    },
  ],
  never: [
    {
      id: "built",
      what: "The waiting room is built.",
      tokens: [["built the waiting room", "Implemented"]],
    },
  ],
};
