// `bun run quality`: what memory is worth, measured over the shipped path; `--json`, `--misses`, `--part questions,prompts,…`.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Memory, openMemory } from "./measure/memory.ts";
import { followNotes, noteFigures, noteMisses, tellAfter } from "./measure/notes.ts";
import { followPeople, peopleFigures, peopleMisses } from "./measure/people.ts";
import { promptFigures, promptMisses, tellPrompts } from "./measure/prompts.ts";
import { askQuestions, questionFigures, questionMisses } from "./measure/questions.ts";
import { type Figure, tableOf } from "./measure/report.ts";
import { recordings } from "./recordings.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    part: { type: "string", default: "questions,prompts,notes,people" },
  },
});
const parts = values.part.split(",");

const figures: Figure[] = [];
const misses: string[] = [];
if (existsSync(recordings)) await measureRecordings();
else
  console.error(
    "Skipped: no recorded sessions beside the repository (../shared/data/transcripts).",
  );
if (parts.includes("people"))
  for (const way of ["live", "transcripts"] as const) {
    const followed = await followPeople(way);
    figures.push(...peopleFigures(way, followed));
    misses.push(...peopleMisses(way, followed));
  }
if (values.json) console.log(JSON.stringify({ figures, misses }, null, 2));
else console.log([tableOf(figures), ...(values.misses ? ["", ...misses] : [])].join("\n"));

async function measureRecordings(): Promise<void> {
  if (!parts.some((part) => ["questions", "prompts", "notes"].includes(part))) return;
  const memory = await openMemory();
  try {
    const after = tellAfter(memory);
    const begin = performance.now();
    const sessions = await memory.backfill(recordings, after.afterEach);
    const seconds = (performance.now() - begin) / 1_000;
    console.error(`${sessions} sessions taken in within ${seconds.toFixed(1)} s`);
    await ask(memory, after.contexts);
  } finally {
    await memory.close();
  }
}

async function ask(memory: Memory, contexts: ReadonlyMap<string, string>): Promise<void> {
  if (parts.includes("questions")) {
    const asked = await askQuestions(memory);
    figures.push(...questionFigures(asked));
    misses.push(...questionMisses(asked));
  }
  if (parts.includes("prompts")) {
    const told = await tellPrompts(memory);
    figures.push(...promptFigures(told));
    misses.push(...promptMisses(told));
  }
  if (parts.includes("notes")) {
    const fates = await followNotes(memory, contexts);
    figures.push(...noteFigures("notes", fates));
    misses.push(...noteMisses(fates));
  }
}
