// Which client a record is from, where it is not the first one.
import { expect, test } from "bun:test";
import { recordLines } from "../../../src/cli/memory/show.ts";
import { inClient } from "../../../src/cli/memory/turn-lines.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { session } from "../../support/records.ts";

test.each([
  ["claude-code", ""],
  ["qwen", " in Qwen Code"],
  ["diary", " in diary"],
])("%s: “%s”", (client, words) => {
  expect(inClient(client)).toBe(words);
});

test("a session says it beside its project", () => {
  const record = session("s1", { client: "qwen" });
  const lines = recordLines({ kind: "session", record }, plainTerminal());
  expect(lines.join("\n")).toContain(`${record.project.id} in Qwen Code`);
});
