// `memoir endless on | off`: writes where strategies work, tells a running server, registers the events needed now.

import type { endless } from "../../features/endless.ts";
import { readConfig, setConfigValue, unsetConfigValue } from "../../runtime/config/config.ts";
import { nearest } from "../../runtime/config/problems.ts";
import {
  builtInStrategies,
  chosenFor,
  type EndlessSwitch,
  isHeldOut,
  type Scope,
} from "../../runtime/endless/switch.ts";
import { checkPlugins, describePlugins } from "../../runtime/plugins/describe.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import { registerAgain, reloadServer } from "../plugins/after-change.ts";
import { setupOf } from "../setup/setup.ts";
import { printable } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { projectOfFolder, sessionToSwitch } from "./scope.ts";

type SwitchOptions = OptionsOf<(typeof endless)["operations"]["on"]>;

/** Where it is switched: a scope, its key in config, and how a person names it. */
interface Place {
  scope: Scope;
  path: readonly string[];
  session: string;
  project: string | undefined;
  words: string;
}

const defaultStrategy = "live";
/** The plugin that stands in the slot where nothing is on. */
const none = "off";
/** Stands for a session or project that no config names. */
const nobody = "";

/** Switches strategies on or off in one scope; gives 0. */
export async function switchEndless(
  on: boolean,
  strategies: readonly string[],
  options: SwitchOptions,
  terminal: Terminal,
): Promise<number> {
  const { home } = setupOf(terminal).paths;
  if (on && strategies.includes(none))
    throw new MemoirError("usage", `\`${none}\` is no strategy that could be switched on.`, {
      fix: "`memoir endless off` switches Endless Mode off.",
    });
  const before = (await readConfig(home)).config.endless;
  const place = await placeOf(options, Object.keys(before.sessions), terminal);
  const wanted = wantedAt(before, place, on, strategies);
  await write(home, place, wanted, before, terminal).catch(async (error: unknown) => {
    throw (await unknownStrategy(wanted, terminal)) ?? error;
  });
  await reloadServer();
  const settings = await registerAgain(terminal);
  const { endless, plugins } = (await readConfig(home)).config;
  const described = (await describePlugins(home, terminal.env)).plugins;
  const { path: _path, words, ...where } = place;
  if (options.json) {
    terminal.print(JSON.stringify({ ...where, strategies: wanted, settings }));
    return 0;
  }
  terminal.print(
    wanted.length > 0
      ? `Endless Mode is on ${words}: ${wanted.join(", ")}.`
      : `Endless Mode is off ${words}.`,
  );
  const { strategies: now } = chosenFor(before, place.session, place.project);
  const absent = on ? [] : strategies.filter((name) => !now.includes(name));
  if (absent.length > 0) terminal.print(`  ${printable(absent.join(", "))}: was not on ${words}.`);
  for (const { name, description } of described)
    if (wanted.includes(name)) terminal.print(`  ${name}: ${printable(description)}`);
  for (const line of remarks(wanted, place, endless)) terminal.print(`  ${line}`);
  for (const name of wanted.filter((strategy) => plugins[strategy]?.enabled === false))
    terminal.print(`  ${name} is disabled as a plugin: \`memoir plugin enable ${name}\`.`);
  if (wanted.length > 0) terminal.print(`  Off again: \`${offCommand(place)}\`.`);
  for (const file of settings)
    terminal.print(
      `${file}: registered the events that are needed now; open sessions use them after a restart.`,
    );
  return 0;
}

/** What is wrong where a name is no plugin at all: the nearest of the strategies, not of all plugins. */
async function unknownStrategy(
  wanted: readonly string[],
  terminal: Terminal,
): Promise<MemoirError | undefined> {
  const { plugins } = await describePlugins(setupOf(terminal).paths.home, terminal.env);
  const known = plugins.filter(
    ({ name, slots }) => slots.includes("endless-mode") && name !== none,
  );
  const names = known.map(({ name }) => name);
  const wrong = wanted.find(
    (name) => /^[\w-]+$/.test(name) && !plugins.some((one) => one.name === name),
  );
  if (wrong === undefined) return undefined;
  const near = nearest(wrong, names);
  return new MemoirError("usage", `There is no strategy ${wrong}.`, {
    fix: near ? `Did you mean ${near}?` : `There is ${names.join(", ")}, or the path of a plugin.`,
  });
}

async function placeOf(
  options: SwitchOptions,
  switched: readonly string[],
  terminal: Terminal,
): Promise<Place> {
  const { everywhere } = options;
  if (options.session !== undefined) {
    const session = await sessionToSwitch(options.session, switched);
    const words = `in session ${printable(session)}`;
    const path = ["endless", "sessions", session];
    return { scope: "session", path, session, project: undefined, words };
  }
  if (everywhere) {
    const path = ["endless", "everywhere"];
    return { scope: "everywhere", path, session: nobody, project: undefined, words: "everywhere" };
  }
  const project = await projectOfFolder(terminal.cwd);
  const path = ["endless", "projects", project.id];
  const words = `in ${printable(project.name)} (${printable(project.id)})`;
  return { scope: "project", path, session: nobody, project: project.id, words };
}

/** What will be in force there: `on` adds to what is, `off` takes away from it. */
function wantedAt(
  config: EndlessSwitch,
  { session, project }: Place,
  on: boolean,
  named: readonly string[],
): string[] {
  const now = chosenFor(config, session, project).strategies;
  if (on) return inOrder([...now, ...(named.length > 0 ? named : [defaultStrategy])]);
  return named.length === 0 ? [] : now.filter((strategy) => !named.includes(strategy));
}

function inOrder(strategies: readonly string[]): string[] {
  const own = builtInStrategies.filter((name) => strategies.includes(name));
  return [...new Set([...own, ...strategies])];
}

/** Config holds only what differs: an entry that says what the wider scope says anyway is taken out. */
async function write(
  home: string,
  { path, scope, session, project }: Place,
  wanted: readonly string[],
  before: EndlessSwitch,
  terminal: Terminal,
): Promise<void> {
  const wider: EndlessSwitch = {
    ...before,
    ...(scope === "session" ? { sessions: {} } : {}),
    ...(scope === "project" ? { projects: {}, sessions: {} } : {}),
    ...(scope === "everywhere" ? { everywhere: [] } : {}),
  };
  // A session's project is not known here: its own word must stand.
  const inherited =
    scope === "session" && Object.keys(before.projects).length > 0
      ? undefined
      : chosenFor(wider, session, project).strategies;
  if (inherited !== undefined && inherited.join(" ") === wanted.join(" "))
    await unsetConfigValue(home, path);
  else await setConfigValue(home, path, wanted, checkPlugins(home, terminal.env));
}

function remarks(
  wanted: readonly string[],
  { scope, session }: Place,
  endless: EndlessSwitch & { keepDays: number; gateway: { enabled: boolean } },
): string[] {
  const lines: string[] = [];
  if (wanted.length > 0)
    lines.push(
      `What is left out is kept for ${plural(endless.keepDays, "day")}; \`memoir recall <id>\` gives it back.`,
    );
  if (wanted.includes("gateway") && !endless.gateway.enabled)
    lines.push(
      "gateway sees only sessions that go through memoir's gateway: `memoir endless gateway on`.",
    );
  if (endless.holdOut > 0 && scope === "session" && isHeldOut(session, endless.holdOut))
    lines.push("This session belongs to the hold-out share and stays untouched all the same.");
  else if (endless.holdOut > 0 && wanted.length > 0 && scope !== "session")
    lines.push(
      `${Math.round(endless.holdOut * 100)} % of sessions stay untouched, for comparison (\`endless.holdOut\`).`,
    );
  if (scope === "everywhere") {
    const own = Object.keys(endless.projects).length + Object.keys(endless.sessions).length;
    if (own > 0)
      lines.push(
        `${plural(own, "project or session has a setting of its own", "projects and sessions have settings of their own")}: \`memoir endless status\`.`,
      );
  }
  return lines;
}

function offCommand({ scope, session }: Place): string {
  if (scope === "everywhere") return "memoir endless off --everywhere";
  return scope === "session" ? `memoir endless off --session ${session}` : "memoir endless off";
}
