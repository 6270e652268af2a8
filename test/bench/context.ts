// What a session and a prompt are told, over 100,000 turns, and a tool that fails: how long it takes to put together.
import { join } from "node:path";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import type { Records } from "../../src/sdk/model.ts";
import type { Evidence, NewTurn } from "../../src/sdk/turn.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { fillRecords } from "./filled-records.ts";
import { benchHints } from "./hints.ts";
import { turnMaker } from "./retrieval/synthetic-turns.ts";
import { withHome } from "./served-home.ts";

const part = "context";
const turns = 100_000;
const projects = 20;
const perSession = 25;
const atOnce = 1_000;
const rounds = 100;

/** All figures of what is told. */
export async function benchContext(): Promise<Figure[]> {
  return [...(await benchHints(part)), ...(await benchStarts())];
}

async function benchStarts(): Promise<Figure[]> {
  return withHome(async (home) => {
    const maker = turnMaker();
    await fillRecords(join(home.home, "memory.db"), batches(maker));
    const runtime = await createRuntime({ home: home.home, log: silentLog, env: home.env });
    const starts: number[] = [];
    const prompts: number[] = [];
    let characters = 0;
    // The first tenth warms up.
    for (let round = -rounds / 10; round < rounds; round++) {
      const at = { session: crypto.randomUUID(), project: projectOf(Math.abs(round) * perSession) };
      const start = await timed(() =>
        runtime.reply(eventOf(at, { name: "SessionStart", source: "startup" })),
      );
      const prompt = maker.query();
      const told = await timed(() =>
        runtime.reply(eventOf(at, { name: "UserPromptSubmit", prompt })),
      );
      if (round < 0) continue;
      starts.push(start.ms);
      prompts.push(told.ms);
      characters += start.context.length;
    }
    await runtime.stop();
    if (characters === 0) throw new Error("no session was told anything");
    return [
      ...spread("a session starts, 100,000 turns", starts),
      ...spread("a prompt, 100,000 turns", prompts),
    ];
  });
}

function* batches(maker: ReturnType<typeof turnMaker>): Generator<Records> {
  for (let first = 0; first < turns; first += atOnce) {
    const made = Array.from({ length: atOnce }, (_, i) => turnOf(maker, first + i));
    const firsts = new Map(made.map((turn, i) => [turn.session, { turn, number: first + i }]));
    const sessions = [...firsts].map(([id, { turn, number }]) => ({
      id,
      client: turn.client,
      project: projectOf(number),
      status: "ended" as const,
      startedAt: turn.startedAt,
      lastActiveAt: turn.startedAt,
    }));
    yield { sessions, turns: made };
  }
}

function turnOf(maker: ReturnType<typeof turnMaker>, number: number): NewTurn {
  const { session = "", time, pieces } = maker.turn(number);
  const [prompt = "", said = ""] = pieces.map(({ text }) => text);
  const evidence: Evidence[] = [
    { kind: "prompt", text: prompt },
    { kind: "said", text: said.slice(0, said.length / 2) },
    { kind: "failure", text: "1 failed", about: "bun test" },
    { kind: "passed", text: "ok", about: "bun test" },
    { kind: "closing", text: said.slice(said.length / 2) },
  ];
  return {
    session,
    client: "claude-code",
    project: projectOf(number).id,
    promptNumber: (number % perSession) + 1,
    startedAt: time,
    time,
    end: "closed",
    pieces: evidence,
    files: [{ path: `src/file-${number % 500}.ts`, changed: true }],
  };
}

function projectOf(number: number): { id: string; name: string; root: string } {
  const name = `project-${Math.floor(number / perSession) % projects}`;
  return { id: `github.com/acme/${name}`, name, root: `/code/${name}` };
}

type Told = { name: "SessionStart"; source: string } | { name: "UserPromptSubmit"; prompt: string };

function eventOf(
  { session, project }: { session: string; project: ReturnType<typeof projectOf> },
  told: Told,
): ClientEvent {
  const id = crypto.randomUUID();
  return {
    ...told,
    id,
    key: id,
    client: "claude-code",
    session,
    time: Date.now(),
    cwd: project.root,
    project,
  };
}

async function timed(
  work: () => Promise<{ context?: string }>,
): Promise<{ ms: number; context: string }> {
  const begin = performance.now();
  const { context = "" } = await work();
  return { ms: performance.now() - begin, context };
}

function spread(name: string, times: readonly number[]): Figure[] {
  const target = { limit: 20, better: "lower" } as const;
  return [
    { part, name: `${name}: p50`, value: median(times), unit: "ms" },
    { part, name: `${name}: p95`, value: quantile(times, 0.95), unit: "ms", target },
  ];
}
