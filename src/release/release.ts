// `bun run release`: makes everything of a release into one folder, from a clean checkout of its tag, and checks it.
//
//   --outdir <folder>      dist/release by default; what an earlier run made there goes
//   --secret-key <file>    signs SHA256SUMS; also by MEMOIR_SECRET_KEY
//   --address <url>        where the latest release is, instead of the address in src/install/release-source.ts
//   --trial                from any checkout, without a tag or with changes
//   --only <target>        fewer binaries, for a trial
//   --sign                 makes no release: checks and signs the one in --outdir, where the key is not on the machine that made it
//   --verify               makes no release: builds the one in --outdir again, elsewhere, and compares

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { isSignedBy, readPublicKey, readSignature } from "../install/minisign.ts";
import { npmName, ofVersion, releaseAddress, releaseKeys } from "../install/release-source.ts";
import { type Entry, gzip, tarball } from "./archive.ts";
import { type Built, compileAll } from "./build.ts";
import { checkSums, isHere, programProblem, sha256 } from "./check.ts";
import { git, problemOf, type ReleaseFacts, releaseFacts } from "./facts.ts";
import { formula } from "./formula.ts";
import { writeScripts } from "./install-scripts.ts";
import { notesFor } from "./notes.ts";
import {
  launcherName,
  launcherPackage,
  packageFile,
  platformName,
  platformPackage,
} from "./npm.ts";
import { sbom } from "./sbom.ts";
import { sign } from "./sign.ts";
import { type Target, targets } from "./targets.ts";
import { verify } from "./verify.ts";

const root = resolve(import.meta.dir, "../..");

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
async function make({ outdir, notes, wanted, facts, address, say }: Making): Promise<void> {
  const sums = new Map<string, string>();
  const put = async (file: string, content: Uint8Array | string): Promise<void> => {
    await writeFile(join(outdir, file), content);
    sums.set(file, sha256(content));
  };
  const built = await compileAll(
    wanted.map((target) => ({ file: target.file, target })),
    outdir,
    async (path, target) => {
      const bytes = await readFile(path);
      const problem = target && programProblem(bytes, target);
      if (problem !== undefined) throw new Error(`${relative(outdir, path)}: ${problem}`);
      sums.set(relative(outdir, path), sha256(bytes));
      await put(`${relative(outdir, path)}.gz`, gzip(bytes));
      say(`${target?.name}: ${megabytes(bytes)}`);
    },
  );
  for (const target of wanted.filter(isHere)) checkRunning(join(outdir, target.file), facts, built);
  await put("NOTICE", built.notice);
  await put("memoir.cdx.json", sbom(built.packages, facts));
  await put("NOTES.md", notes);
  await put("Dockerfile", await text("src/release/Dockerfile"));
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

function text(path: string): Promise<string> {
  return readFile(join(root, path), "utf8");
}

function megabytes({ length }: Uint8Array): string {
  return `${(length / 1_000_000).toFixed(1)} MB`;
}

/** Empties the folder. Rejects for one that holds something else than a release: somebody named the wrong one. */
async function empty(folder: string): Promise<void> {
  const files = await readdir(folder).catch((): string[] => []);
  const own =
    /^(?:\.build-|memoir|SHA256SUMS|NOTICE|NOTES|Dockerfile|install\.|.*\.(?:tgz|pub|minisig)$)/;
  if (!files.every((file) => own.test(file)))
    throw new Error(`${folder} holds something that is no release`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      outdir: { type: "string", default: join(root, "dist/release") },
      "secret-key": { type: "string", default: process.env.MEMOIR_SECRET_KEY ?? "" },
      address: { type: "string", default: releaseAddress },
      trial: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      sign: { type: "boolean", default: false },
      verify: { type: "boolean", default: false },
    },
  });
  const say = (text: string) => console.log(text);
  const outdir = resolve(values.outdir);
  if (values.sign) {
    await assertSums(outdir);
    say(await signed(join(outdir, "SHA256SUMS"), values["secret-key"]));
    return 0;
  }
  const facts = await releaseFacts(root);
  const problem = problemOf(root, facts, manifest.packageManager.replace("bun@", ""));
  if (problem !== undefined && !values.trial) {
    console.error(
      `error: ${problem}\nfix: see "Cutting a release" in docs/operating.md; --trial goes on all the same`,
    );
    return 1;
  }
  const { only, address, trial } = values;
  if (values.verify) {
    const problems = await verify({ root, folder: outdir, only, address, trial });
    for (const one of problems) console.error(`error: ${one}`);
    if (problems.length === 0) say(`${outdir} is what ${facts.commit} gives, byte for byte`);
    return problems.length === 0 ? 0 : 1;
  }
  const changelog = await text("CHANGELOG.md");
  const isTold = changelog.includes(`## [${facts.version}]`) || !trial;
  const notes = notesFor(changelog, isTold ? facts.version : "Unreleased");
  await empty(outdir);
  const wanted = targets.filter(({ name }) => only.length === 0 || only.includes(name));
  await make({ outdir, notes, wanted, facts, address, say });
  await assertSums(outdir);
  say(await signed(join(outdir, "SHA256SUMS"), values["secret-key"]));
  await writeScripts(outdir, { address, keys: releaseKeys });
  say(
    `memoir ${facts.version} of ${facts.day} is in ${outdir}: ${(await readdir(outdir)).length} files`,
  );
  return 0;
}

async function assertSums(folder: string): Promise<void> {
  const problems = await checkSums(folder);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** Signs the list where a key is named; gives what to say of it. Rejects, unsigned, for a key that binaries do not trust. */
export async function signed(
  list: string,
  secretKey: string,
  keys: readonly string[] = releaseKeys,
): Promise<string> {
  if (secretKey === "")
    return "SHA256SUMS is NOT signed: name a key by --secret-key or MEMOIR_SECRET_KEY";
  const file = await sign(list, secretKey);
  const [data, signature] = [await readFile(list), readSignature(await readFile(file, "utf8"))];
  const isTrusted = keys.some((line) => {
    const key = readPublicKey(line);
    return key && signature && isSignedBy(key, data, signature);
  });
  if (isTrusted) return `signed: ${file}`;
  await rm(file);
  throw new Error("The key is none of releaseKeys in src/install/release-source.ts");
}

if (import.meta.main)
  process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
    const [first] = error instanceof AggregateError ? error.errors : [error];
    console.error(`error: ${first instanceof Error ? first.message : String(first)}`);
    return 1;
  });
