// `bun run quality`: what memory is worth, measured over the shipped path; `--json`, `--misses`, `--part questions,prompts,…`.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Memory, openMemory } from "./measure/memory.ts";
import { followNotes, noteFigures, noteMisses, tellAfter } from "./measure/notes.ts";
import { promptFigures, promptMisses, tellPrompts } from "./measure/prompts.ts";
import { askQuestions, questionFigures, questionMisses } from "./measure/questions.ts";
import { type Figure, tableOf } from "./measure/report.ts";
import { recordings } from "./recordings.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    part: { type: "string", default: "questions,prompts,notes" },
  },
});
const parts = values.part.split(",");

if (existsSync(recordings)) await measure();
else
  console.log("Skipped: no recorded sessions beside the repository (../shared/data/transcripts).");

async function measure(): Promise<void> {
  const figures: Figure[] = [];
  const misses: string[] = [];
  const memory = await openMemory();
  try {
    const begin = performance.now();
    const after = tellAfter(memory);
    const sessions = await memory.backfill(recordings, after.afterEach);
    const seconds = (performance.now() - begin) / 1_000;
    if (!values.json) console.log(`${sessions} sessions taken in within ${seconds.toFixed(1)} s`);
    await ask(memory, figures, misses);
    if (parts.includes("notes")) {
      const fates = await followNotes(memory, after.contexts);
      figures.push(...noteFigures("notes", fates));
      misses.push(...noteMisses(fates));
    }
  } finally {
    await memory.close();
  }
  if (values.json) console.log(JSON.stringify({ figures, misses }, null, 2));
  else console.log(tableOf(figures));
  if (values.misses && !values.json) console.log(`\n${misses.join("\n")}`);
}

async function ask(memory: Memory, figures: Figure[], misses: string[]): Promise<void> {
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
}
