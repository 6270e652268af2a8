// `bun run quality`: what memory is worth, measured over the shipped path: `--part questions,reach,prompts,notes,people,failures,rules,secrets,endless,planted,moments,harm`, `--misses`, `--json`; `--audit --seed 1 --titles 60 --facts 200 --summaries 40 --told 60` prints what to grade by hand, `--grades` the grades given. `--embeddings http://127.0.0.1:11434/v1 --model NAME` asks the questions with `semantic-search` too.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { judgeSecrets } from "../privacy/corpus/measure.ts";
import { readGrades } from "./cases.ts";
import { askedKinds, readAskedCases } from "./endless/cases.ts";
import { auditLines, drawAudit, gradeLines } from "./measure/audit.ts";
import { endlessFigures, endlessMisses } from "./measure/endless.ts";
import { failureFigures, failureMisses, tellFailures } from "./measure/failures.ts";
import { harmFigures, harmMisses, measureHarm } from "./measure/harm.ts";
import {
  conversationsByMeaning,
  type Endpoint,
  questionsByMeaning,
  refusalOf,
} from "./measure/meaning.ts";
import { type Memory, openMemory } from "./measure/memory.ts";
import { replayMoments } from "./measure/moments.ts";
import { followNotes, noteFigures, noteMisses, tellAfter } from "./measure/notes.ts";
import { followPeople, peopleFigures, peopleMisses } from "./measure/people.ts";
import { openPlainText } from "./measure/plain-text.ts";
import { plantedFigures } from "./measure/planted.ts";
import { promptFigures, promptMisses, tellPrompts } from "./measure/prompts.ts";
import { askQuestions, questionFigures, questionMisses } from "./measure/questions.ts";
import { measureReach, reachFigures } from "./measure/reach.ts";
import { type Figure, tableOf } from "./measure/report.ts";
import { ruleFigures, ruleMisses, sayRules } from "./measure/rules.ts";
import { secretFigures, secretMisses, serverFigures } from "./measure/secrets.ts";
import { type Turns, turnsOf } from "./measure/turns.ts";
import { recordings } from "./recordings.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    grades: { type: "boolean", default: false },
    audit: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    titles: { type: "string", default: "60" },
    facts: { type: "string", default: "200" },
    summaries: { type: "string", default: "40" },
    told: { type: "string", default: "60" },
    part: {
      type: "string",
      default: "questions,prompts,notes,people,failures,rules,secrets,endless,planted",
    },
    embeddings: { type: "string" },
    model: { type: "string", default: "default" },
  },
});
const allParts = [
  "questions",
  "reach",
  "prompts",
  "notes",
  "people",
  "failures",
  "rules",
  "secrets",
  "endless",
  "planted",
  "moments",
  "harm",
];
const parts = values.part.split(",");
const unknown = parts.filter((part) => !allParts.includes(part));
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(", ")}; parts are ${allParts.join(", ")}`);

const endpoint = await usableEndpoint();
const figures: Figure[] = [];
const misses: string[] = [];
if (values.grades) {
  for (const [name, given] of readGrades()) console.log(gradeLines(name, given));
} else {
  if (existsSync(recordings)) await measureRecordings();
  else
    console.error(
      "Skipped: no recorded sessions beside the repository (../shared/data/transcripts).",
    );
  if (!values.audit) {
    if (parts.includes("people")) await measurePeople();
    if (parts.includes("failures")) {
      const told = await tellFailures();
      figures.push(...failureFigures(told));
      misses.push(...failureMisses(told));
    }
    if (parts.includes("secrets")) {
      const judged = judgeSecrets();
      figures.push(...secretFigures(judged), ...(await serverFigures()));
      misses.push(...secretMisses(judged));
    }
    if (parts.includes("rules")) {
      const said = await sayRules();
      figures.push(...ruleFigures(said));
      misses.push(...ruleMisses(said));
    }
    if (parts.includes("endless")) {
      const asked = readAskedCases();
      figures.push(...endlessFigures(), ...endlessFigures(asked, askedKinds, "asked: "));
      misses.push(...endlessMisses(), ...endlessMisses(asked));
    }
    if (endpoint) figures.push(...(await conversationsByMeaning(endpoint)));
    if (values.json) console.log(JSON.stringify({ figures, misses }, null, 2));
    else console.log([tableOf(figures), ...(values.misses ? ["", ...misses] : [])].join("\n"));
  }
}

async function usableEndpoint(): Promise<Endpoint | undefined> {
  if (values.embeddings === undefined) return undefined;
  const named = { baseURL: values.embeddings, model: values.model };
  const refusal = await refusalOf(named);
  if (refusal === undefined) return named;
  console.error(`Without meaning: the endpoint ${named.baseURL} is of no use: ${refusal}.`);
  return undefined;
}

async function measurePeople(): Promise<void> {
  for (const way of ["live", "transcripts"] as const) {
    const followed = await followPeople(way);
    figures.push(...peopleFigures(way, followed));
    misses.push(...peopleMisses(way, followed));
  }
}

async function measureRecordings(): Promise<void> {
  if (parts.includes("harm") && !values.audit) {
    const harm = await measureHarm();
    figures.push(...harmFigures(harm));
    misses.push(...harmMisses(harm));
  }
  const alone = ["people", "failures", "rules", "secrets", "endless", "planted", "harm"];
  if (parts.includes("planted")) figures.push(...(await plantedFigures()));
  const wanted = parts.some((part) => !alone.includes(part));
  if (!wanted && !values.audit) return;
  const memory = await openMemory();
  try {
    const after = tellAfter(memory);
    const begin = performance.now();
    const sessions = await memory.backfill(recordings, after.afterEach);
    const seconds = (performance.now() - begin) / 1_000;
    console.error(`${sessions} sessions taken in within ${seconds.toFixed(1)} s`);
    if (values.audit) await audit(memory, after.contexts);
    else await ask(memory, after.contexts);
  } finally {
    await memory.close();
  }
}

async function ask(memory: Memory, contexts: ReadonlyMap<string, string>): Promise<void> {
  if (parts.includes("moments")) console.error((await replayMoments(memory)).join("\n"));
  if (parts.includes("questions")) {
    const turns = await turnsOf(memory);
    const asked = await askQuestions(memory.search, turns, await memory.sessions());
    figures.push(...questionFigures(asked));
    misses.push(...questionMisses(asked));
    await askPlainText(memory, turns);
    if (endpoint) figures.push(...(await questionsByMeaning(memory, turns, endpoint)));
  }
  if (parts.includes("reach")) figures.push(...reachFigures(await measureReach(memory)));
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

/** The same questions of plain full text, to know what comes of words alone. */
async function askPlainText(memory: Memory, turns: Turns): Promise<void> {
  const plain = await openPlainText(memory);
  try {
    const byTurns = await askQuestions(plain.turns, turns);
    figures.push(...questionFigures(byTurns, ", full text over turns"));
    const byLines = await askQuestions(plain.transcripts, turns);
    figures.push(...questionFigures(byLines, ", full text over transcripts", ["session"]));
  } finally {
    plain.close();
  }
}

async function audit(memory: Memory, contexts: ReadonlyMap<string, string>): Promise<void> {
  const items = await drawAudit(memory, contexts, Number(values.seed), {
    title: Number(values.titles),
    fact: Number(values.facts),
    summary: Number(values.summaries),
    told: Number(values.told),
  });
  console.log(values.json ? JSON.stringify(items, null, 2) : auditLines(items));
}
