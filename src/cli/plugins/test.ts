// `memoir plugin test`: the promises of the plugin's slot, then its author's own tests, in processes of their own.
import { readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Dropped } from "../../runtime/plugins/find.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { SuiteReport } from "../../testing/run-suite.ts";
import { inTempFolder } from "../temp-folder.ts";
import { fit, wrap } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { findOwn, folderOf, loadOwn, prepareForPlugins } from "./find-plugin.ts";
import { runTool } from "./toolchain.ts";

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
  const { bold, dim, green, red, yellow } = terminal.colors;
  const say = options.json ? () => {} : terminal.print;

  const suite = printable(await runSuiteOf(plugin, paths.nodeModules));
  if (suite.slots.length === 0) say(dim("It fills no slot: there are no promises to keep."));
  else {
    const kept = `${suite.passed} kept${suite.failed > 0 ? `, ${suite.failed} broken` : ""}${suite.skipped.length > 0 ? `, ${suite.skipped.length} do not apply` : ""}`;
    say(
      `${suite.failed > 0 ? red("✗") : green("✓")} ${bold(`promises of ${suite.slots.join(", ")}`)}: ${kept}`,
    );
    for (const { name: promise, message } of suite.failures) {
      say(red(`  ✗ ${promise}`));
      for (const line of wrap(message, terminal.width, "      ")) say(line);
    }
    for (const { name: promise, reason } of suite.skipped)
      say(dim(`  – ${promise}: does not apply: ${reason}`));
    for (const { name: promise, warning } of suite.warnings)
      say(yellow(`  ! ${promise}: ${fit(warning, 160)}`));
  }

  const tests = await ownTests(plugin);
  let code = 0;
  let output = "";
  if (tests.length === 0)
    say(
      dim(
        `It has no tests of its own (${plugin.folder === undefined ? plugin.name : "index"}.test.ts).`,
      ),
    );
  else {
    const run = await runTool(["test", "--timeout", "30000", ...tests], { cwd: folderOf(plugin) });
    code = run.code;
    output = printable(`${run.err}\n${run.out}`).trim();
    // Bun gives each count a line, Deno all of them one.
    const counts = [...output.matchAll(/(?:^\s*|\| )(\d+) (pass|fail|skip)(?:ed|$|(?= ))/gm)].map(
      ([, n, what]) => `${n} ${what}`,
    );
    say(
      `${code === 0 ? green("✓") : red("✗")} ${bold("its own tests")}: ${counts.join(", ") || "none ran"}`,
    );
    if (code !== 0) for (const line of output.split("\n")) say(`  ${line}`);
  }
  const ok = suite.failed === 0 && code === 0;
  if (options.json)
    terminal.print(
      JSON.stringify({ ok, plugin: plugin.name, suite, tests: { files: tests, code, output } }),
    );
  return ok ? 0 : 1;
}

/** Test files beside the plugin: all of its folder, or the one that bears its name. */
async function ownTests({ name, folder, path }: Dropped): Promise<string[]> {
  const at = folder ?? folderOf({ name, path });
  const entries = await readdir(at, { recursive: folder !== undefined }).catch(() => []);
  return entries
    .filter((entry) => /\.(test|spec)\.(ts|js|mjs)$/.test(entry) && !/node_modules/.test(entry))
    .filter((entry) => folder !== undefined || basename(entry).startsWith(`${name}.`))
    .map((entry) => join(at, entry))
    .sort();
}

/** Runs the suite in a process of its own, where a plugin that never ends, or ends the process, does no harm. */
function runSuiteOf(plugin: Dropped, nodeModules: string): Promise<SuiteOutcome> {
  return inTempFolder("suite", async (folder) => {
    const script = join(folder, "suite.mjs");
    await writeFile(script, suiteScript(plugin.path, join(nodeModules, "memoir", "testing.js")));
    const run = await runTool([script], { cwd: folderOf(plugin), timeoutMs: 300_000 });
    const line = run.out.split("\n").findLast((one) => one.startsWith("@suite "));
    if (line !== undefined) return JSON.parse(line.slice("@suite ".length)) as SuiteOutcome;
    const said = run.err
      .trim()
      .split("\n")
      .filter((one) => one.trim() !== "");
    const error = said.find((one) => /error/i.test(one)) ?? said[0] ?? `it ended with ${run.code}`;
    const at = said.find((one) => one.includes(plugin.path) || one.includes(folderOf(plugin)));
    throw new MemoirError(
      "plugin_test",
      `The plugin did not get through its suite: ${error.trim()}${at && at !== error ? ` (${at.trim()})` : ""}`,
    );
  });
}

function suiteScript(plugin: string, testing: string): string {
  return `// Written by \`memoir plugin test\`.
import plugin from ${JSON.stringify(plugin)};
import { runSuite } from ${JSON.stringify(testing)};
const report = await runSuite(plugin, { source: ${JSON.stringify(plugin)} });
const failures = report.failures.map(({ slot, name, message }) => ({ slot, name, message }));
const slots = [plugin.slot ?? []].flat();
console.log("\\n@suite " + JSON.stringify({ ...report, slots, failures }));
process.exit(0);
`;
}
