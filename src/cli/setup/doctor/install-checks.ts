// Is memoir installed: the binary in place, the client told to run it, once, for exactly the events that are needed?
import { access, constants } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { type Check, fail, ok, warn } from "../../../health/check.ts";
import { version } from "../../../home/version.ts";
import { hookBinary } from "../../../install/hook-command.ts";
import { readLedger } from "../../../install/ledger.ts";
import type { Registration } from "../../../install/registration.ts";
import { readSettings, scopes, settingsPath } from "../../../install/settings-file.ts";
import {
  type OwnHook,
  ownHooks,
  parseSettings,
  type Settings,
} from "../../../install/settings-text.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { runInstalled } from "../installed-binary.ts";
import { type Setup, wantedRegistration } from "../setup.ts";

/** The installed binary: there, executable, of this version. */
export async function checkBinary({ binary }: Setup, { env }: Terminal): Promise<Check[]> {
  if (!(await isExecutable(binary)))
    return [fail("binary", `${binary} is missing or cannot be run`, "Run `memoir install`.")];
  const output = await runInstalled(binary, ["version", "--json"], env);
  const installed = String((JSON.parse(output) as { version?: unknown }).version);
  if (installed === version) return [ok("binary", `${binary} (memoir ${installed})`)];
  return [
    warn(
      "binary",
      `${binary} is memoir ${installed}, this is memoir ${version}`,
      "Run `memoir install` with the one that you want.",
    ),
  ];
}

interface Registered extends OwnHook {
  settings: string;
}

/** The settings in force here: our hooks in them, once, for the events that are needed, calling a binary that is there. */
export async function checkHooks(setup: Setup, terminal: Terminal): Promise<Check[]> {
  const settings = await settingsInForce(terminal);
  return [
    ...checkSwitch(settings),
    ...(await checkRegistered(registeredHooks(settings), setup, terminal)),
  ];
}

/**
 * Events that plugins need and installed hooks do not bring: those of a version or a plugin that came after the install.
 * Empty where nothing is installed here.
 */
export async function missingEvents(setup: Setup, terminal: Terminal): Promise<string[]> {
  const own = registeredHooks(await settingsInForce(terminal));
  const { wanted, viaPlugin } = await wantedRegistration(setup, terminal);
  return own.length === 0 || viaPlugin ? [] : missingOf(own, wanted);
}

/** Claude Code was never told of memoir, here or elsewhere: somebody who installs it for other clients alone wants it so. */
export async function isWithoutClaudeCode(setup: Setup, terminal: Terminal): Promise<boolean> {
  if (registeredHooks(await settingsInForce(terminal)).length > 0) return false;
  if ((await readLedger(setup.paths.home)).length > 0) return false;
  return (await wantedRegistration(setup, terminal)).viaPlugin === undefined;
}

/** One switch of the client's turns every hook off, ours among them. */
function checkSwitch(settings: readonly Found[]): Check[] {
  return settings
    .filter(({ content }) => content.disableAllHooks === true)
    .map(({ path }) =>
      fail(
        "hooks",
        `Claude Code runs no hook at all: ${path} says "disableAllHooks": true`,
        "Take that line out when memoir shall be at work.",
      ),
    );
}

async function checkRegistered(
  own: readonly Registered[],
  setup: Setup,
  terminal: Terminal,
): Promise<Check[]> {
  const { wanted, viaPlugin } = await wantedRegistration(setup, terminal);
  if (viaPlugin) {
    const source = `the Claude Code plugin ${viaPlugin.plugin}`;
    if (own.length === 0) return [ok("hooks", `registered by ${source}`)];
    return [
      fail(
        "hooks",
        `registered twice: by ${source} and in ${settingsOf(own).join(", ")}`,
        "Run `memoir install`: it takes the second ones out of the settings.",
      ),
    ];
  }
  if (own.length === 0) return [await notRegistered(setup)];
  const checks = [...(await checkTargets(own)), ...checkTwice(own), ...checkEvents(own, wanted)];
  if (checks.length > 0) return checks;
  return [ok("hooks", `${own.length} events in ${settingsOf(own).join(", ")}`)];
}

interface Found {
  path: string;
  content: Settings;
}

/** The settings files that count in this folder, each once: in the user's own folder two scopes mean the same file. */
async function settingsInForce({ env, cwd }: Terminal): Promise<Found[]> {
  const found: Found[] = [];
  for (const path of new Set(scopes.map((scope) => settingsPath(scope, env, cwd)))) {
    const { text } = await readSettings(path);
    if (text !== undefined) found.push({ path, content: parseSettings(text, path) });
  }
  return found;
}

function registeredHooks(settings: readonly Found[]): Registered[] {
  return settings.flatMap(({ path, content }) =>
    ownHooks(content).map((own) => ({ ...own, settings: path })),
  );
}

async function notRegistered({ paths }: Setup): Promise<Check> {
  const elsewhere = (await readLedger(paths.home)).map(({ settings }) => settings);
  if (elsewhere.length === 0)
    return fail("hooks", "Claude Code is not told to run memoir", "Run `memoir install`.");
  return warn(
    "hooks",
    `registered in ${elsewhere.join(", ")}, and not for this folder`,
    "Run `memoir install` to register for all folders.",
  );
}

async function checkTargets(own: readonly Registered[]): Promise<Check[]> {
  const binaries = new Set(own.map(({ command }) => hookBinary(command) ?? ""));
  const checks: Check[] = [];
  for (const path of binaries)
    if (!isAbsolute(path) || !(await isExecutable(path)))
      checks.push(
        fail("hooks", `hooks call ${path}, which is not there to be run`, "Run `memoir install`."),
      );
  return checks;
}

function checkTwice(own: readonly Registered[]): Check[] {
  const events = own.map(({ event }) => event);
  const twice = events.find((event, index) => events.indexOf(event) !== index);
  if (twice === undefined) return [];
  return [
    fail(
      "hooks",
      `${twice} is registered more than once, in ${settingsOf(own).join(", ")}`,
      "Run `memoir uninstall`, then `memoir install` with the one scope that you want.",
    ),
  ];
}

function checkEvents(own: readonly Registered[], wanted: Registration): Check[] {
  const there = new Set(own.map(({ event }) => event));
  const missing = missingOf(own, wanted);
  const extra = [...there].filter((event) => !wanted.has(event));
  if (missing.length === 0 && extra.length === 0) return [];
  const parts = [
    ...(missing.length > 0 ? [`missing ${missing.join(", ")}`] : []),
    ...(extra.length > 0 ? [`not needed ${extra.join(", ")}`] : []),
  ];
  return [
    fail("hooks", `not the events that plugins need: ${parts.join("; ")}`, "Run `memoir install`."),
  ];
}

function missingOf(own: readonly Registered[], wanted: Registration): string[] {
  const there = new Set<string>(own.map(({ event }) => event));
  return [...wanted.keys()].filter((event) => !there.has(event));
}

function settingsOf(own: readonly Registered[]): string[] {
  return [...new Set(own.map(({ settings }) => settings))];
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
