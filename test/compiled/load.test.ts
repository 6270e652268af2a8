// Many events from 50 sessions, over the socket and through hook processes: every one is taken once, and memory, handles and disk stay flat.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { payload } from "../cli/hook/run-hook.ts";
import { type CompiledHome, compiledHome } from "../support/compiled.ts";

/** `MEMOIR_LOAD=100000` for the longer run. */
const events = Number(process.env.MEMOIR_LOAD ?? 10_000);
const sessions = 50;
/** Of a hundred events so many go through a process of their own. */
const processes = 1;
const rounds = 4;

let room: CompiledHome;
beforeAll(async () => {
  room = await compiledHome();
  await room.run(["server", "start"]);
}, 180_000);
afterAll(() => room.end());

function body(at: number): object {
  const text = payload("PostToolUse", {
    session_id: `s-${at % sessions}`,
    tool_name: "Bash",
    tool_input: { command: `echo ${at}` },
    tool_use_id: `toolu_${at}`,
    tool_response: { stdout: `line ${at}\n`.repeat(50) },
  });
  return JSON.parse(text) as object;
}

async function post(at: number): Promise<number> {
  const began = performance.now();
  const answer = await fetch("http://localhost/hook/claude-code", {
    method: "POST",
    body: JSON.stringify(body(at)),
    unix: join(room.home, "memoir.sock"),
  });
  await answer.arrayBuffer();
  expect(answer.status).toBeLessThan(300);
  return performance.now() - began;
}

/** Each session sends its next event once the last is answered, as a client does. */
async function send(from: number, to: number): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: sessions }, async (_, session) => {
      for (let at = from + session; at < to; at += sessions)
        if ((at / sessions) % 100 < processes) await room.hook(body(at));
        else times.push(await post(at));
    }),
  );
  return times;
}

interface Standing {
  megabytes: number;
  handles: number;
}

async function standing(): Promise<Standing> {
  const pid = await room.pid();
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_000,
    handles: readdirSync(`/proc/${pid}/fd`).length,
  };
}

const waiting = () =>
  readdirSync(join(room.home, "spool")).filter((name) => name.endsWith(".json")).length;

const size = (name: string) => {
  const path = join(room.home, name);
  return existsSync(path) ? statSync(path).size : 0;
};

const isLinux = existsSync("/proc/self/status");

test.skipIf(!isLinux)("the engine is told of a small machine, whatever this one is", async () => {
  const environment = readFileSync(`/proc/${await room.pid()}/environ`, "utf8").split("\0");
  expect(environment).toContain(`BUN_JSC_forceRAMSize=${256 * 1024 * 1024}`);
});

test.skipIf(!isLinux)(
  `${events} events from ${sessions} sessions`,
  async () => {
    const step = Math.ceil(events / rounds);
    const seen: Standing[] = [];
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push(...(await send(round * step, Math.min(events, (round + 1) * step))));
      seen.push(await standing());
    }
    // A hook that found the server busy for too long spooled its event, which may have been taken as well.
    while (waiting() > 0) await Bun.sleep(100);
    // A hook that had to give an event up says why; one that only found the server late kept it.
    const said = readFileSync(join(room.home, "logs/hook.log"), { encoding: "utf8", flag: "a+" });
    const gaveUp = said.split("\n").filter((line) => line && !line.includes("go to the spool"));
    expect(gaveUp).toEqual([]);
    const db = new Database(join(room.home, "journal.db"), { readonly: true });
    const taken = db
      .query<{ n: number; different: number }, []>(
        "SELECT count(*) AS n, count(DISTINCT tool_use) AS different FROM events WHERE tool_use NOTNULL",
      )
      .get();
    db.close();
    expect(taken).toEqual({ n: events, different: events });
    const [first, last] = [seen[0], seen.at(-1)];
    expect(last?.handles).toBeLessThanOrEqual((first?.handles ?? 0) + 20);
    expect(last?.megabytes).toBeLessThan((first?.megabytes ?? 0) + 50);
    // Its log is folded in, whatever comes; the journal holds each event once.
    expect(size("journal.db-wal")).toBeLessThan(64_000_000);
    expect(size("journal.db")).toBeLessThan(events * 4_000);
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(1);
    console.log(
      `${events} events: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${sessions} at a time; MB ${seen.map(({ megabytes }) => megabytes.toFixed(0)).join(" ")}; handles ${seen.map(({ handles }) => handles).join(" ")}; journal ${(size("journal.db") / 1e6).toFixed(0)} MB`,
    );
  },
  1_200_000,
);
