// pi's sessions as memory reads them, counted a second time without the adapter.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedForm } from "../../../src/clients/index.ts";
import { adapter as piAdapter } from "../../../src/clients/pi/index.ts";
import { listField, recordOf, textField } from "../../../src/text/text.ts";
import { readEntries } from "../../../src/transcript/read.ts";
import { expectGolden } from "../../support/golden.ts";
import { transcriptEvents } from "../suite.ts";

const folder = join(import.meta.dirname, "sessions");
const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
const eventsOf = (text: Uint8Array) => transcriptEvents(piAdapter, [text], "a session");

/** What stands in a file, by its own words. */
function counted(text: string) {
  const messages = text
    .trim()
    .split("\n")
    .map((line) => recordOf(recordOf(JSON.parse(line)).message));
  const called = messages.flatMap((message) =>
    listField(message, "content").filter((part) => textField(part, "type") === "toolCall"),
  );
  const results = messages.filter(({ role }) => role === "toolResult");
  const exits = results.filter((result) => JSON.stringify(result).includes("exited with code"));
  return {
    prompts: messages.filter(({ role }) => role === "user").length,
    lines: messages.filter(({ role }) => ["user", "assistant", "toolResult"].includes(`${role}`))
      .length,
    called: called.length,
    failed: results.filter(({ isError }) => isError).length,
    passed: results.filter(({ isError }) => !isError).length,
    exits: exits.length,
  };
}

for (const file of files)
  test(`${file}: every prompt, tool use and outcome`, async () => {
    const bytes = readFileSync(join(folder, file));
    const events = await eventsOf(bytes);
    const entries: unknown[] = [];
    const { parse } = await recordedForm("pi");
    for await (const entry of readEntries([bytes], { parse }))
      if (entry.kind !== "broken" && entry.type !== "system") entries.push(entry);
    const many = (name: string) => events.filter((event) => event.name === name).length;
    const uses = events.filter((event) => "toolUseId" in event);
    expect({
      prompts: many("UserPromptSubmit"),
      lines: entries.length,
      called: new Set(uses.map((event) => "toolUseId" in event && event.toolUseId)).size,
      failed: many("PostToolUseFailure"),
      passed: many("PostToolUse"),
      exits: events.filter((event) => "error" in event && /^Exit code \d+/.test(event.error))
        .length,
    }).toEqual(counted(bytes.toString()));
    await expectGolden(
      join(folder, file.replace("jsonl", "txt")),
      `${JSON.stringify(events, undefined, 1)}\n`,
    );
  });

test("a file is a session's by its name, and paths are meant against its first line's folder", async () => {
  const name = "2026-11-22T02-33-17-289Z_01a20119-cae8.jsonl";
  expect(piAdapter.transcripts?.sessionOf?.(name, `/sessions/${name}`)).toBe("01a20119-cae8");
  const events = await eventsOf(readFileSync(join(folder, "0.87.1.jsonl")));
  const paths = events.flatMap((event) =>
    "toolInput" in event ? [textField(event.toolInput, "file_path")].filter(Boolean) : [],
  );
  expect(new Set(paths)).toEqual(
    new Set(["src/calc.js", "big.txt", "new.txt"].map((path) => `/home/dev/project/${path}`)),
  );
});

test("what is no conversation, and what was put into it for the model, tells nothing", async () => {
  const [first = "", ...rest] = readFileSync(join(folder, "0.87.1.jsonl"), "utf8").split("\n");
  const added = [
    { type: "custom_message", customType: "memoir", content: "<memoir-context>x</memoir-context>" },
    { type: "custom", customType: "other", data: {} },
    { type: "compaction", summary: "They mended it." },
    { type: "message", message: { role: "bashExecution", command: "ls", output: "", exitCode: 0 } },
    { type: "message", message: { role: "user", content: [{ type: "image", data: "AAAA" }] } },
    { type: "message", message: { role: "assistant", content: [] } },
    { type: "message", message: { role: "user" } },
    { type: "message" },
  ].map((line, at) => JSON.stringify({ id: `x${at}`, timestamp: "2026-11-22T23:00:00Z", ...line }));
  const plain = await eventsOf(Buffer.from([first, ...rest].join("\n")));
  const mixed = await eventsOf(Buffer.from([first, ...added, ...rest].join("\n")));
  const told = (events: typeof plain) =>
    events.map(({ transcriptBytes: _bytes, ...event }) => event);
  expect(told(mixed)).toEqual(told(plain));
});
