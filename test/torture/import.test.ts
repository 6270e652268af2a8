// Lines and files of an import that nobody wrote: each is taken in or named, none stops the others, and what was there stays.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importMemory } from "../../src/cli/memory/transfer.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import { importLines } from "../../src/server/memory/transfer/import-lines.ts";
import {
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../src/testing/samples.ts";
import {
  emptyStorage,
  exported,
  imported,
  type TestStorage,
} from "../server/memory/transfer/storage.ts";
import { ownHome } from "../support/own-home.ts";
import { plainTerminal } from "../support/plain-terminal.ts";
import { bent, mark, oddJson } from "./odd-values.ts";
import { type Draw, torture, tortureMs } from "./seeds.ts";

const place = [{ turn: 1, piece: 0 }];
const samples = [
  {
    kind: "session",
    record: { ...sampleSession({ title: "T", endedAt: 1, endReason: "clear" }), observations: 1 },
  },
  { kind: "prompt", record: { id: "p1", ...samplePrompt() } },
  {
    kind: "turn",
    record: {
      id: "t1",
      ...sampleTurn({
        files: [{ path: "a", changed: true, symbols: ["b"] }],
        leftOut: { said: 1 },
      }),
    },
  },
  {
    kind: "observation",
    record: {
      id: "o1",
      ...sampleObservation({ facts: ["a"], evidence: place, agent: { id: "x" } }),
      supersededBy: "o2",
    },
  },
  { kind: "summary", record: { id: "s1", ...sampleSummary({ evidence: place }) } },
  {
    kind: "memory",
    record: { id: "m1", ...sampleMemory({ quote: "q", evidence: place, state: "standing" }) },
  },
];

/** A line with a part that is lost, replaced or doubled, or with bytes that are. */
function oddLine(draw: Draw): string {
  const sample = draw.pick(samples);
  if (draw.chance(0.6)) return JSON.stringify(bent(sample, draw)) ?? "";
  if (draw.chance(0.3)) return oddJson(sample, draw);
  const bytes = Buffer.from(JSON.stringify(sample));
  for (let n = draw.below(6); n > 0; n--) bytes[draw.below(bytes.length)] = draw.below(256);
  return bytes.toString("utf8").slice(0, draw.chance(0.3) ? draw.below(bytes.length) : undefined);
}

let storage: TestStorage;
let home: Awaited<ReturnType<typeof ownHome>>;
const mine = samplePrompt({ session: "mine", text: "What I asked" });
beforeAll(async () => {
  home = await ownHome();
  storage = await emptyStorage();
  await storage.records.put({ key: "mine", records: { prompts: [mine] } });
});
afterAll(() => home.end());

test(
  "a line is stored or named, without a word of it, and a good one beside it is stored",
  async () => {
    await torture("test/torture/import.test.ts", 400, async (draw) => {
      const good = samplePrompt({ session: `good-${draw.seed}`, text: "Good" });
      const lines = [
        oddLine(draw),
        JSON.stringify({ kind: "prompt", record: good }),
        oddLine(draw),
      ];
      const numbered = lines.map((text, at) => ({ line: at + 1, text }));
      const { errors } = await importLines(storage.runtime, numbered, false);
      for (const { line, message } of errors) {
        expect([1, 3]).toContain(line);
        expect(message).toMatch(
          /^(it is not (valid JSON|a JSON object)|its kind is none of|record)/,
        );
        expect(message).not.toContain(mark);
      }
      expect(await storage.records.prompts({ session: good.session })).toMatchObject([good]);
      expect(await storage.records.prompts({ session: "mine" })).toMatchObject([mine]);
    });
    // Whatever was let in can be carried on.
    const { records } = await exported(storage);
    const other = await emptyStorage();
    const carried = await imported(
      other,
      records.map((record) => JSON.stringify(record)),
    );
    expect(carried.errors).toEqual([]);
  },
  tortureMs,
);

test(
  "a file is taken in as far as it holds records, or refused in words",
  async () => {
    const header = JSON.stringify({ memoir: "export", version: 1 });
    const whole = [header, ...samples.map((one) => JSON.stringify(one)), '{"memoir":"end"}'].join(
      "\n",
    );
    const path = join(home.root, "odd.jsonl");
    await torture("test/torture/import.test.ts", 40, async (draw) => {
      let bytes = Buffer.from(whole);
      for (let n = draw.below(8); n > 0; n--) bytes[draw.below(bytes.length)] = draw.below(256);
      if (draw.chance(0.4)) bytes = bytes.subarray(0, draw.below(bytes.length));
      if (draw.chance(0.2))
        bytes = Buffer.concat([bytes, bytes.subarray(draw.below(bytes.length))]);
      await writeFile(path, bytes);
      const terminal = plainTerminal({ cwd: home.root });
      try {
        const code = await importMemory(path, { json: true }, terminal);
        const { bad, isWhole } = JSON.parse(terminal.out[0] ?? "");
        expect(code).toBe(bad === 0 && isWhole ? 0 : 1);
        expect(terminal.err.length).toBe(Math.min(bad, 21));
      } catch (error) {
        if (!(error instanceof MemoirError)) throw error;
        expect(["import_unknown", "import_newer"]).toContain(error.code);
      }
    });
  },
  tortureMs,
);
