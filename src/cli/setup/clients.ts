// The clients beside Claude Code on this machine: which are here, what memoir would change for each, and the change itself.
import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import type {
  Client,
  ClientAdapter,
  ClientRegistration,
  RegistrationPlace,
} from "../../clients/adapter.ts";
import {
  adapterOf,
  allClients,
  bringClients,
  claudeCode,
  clientNamed,
} from "../../clients/index.ts";
import { errorWithFix } from "../../home/describe-error.ts";
import { userHome } from "../../home/paths.ts";
import { findProgram } from "../../host/programs.ts";
import {
  applyClient,
  applyReturn,
  type FileChange,
  type FileReturn,
  lookAtClient,
  type PartFinding,
  planClient,
  planReturn,
} from "../../install/client-files.ts";
import { readClientLedger } from "../../install/file-change.ts";
import { hookCommand } from "../../install/hook-command.ts";
import { hookSeconds } from "../../install/settings.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { hookDeadlines } from "../../server/life/server-info.ts";
import { markOf, printDiff, sayDone } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Setup, setupOf } from "./setup.ts";

type At = Pick<Terminal, "env" | "platform" | "cwd">;

/** A client with how it is registered. */
interface Registered {
  client: Client;
  adapter: ClientAdapter;
  registration: ClientRegistration;
}

/** Whether Claude Code is among the wanted clients, and the others. */
export interface Chosen {
  claudeCode: boolean;
  others: Client[];
}

/**
 * The clients that were named, or all that are here; without either Claude Code. Throws `usage` for a name that no client
 * has, or that cannot be registered.
 */
export async function chosenClients(
  names: readonly string[],
  all: boolean | undefined,
  at: At,
): Promise<Chosen> {
  if (names.length === 0 && !all) return { claudeCode: true, others: [] };
  const known = (await everyClient(at)).map(({ name }) => name);
  for (const name of names) if (!known.includes(name)) throw await unknownClient(name, known, at);
  const here = all ? await othersHere(at) : [];
  const named = names.filter((name) => name !== claudeCode.name).map(clientNamed);
  return {
    claudeCode: all === true || names.includes(claudeCode.name),
    others: [...new Set([...named, ...here])],
  };
}

async function unknownClient(name: string, known: readonly string[], at: At): Promise<MemoirError> {
  const { plugins } = await describePlugins(setupOf(at).paths.home, at.env);
  const of = plugins.find(({ brings }) => brings?.includes(`client ${name}`));
  if (of?.error)
    return new MemoirError("usage", `The plugin ${of.name} knows ${name} and failed: ${of.error}`);
  // What is off was not loaded: nobody knows which clients it brings.
  const off = plugins.filter(({ state, origin }) => state === "disabled" && origin !== "built-in");
  const maybe = off.map((plugin) => `; \`memoir plugin enable ${plugin.name}\` may bring it`);
  return new MemoirError("usage", `There is no client named ${name}.`, {
    fix: `Known are ${known.join(", ")}${maybe.join("")}.`,
  });
}

/** Every client that memoir or one of the home's plugins knows. */
export async function everyClient(at: At): Promise<Client[]> {
  // Without a home there are no plugins of it.
  if (!at.env.MEMOIR_HOME && userHome(at.env) === "") return allClients();
  bringClients((await describePlugins(setupOf(at).paths.home, at.env)).clients);
  return allClients();
}

/** The clients beside Claude Code that are on this machine. Starts nothing. */
export async function othersHere(at: At): Promise<Client[]> {
  const { env, platform } = at;
  const here: Client[] = [];
  const every = await everyClient(at);
  for (const { client, registration } of await registered(every))
    if (existsSync(registration.folder(env)) || findProgram(registration.program, env, platform))
      here.push(client);
  return here;
}

async function registered(wanted: readonly Client[]): Promise<Registered[]> {
  const found = await Promise.all(
    wanted.map(async (client) => {
      const adapter = await adapterOf(client);
      const { registration } = adapter;
      return registration ? [{ client, adapter, registration }] : [];
    }),
  );
  return found.flat();
}

/** A file that this user may run. */
export function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** What a client's settings are to say. */
async function placeFor(
  { client, registration }: Registered,
  { paths, binary, ownHome: home }: Setup,
  { env, platform }: At,
): Promise<RegistrationPlace> {
  const { events, subscriptions } = await describePlugins(paths.home, env);
  const deadlines = hookDeadlines(subscriptions);
  const asked = events.filter((event) => registration.events.includes(event));
  return {
    env,
    binary,
    home,
    command: hookCommand({ binary, home, platform, client: client.name }),
    events: new Map(asked.map((event) => [event, hookSeconds(event, deadlines)])),
  };
}

/** What an install would do for one client. */
interface ClientPlan {
  client: Client;
  changes: FileChange[];
  notes: readonly string[];
  /** Why nothing can be done for it. */
  problem?: string;
}

/** What registering with these clients would change; a client whose files cannot be changed safely says why. */
export async function planClients(
  wanted: readonly Client[],
  setup: Setup,
  at: At,
): Promise<ClientPlan[]> {
  const plans: ClientPlan[] = [];
  for (const one of await registered(wanted)) {
    const place = await placeFor(one, setup, at);
    const notes = one.registration.notes?.(place) ?? [];
    try {
      const changes = await planClient(one.adapter, place);
      plans.push({ client: one.client, changes, notes });
    } catch (error) {
      if (!(error instanceof MemoirError)) throw error;
      const problem = errorWithFix(error);
      plans.push({ client: one.client, changes: [], notes: [], problem });
    }
  }
  return plans;
}

/** What happened to one client. */
export interface ClientDone {
  client: string;
  title: string;
  files: Array<{ path: string; changed: boolean }>;
  backups: string[];
  notes: readonly string[];
  problem: string | null;
}

/** The plans in JSON. */
export function clientsReport(plans: readonly ClientPlan[]): ClientDone[] {
  return plans.map(({ client, changes, notes, problem }) => ({
    ...{ client: client.name, title: client.title, notes, backups: [], problem: problem ?? null },
    files: changes.map(({ path, diff }) => ({ path, changed: diff.length > 0 })),
  }));
}

/** Registers with the clients; one that fails does not keep the next from being registered. */
export async function registerClients(
  plans: readonly ClientPlan[],
  { paths }: Setup,
): Promise<ClientDone[]> {
  const done = clientsReport(plans);
  for (const [at, { client, changes, problem }] of plans.entries()) {
    const report = done[at];
    if (!report || problem !== undefined) continue;
    try {
      report.backups = await applyClient(paths.home, client.name, changes);
    } catch (error) {
      if (!(error instanceof MemoirError)) throw error;
      report.problem = errorWithFix(error);
    }
  }
  return done;
}

/** What an install is about to do, before it asks. */
export function intentions(plans: readonly ClientPlan[]): string[] {
  return plans.flatMap(({ client, changes, problem }) => {
    if (problem !== undefined) return [`${client.title}: ${problem}`];
    const files = changes.filter(({ diff }) => diff.length > 0).map(({ path }) => path);
    return files.length === 0 ? [] : [`${client.title}: adds itself to ${files.join(" and ")}.`];
  });
}

/** What `--dry-run` shows. */
export function printPlans(plans: readonly ClientPlan[], terminal: Terminal): void {
  for (const { client, changes, notes, problem } of plans) {
    if (problem !== undefined) terminal.print(`${client.title}: ${problem}`);
    for (const { path, diff } of changes) printDiff(path, diff, terminal);
    for (const note of notes) terminal.print(`${client.title}: ${note}`);
  }
}

/** What was done. */
export function printDone(done: readonly ClientDone[], terminal: Terminal): void {
  const look = markOf("warn", terminal);
  for (const { title, files, backups, notes, problem } of done) {
    if (problem !== null) {
      terminal.warn(`${look} ${title}: ${problem}`);
      continue;
    }
    const changed = files.filter(({ changed: isChanged }) => isChanged).map(({ path }) => path);
    const there = terminal.colors.dim("(was there already)");
    sayDone(`${title}: ${changed.join(", ") || there}`, terminal);
    for (const backup of backups) sayDone(`backup: ${backup}`, terminal);
    for (const note of notes) terminal.print(`${look} ${title}: ${note}`);
  }
}

/** What taking memoir out of a client would do. */
interface ClientReturn {
  client: Client;
  returns: FileReturn[];
}

/** Of these clients; absent: of all in which memoir stands. A client whose files cannot be read is left as it is. */
export async function planReturns(
  setup: Setup,
  at: At,
  wanted?: readonly Client[],
): Promise<ClientReturn[]> {
  const plans: ClientReturn[] = [];
  for (const one of await registered(wanted ?? (await everyClient(at)))) {
    const place = await placeFor(one, setup, at);
    const returns = await planReturn(setup.paths.home, one.adapter, place).catch(() => []);
    if (returns.length > 0) plans.push({ client: one.client, returns });
  }
  return plans;
}

/** Takes memoir out of the clients. */
export async function returnClients(home: string, plans: readonly ClientReturn[]): Promise<void> {
  for (const { returns } of plans) await applyReturn(home, returns);
}

/** How memoir stands in a client. */
export interface ClientStanding {
  client: Client;
  adapter: ClientAdapter;
  place: RegistrationPlace;
  /** install wrote to it. */
  isInstalled: boolean;
  parts: PartFinding[];
}

/** Of every client beside Claude Code that memoir stands in or was installed for. */
export async function standings(setup: Setup, at: At): Promise<ClientStanding[]> {
  const known = new Set((await readClientLedger(setup.paths.home)).map(({ client }) => client));
  const found: ClientStanding[] = [];
  for (const one of await registered(await everyClient(at))) {
    const { client, adapter } = one;
    // To look at a client's files costs reading the plugins: only where there can be something.
    const isInstalled = known.has(client.name);
    if (!isInstalled && !existsSync(one.registration.folder(at.env))) continue;
    const place = await placeFor(one, setup, at);
    const parts = await lookAtClient(adapter, place);
    const stands = parts.some(({ state }) => state === "current" || state === "other");
    if (isInstalled || stands) found.push({ client, adapter, place, isInstalled, parts });
  }
  return found;
}
