// A home with something in every file, as it stands after a kill; each thing in it says a sentence that stands nowhere else.
import { Database } from "bun:sqlite";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseClaudeCode } from "../../../src/clients/normal/payload.ts";
import { makeBackup } from "../../../src/home/backups/make-backup.ts";
import { silentLog } from "../../../src/home/log.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { writeSpool } from "../../../src/runtime/events/spool.ts";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { keepRequest } from "../../support/endless-room.ts";
import { payloadsOf } from "../payloads.ts";

const day = 86_400_000;
/** When the damaged home is started: today, since servers that are killed on the way have no other clock. */
export const startsAt = Math.floor(Date.now() / day) * day;
export const cwd = "/nonexistent/shop";

/** Where a thing said in the home comes from. */
export interface Said {
  session: string;
  serial: number;
  /** As the prompt has it. */
  prompt: string;
  /** As the closing message has it; an open turn has none. */
  closing?: string;
  /** `old`: its events left the journal; `new`: they are there; `open`: nothing was made of them yet; `spool`: not taken in. */
  age: "old" | "new" | "open" | "spool";
}

export interface FilledHome {
  /** After a kill: logs of the databases beside them. */
  killed: string;
  /** After a stop: no logs, and no page with anything that was deleted. */
  stopped: string;
  said: Said[];
  /** Ids under which Endless Mode gives originals back, with a text of each. */
  kept: Map<string, string>;
}

/** Every fourth prompt is one that is kept as a rule. */
const promptOf = (serial: number) =>
  serial % 4 === 1
    ? `Remember: always run the zebra suite ${serial} before a push.`
    : `Why does the zebra counter ${serial} stop?`;

const said = (age: Said["age"], session: string, serial: number): Said => ({
  ...{ age, session, serial, prompt: promptOf(serial) },
  ...(age === "open" || age === "spool" ? {} : { closing: `Counter ${serial} counts.` }),
});

/** Hands a session's payloads in: `turns` turns, each with tool uses; the last is left open where `open` says so. */
async function talk(
  runtime: Runtime,
  session: string,
  serials: readonly number[],
  time: number,
  open = false,
): Promise<void> {
  // Ids of their own, not of chance: the same seed has to meet the same bytes.
  const give = (payload: object, at: number) =>
    runtime.handle(parseClaudeCode(payload, { id: `event-${session}-${at}`, time: at }));
  for (const [turn, serial] of serials.entries()) {
    for (const [at, payload] of payloadsOf(session, serial, cwd).entries()) {
      const name = payload.hook_event_name;
      if (name === "SessionStart" && turn > 0) continue;
      if (name === "SessionEnd" && turn < serials.length - 1) continue;
      if (open && (name === "Stop" || name === "SessionEnd")) continue;
      const prompt = name === "UserPromptSubmit" ? { prompt: promptOf(serial) } : {};
      await give({ ...payload, ...prompt }, time + turn * 60_000 + at * 1_000);
    }
  }
}

/** The turns of one session after the other, from a serial on. */
function sessionsOf(age: Said["age"], from: number, sessions: number, turns: number): Said[] {
  return Array.from({ length: sessions * turns }, (_, at) =>
    said(age, `s-${age}-${Math.floor(at / turns)}`, from + at),
  );
}

const bySession = (all: readonly Said[]) => Map.groupBy(all, ({ session }) => session);

/** No page holds what was deleted or moved: what stands in one is what is there. */
async function vacuum(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.endsWith(".db")) continue;
    const db = new Database(join(home, name));
    db.run("VACUUM");
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
  }
}

/** Fills both homes below `folder`. */
export async function fillHome(folder: string): Promise<FilledHome> {
  const home = join(folder, "filled");
  const paths = memoirPaths(home);
  await mkdir(join(home, "cache"), { recursive: true, mode: 0o700 });
  const config = { log: { level: "warn" } };
  await writeFile(paths.config, JSON.stringify(config));
  let now = startsAt - 30 * day;
  const open = () =>
    createRuntime({ home, log: silentLog, now: () => now, env: { HOME: folder, PATH: "" } });
  const drain = async (runtime: Runtime) => {
    if (!(await runtime.drain({ timeoutMs: 60_000 }))) throw new Error("the home was not filled");
  };
  const old = sessionsOf("old", 1_000, 8, 4);
  const fresh = sessionsOf("new", 2_000, 4, 4);
  const unfinished = sessionsOf("open", 3_000, 2, 1);
  const spooled = sessionsOf("spool", 4_000, 2, 1);

  let runtime = await open();
  for (const [session, turns] of bySession(old))
    await talk(
      runtime,
      session,
      turns.map(({ serial }) => serial),
      now,
    );
  await drain(runtime);
  await runtime.stop();
  // A month later the journal has let go of what was worked on.
  now = startsAt - day;
  runtime = await open();
  await drain(runtime);
  const kept = new Map<string, string>();
  const endless = runtime.endless.client("live");
  for (let n = 0; n < 6; n++) {
    const value = { stdout: `Original ${n} of what a tool said. `.repeat(40) };
    kept.set(`toolu_kept_${n}`, value.stdout);
    await endless.keep(keepRequest({ session: "s-new-0", toolUseId: `toolu_kept_${n}`, value }));
  }
  await runtime.stop();
  await vacuum(home);
  // The day's backup: what is in no journal any more stands in it.
  await rm(join(home, "backups"), { recursive: true, force: true });
  await makeBackup(paths, { reason: "daily", now: () => now });
  runtime = await open();
  for (const [session, turns] of bySession(fresh))
    await talk(
      runtime,
      session,
      turns.map(({ serial }) => serial),
      now,
    );
  await drain(runtime);
  for (const [session, turns] of bySession(unfinished))
    await talk(
      runtime,
      session,
      turns.map(({ serial }) => serial),
      startsAt - 60_000,
      true,
    );
  for (const { session, serial } of spooled) {
    const payload = { ...payloadsOf(session, serial, cwd)[1], prompt: promptOf(serial) };
    const delivery = { id: `event-${session}`, time: startsAt - 30_000 };
    await writeSpool(paths.spool, parseClaudeCode(payload, delivery));
  }
  await writeFile(paths.keys, JSON.stringify({}), { mode: 0o600 });
  const killed = join(folder, "killed");
  await cp(home, killed, { recursive: true });
  await runtime.stop();
  await vacuum(home);
  return { killed, stopped: home, kept, said: [...old, ...fresh, ...unfinished, ...spooled] };
}
