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

import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { isSignedBy, readPublicKey, readSignature } from "../install/minisign.ts";
import { releaseAddress, releaseKeys } from "../install/release-source.ts";
import { signedBy, withSignatureOf } from "./authenticode.ts";
import { checkSums } from "./check.ts";
import { problemOf, type ReleaseFacts, releaseFacts } from "./facts.ts";
import { makeFolder, signPrograms, text } from "./folder.ts";
import { writeScripts } from "./install-scripts.ts";
import { areLists, notesFor } from "./notes.ts";
import { runScript } from "./script.ts";
import { sign } from "./sign.ts";
import { targets, targetsNamed } from "./targets.ts";
import { verify } from "./verify.ts";

const root = resolve(import.meta.dir, "../..");

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
      "windows-signer": { type: "string", default: process.env.MEMOIR_WINDOWS_SIGNER ?? "" },
      "signed-as": { type: "string", default: "" },
      address: { type: "string", default: releaseAddress },
      trial: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      sign: { type: "boolean", default: false },
      verify: { type: "boolean", default: false },
    },
  });
  const say = (text: string) => console.log(text);
  const outdir = resolve(values.outdir);
  const wanted = values.only.length === 0 ? targets : targetsNamed(values.only);
  const facts = await releaseFacts(root);
  const { only, address, trial } = values;
  const finish = async (): Promise<void> => {
    await assertSums(outdir);
    for (const line of await programsSigned(outdir, facts, values)) say(line);
    say(await signed(join(outdir, "SHA256SUMS"), values["secret-key"]));
    await writeScripts(outdir, { address, keys: releaseKeys });
  };
  if (values.sign) {
    if (values["secret-key"] === "") throw new Error("--sign needs a key: name it by --secret-key");
    await finish();
    return 0;
  }
  const problem = problemOf(root, facts, manifest.packageManager.replace("bun@", ""));
  if (problem !== undefined && !values.trial) {
    console.error(
      `error: ${problem}\nfix: see "Cutting a release" in docs/operating.md; --trial goes on all the same`,
    );
    return 1;
  }
  if (values.verify) {
    const problems = await verify({ root, folder: outdir, only, address, trial });
    for (const one of problems) console.error(`error: ${one}`);
    if (problems.length === 0) say(`${outdir} is what ${facts.commit} gives, byte for byte`);
    return problems.length === 0 ? 0 : 1;
  }
  const changelog = await text("CHANGELOG.md");
  const isTold = changelog.includes(`## [${facts.version}]`) || !trial;
  const notes = notesFor(changelog, isTold ? facts.version : "Unreleased");
  if (areLists(notes))
    say("NOTES.md has the lists of CHANGELOG.md: its section opens with no words for people");
  await empty(outdir);
  await makeFolder({ outdir, notes, wanted, facts, address, say });
  await finish();
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

if (import.meta.main) await runScript(import.meta.path, main);
