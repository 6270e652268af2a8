// Starts a home as the server does, works off what waits, and writes down all that it remembers and says of its files.
import { basename, dirname } from "node:path";
import { silentLog } from "../../../src/home/log.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { type RunningServer, runServer } from "../../../src/server/life/run-server.ts";
import { payloadsOf } from "../payloads.ts";
import { entriesOf } from "./damage.ts";
import { cwd, startsAt } from "./filled-home.ts";

/** What a start came to. */
export interface Audit {
  /** All records and originals, as text. */
  remembered: string;
  /** What a new session is given. */
  context: string;
  /** What the person is told: notices at prompts, and what status says of files. */
  told: string;
  /** Files that were set aside. */
  aside: string[];
  /** What was said in a session after the start is remembered. */
  goesOn: boolean;
}

const patienceMs = 60_000;
/** Work that cannot be done where storage is damaged is not waited for. */
const settleMs = 8_000;

/** Rejects when the server does not start or does not answer. */
export async function audit(home: string, kept: readonly string[], serial: number): Promise<Audit> {
  let runtime: Runtime | undefined;
  const starting = runServer({
    paths: memoirPaths(home),
    version: "1.2.3",
    log: silentLog,
    now: () => startsAt,
    lookEveryMs: 1_000_000,
    rebuildWaitMs: 0,
    async createRuntime() {
      const env = { HOME: dirname(home), PATH: "" };
      runtime = await createRuntime({ home, log: silentLog, now: () => startsAt, env });
      return runtime;
    },
  });
  const server = await inTime("the start", starting);
  try {
    if (!runtime) throw new Error("no runtime was made");
    return await inTime("the audit", look(home, server, runtime, kept, serial));
  } finally {
    await inTime("the stop", server.stop());
  }
}

async function look(
  home: string,
  server: RunningServer,
  runtime: Runtime,
  kept: readonly string[],
  serial: number,
): Promise<Audit> {
  const ask = askerOf(server);
  const settle = async () => {
    // Where storage cannot be asked nothing can be worked off.
    if (JSON.parse(await ask("/api/status")).storage.error !== undefined) return;
    // What waits in the spool, then also what an open turn has gathered.
    await ask("/api/drain", { timeoutMs: settleMs });
    await runtime.drain({ timeoutMs: settleMs, flush: true });
  };
  await settle();
  // What is made again is made in the background.
  while (JSON.parse(await ask("/api/status")).rebuild) await Bun.sleep(20);
  const context = await ask(`/api/context?cwd=${cwd}`);
  const session = `s-after-${serial}`;
  const notices: string[] = [];
  for (const payload of payloadsOf(session, serial, cwd))
    notices.push(noticeIn(await ask("/hook/claude-code", payload)));
  await settle();
  const remembered = await allOf(runtime, kept);
  const status = JSON.parse(await ask("/api/status"));
  const { journal, storage, endless, config, findings, plugins } = status;
  const files = [
    findings,
    plugins.filter(isFailed),
    config?.problems,
    endless?.damaged,
    journal?.damaged ?? journal,
  ];
  const names = (await entriesOf(home)).map(({ name }) => basename(name));
  return {
    ...{ remembered, context },
    told: [...notices, JSON.stringify([...files, storage?.error, storage?.index])].join("\n"),
    aside: names.filter((name) => /\.damaged-\d+$/.test(name)),
    goesOn: remembered.includes(`Counter ${serial} counts.`),
  };
}

function askerOf({ info }: RunningServer): (path: string, body?: object) => Promise<string> {
  return async (path, body) => {
    const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const headers = { "content-type": "application/json" };
    const unix = info.socket ?? "";
    const response = await fetch(`http://localhost${path}`, { ...sent, headers, unix });
    const text = await response.text();
    if (response.status === 503) return "";
    if (response.status >= 500) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text;
  };
}

function isFailed({ state }: { state: string }): boolean {
  return state === "failed";
}

function noticeIn(answer: string): string {
  return answer === "" ? "" : String(JSON.parse(answer).systemMessage ?? "");
}

/** A part that cannot be asked is missing. */
async function allOf(runtime: Runtime, kept: readonly string[]): Promise<string> {
  const page = { limit: 200 };
  const originals = kept.map((id) => runtime.endless.recallValue({ id }));
  const parts = await Promise.allSettled([
    runtime.hooks.first("storage.turns", page),
    runtime.hooks.first("storage.prompts", page),
    runtime.hooks.first("storage.memory", page),
    runtime.hooks.first("storage.summaries", page),
    runtime.hooks.first("storage.observations", page),
    runtime.hooks.first("storage.sessions", page),
    ...originals,
  ]);
  return JSON.stringify(parts.map((part) => (part.status === "fulfilled" ? part.value : null)));
}

async function inTime<Value>(what: string, work: Promise<Value>): Promise<Value> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took too long`)), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
