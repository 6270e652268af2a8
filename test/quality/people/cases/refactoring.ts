// Refactoring: many edits, a rule that must not be broken, half done at the end.
import type { Person } from "../script.ts";

export const refactoring: Person = {
  name: "refactoring",
  cwd: "/home/erik/ledger",
  sessions: [
    {
      start: "2026-09-07T09:00:00Z",
      steps: [
        {
          user: "Split LedgerService into reader and writer. Public API of the package must not change, the bank imports it.",
        },
        {
          reads: "src/ledger-service.ts",
          content: "export class LedgerService { read() {} write() {} }",
        },
        { writes: "src/ledger-reader.ts", content: "export class LedgerReader { read() {} }" },
        { writes: "src/ledger-writer.ts", content: "export class LedgerWriter { write() {} }" },
        {
          edits: "src/ledger-service.ts",
          from: "read() {} write() {}",
          to: "read = new LedgerReader().read; write = new LedgerWriter().write;",
        },
        {
          runs: "pnpm test",
          prints: "FAIL locks.test.ts: writer took the lock twice",
          fails: true,
        },
        { edits: "src/ledger-writer.ts", from: "write() {}", to: "write(lock: Lock) {}" },
        { runs: "pnpm test", prints: "Test Files 18 passed" },
        {
          runs: "git commit -am 'Split LedgerService into reader and writer'",
          prints: "[split a81be3f] Split LedgerService into reader and writer\n 3 files changed",
        },
        {
          says: "LedgerService is now a thin facade over LedgerReader and LedgerWriter, so the package's API is unchanged. The lock is handed to the writer, because both took it and it deadlocked. 18 test files pass, committed as a81be3f.",
        },
        { user: "Now move the CSV export out of the reader as well." },
        { writes: "src/ledger-export.ts", content: "export function toCsv() {}" },
        {
          runs: "pnpm test",
          prints: "FAIL export.test.ts: expected ';' as separator",
          fails: true,
        },
        {
          says: "The export is moved, but export.test.ts fails: the old code used ';' as separator because of Excel in Sweden. I stop here as you asked for no more than one step at a time.",
        },
      ],
      ends: "killed",
    },
  ],
  notes: [
    {
      id: "api",
      note: "The package's public API must not change; the bank imports it.",
      ask: "may the ledger API change",
      tokens: [["API"], ["bank", "unchanged", "must not change"]],
    },
    {
      id: "facade",
      note: "LedgerService is a facade over reader and writer.",
      ask: "structure of ledger",
      tokens: [["LedgerReader"]],
    },
    {
      id: "lock",
      note: "The lock is handed to the writer, as both took it.",
      ask: "deadlock in ledger writer",
      tokens: [["lock"]],
    },
    {
      id: "failing",
      note: "Now failing: export.test.ts, separator.",
      ask: "which test fails",
      tokens: [["export.test.ts"]],
    },
    {
      id: "sweden",
      note: "Separator is ; because of Excel in Sweden.",
      ask: "CSV separator",
      tokens: [["separator"], ["Excel", "';'"]],
    },
    {
      id: "commit",
      note: "The split is committed as a81be3f.",
      ask: "commit of the split",
      tokens: [["a81be3f", "Split LedgerService into reader and writer"]],
    },
  ],
  never: [{ id: "lock-fails", what: "locks.test.ts fails.", tokens: [["locks.test.ts"]] }],
};
