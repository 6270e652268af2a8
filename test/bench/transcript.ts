// Transcripts: a full parse against JSON.parse on every line, and a tool use's context out of a short and a very long file.
import { existsSync } from "node:fs";
import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readToolContexts } from "../../src/transcript/context.ts";
import { fileChunksBackwards, readEntries } from "../../src/transcript/read.ts";
import { addUsage, noUsage } from "../../src/transcript/usage.ts";
import { said, thought, transcriptScript, used } from "../support/transcript-lines.ts";
import { type Figure, median } from "./figures.ts";

const part = "transcript";

/** Reading is little more than JSON.parse: measured at 0.87 of its speed, about 100 MB a second beside other work. */
const leastSpeed = 0.7;

const chunk = 1024 * 1024;
const rounds = 15;

/** The recorded transcripts where they are, else made ones. */
async function samples(): Promise<Buffer[]> {
  const root = join(import.meta.dirname, "../../../shared/data/transcripts");
  if (!existsSync(root)) return [Buffer.from(conversation(40, 0).text)];
  const names = (await readdir(root, { recursive: true })).filter((name) =>
    name.endsWith(".jsonl"),
  );
  return Promise.all(names.map((name) => readFile(join(root, name))));
}

/** Prompts of thirty tool uses each, the sizes of results as they are in real sessions. */
function conversation(prompts: number, from: number): { text: string; lastToolUse: string } {
  const script = transcriptScript();
  let lastToolUse = "";
  for (let prompt = from; prompt < from + prompts; prompt++) {
    script.user(`Prompt ${prompt}: make the cart cheaper, please`);
    for (let n = 0; n < 30; n++) {
      lastToolUse = `toolu_${prompt}_${n}`;
      const usage = { input_tokens: 4, output_tokens: 200, cache_read_input_tokens: 90_000 };
      script.assistant(`m${prompt}_${n}`, [thought("The price is worked out twice. ".repeat(9))]);
      script.assistant(`m${prompt}_${n}`, [said("Looking at the cart.")]);
      script.assistant(
        `m${prompt}_${n}`,
        [used(lastToolUse, "Read", { file_path: "/shop/cart.ts" })],
        usage,
      );
      script.line({ type: "progress", data: { type: "hook_progress", hook: "PostToolUse" } });
      const content = "  return items.reduce((sum, item) => sum + item.price, 0);\n".repeat(n * 3);
      script.result(lastToolUse, content, { toolUseResult: { file: { content }, type: "text" } });
    }
    script.assistant(`m${prompt}_end`, [said("The cart is cheaper now.")]);
  }
  return { text: script.text(), lastToolUse };
}

function parseLines(files: readonly Buffer[]): number {
  let blocks = 0;
  for (const file of files)
    for (const line of file.toString("utf8").split("\n")) {
      if (line === "") continue;
      try {
        const { message } = JSON.parse(line);
        if (Array.isArray(message?.content)) blocks += message.content.length;
      } catch {
        // Broken lines are passed over, as the library does.
      }
    }
  return blocks;
}

async function parseEntries(files: readonly Buffer[]): Promise<number> {
  let blocks = 0;
  let usage = noUsage;
  for (const file of files) {
    const chunks = Array.from({ length: Math.ceil(file.length / chunk) }, (_, at) =>
      file.subarray(at * chunk, (at + 1) * chunk),
    );
    for await (const entry of readEntries(chunks)) {
      if (entry.kind === "user" || entry.kind === "assistant") blocks += entry.blocks.length;
      if (entry.kind === "assistant" && entry.usage) usage = addUsage(usage, entry.usage);
    }
  }
  return blocks;
}

async function timed(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

async function benchParse(): Promise<Figure[]> {
  const files = await samples();
  const bytes = files.reduce((sum, file) => sum + file.length, 0);
  const plain: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(await timed(() => parseLines(files)));
    ours.push(await timed(() => parseEntries(files)));
  }
  const speed = (ms: number) => bytes / 1e3 / ms;
  return [
    { part, name: "JSON.parse on every line", value: speed(median(plain)), unit: "MB/s" },
    { part, name: "all entries, typed", value: speed(median(ours)), unit: "MB/s" },
    {
      part,
      name: "all entries, of JSON.parse's speed",
      value: median(plain.map((ms, at) => ms / (ours[at] ?? ms))),
      unit: "×",
      target: { limit: leastSpeed, better: "higher" },
    },
  ];
}

/** Writes a conversation of about so many bytes; gives its last tool use. */
async function writeLong(path: string, bytes: number): Promise<string> {
  const file = await open(path, "w");
  let written = 0;
  let last = "";
  try {
    for (let prompt = 0; written < bytes; prompt++) {
      const { text, lastToolUse } = conversation(1, prompt);
      await file.write(text);
      written += Buffer.byteLength(text);
      last = lastToolUse;
    }
  } finally {
    await file.close();
  }
  return last;
}

async function benchContext(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-bench-transcript-"));
  try {
    const sizes = [1, 10, 100];
    const asked = await Promise.all(
      sizes.map(async (size) => {
        const path = join(folder, `${size}.jsonl`);
        return { size, path, id: await writeLong(path, size * 1e6), times: [] as number[] };
      }),
    );
    for (let round = -5; round < rounds * 4; round++)
      for (const { path, id, times } of asked) {
        const ms = await timed(async () => {
          const found = await readToolContexts(fileChunksBackwards(path), [{ id }]);
          if (found.get(id)?.turns.length !== 3) throw new Error("the context was not found");
        });
        if (round >= 0) times.push(ms);
      }
    const [short = 1, , long = 1] = asked.map(({ times }) => median(times));
    return [
      ...asked.map(({ size, times }): Figure => {
        return { part, name: `context out of ${size} MB`, value: median(times), unit: "ms" };
      }),
      {
        part,
        name: "context, 100 MB against 1 MB",
        value: long / short,
        unit: "×",
        target: { limit: 1.5, better: "lower" },
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All figures of transcripts. */
export async function benchTranscript(): Promise<Figure[]> {
  return [...(await benchParse()), ...(await benchContext())];
}
