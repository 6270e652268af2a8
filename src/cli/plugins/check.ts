// `memoir plugin check`: does a plugin's code hold what its types say, is it a plugin, and does it load quickly?
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../../home/describe-error.ts";
import { problemText } from "../../runtime/config/config.ts";
import { declarations, slotsOf } from "../../runtime/hooks/subscription.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import type { Dropped } from "../../runtime/plugins/find.ts";
import { missingType } from "../../runtime/plugins/import-plugin.ts";
import { entryNames, unpack } from "../../runtime/plugins/packed.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type AnyPlugin, type Slot, slots } from "../../sdk/plugin.ts";
import { plural } from "../../text/text.ts";
import { setupOf } from "../setup/setup.ts";
import { inTempFolder } from "../temp-folder.ts";
import { inJson, markOf } from "../terminal/agree.ts";
import { wrap } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { writeEditorTypes } from "./editor-types.ts";
import { findOwn, folderOf, loadOwn, prepareForPlugins } from "./find-plugin.ts";
import { tsconfig } from "./new.ts";
import { runTool } from "./toolchain.ts";

/** One thing that was looked at. */
export interface Finding {
  what: "types" | "contract" | "hooks" | "options" | "loading";
  state: "ok" | "warn" | "fail";
  lines: string[];
}

/** A module that takes longer delays every start of the server. */
const slowMs = 250;

/** Prints what was found. Gives 1 when something is wrong. */
export async function checkOne(
  name: string | undefined,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const plugin = await findOwn(name, terminal);
  const findings = printable(await findingsOf(plugin, terminal));
  const failed = findings.some(({ state }) => state === "fail");
  if (inJson({ ok: !failed, plugin: plugin.name, path: plugin.path, findings }, options, terminal))
    return failed ? 1 : 0;
  for (const { what, state, lines } of findings) {
    const mark = markOf(state, terminal);
    const wrapped = lines.flatMap((line) => wrap(line, terminal.width, " ".repeat(12)));
    for (const [at, line] of wrapped.entries())
      terminal.print(at === 0 ? `${mark} ${what.padEnd(10)}${line.trimStart()}` : line);
  }
  return failed ? 1 : 0;
}

type Said = Pick<Finding, "state" | "lines">;
const well = (...lines: string[]): Said => ({ state: "ok", lines });
const wrong = (...lines: string[]): Said => ({ state: "fail", lines });

/** Everything that can be said of a plugin without running its hooks. */
async function findingsOf(plugin: Dropped, terminal: Terminal): Promise<Finding[]> {
  const paths = await prepareForPlugins(terminal);
  await writeEditorTypes(paths);
  const [types, loading, contract] = await Promise.all([
    checkTypes(plugin),
    checkLoading(plugin, paths.nodeModules),
    checkContract(plugin, terminal),
  ]);
  const said: Array<[Finding["what"], Said | undefined]> = [
    ["types", types],
    ["contract", contract.contract],
    ["hooks", contract.hooks],
    ["options", contract.options],
    ["loading", loading],
  ];
  return said.flatMap(([what, one]) => (one ? [{ what, ...one }] : []));
}

async function checkTypes(plugin: Dropped): Promise<Said> {
  const cwd = folderOf(plugin);
  const own = join(cwd, "tsconfig.json");
  const hasOwn = (await stat(own).catch(() => undefined))?.isFile() ?? false;
  const { include: _include, compilerOptions } = tsconfig;
  const flags = Object.entries(compilerOptions).map(([key, value]) => `--${key}=${value}`);
  const args = hasOwn ? ["-p", own] : [...flags, plugin.path];
  const run = await runTool(["check", "--no-script", "--no-pretty", ...args], { cwd });
  const errors = `${run.out}\n${run.err}`
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /error TS\d+|^error/.test(line));
  if (run.code === 0 && errors.length === 0)
    return well(hasOwn ? "hold, by its tsconfig.json" : "hold, strictly");
  const said = errors.length > 0 ? errors : [run.err.trim().split("\n")[0] ?? "the check failed"];
  const { types } = await unpack();
  return wrong(
    ...said.slice(0, 20).flatMap((line) => [line, missingType(line, types) ?? []].flat()),
  );
}

/** Whether it is a plugin; of one that is, its hooks and its options. */
async function checkContract(
  { path }: Dropped,
  terminal: Terminal,
): Promise<{ contract: Said; hooks?: Said; options?: Said }> {
  let loaded: Awaited<ReturnType<typeof loadOwn>>;
  try {
    loaded = await loadOwn(path, terminal);
  } catch (error) {
    const fix = error instanceof MemoirError ? [error.fix] : [];
    return { contract: wrong(errorMessage(error), ...fix) };
  }
  const { plugin, source } = loaded;
  const can = slotsOf(plugin);
  const { home } = setupOf(terminal).paths;
  const { plugins } = await describePlugins(home, terminal.env);
  const other = plugins.find((one) => one.name === plugin.name && one.source !== source);
  const fills = can.length > 0 ? `slot ${can.join(", ")}` : "a listener";
  const contract = other
    ? wrong(
        `${other.source ?? "a built-in plugin"} is called ${plugin.name} too`,
        "Give this one another `name`.",
      )
    : well(`${plugin.name}, SDK ${plugin.sdk}, ${fills}`);
  const problems = (await loaded.check({})).problems.map(problemText);
  const advice = "Every option needs a default: the schema has to accept {}.";
  return {
    contract,
    hooks: checkHooks(plugin, can),
    ...(problems.length > 0 && { options: wrong(...problems, advice) }),
  };
}

function checkHooks(plugin: AnyPlugin, can: readonly Slot[]): Said {
  const hooks = declarations(plugin).map(({ hook }) => hook);
  const missing = can.flatMap((slot) => {
    const wanted = slots[slot].hooks.filter((hook) => !hooks.includes(hook));
    const isAll = slots[slot].mode === "exclusive" || wanted.length === slots[slot].hooks.length;
    return isAll && slot !== "endless-mode" && wanted.length > 0
      ? [`${slot} wants ${wanted.join(", ")}`]
      : [];
  });
  if (hooks.length === 0) return wrong("it hears nothing");
  return missing.length > 0 ? wrong(...missing) : well(hooks.join(", "));
}

/** Imports it in a process of its own and takes the time. What memoir hands it is there already, as in the server. */
function checkLoading(plugin: Dropped, nodeModules: string): Promise<Said> {
  const offered = entryNames
    .filter((name) => name !== "testing")
    .map((name) => join(nodeModules, "memoir", `${name}.js`));
  offered.push(join(nodeModules, "valibot", "index.js"));
  const own = folderOf(plugin);
  return inTempFolder("check", async (folder) => {
    const probe = join(folder, "probe.mjs");
    await writeFile(probe, probeScript(plugin.path, offered));
    const run = await runTool([probe], { cwd: own, timeoutMs: 15_000 });
    const line = run.out.split("\n").findLast((one) => one.startsWith("@"));
    if (line === undefined) {
      const said = run.err.split("\n").map((one) => one.trim());
      // Lines of code come before the message.
      const error = said.find((one) => /^\w*error\b/i.test(one)) ?? said.find(Boolean);
      return wrong(error ?? "its module ended the program while it was imported");
    }
    const { ms, files } = JSON.parse(line.slice(1)) as { ms: number; files: string[] };
    const packages = packagesIn(files);
    const owns = files.filter((file) => !file.includes("node_modules") && file.startsWith(own));
    const what = `${ms.toFixed(0)} ms, ${plural(owns.length, "file")}`;
    const about = packages.length > 0 ? `${what}, packages: ${packages.join(", ")}` : what;
    if (ms <= slowMs) return well(about);
    const advice =
      "That is slow: every start waits for it. Import large packages where they are used: `await import(…)`.";
    return { state: "warn" as const, lines: [about, advice] };
  }).catch((error: unknown) => wrong(errorMessage(error)));
}

function probeScript(plugin: string, offered: readonly string[]): string {
  return `for (const file of ${JSON.stringify(offered)}) await import(file).catch(() => undefined);
const loaded = () => new Set([...Object.keys(require.cache), ...(globalThis.Loader?.registry?.keys?.() ?? [])]);
const before = loaded();
const from = performance.now();
await import(${JSON.stringify(plugin)});
const ms = performance.now() - from;
const files = [...loaded()].filter((file) => !before.has(file));
console.log("\\n@" + JSON.stringify({ ms, files }));
process.exit(0);
`;
}

function packagesIn(files: readonly string[]): string[] {
  const names = files.flatMap((file) => {
    const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
    return name ? [name.replaceAll("\\", "/")] : [];
  });
  return [...new Set(names)].sort();
}
