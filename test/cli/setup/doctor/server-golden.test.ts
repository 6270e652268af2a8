// What the doctor says of a server, to the letter: every check with its state, its words and what to do.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { checkStatus } from "../../../../src/health/server-checks.ts";
import { version } from "../../../../src/home/version.ts";
import type { ServerStatus } from "../../../../src/server/schemas/status.ts";
import { busy, mended, now, unreadable } from "../../../support/full-statuses.ts";
import { expectGolden } from "../../../support/golden.ts";

const gateway = {
  ...{ enabled: true, listening: true, port: 4_711, upstream: "https://me:pw@api.test" },
  ...{
    requests: 9,
    rewritten: 1,
    unsure: 0,
    failed: 0,
    whole: 0,
    unreached: 0,
    refused: 0,
    sessions: 1,
  },
};
const provider = { name: "openai", state: "failing" as const, at: 0 };
const fault = {
  code: "provider_auth",
  message: "openai (m) did not accept the key.",
  fix: "Set it.",
};

test("every check", async () => {
  const statuses: Array<[string, ServerStatus]> = [
    [
      "much to tell",
      {
        ...busy,
        refused: { journal_unwritable: 2 },
        gateway: { ...gateway, listening: false, error: "port 4711 is taken" },
        models: {
          ...{ providers: [{ ...provider, error: fault }], inForce: null },
          budget: { dailyTokens: 100, sessionTokens: 1, day: "2026-11-22", usedToday: 95 },
        },
        journal: {
          ...(busy.journal as object),
          ...{ oldestPendingAt: now - 31 * 60_000, parked: [] },
        } as never,
      },
    ],
    ["what cannot be read", { ...unreadable, version, gateway: { ...gateway, failed: 1 } }],
    ["what was", { ...mended, version, gateway: { ...gateway, unreached: 2 }, refused: {} }],
    [
      "all is well",
      {
        ...{ ...mended, version, gateway },
        ...{ endless: { kept: busy.endless.kept, fileBytes: 4_000, damaged: [] } },
        storage: { ...(mended.storage as object), observations: 0 } as never,
        journal: {
          ...(mended.journal as object),
          ...{ damaged: [], parkedWork: 0, pendingEvents: 1, oldestPendingAt: now - 30 * 60_000 },
          counters: {
            ...{ "event:Stop": 1, "drop:private": 3, "skip:routine": 4, "drop:a": 1, "skip:b": 2 },
          },
        } as never,
      },
    ],
  ];
  const text = statuses.map(([title, status]) => {
    const checks = checkStatus(status, now).map(
      ({ name, state, message, fix }) => `${state} ${name}: ${message}${fix ? `\n  ${fix}` : ""}`,
    );
    return `== ${title}\n${checks.join("\n").replaceAll(version, "VERSION")}\n`;
  });
  expect(text.join()).not.toContain("undefined");
  await expectGolden(join(import.meta.dir, "server.txt"), text.join("\n"));
});
