// `memoir plugin new`: writes a working plugin with a test into memoir's plugins folder.
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtins } from "../../runtime/builtins.ts";
import { setConfigValue } from "../../runtime/config/config.ts";
import { nearest } from "../../runtime/config/problems.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import { unpack } from "../../runtime/plugins/packed.ts";
import { commandFor, waitsFor } from "../../runtime/plugins/registry.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type Slot, slotNames } from "../../sdk/plugin.ts";
import { commandClash } from "../commands/contributed.ts";
import { commands } from "../commands/index.ts";
import { inJson } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { putInForce } from "./after-change.ts";
import { prepareForPlugins, writeEditorTypes } from "./own-plugin.ts";

/** So that an editor finds what memoir put into its home, without a network. */
export const tsconfig = {
  compilerOptions: {
    target: "ESNext",
    module: "Preserve",
    moduleResolution: "bundler",
    lib: ["ESNext", "DOM", "DOM.Iterable"],
    types: ["bun"],
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["."],
};

/** Writes `<home>/plugins/<name>/`. Throws `usage` for a wrong kind or name, and where there is something already. */
export async function newPlugin(
  kind: string,
  name: string,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const chosen = knownKind(kind);
  checkName(name);
  const paths = await prepareForPlugins(terminal);
  const folder = join(paths.plugins, name);
  if (await stat(folder).catch(() => undefined))
    throw new MemoirError("usage", `There is ${folder} already.`, {
      fix: "Choose another name; nothing was changed.",
    });
  const { plugins } = await describePlugins(paths.home, terminal.env);
  const other = plugins.find((plugin) => plugin.name === name);
  if (other)
    throw new MemoirError("usage", `Another plugin is called ${name}: ${other.source}`, {
      fix: "Choose another name; nothing was changed.",
    });
  await writeEditorTypes(paths);
  const { plugin, test } = await templateOf(chosen);
  const files = {
    "index.ts": plugin.replaceAll("__NAME__", name),
    "index.test.ts": test.replaceAll("__NAME__", name),
    "tsconfig.json": `${JSON.stringify(tsconfig, null, 2)}\n`,
  };
  const last = enabling(chosen, name);
  // What would be in force by lying there is off until its author has read it.
  const isOff = last.startsWith("memoir plugin enable");
  if (isOff) await setConfigValue(paths.home, ["plugins", name, "enabled"], false);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The module comes last: a server that watches the folder takes it up whole.
  for (const [file, text] of Object.entries(files).reverse())
    await writeFile(join(folder, file), text, { flag: "wx" });
  const { running } = await putInForce(terminal);
  const next = [`memoir plugin test ${name}`, `memoir plugin dev ${name}`, last];
  if (
    inJson(
      { name, kind: chosen, folder, files: Object.keys(files), running, next },
      options,
      terminal,
    )
  )
    return 0;
  const { bold, dim } = terminal.colors;
  const clash = chosen === "operation" ? commandClash(name, commands) : undefined;
  if (clash) terminal.warn(`${clash}.`);
  terminal.print(`${bold(name)} is in ${folder}:`);
  terminal.print("  index.ts       the plugin, working and commented");
  terminal.print("  index.test.ts  its tests");
  terminal.print("  tsconfig.json  so your editor finds the types");
  terminal.print("");
  const notes = [
    "its promises, then its tests",
    "what it makes of a recorded session, again at each save",
    isOff ? "enables it, once you have read it" : "enables it",
  ];
  const wide = Math.max(...next.map((command) => command.length));
  for (const [at, command] of next.entries())
    terminal.print(`  ${command.padEnd(wide)}  ${dim(notes[at] ?? "")}`);
  return 0;
}

/** The command that enables it. */
function enabling(kind: string, name: string): string {
  if (kind === "endless-mode") return `memoir endless on ${name}`;
  const slot =
    kind === "strategy" ? "observation" : slotNames.find((slotName) => slotName === kind);
  if (slot && waitsFor(slot as Slot)) return commandFor(name, slot as Slot);
  return `memoir plugin enable ${name}`;
}

function knownKind(kind: string): string {
  const known = kinds.find((one) => one === kind);
  if (known) return known;
  const near = nearest(kind, kinds);
  const meant = near ? `; did you mean ${near}?` : ".";
  throw new MemoirError("usage", `There is no kind ${kind}${meant}`, {
    fix: `It is one of ${kinds.join(", ")}.`,
  });
}

function checkName(name: string): void {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new MemoirError("usage", `"${name}" is no plugin name.`, {
      fix: "Take lower-case words joined by dashes, such as `infra-notes`.",
    });
  if (Object.hasOwn(builtins, name))
    throw new MemoirError("usage", `A built-in plugin is called ${name}.`, {
      fix: "Choose another name.",
    });
}

// The kinds of plugins that `memoir plugin new` writes. Their texts are packed with all that authors get.

/** What fills no slot; `strategy` is a prompt strategy, for two slots. */
const besides = [
  ...["listener", "extractor", "strategy", "client"],
  ...["schedule", "data", "redaction", "exporter", "rank", "operation", "routes", "panel"],
];

/** All of them. */
export const kinds: readonly string[] = [...slotNames, ...besides];

/** The texts of a working plugin of the kind and of its test; `__NAME__` in them stands for the plugin's name. */
async function templateOf(kind: string): Promise<{ plugin: string; test: string }> {
  const { templates } = await unpack();
  const [plugin, test] = [templates[`${kind}.ts.txt`], templates[`${kind}.test.ts.txt`]];
  if (plugin === undefined || test === undefined) throw new Error(`${kind} has no template`);
  return { plugin, test };
}
