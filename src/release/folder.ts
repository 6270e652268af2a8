// Makes the folder of a release: binaries, what describes them, packages for each way to get them, and the list of all.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { npmName, ofVersion, releaseAddress, releaseKeys } from "../install/release-source.ts";
import { type Built, compileAll } from "./build.ts";
import { isHere, programProblem, readSums, sha256 } from "./check.ts";
import { isSigned } from "./code-signing.ts";
import { git, type ReleaseFacts } from "./facts.ts";
import {
  type Common,
  type Entry,
  formula,
  gzip,
  launcherName,
  launcherPackage,
  packageFile,
  platformName,
  platformPackage,
  tarball,
} from "./package-managers.ts";
import { sbom } from "./packages.ts";
import { type Target, targets } from "./targets.ts";

const root = resolve(import.meta.dir, "../..");

/** What a release is made of. */
interface Making {
  outdir: string;
  /** The section of CHANGELOG.md. */
  notes: string;
  wanted: readonly Target[];
  facts: ReleaseFacts;
  address: string;
  say(text: string): void;
}

/** Makes the folder: binaries, what describes them, packages, the list of all. Rejects at the first thing that is wrong. */
export async function makeFolder({
  outdir,
  notes,
  wanted,
  facts,
  address,
  say,
}: Making): Promise<void> {
  const sums = new Map<string, string>();
  const put = async (file: string, content: Uint8Array | string): Promise<void> => {
    await writeFile(join(outdir, file), content);
    sums.set(file, sha256(content));
  };
  let made = 0;
  const built = await compileAll(
    wanted.map((target) => ({ file: target.file, target })),
    outdir,
    async (path, target) => {
      const bytes = await readFile(path);
      const problem = target && programProblem(bytes, target);
      if (problem !== undefined) throw new Error(`${relative(outdir, path)}: ${problem}`);
      sums.set(relative(outdir, path), sha256(bytes));
      await put(`${relative(outdir, path)}.gz`, gzip(bytes));
      made += 1;
      say(`${made} of ${wanted.length}, ${target?.name}: ${megabytes(bytes)}`);
    },
  );
  for (const target of wanted.filter(isHere)) checkRunning(join(outdir, target.file), facts, built);
  await put("NOTICE", built.notice);
  await put("memoir.cdx.json", sbom(built.packages, facts));
  await put("NOTES.md", notes);
  if (["linux-x64", "linux-arm64"].every((of) => wanted.some(({ name }) => name === of)))
    await put("Dockerfile", await text("src/release/Dockerfile"));
  else say("Dockerfile is left out: it needs both Linux binaries");
  const common = await inPackages(facts, built.notice);
  for (const target of wanted) {
    const binary = await readFile(join(outdir, target.file));
    await put(
      packageFile(platformName(target), facts.version),
      platformPackage(target, binary, common),
    );
  }
  await put(packageFile(launcherName, facts.version), launcherPackage(wanted, common));
  await put("memoir-claude-plugin.tar.gz", await pluginArchive(facts.seconds));
  if (npmName === "")
    say("the npm packages are for a trial: npmName in src/install/release-source.ts is not set");
  if (address === "")
    say("memoir.rb is left out: releaseAddress in src/install/release-source.ts is not set");
  else if (wanted.length < targets.length) say("memoir.rb is left out: it needs all binaries");
  else
    await put(
      "memoir.rb",
      formula({ version: facts.version, address: ofVersion(address, facts.version), sums }),
    );
  await writeList(outdir, facts, sums);
}

/** What every npm package holds and says. */
async function inPackages(facts: ReleaseFacts, notice: string): Promise<Common> {
  const { repository } = manifest as { repository?: unknown };
  const [readme, license] = await Promise.all([text("README.md"), text("LICENSE")]);
  const texts = { "README.md": readme, LICENSE: license, NOTICE: notice };
  const entries = Object.entries(texts).map(([path, content]): Entry => ({ path, content }));
  return { ...facts, repository, texts: entries };
}

function headOf({ version, day, commit }: ReleaseFacts): string {
  return `# memoir ${version} ${day} ${commit}`;
}

async function writeList(
  outdir: string,
  facts: ReleaseFacts,
  sums: ReadonlyMap<string, string>,
): Promise<void> {
  const lines = [...sums]
    .map(([file, sum]) => `${sum}  ${file}\n`)
    .sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
  await writeFile(join(outdir, "SHA256SUMS"), `${headOf(facts)}\n${lines.join("")}`);
}

/**
 * Has the Windows programs of a release signed that nobody signed yet, and makes anew what holds them: the compressed ones, npm's
 * packages and the list. Gives each program, and whether it is signed now. Rejects for a release of another commit than `facts`.
 */
export async function signPrograms(
  outdir: string,
  facts: ReleaseFacts,
  sign: (program: Uint8Array, file: string) => Promise<Uint8Array>,
): Promise<Map<string, boolean>> {
  const list = await readFile(join(outdir, "SHA256SUMS"), "utf8");
  if (list.split("\n", 1)[0] !== headOf(facts))
    throw new Error(`${outdir} is not of this checkout: ${headOf(facts).slice(2)}`);
  const sums = readSums(list);
  const common = await inPackages(facts, await readFile(join(outdir, "NOTICE"), "utf8"));
  const done = new Map<string, boolean>();
  for (const target of targets.filter(({ os, file }) => os === "win32" && sums.has(file))) {
    const unsigned = await readFile(join(outdir, target.file));
    const program = isSigned(unsigned) ? unsigned : await sign(unsigned, target.file);
    done.set(target.file, isSigned(program));
    if (program === unsigned) continue;
    const held: Array<[file: string, content: Uint8Array]> = [
      [target.file, program],
      [`${target.file}.gz`, gzip(program)],
      [packageFile(platformName(target), facts.version), platformPackage(target, program, common)],
    ];
    for (const [file, content] of held) {
      await writeFile(join(outdir, file), content);
      sums.set(file, sha256(content));
    }
  }
  await writeList(outdir, facts, sums);
  return done;
}

/** What Claude Code reads of the repository: a marketplace of one plugin. Unpacked, it is a repository of its own. */
async function pluginArchive(seconds: number): Promise<Uint8Array> {
  const paths = git(root, "ls-files", ".claude-plugin", "hooks").split("\n");
  const entries = await Promise.all(
    paths.map(async (path): Promise<Entry> => ({ path, content: await text(path) })),
  );
  return tarball(entries, seconds);
}

/** Runs the binary of this machine: it says its version and its licenses. */
function checkRunning(path: string, { version, commit }: ReleaseFacts, { notice }: Built): void {
  const said = (...args: string[]) => Bun.spawnSync([path, ...args]).stdout.toString();
  const name = `memoir ${version}+${commit.slice(0, 8)}`;
  if (!said("version").startsWith(name)) throw new Error(`${path} does not call itself ${name}`);
  if (said("version", "--licenses").trim() !== notice.trim())
    throw new Error(`${path} does not print its licenses`);
}

/** A file of the checkout. */
export function text(path: string): Promise<string> {
  return readFile(join(root, path), "utf8");
}

function megabytes({ length }: Uint8Array): string {
  return `${(length / 1_000_000).toFixed(1)} MB`;
}

// Fills install.sh and install.ps1 for one release: its version, address, keys, and the sum of its SHA256SUMS.

/** Writes both scripts into a release's folder, whose SHA256SUMS is final; gives their paths. */
export async function writeScripts(
  folder: string,
  source: { address: string; keys: readonly string[] } = {
    address: releaseAddress,
    keys: releaseKeys,
  },
): Promise<string[]> {
  const sums = await readFile(join(folder, "SHA256SUMS"));
  const version = /^# memoir (\S+)/.exec(sums.toString())?.[1];
  if (version === undefined) throw new Error(`${folder}/SHA256SUMS names no version`);
  const holes = {
    version,
    address: source.address && ofVersion(source.address, version),
    keys: source.keys.join(" "),
    sums: createHash("sha256").update(sums).digest("hex"),
  };
  const names = ["install.sh", "install.ps1"];
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(join(import.meta.dir, name), "utf8");
      await writeFile(path, filled(text, holes), { mode: 0o755 });
      return path;
    }),
  );
}

/** Each hole is a line of its own, `name=''` or `$name = ''`, so that an unfilled script works too. */
function filled(text: string, holes: Readonly<Record<string, string>>): string {
  return Object.entries(holes).reduce((sofar, [name, value]) => {
    const hole = new RegExp(`^(\\$?${name} ?= ?)''$`, "m");
    if (!hole.test(sofar)) throw new Error(`The template has no line for ${name}`);
    return sofar.replace(hole, (_all, start: string) => `${start}'${value}'`);
  }, text);
}
