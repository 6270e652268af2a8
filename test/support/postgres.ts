// A PostgreSQL of the test's own: on loopback, in a folder of its own, gone afterwards. Absent where the machine has none.
import { spawn } from "node:child_process";
import { chmod, chown, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import postgres from "postgres";

/** A running server. */
export interface TestPostgres {
  /** Of a database that every user of it may use. */
  url: string;
  port: number;
  /** Where it keeps its files. */
  data: string;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
  /** Ends it in order, letting nobody finish. */
  halt(): Promise<void>;
  start(): Promise<void>;
  /** Runs SQL as the owner, and gives what the last statement answers: a line for each row, as `psql -At` prints it. */
  sql(text: string): Promise<string>;
  stop(): Promise<void>;
}

/** Folder of the server programs: the one that MEMOIR_TEST_POSTGRES names, else the newest here; undefined where there are none. */
export async function postgresPrograms(): Promise<string | undefined> {
  if (process.env.MEMOIR_TEST_POSTGRES) return process.env.MEMOIR_TEST_POSTGRES;
  const root = "/usr/lib/postgresql";
  const versions = await readdir(root).catch(() => []);
  const newest = versions
    .map(Number)
    .filter((one) => one >= 15)
    .sort((a, b) => b - a)[0];
  if (newest !== undefined) return join(root, String(newest), "bin");
  const found = Bun.which("initdb");
  return found ? join(found, "..") : undefined;
}

/** Rejects where it cannot be started; asks nobody for a password. */
export async function startPostgres(programs: string): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-pg-"));
  const data = join(folder, "data");
  const port = await freePort();
  const user = process.getuid?.() === 0 ? 65_534 : undefined;
  if (user !== undefined) await chown(folder, user, user);
  await chmod(folder, 0o755);
  const run = (program: string, args: string[]) =>
    runAs(user, join(programs, program), args, folder);
  const control = (...args: string[]) =>
    run("pg_ctl", ["-D", data, "-w", "-s", "-l", join(folder, "log"), ...args]);
  const start = () =>
    control(
      "-o",
      `-p ${port} -k '' -c listen_addresses=127.0.0.1 -c max_connections=100`,
      "start",
    ).then(() => undefined);
  await run("initdb", [
    "-D",
    data,
    "-U",
    "owner",
    "-A",
    "trust",
    "--no-sync",
    "-E",
    "UTF8",
    "--locale=C",
  ]);
  await start();
  const url = `postgres://owner@127.0.0.1:${port}/postgres`;
  return {
    url,
    port,
    data,
    start,
    sql: (text) => answerOf(url, text),
    kill: () => control("-m", "immediate", "stop").then(() => undefined),
    halt: () => control("-m", "fast", "stop").then(() => undefined),
    async stop() {
      await control("-m", "immediate", "stop").catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** By the driver, for a package of the server alone has no psql. */
async function answerOf(url: string, text: string): Promise<string> {
  const client = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    const answer = await client.unsafe(text).simple().raw();
    // Of several statements, each has an answer of its own.
    const last = (answer.command === undefined ? answer.at(-1) : answer) as Iterable<unknown>;
    return Array.from(last, (row) => (row as Buffer[]).join("|")).join("\n");
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** A pooler in transaction mode before a server: each transaction may get another session. Undefined where there is no pgbouncer. */
export async function startPooler(
  server: TestPostgres,
): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  const program = Bun.which("pgbouncer", { PATH: `${process.env.PATH}:/usr/sbin` });
  if (!program) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "memoir-pooler-"));
  const port = await freePort();
  const user = process.getuid?.() === 0 ? 65_534 : undefined;
  const [config, users] = [join(folder, "pooler.ini"), join(folder, "users")];
  await writeFile(users, '"owner" ""\n');
  await writeFile(
    config,
    `[databases]
postgres = host=127.0.0.1 port=${server.port} user=owner
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${users}
pool_mode = transaction
default_pool_size = 3
`,
  );
  await chmod(folder, 0o755);
  const ids = user === undefined ? {} : { uid: user, gid: user };
  const child = spawn(program, [config], { ...ids, stdio: "ignore" });
  await answers(port);
  return {
    url: server.url.replace(`:${server.port}/`, `:${port}/`),
    async stop() {
      child.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Rejects where nobody listens there in time. */
async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (isThere) return;
    await Bun.sleep(50);
  }
  throw new Error(`nobody answers on port ${port}`);
}

function runAs(user: number | undefined, program: string, args: string[], cwd: string) {
  const options = {
    cwd,
    env: { ...process.env, HOME: cwd },
    ...(user === undefined ? {} : { uid: user, gid: user }),
  };
  return new Promise<string>((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let wrong = "";
    child.stdout.on("data", (part) => (out += part));
    child.stderr.on("data", (part) => (wrong += part));
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve(out.trim()) : reject(new Error(`${program} ${args.at(-1)}: ${wrong}`)),
    );
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
