// What commands that change plugins or config share: the server reads them again, and clients send the events that are needed.
import { readClientLedger, readLedger } from "../../install/file-change.ts";
import { applyRegistration, planRegistration } from "../../install/settings.ts";
import { type Announced, writeAnnounced } from "../../runtime/plugins/announced.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import { ifRunning, server } from "../server/client.ts";
import { type Setup, setupOf, wantedRegistration } from "../setup/setup.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Puts a change in force: whether a server runs that read it, and the clients' files that changed with it. */
export async function putInForce(
  terminal: Terminal,
): Promise<{ running: boolean; settings: string[] }> {
  const running = await reloadServer();
  if (!running) await announce(terminal);
  return { running, settings: await registerAgain(terminal) };
}

/** Brings every client's files that memoir is registered in up to date; gives those that changed. */
export async function registerAgain(terminal: Terminal): Promise<string[]> {
  const setup = setupOf(terminal);
  return [...(await claudeCodeAgain(setup, terminal)), ...(await othersAgain(setup, terminal))];
}

/** A client whose files cannot be changed safely keeps what it has; the doctor says so. */
async function othersAgain(setup: Setup, terminal: Terminal): Promise<string[]> {
  const known = new Set((await readClientLedger(setup.paths.home)).map(({ client }) => client));
  if (known.size === 0) return [];
  const { everyClient, planClients, registerClients } = await import("../setup/clients.ts");
  const installed = (await everyClient(terminal)).filter(({ name }) => known.has(name));
  const done = await registerClients(await planClients(installed, setup, terminal), setup);
  return done.flatMap(({ files, problem }) =>
    problem === null ? files.filter(({ changed }) => changed).map(({ path }) => path) : [],
  );
}

async function claudeCodeAgain(setup: Setup, terminal: Terminal): Promise<string[]> {
  const entries = await readLedger(setup.paths.home);
  if (entries.length === 0) return [];
  const { wanted } = await wantedRegistration(setup, terminal);
  const changed: string[] = [];
  for (const { scope, settings } of entries) {
    const change = await planRegistration(settings, wanted);
    await applyRegistration(setup.paths.home, scope, change);
    if (change.diff.length > 0) changed.push(settings);
  }
  return changed;
}

/** Writes down the commands that plugins bring, as a running server knows them, else by what they say of themselves. */
export async function announce(terminal: Terminal): Promise<Announced> {
  const { paths } = setupOf(terminal);
  const served = await ifRunning(server.get("/api/plugins", { start: false })).catch(
    () => undefined,
  );
  const { plugins, contributions } = served ?? (await describePlugins(paths.home, terminal.env));
  return writeAnnounced(paths, plugins, contributions);
}

/** Asks a running server to read config and plugins again; false when none runs. */
export async function reloadServer(): Promise<boolean> {
  return (await ifRunning(server.post("/api/reload", { start: false }))) !== undefined;
}
