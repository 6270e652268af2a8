// What hints cost a hook: a tool that fails, told of its repair, not seen before, and with hints off, in turns of one run.
import { join } from "node:path";
import { silentLog } from "../../src/home/log.ts";
import { setConfigValue } from "../../src/runtime/config/config.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import type { Project, Records } from "../../src/sdk/model.ts";
import type { Evidence, NewTurn } from "../../src/sdk/turn.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { fillRecords } from "./filled-records.ts";
import { withHome } from "./served-home.ts";

const command = "bun test prices";
const client = "claude-code";
const projects = 4;
/** As many as are read of a project. */
const turnsOfEach = 2_000;
const perSession = 25;
/** Every so many turns repair a failure of their own. */
const perFailure = 10;
const rounds = 25;
const restMs = 1_500;
const firstAt = Date.UTC(2026, 0, 1);
const minute = 60_000;

/** Over projects of which as much is known as is read. */
export function benchHints(part: string): Promise<Figure[]> {
  return withHome(async (home) => {
    await fillRecords(
      join(home.home, "memory.db"),
      Array.from({ length: projects }, (_, at) => recordsOf(at)),
    );
    const runtime = await createRuntime({ home: home.home, log: silentLog, env: home.env });
    const times = { told: [] as number[], unseen: [] as number[], off: [] as number[] };
    for (let at = 0; at < projects; at++) {
      const told = () => fail(runtime, at, "prices");
      await hints(runtime, home.home, true);
      // Read in the background: nothing is told until then.
      for (let tries = 0; (await told()).context === ""; tries++) {
        if (tries > 500) throw new Error("no hint came");
        await Bun.sleep(10);
      }
      // All projects together are read after the one.
      await Bun.sleep(restMs);
      for (let round = 0; round < rounds; round++) {
        const seen = await told();
        if (seen.context === "") throw new Error("no hint was given");
        times.told.push(seen.ms);
      }
      for (let round = 0; round < rounds; round++)
        times.unseen.push((await fail(runtime, at, "tickets")).ms);
      await hints(runtime, home.home, false);
      for (let round = 0; round < rounds; round++) times.off.push((await told()).ms);
    }
    await runtime.stop();
    const line = (name: string, of: readonly number[]): Figure[] => [
      { part, name: `${name}: p50`, value: median(of), unit: "ms" },
      { part, name: `${name}: p95`, value: quantile(of, 0.95), unit: "ms" },
      { part, name: `${name}: p50 ÷ hints off`, value: median(of) / median(times.off), unit: "×" },
    ];
    return [
      ...line("a tool fails, told of its repair", times.told),
      ...line("a tool fails as none did before", times.unseen),
      { part, name: "a tool fails, hints off: p50", value: median(times.off), unit: "ms" },
    ];
  });
}

async function hints(runtime: Runtime, home: string, on: boolean): Promise<void> {
  for (const kind of ["failures", "files"])
    await setConfigValue(home, `plugins.context-moments.${kind}`, on);
  await runtime.reload();
}

/** A failing tool use in a session of its own, taken in as a hook's. */
async function fail(
  runtime: Runtime,
  at: number,
  table: string,
): Promise<{ ms: number; context: string }> {
  const id = crypto.randomUUID();
  const project = projectOf(at);
  const event: ClientEvent = {
    ...{ name: "PostToolUseFailure", id, key: id, client, session: id },
    ...{ time: Date.now(), cwd: project.root, project, toolUseId: id, isInterrupt: false },
    ...{ toolName: "Bash", toolInput: { command } },
    error: `Exit code 1\n${failureOf(table)}`,
  };
  const begin = performance.now();
  const { reply } = await runtime.handle(event);
  return { ms: performance.now() - begin, context: reply?.context ?? "" };
}

function failureOf(table: string): string {
  const steps = Array.from("abcdefghijklmnopqrstuvwxyz", (letter, line) => {
    return `    at ${table}${letter.toUpperCase()} (src/${table}/${letter}.ts:${line}:3)`;
  });
  return [`TypeError: the table of ${table} has no column for the currency`, ...steps].join("\n");
}

function projectOf(at: number): Project {
  return {
    id: `github.com/acme/project-${at}`,
    name: `project-${at}`,
    root: `/code/project-${at}`,
  };
}

function recordsOf(project: number): Records {
  const turns = Array.from({ length: turnsOfEach }, (_, at) => turnOf(project, at));
  const sessions = [...new Set(turns.map(({ session }) => session))].map((id) => ({
    ...{ id, client, project: projectOf(project), status: "ended" as const },
    ...{ startedAt: firstAt, lastActiveAt: firstAt },
  }));
  return { sessions, turns };
}

function turnOf(project: number, at: number): NewTurn {
  const time = firstAt + (project * turnsOfEach + at) * minute;
  const table = at % (perFailure * 20) === 0 ? "prices" : `table${wordOf(at)}`;
  return {
    ...{ session: `${project}-${Math.floor(at / perSession)}`, client, time, startedAt: time },
    ...{ project: projectOf(project).id, promptNumber: (at % perSession) + 1, end: "closed" },
    pieces: [
      { kind: "prompt", text: `Go on with part ${at}` },
      ...(at % perFailure === 0 ? repaired(table) : []),
      { kind: "closing", text: "It is done." },
    ],
    files: [{ path: `src/file-${at % 300}.ts`, changed: true }],
  };
}

function repaired(table: string): Evidence[] {
  const text = failureOf(table);
  return [
    { kind: "failure", about: command, text },
    { kind: "repair", about: command, text: `${text}\n\n→ src/${table}.ts` },
    { kind: "passed", about: command, text: "" },
  ];
}

/** A number in letters: digits are no part of what a failure is known by. */
function wordOf(at: number): string {
  return at.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");
}
