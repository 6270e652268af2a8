// `memoir status` to the letter: every part that can be told, in its place and colour, wide and narrow.
import { expect, test } from "bun:test";
import { join } from "node:path";
import pc from "picocolors";
import { statusLines } from "../../../src/cli/server/status.ts";
import type { ServerStatus } from "../../../src/server/schemas/status.ts";
import { busy, mended, now, unreadable } from "../../support/full-statuses.ts";
import { expectGolden } from "../../support/golden.ts";
import { painted } from "../../support/painted.ts";
import { quietStatus } from "../../support/quiet-status.ts";

test("every part of it", async () => {
  const shown = (status: ServerStatus, width: number | undefined) =>
    statusLines(status, { colors: pc.createColors(true), now: () => now, width });
  const all: Array<[string, string[]]> = [
    ["much to tell", shown(busy, undefined)],
    ["the same, narrow", shown(busy, 60)],
    ["what cannot be read", shown(unreadable, undefined)],
    ["what was", shown(mended, undefined)],
    ["nothing to tell", shown(quietStatus, undefined)],
  ];
  const text = all
    .map(([title, lines]) => `== ${title}\n${painted(lines.join("\n"))}\n`)
    .join("\n");
  expect(text).not.toContain("undefined");
  await expectGolden(join(import.meta.dir, "golden/status.txt"), text);
});
