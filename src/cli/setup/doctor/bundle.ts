// `memoir doctor --bundle`: what a bug report needs, without anything that was said, typed or remembered.
import { readdir, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import type { Check } from "../../../health/check.ts";
import type { Paths } from "../../../home/paths.ts";
import { readFileText } from "../../../home/read-file.ts";
import { version } from "../../../home/version.ts";
import { redactDeep } from "../../../privacy/redact.ts";
import { readConfigOrLast } from "../../../runtime/config/config.ts";
import type { ServerStatus } from "../../../server/schemas/status.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** Lines of each log that go into a report. */
const lastLines = 200;
/** Strings that say what a thing is; under any other name a string may be somebody's own words. */
const names: ReadonlySet<string> = new Set(
  "time level scope message code plugin hook slot kind state version reason client event name model".split(
    " ",
  ),
);
/** Of these not even the shape goes into a report. */
const left: ReadonlySet<string> = new Set([
  "projects",
  "silent",
  "session",
  "sessions",
  "home",
  "token",
]);

/** What `bundleOf` puts together; JSON. */
type Bundle = Readonly<Record<string, unknown>>;

/** The report: versions, config, checks, figures of the server, log lines without their words, sizes of files. */
export async function bundleOf(
  paths: Paths,
  checks: readonly Check[],
  status: ServerStatus | undefined,
  terminal: Terminal,
): Promise<Bundle> {
  const { set, problems } = await readConfigOrLast(paths.home);
  const bundle = {
    made: new Date(terminal.now()).toISOString(),
    memoir: version,
    runs: {
      ...(process.versions.bun && { bun: process.versions.bun }),
      platform: terminal.platform,
      arch: process.arch,
    },
    config: withoutRules(set),
    problems,
    // The last session's title is somebody's own words.
    checks: checks.filter(({ name }) => name !== "last").map(withoutThrown),
    status: status ? figuresOf(status) : "not running",
    files: await sizesOf(paths.home),
    log: await linesOf(paths.log),
    hookLog: await linesOf(paths.hookLog),
  };
  return withoutHome(redactDeep(bundle).value, paths.home, terminal) as Bundle;
}

/** What a plugin threw may quote what it stumbled over. */
function withoutThrown(check: Check): Check {
  const message = check.message.replace(
    /(failed in [\w.:-]+|cannot be loaded): ([\s\S]*?)(?= \([^()]*:\d+:\d+\)| \(\d+ of \d+ calls\)|$)/g,
    (_, what: string, thrown: string) => `${what}: [${thrown.length} characters]`,
  );
  return { ...check, message };
}

/** Rules of redaction may say what must not be said. */
function withoutRules({ privacy, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return privacy === undefined ? rest : { ...rest, privacy: "[left out]" };
}

/** A value with its numbers and names; every other string is replaced by its length. */
export function figuresOf(value: unknown, key = ""): unknown {
  if (typeof value === "string")
    return names.has(key) && value.length <= 120 && !/\s{2}|\n/.test(value) && isName(value, key)
      ? value
      : `[${value.length} characters]`;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => figuresOf(item, key));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !left.has(name) && /^[\w.:-]{1,60}$/.test(name))
      .map(([name, item]) => [name, figuresOf(item, name)]),
  );
}

/** A log's own message is a sentence of memoir's; everything else that is a name has no blanks. */
const isName = (value: string, key: string): boolean =>
  key === "message" ? !/["'`:]/.test(value) : /^[\w.:@/+-]*$/.test(value);

async function linesOf(path: string): Promise<unknown[]> {
  const text = await readFileText(path).catch(() => "");
  return text
    .trimEnd()
    .split("\n")
    .slice(-lastLines)
    .flatMap((line) => {
      try {
        const { error, ...record } = JSON.parse(line) as Record<string, unknown>;
        // An error's message may quote what it stumbled over; its code may not.
        return [figuresOf(error === undefined ? record : { ...record, error: figuresOf(error) })];
      } catch {
        return line === "" ? [] : [`[${line.length} characters]`];
      }
    });
}

/** Bytes of each file of the home, and of each folder of it together; names of files inside of folders stay out. */
async function sizesOf(home: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(home, { withFileTypes: true }).catch(() => [])) {
    const path = join(home, entry.name);
    sizes[entry.isDirectory() ? `${entry.name}/` : entry.name] = entry.isDirectory()
      ? await sizeOfFolder(path)
      : ((await stat(path).catch(() => undefined))?.size ?? 0);
  }
  return sizes;
}

async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name))
        .then(({ size }) => size)
        .catch(() => 0),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** A person's name stands in the path of the home. */
function withoutHome(value: unknown, home: string, { env }: Terminal): unknown {
  const folders = [home, env.HOME, env.USERPROFILE].filter(
    (folder) => folder !== undefined && folder.length > 1,
  );
  let text = JSON.stringify(value);
  for (const [at, folder] of folders.entries())
    text = text.replaceAll(JSON.stringify(folder).slice(1, -1), at === 0 ? "<home>" : "~");
  return JSON.parse(text);
}

/**
 * Prints the report, then writes it to `file`, where one is named, after asking where somebody is there to answer. Gives
 * 0, also when the answer is no.
 */
export async function giveBundle(
  bundle: Bundle,
  file: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const text = JSON.stringify(bundle, null, 2);
  terminal.print(text);
  if (file === undefined) return 0;
  if (terminal.interactive && !(await terminal.confirm(`Write this to ${file}?`))) return 0;
  await writeFile(resolve(terminal.cwd, file), `${text}\n`, { mode: 0o600, flag: "wx" });
  terminal.warn(`Written to ${file}. Look it through before you send it.`);
  return 0;
}
