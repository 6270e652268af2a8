// Whatever a plugin does: no event is lost, every hook is answered rightly, the server lives, and the user is told who it was.
import { describe, expect, test } from "bun:test";
import { createColors } from "picocolors";
import { statusLines } from "../../../src/cli/server/status.ts";
import type { ServerStatus } from "../../../src/server/schemas/status.ts";
import { kinds } from "./kinds.ts";
import { underLoad } from "./load.ts";

/** Four sessions; the bench takes more, and a figure. */
const total = 80;
const colors = createColors(false);

describe.each(kinds)("$name", (kind) => {
  test("costs that plugin its turn, and nobody else anything", async () => {
    await underLoad(kind, total, async ({ tools, prompts, pid, server }) => {
      // Every hook was answered, and the healthy plugin's words are in the answers.
      expect(tools.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
      for (const { text } of prompts) expect(text).toContain("the witness was heard");

      const status = await server.status();
      const { journal } = status;
      if ("error" in journal) throw new Error(journal.error);
      const { counters } = journal;
      expect(counters["event:PostToolUse"]).toBe(total);
      expect(counters["event:UserPromptSubmit"]).toBe(prompts.length);
      const settled = (counters["settled:stored"] ?? 0) + (counters["settled:skipped"] ?? 0);
      expect([settled, counters["settled:parked"] ?? 0, journal.pendingEvents]).toEqual([
        total,
        0,
        0,
      ]);
      expect((await server.ask<{ pid: number }>("/api/status")).pid).toBe(pid);

      const torture = status.plugins.find(
        ({ name, source }) => name === "torture" || source?.endsWith("torture.ts"),
      );
      expect(torture?.state).toBe(kind.neverRuns ? "failed" : "running");
      expect((torture?.paused ?? []).map(({ part }) => part)).toEqual(
        kind.paused ? [kind.paused] : [],
      );
      expect((counters.withheld ?? 0) > 0).toBe(kind.withheld === true);
      expect(status.textWithheld).toBe(false);

      const shown = statusLines(await server.ask<ServerStatus>("/api/status"), {
        colors,
        now: Date.now,
        width: undefined,
      });
      if (kind.told) expect(shown.join("\n")).toMatch(kind.told);
      if (kind.logged) expect(await server.log()).toMatch(kind.logged);
    });
  }, 60_000);
});
