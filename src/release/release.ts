// `bun run release`: makes everything of a release into one folder, from a clean checkout of its tag, and checks it.
//
//   --outdir <folder>      dist/release by default; what an earlier run made there goes
//   --secret-key <file>    signs SHA256SUMS; also by MEMOIR_SECRET_KEY
//   --windows-signer <program>
//                          signs each Windows program, whose path it is called with, before sums are made; also by
//                          MEMOIR_WINDOWS_SIGNER. src/release/sign-windows.sh is one
//   --address <url>        where the latest release is, instead of the address in src/install/release-source.ts
//   --trial                from any checkout, without a tag or with changes
//   --only <target>        fewer binaries, for a trial
//   --sign                 makes no release: checks and signs the one in --outdir, where key and certificate are not on the machine
//                          that made it
//   --verify               makes no release: builds the one in --outdir again, elsewhere, and compares
//   --signed-as <folder>   gives the Windows programs the signatures of that release's; --verify does

import { copyFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { addressProblem, releaseAddress, releaseKeys } from "../install/release-source.ts";
import { checkSums, signatureProblem, verify } from "./check.ts";
import { signedBy, withSignatureOf } from "./code-signing.ts";
import { areLists, notesFor, problemOf, type ReleaseFacts, releaseFacts } from "./facts.ts";
import { makeFolder, signPrograms, text, writeScripts } from "./folder.ts";
import { runScript } from "./script.ts";
import { readSecretKey, type SecretKey, sign } from "./sign.ts";
import { targets, targetsNamed } from "./targets.ts";

const root = resolve(import.meta.dir, "../..");
/** Keys that follow one another: `<KEYID>.pub`, and its signature by the key before. */
const keysFolder = join(import.meta.dir, "keys");

/** What a release's folder holds. Nobody's key, checkout or home is called so. */
const ofRelease =
  /^(?:memoir-(?:linux|darwin|windows)-[\w.-]+|memoir\.(?:rb|cdx\.json)|memoir-claude-plugin\.tar\.gz|SHA256SUMS(?:\.minisig)?|NOTICE|NOTES\.md|Dockerfile|install\.(?:sh|ps1)|[0-9A-F]{16}\.pub(?:\.minisig)?|[\w.-]+-\d+\.\d+\.\d+\.tgz)$/;

/** Empties the folder. Rejects, touching nothing, for one that holds something else: somebody named the wrong one. */
export async function empty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const found = await readdir(folder, { withFileTypes: true });
  const foreign = found.find((one) =>
    one.isDirectory() ? !one.name.startsWith(".build-") : !ofRelease.test(one.name),
  );
  if (foreign)
    throw new Error(`${folder} holds ${foreign.name}, which is no part of a release: name another`);
  for (const { name } of found) await rm(join(folder, name), { recursive: true });
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      outdir: { type: "string", default: join(root, "dist/release") },
      "secret-key": { type: "string", default: process.env.MEMOIR_SECRET_KEY ?? "" },
      "windows-signer": { type: "string", default: process.env.MEMOIR_WINDOWS_SIGNER ?? "" },
      "signed-as": { type: "string", default: "" },
      address: { type: "string", default: releaseAddress },
      trial: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      sign: { type: "boolean", default: false },
      verify: { type: "boolean", default: false },
      // Of the second build that --verify makes: what it lacks is no fault.
      "within-verify": { type: "boolean", default: false },
    },
  });
  const say = (text: string) => console.log(text);
  const outdir = resolve(values.outdir);
  const wanted = values.only.length === 0 ? targets : targetsNamed(values.only);
  const facts = await releaseFacts(root);
  const { only, address, trial } = values;
  const finish = async (key: SecretKey | undefined): Promise<void> => {
    await assertSums(outdir);
    for (const line of await programsSigned(outdir, facts, values)) say(line);
    if (key) say(`signed: ${await sign(join(outdir, "SHA256SUMS"), key)}`);
    else if (!values["within-verify"]) say(unsigned());
    for (const name of await readdir(keysFolder).catch((): string[] => []))
      await copyFile(join(keysFolder, name), join(outdir, name));
    await writeScripts(outdir, { address, keys: releaseKeys });
  };
  if (values.sign) {
    if (values["secret-key"] === "") throw new Error("--sign needs a key: name it by --secret-key");
    await finish(await trustedKey(values["secret-key"]));
    return 0;
  }
  const problem =
    problemOf(root, facts, manifest.packageManager.replace("bun@", "")) ?? addressProblem(address);
  if (problem !== undefined && !values.trial) {
    console.error(
      `error: ${problem}\nfix: see "Cutting a release" in docs/developers/release.md; --trial continues anyway`,
    );
    return 1;
  }
  if (values.verify) {
    const problems = await verify({ root, folder: outdir, only, address, trial });
    const signature = await signatureProblem(outdir, releaseKeys);
    if (signature.isWrong) problems.push(signature.words);
    for (const one of problems) console.error(`error: ${one}`);
    if (problems.length > 0) return 1;
    say(`${outdir} is what ${facts.commit} gives, byte for byte; ${signature.words}`);
    return 0;
  }
  const changelog = await text("CHANGELOG.md");
  const isTold = changelog.includes(`## [${facts.version}]`) || !trial;
  const notes = notesFor(changelog, isTold ? facts.version : "Unreleased");
  if (areLists(notes))
    say("NOTES.md has the lists of CHANGELOG.md: its section opens with no words for people");
  // Before the minutes of building: a key that does not fit is known at once.
  const key = values["secret-key"] && (await trustedKey(values["secret-key"]));
  await empty(outdir);
  await makeFolder({ outdir, notes, wanted, facts, address, say });
  await finish(key || undefined);
  if (values["within-verify"]) return 0;
  if (wanted.length < targets.length)
    say(`NOT for publishing: it has ${wanted.length} of ${targets.length} targets`);
  say(
    `memoir ${facts.version} of ${facts.day} is in ${outdir}: ${(await readdir(outdir)).length} files`,
  );
  return 0;
}

async function assertSums(folder: string): Promise<void> {
  const problems = await checkSums(folder);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** Signs the Windows programs where a signer is named, or as another release has them; gives what to say of it. */
async function programsSigned(
  folder: string,
  facts: ReleaseFacts,
  { "windows-signer": signer, "signed-as": other }: Record<"windows-signer" | "signed-as", string>,
): Promise<string[]> {
  const done = await signPrograms(folder, facts, async (program, file) => {
    if (signer !== "") return signedBy(signer, program);
    const like = other && (await readFile(join(other, file)).catch(() => undefined));
    return like ? withSignatureOf(program, like) : program;
  });
  return [...done].map(([file, isSigned]) =>
    isSigned
      ? `${file} is signed for Windows`
      : `${file} is NOT signed for Windows: name a signer by --windows-signer or MEMOIR_WINDOWS_SIGNER`,
  );
}

/** The secret key in a file. Rejects for one that binaries do not trust. */
export async function trustedKey(
  file: string,
  keys: readonly string[] = releaseKeys,
): Promise<SecretKey> {
  const key = await readSecretKey(file);
  if (keys.includes(key.line)) return key;
  throw new Error(`${file} is none of releaseKeys in src/install/release-source.ts`);
}

/** What to say of a list that no key was named for. */
function unsigned(): string {
  const how = "name a key by --secret-key or MEMOIR_SECRET_KEY";
  return releaseKeys.length === 0
    ? `SHA256SUMS is NOT signed: ${how}`
    : `NOT for publishing: SHA256SUMS is not signed, and install.sh will refuse it; ${how}`;
}

if (import.meta.main) await runScript(import.meta.path, main);
