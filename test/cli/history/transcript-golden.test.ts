// What the commands about transcripts print, to the letter and in colour, of one that has everything: models, tools, broken lines.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import pc from "picocolors";
import { transcriptContext } from "../../../src/cli/history/transcript/context.ts";
import { dumpTranscript } from "../../../src/cli/history/transcript/print.ts";
import { transcriptStats, validateTranscripts } from "../../../src/cli/history/transcript/stats.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { expectGolden } from "../../support/golden.ts";
import { ownHome } from "../../support/own-home.ts";
import { painted } from "../../support/painted.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { recordedSession } from "../../support/recorded-session.ts";

const start = Date.parse("2026-01-01T10:00:00Z");
let own: Awaited<ReturnType<typeof ownHome>>;
let path: string;
beforeAll(async () => {
  own = await ownHome();
  const session = recordedSession("golden", "/gone/shop");
  session.prompt("Why does the export fail?", start);
  session.run("bun test", "1 fail", start + 1_000, true);
  session.run("bun test", "2 pass", start + 3_000);
  session.edit("src/export.ts", "a", "b", start + 5_000);
  session.say("It is mended.", start + 7_000);
  path = await session.write(own.root);
  const answer = (at: number, message: object) =>
    JSON.stringify({
      ...{ type: "assistant", uuid: `u${at}`, sessionId: "golden", cwd: "/gone/shop" },
      requestId: `req_${at}`,
      timestamp: new Date(start + at).toISOString(),
      message: { id: `m${at}`, role: "assistant", ...message },
    });
  const token = "ghp_aBcD1234eFgH5678iJkL9012mNoP3456qRsT";
  const tools = Array.from({ length: 24 }, (_, at) => ({
    ...{
      type: "tool_use",
      id: `toolu_${at}`,
      name: `Tool${at}`,
      input: at === 23 ? { at, token } : { at },
    },
  }));
  const more = [
    answer(9_000, {
      model: "claude-opus-4-1-20250805",
      content: [{ type: "thinking", thinking: "It may be the clock." }, ...tools],
      usage: {
        ...{ input_tokens: 1_234_567, output_tokens: 2_000 },
        ...{ cache_read_input_tokens: 10, cache_creation_input_tokens: 5 },
      },
    }),
    // Two calls that are short each, and together would have the price of a long one.
    ...[9_100, 9_200].map((at) =>
      answer(at, {
        model: "claude-haiku-5-5",
        content: [{ type: "text", text: "Hm." }],
        usage: { input_tokens: 90_000, output_tokens: 20_000 },
      }),
    ),
    answer(10_000, {
      content: [{ type: "text", text: "Nobody's model." }],
      usage: { input_tokens: 1, output_tokens: 2 },
    }),
    ...Array.from({ length: 104 }, (_, at) => `{ broken ${at}`),
  ];
  await appendFile(path, `${more.join("\n")}\n`);
});
afterAll(() => own.end());

type Command = (which: string, options: object, terminal: Terminal) => Promise<number>;
test.each<[string, Command, object]>([
  ["stats", transcriptStats, {}],
  ["validate", validateTranscripts, {}],
  ["validate-json", validateTranscripts, { json: true }],
  ["context", transcriptContext, {}],
  ["dump", dumpTranscript, {}],
  ["dump-thinking", dumpTranscript, { thinking: true }],
])("%s", async (name, command, options) => {
  const terminal = plainTerminal({
    ...{ env: { HOME: own.root }, cwd: own.root, width: 100, colors: pc.createColors(true) },
  });
  const code = await command(path, options, terminal);
  const text = painted(terminal.out.join("\n"))
    .replaceAll(own.root, "ROOT")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "DAY TIME");
  await expectGolden(join(import.meta.dir, `golden/${name}.txt`), `exit ${code}\n${text}\n`);
});

test("of an empty transcript", async () => {
  const empty = join(own.root, "empty.jsonl");
  await Bun.write(empty, "");
  const terminal = plainTerminal({ env: { HOME: own.root }, cwd: own.root });
  expect(await transcriptStats(empty, {}, terminal)).toBe(0);
  expect(terminal.out.join("\n")).toBe(
    [
      ...[
        "1 file, 0 B, 0 lines, 0 prompts, 0 messages of the model",
        "",
        "Entries",
        "  0.0 % of what was sent came from the cache (list prices; estimates)",
      ],
    ].join("\n"),
  );
});
