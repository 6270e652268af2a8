// `memoir plugin check`: does a plugin's code hold what its types say, is it a plugin, and does it load quickly?
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../home/describe-error.ts";
import { prepareHome } from "../../home/make-home.ts";
import { userHome } from "../../home/paths.ts";
import { builtins } from "../../runtime/builtins.ts";
import { problemText } from "../../runtime/config/config.ts";
import { declarations, slotsOf } from "../../runtime/hooks/subscription.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import type { Dropped } from "../../runtime/plugins/dropped-in.ts";
import { entryNames } from "../../runtime/plugins/entry-names.ts";
import { missingType } from "../../runtime/plugins/import-plugin.ts";
import { loadPlugin } from "../../runtime/plugins/load-plugin.ts";
import { unpack } from "../../runtime/plugins/packed.ts";
import { publishSdk } from "../../runtime/plugins/sdk-module.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { slots } from "../../sdk/plugin.ts";
import { setupOf } from "../setup/setup.ts";
import { wrap } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { writeEditorTypes } from "./editor-types.ts";
import { findOwn, folderOf } from "./find-plugin.ts";
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
  if (options.json) {
    terminal.print(
      JSON.stringify({ ok: !failed, plugin: plugin.name, path: plugin.path, findings }),
    );
    return failed ? 1 : 0;
  }
  const { green, yellow, red } = terminal.colors;
  for (const { what, state, lines } of findings) {
    const mark = { ok: green("✓"), warn: yellow("!"), fail: red("✗") }[state];
    const wrapped = lines.flatMap((line) => wrap(line, terminal.width, " ".repeat(12)));
    for (const [at, line] of wrapped.entries())
      terminal.print(at === 0 ? `${mark} ${what.padEnd(10)}${line.trimStart()}` : line);
  }
  return failed ? 1 : 0;
}

/** Everything that can be said of a plugin without running its hooks. */
async function findingsOf(plugin: Dropped, terminal: Terminal): Promise<Finding[]> {
  const { paths } = setupOf(terminal);
  await prepareHome(paths, terminal.env);
  await publishSdk(paths);
  await writeEditorTypes(paths);
  const [types, loading, contract] = await Promise.all([
    checkTypes(plugin),
    checkLoading(plugin, paths.nodeModules),
    checkContract(plugin, paths.home, terminal.env),
  ]);
  return [types, ...contract, loading];
}

async function checkTypes(plugin: Dropped): Promise<Finding> {
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
    return {
      what: "types",
      state: "ok",
      lines: [hasOwn ? "hold, by its tsconfig.json" : "hold, strictly"],
    };
  const said = errors.length > 0 ? errors : [run.err.trim().split("\n")[0] ?? "the check failed"];
  const { types } = await unpack();
  const lines = said.slice(0, 20).flatMap((line) => [line, missingType(line, types) ?? []].flat());
  return { what: "types", state: "fail", lines };
}

async function checkContract(
  plugin: Dropped,
  home: string,
  env: Terminal["env"],
): Promise<Finding[]> {
  let loaded: Awaited<ReturnType<typeof loadPlugin>>;
  try {
    loaded = await loadPlugin(plugin.path, builtins, { home, userHome: userHome(env) });
  } catch (error) {
    const fix = error instanceof MemoirError ? [error.fix] : [];
    return [{ what: "contract", state: "fail", lines: [errorMessage(error), ...fix] }];
  }
  const { plugin: is } = loaded;
  const can = slotsOf(is);
  const findings: Finding[] = [
    {
      what: "contract",
      state: "ok",
      lines: [
        `${is.name}, SDK ${is.sdk}, ${can.length > 0 ? `slot ${can.join(", ")}` : "a listener"}`,
      ],
    },
  ];
  const { plugins } = await describePlugins(home, env);
  const other = plugins.find((one) => one.name === is.name && one.source !== loaded.source);
  if (other)
    findings[0] = {
      what: "contract",
      state: "fail",
      lines: [
        `${other.source ?? "a built-in plugin"} is called ${is.name} too`,
        "Give this one another `name`.",
      ],
    };
  const hooks = declarations(is).map(({ hook }) => hook);
  const missing = can.flatMap((slot) => {
    const wanted = slots[slot].hooks.filter((hook) => !hooks.includes(hook));
    const isAll = slots[slot].mode === "exclusive" || wanted.length === slots[slot].hooks.length;
    return isAll && slot !== "endless-mode" && wanted.length > 0
      ? [`${slot} wants ${wanted.join(", ")}`]
      : [];
  });
  if (hooks.length === 0)
    findings.push({ what: "hooks", state: "fail", lines: ["it hears nothing"] });
  else if (missing.length > 0) findings.push({ what: "hooks", state: "fail", lines: missing });
  else findings.push({ what: "hooks", state: "ok", lines: [hooks.join(", ")] });
  const problems = (await loaded.check({})).problems.map(problemText);
  if (problems.length > 0)
    findings.push({
      what: "options",
      state: "fail",
      lines: [...problems, "Every option needs a default: the schema has to accept {}."],
    });
  return findings;
}

/** Imports it in a process of its own and takes the time. What memoir hands it is there already, as in the server. */
async function checkLoading(plugin: Dropped, nodeModules: string): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-check-"));
  try {
    const probe = join(folder, "probe.mjs");
    const offered = entryNames
      .filter((name) => name !== "testing")
      .map((name) => join(nodeModules, "memoir", `${name}.js`));
    offered.push(join(nodeModules, "valibot", "index.js"));
    await writeFile(
      probe,
      `for (const file of ${JSON.stringify(offered)}) await import(file).catch(() => undefined);
const loaded = () => new Set([...Object.keys(require.cache), ...(globalThis.Loader?.registry?.keys?.() ?? [])]);
const before = loaded();
const from = performance.now();
await import(${JSON.stringify(plugin.path)});
const ms = performance.now() - from;
const files = [...loaded()].filter((file) => !before.has(file));
console.log("\\n@" + JSON.stringify({ ms, files }));
process.exit(0);
`,
    );
    const run = await runTool([probe], { cwd: folderOf(plugin), timeoutMs: 15_000 });
    const line = run.out.split("\n").findLast((one) => one.startsWith("@"));
    if (line === undefined) {
      const said = run.err
        .split("\n")
        .map((one) => one.trim())
        .filter((one) => one !== "");
      // Lines of code come before the message.
      const error = said.find((one) => /^\w*error\b/i.test(one)) ?? said[0];
      const lines = [error ?? "its module ended the program while it was imported"];
      return { what: "loading", state: "fail", lines };
    }
    const { ms, files } = JSON.parse(line.slice(1)) as { ms: number; files: string[] };
    const packages = packagesIn(files);
    const own = files.filter(
      (file) => !file.includes("node_modules") && file.startsWith(folderOf(plugin)),
    );
    const what = `${ms.toFixed(0)} ms, ${own.length === 1 ? "1 file" : `${own.length} files`}`;
    const lines = [packages.length > 0 ? `${what}, packages: ${packages.join(", ")}` : what];
    if (ms > slowMs)
      lines.push(
        "That is slow: every start waits for it. Import large packages where they are used: `await import(…)`.",
      );
    return { what: "loading", state: ms > slowMs ? "warn" : "ok", lines };
  } catch (error) {
    return { what: "loading", state: "fail", lines: [errorMessage(error)] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function packagesIn(files: readonly string[]): string[] {
  const names = files.flatMap((file) => {
    const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
    return name ? [name.replaceAll("\\", "/")] : [];
  });
  return [...new Set(names)].sort();
}
