// The folder of a release: its list, what is checked of it, the formula made of it, and how a second build is compared.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  checkSums,
  differences,
  programProblem,
  readSums,
  sha256,
  signatureProblem,
} from "../../src/release/check.ts";
import { problemOf, releaseFacts } from "../../src/release/facts.ts";
import { formula } from "../../src/release/package-managers.ts";
import { empty, trustedKey } from "../../src/release/release.ts";
import { makeKey, sign } from "../../src/release/sign.ts";
import { targets } from "../../src/release/targets.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-release-"));
});
afterAll(() => rm(folder, { recursive: true }));

const sumOf = (letter: string) => letter.repeat(64);
const list = (lines: Record<string, string>, head = "# memoir 1.2.3 2026-11-27 abc") =>
  [head, ...Object.entries(lines).map(([file, sum]) => `${sum}  ${file}`), ""].join("\n");

test("every file is compared with the list", async () => {
  await writeFile(join(folder, "good"), "good");
  await writeFile(join(folder, "bad"), "bad");
  const sums = { good: sha256("good"), bad: sha256("other"), gone: sumOf("a") };
  await writeFile(join(folder, "SHA256SUMS"), list(sums));
  expect(await checkSums(folder)).toEqual(["bad is not as SHA256SUMS says", "gone is missing"]);
  await writeFile(join(folder, "SHA256SUMS"), list({}));
  expect(await checkSums(folder)).toEqual(["SHA256SUMS lists nothing"]);
});

test("a second build is compared file by file, and by what the list says of itself", () => {
  const one = list({ a: sumOf("1"), b: sumOf("2"), c: sumOf("3") });
  expect(differences(one, one)).toEqual([]);
  const other = list({ a: sumOf("1"), b: sumOf("4"), d: sumOf("5") });
  expect(differences(one, other)).toEqual([
    "b is another one",
    "c is not made again",
    "d is missing",
  ]);
  expect(differences(one, one.replace("1.2.3", "1.2.4"))).toEqual([
    'the list begins with "# memoir 1.2.3 2026-11-27 abc", and again with "# memoir 1.2.4 2026-11-27 abc"',
  ]);
});

test.each([
  ["a checkout beside a key", { "memoir/package.json": "{}", "memoir.pub": "key" }],
  ["a home", { "memoir.db": "memory" }],
  ["somebody's folder", { "notes.txt": "mine" }],
])("%s is not emptied", async (_, files) => {
  const place = await mkdtemp(join(folder, "foreign-"));
  for (const [file, content] of Object.entries(files)) {
    await mkdir(join(place, file, ".."), { recursive: true });
    await writeFile(join(place, file), content);
  }
  const before = (await readdir(place, { recursive: true })).sort();
  await expect(empty(place)).rejects.toThrow("which is no part of a release");
  expect((await readdir(place, { recursive: true })).sort()).toEqual(before);
});

test("what an earlier run made is emptied, an interrupted one's too", async () => {
  const place = await mkdtemp(join(folder, "earlier-"));
  await mkdir(join(place, ".build-abc"));
  const made = `memoir-linux-x64-musl.gz memoir-windows-x64.exe memoir.rb memoir.cdx.json SHA256SUMS
    SHA256SUMS.minisig NOTES.md NOTICE Dockerfile install.ps1 9E3D26FDD9830CA8.pub scope-memoir-linux-x64-0.2.1.tgz`;
  for (const file of made.split(/\s+/)) await writeFile(join(place, file), "");
  await empty(place);
  expect(await readdir(place)).toEqual([]);
});

test("a list is signed by a key that binaries trust, or not at all", async () => {
  const [file, key] = [join(folder, "SHA256SUMS"), join(folder, "key")];
  await writeFile(file, list({ good: sumOf("a") }, `# memoir 1.2.3 2026-11-27 ${"c".repeat(40)}`));
  const line = await makeKey(key, "");
  await expect(trustedKey(key, [])).rejects.toThrow("none of releaseKeys");
  await expect(trustedKey(`${key}s`, [line])).rejects.toThrow("There is no secret key at");
  expect(existsSync(`${file}.minisig`)).toBe(false);
  const of = async (keys: string[]) => Object.values(await signatureProblem(folder, keys)).join();
  expect(await of([line])).toBe("false,it is not signed yet");
  expect(await sign(file, await trustedKey(key, [line]))).toBe(`${file}.minisig`);
  expect(await of([line])).toMatch(/^false,signed by [0-9A-F]{16}$/);
  expect(await of([])).toStartWith("true,");
  await writeFile(file, list({ good: sumOf("b") }));
  expect(await of([line])).toStartWith("true,");
});

test("the formula names the release's own files and sums", () => {
  const files = targets.map(({ file }, at): [string, string] => [`${file}.gz`, sumOf(`${at}`)]);
  const release = { version: "1.2.3", address: "https://example.org/m", sums: new Map(files) };
  const text = formula(release);
  const pairs = [...text.matchAll(/url "(.+)"\n\s+sha256 "(.)/g)].map(
    ([, url, sum]) => `${url} ${sum}`,
  );
  expect(pairs).toEqual([
    "https://example.org/m/memoir-darwin-arm64.gz 5",
    "https://example.org/m/memoir-darwin-x64.gz 4",
    "https://example.org/m/memoir-linux-arm64.gz 1",
    "https://example.org/m/memoir-linux-x64.gz 0",
  ]);
  expect(() => formula({ ...release, sums: readSums("") })).toThrow(
    "has no memoir-darwin-arm64.gz",
  );
});

test("programs are told apart by how they begin", () => {
  const elf = Buffer.alloc(64);
  elf.writeUInt32BE(0x7f454c46, 0);
  elf.writeUInt16LE(183, 18);
  const pe = Buffer.alloc(128);
  pe.write("MZ");
  pe.writeUInt32LE(64, 60);
  pe.writeUInt16LE(0x8664, 68);
  const found = [elf, pe, Buffer.from("#!/bin/sh".padEnd(64))].map((bytes) =>
    targets.filter((target) => programProblem(bytes, target) === undefined).map(({ name }) => name),
  );
  expect(found).toEqual([["linux-arm64", "linux-arm64-musl"], ["windows-x64"], []]);
});

test("a release is made of a clean checkout of its tag, with the Bun that package.json names", async () => {
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: folder,
    });
  await writeFile(join(folder, "package.json"), '{"version":"1.2.3"}');
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "one"],
  ])
    git(...args);
  const facts = await releaseFacts(folder);
  expect({ ...facts }).toMatchObject({
    version: "1.2.3",
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(problemOf(folder, facts, "0.0.1")).toContain("releases are made with 0.0.1");
  expect(problemOf(folder, facts, Bun.version)).toStartWith("There is no tag v1.2.3: git tag -a");
  git("tag", "v1.2.3");
  expect(problemOf(folder, facts, Bun.version)).toBeUndefined();
  git("commit", "--allow-empty", "-qm", "two");
  const after = await releaseFacts(folder);
  expect(problemOf(folder, after, Bun.version)).toBe(
    `v1.2.3 is on ${facts.commit}, and this is ${after.commit}.`,
  );
  await writeFile(join(folder, "new"), "");
  expect(problemOf(folder, facts, Bun.version)).toContain("?? new");
});
