// Records in full to the letter: each kind with all that it can have and with nothing, in its colours, wide and narrow.
import { expect, test } from "bun:test";
import { join } from "node:path";
import pc from "picocolors";
import { recordLines, turnLine } from "../../../src/cli/memory/show.ts";
import { attributed } from "../../../src/server/memory/records.ts";
import { fullRecords, time } from "../../support/full-records.ts";
import { expectGolden } from "../../support/golden.ts";
import { painted } from "../../support/painted.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

test("every kind", async () => {
  const shown = (width: number | undefined) => {
    const terminal = plainTerminal({
      ...{ now: () => time + 7_200_000, width, colors: pc.createColors(true) },
    });
    return fullRecords.map((stored) => {
      const lines = recordLines(attributed(stored), terminal);
      const short = stored.kind === "turn" ? ["..", turnLine(stored.record, width)] : [];
      return [...lines, ...short].join("\n");
    });
  };
  const text = [undefined, 50]
    .map((width) => `== width ${width ?? "any"}\n${shown(width).map(painted).join("\n--\n")}\n`)
    .join("\n")
    // Local time is the machine's.
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "DAY TIME");
  expect(text).not.toContain("undefined");
  await expectGolden(join(import.meta.dir, "golden/records.txt"), text);
});

test.each([
  [
    { shown: 3, used: 1, rests: false },
    "shown sooner: used in 1 of 3 sessions that it was shown in",
  ],
  [
    { shown: 9, used: 0, rests: true },
    "shown less: used in 0 of 9 sessions that it was shown in; undo: memoir memory pin",
  ],
])("what became of showing it: %p", (shown, line) => {
  const [stored] = fullRecords.filter(({ record }) => !record.pinned);
  if (!stored) throw new Error("every record is pinned");
  const lines = recordLines({ ...attributed(stored), shown }, plainTerminal());
  expect(lines.join("\n")).toContain(line);
  expect(recordLines(attributed(stored), plainTerminal()).join("\n")).not.toContain("shown");
});
