// Learns how a project is built and tested the hard way; a failure with its repair.
import type { Person } from "../script.ts";

export const monorepo: Person = {
  name: "monorepo",
  cwd: "/home/wei/platform",
  sessions: [
    {
      start: "2026-10-12T08:00:00Z",
      steps: [
        { user: "Run the tests of the pricing package and fix what is red." },
        { runs: "npm test", prints: 'npm error Missing script: "test"', fails: true },
        {
          runs: "pnpm --filter pricing test",
          prints: "Error: Cannot find module '@platform/proto'",
          fails: true,
        },
        { runs: "pnpm --filter proto build", prints: "generated 14 files" },
        {
          runs: "pnpm --filter pricing test",
          prints: "1 failed: discount is 0 for tier gold",
          fails: true,
        },
        { edits: "packages/pricing/src/tier.ts", from: "gold: 0", to: "gold: 0.15" },
        { runs: "pnpm --filter pricing test", prints: "37 passed" },
        {
          says: "Green: 37 tests. proto has to be built before pricing is tested, or '@platform/proto' is not found. The red test was real: gold had no discount; it is 15 % now, as in the contract sheet.",
        },
        { user: "good. pnpm only in this repo, npm breaks the lockfile" },
        { says: "Only pnpm from now on." },
      ],
    },
    {
      start: "2026-10-13T08:00:00Z",
      steps: [
        { user: "bump proto to v9" },
        {
          edits: "packages/proto/package.json",
          from: '"version": "8.4.0"',
          to: '"version": "9.0.0"',
        },
        { runs: "pnpm --filter proto build && pnpm --filter pricing test", prints: "37 passed" },
        {
          says: "proto is at 9.0.0, pricing is green with it. The shipping package still pins 8.4.0.",
        },
      ],
    },
  ],
  notes: [
    {
      id: "order",
      note: "Build proto before testing pricing.",
      ask: "Cannot find module @platform/proto",
      tokens: [["pnpm --filter proto build", "proto has to be built"]],
    },
    {
      id: "test",
      note: "pnpm --filter pricing test tests pricing.",
      ask: "how to test pricing",
      tokens: [["pnpm --filter pricing test"]],
    },
    {
      id: "pnpm",
      note: "Only pnpm, as npm breaks the lockfile.",
      ask: "npm or pnpm",
      tokens: [["pnpm only", "Only pnpm"]],
    },
    {
      id: "gold",
      note: "Gold's discount is 15 %.",
      ask: "discount of gold",
      tokens: [["gold"], ["15 %", "0.15"]],
    },
    {
      id: "open",
      note: "Open: shipping still pins 8.4.0.",
      ask: "which package pins the old proto",
      tokens: [["shipping"], ["8.4.0"]],
    },
    { id: "version", note: "proto is at 9.0.0.", ask: "version of proto", tokens: [["9.0.0"]] },
  ],
  never: [
    { id: "red", what: "A pricing test fails.", tokens: [["1 failed"]] },
    {
      id: "npm-test",
      what: "Tests run with npm test.",
      tokens: [["test with npm test", "`npm test`"]],
    },
  ],
};
