// Makes the folder of a release: binaries, what describes them, packages for each way to get them, and the list of all.

import { readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { npmName, ofVersion } from "../install/release-source.ts";
import { type Entry, gzip, tarball } from "./archive.ts";
import { type Built, compileAll } from "./build.ts";
import { isHere, programProblem, sha256 } from "./check.ts";
import { git, type ReleaseFacts } from "./facts.ts";
import { formula } from "./formula.ts";
import {
  launcherName,
  launcherPackage,
  packageFile,
  platformName,
  platformPackage,
} from "./npm.ts";
import { sbom } from "./sbom.ts";
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
  const texts = await Promise.all(
    ["README.md", "LICENSE"].map(
      async (path): Promise<Entry> => ({ path, content: await text(path) }),
    ),
  );
  const { repository } = manifest as { repository?: unknown };
  const common = {
    ...facts,
    repository,
    texts: [...texts, { path: "NOTICE", content: built.notice }],
  };
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
  const lines = [...sums]
    .map(([file, sum]) => `${sum}  ${file}\n`)
    .sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
  await writeFile(
    join(outdir, "SHA256SUMS"),
    `# memoir ${facts.version} ${facts.day} ${facts.commit}\n${lines.join("")}`,
  );
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
