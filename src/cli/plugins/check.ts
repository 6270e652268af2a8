// `memoir plugin check` and `test`: does a plugin's code hold what its types say, is it a plugin, does it load quickly, does it keep the
// promises of its slot, and do its author's own tests pass? Its code runs in processes of its own.

import { mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { errorMessage } from "../../home/describe-error.ts";
import { problemText } from "../../runtime/config/config.ts";
import { partsOf } from "../../runtime/hooks/parts.ts";
import { declarations, slotsOf } from "../../runtime/hooks/subscription.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import type { Dropped } from "../../runtime/plugins/find.ts";
import { missingType } from "../../runtime/plugins/import-plugin.ts";
import { broughtBy, type LoadedPlugin } from "../../runtime/plugins/load-plugin.ts";
import { entryNames, unpack } from "../../runtime/plugins/packed.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type AnyPlugin, type Slot, slots } from "../../sdk/plugin.ts";
import type { SuiteReport } from "../../testing/suites.ts";
import { plural } from "../../text/text.ts";
import { commandClash } from "../commands/contributed.ts";
import { commands } from "../commands/index.ts";
import { setupOf } from "../setup/setup.ts";
import { fit, printable, wrap } from "../terminal/layout.ts";
import { answer, markOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { tsconfig } from "./new.ts";
import {
  findOwn,
  folderOf,
  loadOwn,
  prepareForPlugins,
  runTool,
  writeEditorTypes,
} from "./own-plugin.ts";

interface Finding {
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
  const paths = await prepareForPlugins(terminal);
  await writeEditorTypes(paths);
  const [types, loading, contract] = await Promise.all([
    checkTypes(plugin, paths.nodeModules),
    checkLoading(plugin, paths.nodeModules),
    checkContract(plugin, terminal),
  ]);
  const findings = printable([types, ...contract, loading]);
  const failed = findings.some(({ state }) => state === "fail");
  const report = { ok: !failed, plugin: plugin.name, path: plugin.path, findings };
  const lines = () =>
    findings.flatMap(({ what, state, lines }) => {
      const [first = "", ...rest] = lines.flatMap((line) =>
        wrap(line, terminal.width, " ".repeat(12)),
      );
      return [`${markOf(state, terminal)} ${what.padEnd(10)}${first.trimStart()}`, ...rest];
    });
  return answer(terminal, options, report, lines, failed ? 1 : 0);
}

const well = (what: Finding["what"], ...lines: string[]): Finding => ({ what, state: "ok", lines });
const wrong = (what: Finding["what"], ...lines: string[]): Finding => ({
  ...{ what, state: "fail", lines },
});

async function checkTypes(plugin: Dropped, nodeModules: string): Promise<Finding> {
  const cwd = folderOf(plugin);
  const own = join(cwd, "tsconfig.json");
  const ownText = await readFile(own, "utf8").catch(() => undefined);
  const hasOwn = ownText !== undefined;
  // The type checker passes over JavaScript, unless it is asked for.
  if (/\.m?js$/.test(plugin.path) && !/"checkJs"\s*:\s*true/.test(ownText ?? ""))
    return well("types", `not checked: ${basename(plugin.path)} is JavaScript`);
  await using place = await mkdtempDisposable(join(tmpdir(), "memoir-types-"));
  const strict = join(place.path, "tsconfig.json");
  // A plugin elsewhere than in the home has none of what memoir wrote there above it.
  const typeRoots = [join(nodeModules, "@types")];
  const paths = {
    "memoir/*": [join(nodeModules, "memoir/*")],
    valibot: [join(nodeModules, "valibot")],
  };
  const compilerOptions = { ...tsconfig.compilerOptions, typeRoots, paths };
  await writeFile(strict, JSON.stringify({ compilerOptions, files: [plugin.path] }));
  const args = ["check", "--no-script", "--no-pretty", "--typeRoots", ...typeRoots];
  const run = await runTool([...args, "-p", hasOwn ? own : strict, plugin.path], { cwd });
  const errors = linesOf(`${run.out}\n${run.err}`).filter((line) =>
    /error TS\d+|^error|^TS\d+ \[ERROR\]/.test(line),
  );
  if (run.code === 0 && errors.length === 0)
    return well("types", hasOwn ? "correct, by its tsconfig.json" : "correct, in strict mode");
  const said = errors.length > 0 ? errors : [linesOf(run.err)[0] ?? "the check failed"];
  const { types } = await unpack();
  const explained = said.slice(0, 20).map((line) => [line, missingType(line, types) ?? []]);
  return wrong("types", ...explained.flat(2));
}

/** Whether it is a plugin; of one that is, its hooks and its options. */
async function checkContract({ path }: Dropped, terminal: Terminal): Promise<Finding[]> {
  let loaded: LoadedPlugin;
  try {
    loaded = await loadOwn(path, terminal);
  } catch (error) {
    const fix = error instanceof MemoirError ? [error.fix] : [];
    return [wrong("contract", errorMessage(error), ...fix)];
  }
  const { plugin, source } = loaded;
  const can = slotsOf(plugin);
  const { home } = setupOf(terminal).paths;
  const { plugins } = await describePlugins(home, terminal.env);
  const other = plugins.find((one) => one.name === plugin.name && one.source !== source);
  const fills = can.length > 0 ? `slot ${can.join(", ")}` : "a listener";
  const found = [
    other
      ? wrong(
          "contract",
          `${other.source ?? "a built-in plugin"} is called ${plugin.name} too`,
          "Give this one another `name`.",
        )
      : well("contract", `${plugin.name}, SDK ${plugin.sdk}, ${fills}`),
    checkHooks(plugin, can),
  ];
  const doors = Object.values(plugin.operations ?? {}).flatMap((one) => one.for);
  const clash = doors.includes("command") ? commandClash(plugin.name, commands) : undefined;
  if (clash) found.push({ what: "contract", state: "warn", lines: [clash] });
  const problems = (await loaded.check({})).problems.map(problemText);
  const advice = "Every option needs a default: the schema has to accept {}.";
  return problems.length > 0 ? [...found, wrong("options", ...problems, advice)] : found;
}

function checkHooks(plugin: AnyPlugin, can: readonly Slot[]): Finding {
  const hooks = declarations(plugin).map(({ hook }) => hook);
  const all = [...hooks, ...partsOf(plugin).map(({ part }) => part), ...broughtBy(plugin)];
  if (all.length === 0) return wrong("hooks", "it has no hook");
  const missing = can.flatMap((slot) => {
    const wanted = slots[slot].hooks.filter((hook) => !hooks.includes(hook));
    const isAll = slots[slot].mode === "exclusive" || wanted.length === slots[slot].hooks.length;
    return isAll && slot !== "endless-mode" && wanted.length > 0
      ? [`${slot} needs ${wanted.join(", ")}`]
      : [];
  });
  return missing.length > 0 ? wrong("hooks", ...missing) : well("hooks", all.join(", "));
}

/** Imports it and takes the time. What memoir hands it is there already, as in the server. */
async function checkLoading(plugin: Dropped, nodeModules: string): Promise<Finding> {
  const offered = entryNames
    .filter((name) => name !== "testing")
    .map((name) => join(nodeModules, "memoir", `${name}.js`));
  offered.push(join(nodeModules, "valibot", "index.js"));
  const own = folderOf(plugin);
  try {
    const { answer, said } = await runScript<{ ms: number; files: string[] }>(
      plugin,
      loadingScript(plugin.path, offered),
      { timeoutMs: 15_000, imports: nodeModules },
    );
    if (!answer) {
      // Lines of code come before the message.
      const error = said.find((one) => /^\w*error\b/i.test(one)) ?? said[0];
      return wrong("loading", error ?? "its module ended the program while it was imported");
    }
    const { ms, files } = answer;
    const packages = packagesIn(files);
    const owns = files.filter((file) => !file.includes("node_modules") && file.startsWith(own));
    const what = `${ms.toFixed(0)} ms, ${plural(owns.length, "file")}`;
    const about = packages.length > 0 ? `${what}, packages: ${packages.join(", ")}` : what;
    if (ms <= slowMs) return well("loading", about);
    const advice =
      "That is slow: every start waits for it. Import large packages where they are used: `await import(…)`.";
    return { what: "loading", state: "warn", lines: [about, advice] };
  } catch (error) {
    return wrong("loading", errorMessage(error));
  }
}

function loadingScript(plugin: string, offered: readonly string[]): string {
  return `for (const file of ${JSON.stringify(offered)}) await import(file).catch(() => undefined);
const loaded = () => new Set([...Object.keys(typeof require === "undefined" ? {} : require.cache), ...(globalThis.Loader?.registry?.keys?.() ?? [])]);
const before = loaded();
const from = performance.now();
await import(${JSON.stringify(plugin)});
const ms = performance.now() - from;
const answer = { ms, files: [...loaded()].filter((file) => !before.has(file)) };`;
}

function packagesIn(files: readonly string[]): string[] {
  const names = files.flatMap((file) => {
    const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
    return name ? [name.replaceAll("\\", "/")] : [];
  });
  return [...new Set(names)].sort();
}

/** Runs a script that makes an `answer` in a process of its own, where a plugin that never ends, or ends the process, does no harm. */
async function runScript<Answer>(
  plugin: Dropped,
  script: string,
  options: { timeoutMs: number; imports: string },
) {
  await using place = await mkdtempDisposable(join(tmpdir(), "memoir-plugin-"));
  const file = join(place.path, "script.mjs");
  const last = `console.log("\\n@answer " + JSON.stringify(answer));\nprocess.exit(0);\n`;
  await writeFile(file, `// Written by memoir.\n${script}\n${last}`);
  const { code, out, err } = await runTool([file], { cwd: folderOf(plugin), ...options });
  const mark = "@answer ";
  const line = out.split("\n").findLast((one) => one.startsWith(mark));
  const answer = line === undefined ? undefined : (JSON.parse(line.slice(mark.length)) as Answer);
  return { answer, code, said: linesOf(err) };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

// test

/** What the suite of the plugin's slots came to. */
interface SuiteOutcome extends SuiteReport {
  slots: string[];
}

/** Prints the outcome. Gives 1 when something failed. */
export async function testPlugin(
  name: string | undefined,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const plugin = await findOwn(name, terminal);
  const paths = await prepareForPlugins(terminal);
  // What is no plugin keeps no promises: it is said in one sentence instead of twenty.
  await loadOwn(plugin.path, terminal);
  const say = options.json ? () => {} : terminal.print;
  const suite = printable(await runSuiteOf(plugin, paths.nodeModules));
  for (const line of suiteLines(suite, terminal)) say(line);
  const tests = await runOwnTests(plugin, paths.nodeModules);
  for (const line of testLines(plugin, tests, terminal)) say(line);
  const ok = suite.failed === 0 && tests.code === 0;
  const report = { ok, plugin: plugin.name, suite, tests };
  return answer(terminal, options, report, () => [], ok ? 0 : 1);
}

function suiteLines(suite: SuiteOutcome, { colors, width }: Terminal): string[] {
  const { bold, dim, red, yellow } = colors;
  const { slots: filled, passed, failed, skipped, failures, warnings } = suite;
  if (filled.length === 0)
    return [dim("A listener promises nothing; `memoir plugin dev` tries it on a recording.")];
  const counts = [
    `${passed} kept`,
    failed > 0 && `${failed} broken`,
    skipped.length > 0 && `${skipped.length} not applicable`,
  ].filter(Boolean);
  return [
    `${okMark(failed === 0, colors)} ${bold(`promises of ${filled.join(", ")}`)}: ${counts.join(", ")}`,
    ...failures.flatMap(({ name, message }) => [
      red(`  ✗ ${name}`),
      ...wrap(message, width, "      "),
    ]),
    ...[...Map.groupBy(skipped, ({ reason }) => reason)].flatMap(([reason, all]) =>
      all.length > 3
        ? dim(`  – ${all.length} not applicable: ${reason}`)
        : all.map(({ name }) => dim(`  – ${name}: not applicable: ${reason}`)),
    ),
    ...warnings.map(({ name, warning }) => yellow(`  ! ${name}: ${fit(warning, 160)}`)),
  ];
}

function okMark(isOk: boolean, { green, red }: Terminal["colors"]): string {
  return isOk ? green("✓") : red("✗");
}

async function runSuiteOf(plugin: Dropped, nodeModules: string): Promise<SuiteOutcome> {
  const { answer, code, said } = await runScript<SuiteOutcome>(
    plugin,
    suiteScript(plugin.path, join(nodeModules, "memoir", "testing.js")),
    { timeoutMs: 300_000, imports: nodeModules },
  );
  if (answer) return answer;
  const error = said.find((one) => /error/i.test(one)) ?? said[0] ?? `it ended with ${code}`;
  const at = said.find((one) => one.includes(plugin.path) || one.includes(folderOf(plugin)));
  throw new MemoirError(
    "plugin_test",
    `The plugin's suite did not finish: ${error}${at && at !== error ? ` (${at})` : ""}`,
  );
}

function suiteScript(plugin: string, testing: string): string {
  return `import plugin from ${JSON.stringify(plugin)};
import { runSuite } from ${JSON.stringify(testing)};
const report = await runSuite(plugin, { source: ${JSON.stringify(plugin)} });
const failures = report.failures.map(({ slot, name, message }) => ({ slot, name, message }));
const { of: slots, ...rest } = report;
const answer = { ...rest, slots, failures };`;
}

interface OwnTests {
  files: string[];
  code: number;
  output: string;
}

/** Runs the test files beside the plugin: all of its folder, or the one that bears its name. */
async function runOwnTests(plugin: Dropped, imports: string): Promise<OwnTests> {
  const { name, folder } = plugin;
  const cwd = folderOf(plugin);
  const entries = await readdir(cwd, { recursive: folder !== undefined }).catch(() => []);
  const files = entries
    .filter((entry) => /\.(test|spec)\.(ts|js|mjs)$/.test(entry) && !/node_modules/.test(entry))
    .filter((entry) => folder !== undefined || basename(entry).startsWith(`${name}.`))
    .map((entry) => join(cwd, entry))
    .sort();
  if (files.length === 0) return { files, code: 0, output: "" };
  const { code, out, err } = await runTool(["test", "--timeout", "30000", ...files], {
    cwd,
    imports,
  });
  return { files, code, output: withoutOurs(printable(`${err}\n${out}`)) };
}

/** Without the lines of memoir's own packed code, which stand before the author's. */
export function withoutOurs(output: string): string {
  const isOurs = (line: string) =>
    /^\s*at .*[\\/]node_modules[\\/]memoir[\\/]own[\\/]/.test(line) ||
    (/^\d+ \| /.test(line) && line.length > 400);
  return output
    .split("\n")
    .filter((line) => !isOurs(line))
    .join("\n")
    .trim();
}

function testLines(
  plugin: Dropped,
  { files, code, output }: OwnTests,
  { colors }: Terminal,
): string[] {
  const beside = plugin.folder === undefined ? plugin.name : "index";
  if (files.length === 0) return [colors.dim(`It has no tests of its own (${beside}.test.ts).`)];
  // Bun gives each count a line, Deno all of them one.
  const counts = [...output.matchAll(/(?:^\s*|\| )(\d+) (pass|fail|skip)(?:ed|$|(?= ))/gm)].map(
    ([, n, what]) => `${n} ${what}`,
  );
  const head = `${okMark(code === 0, colors)} ${colors.bold("its own tests")}: ${counts.join(", ") || "none ran"}`;
  return [head, ...(code === 0 ? [] : output.split("\n").map((line) => `  ${line}`))];
}
