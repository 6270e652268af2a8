// How the binary gets to its place, also when several installs run at once.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeBinary } from "../../src/install/place-binary.ts";

let folder = "";
const at = (name: string) => join(folder, name);
const accept = async () => {};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-place-"));
  await writeFile(at("source"), "the program");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a copy, then nothing to do", async () => {
  expect(await placeBinary(at("source"), at("bin/memoir"), accept)).toBe("copied");
  expect(await placeBinary(at("source"), at("bin/memoir"), accept)).toBe("current");
  expect(await readdir(at("bin"))).toEqual(["memoir"]);
});

test("an install does not take another's copy away", async () => {
  const ended = await placeBinary(at("source"), at("bin/memoir"), async () => {
    // The other one begins while the first checks its copy.
    await placeBinary(at("source"), at("bin/memoir"), accept);
  });
  expect(ended).toBe("copied");
  expect(await readFile(at("bin/memoir"), "utf8")).toBe("the program");
});

test("what an interrupted install left goes after a while; other files stay", async () => {
  await mkdir(at("bin"));
  const old = new Date(Date.now() - 3_600_000);
  for (const name of ["memoir.a.tmp", "memoir.b.old", "memoir.txt", "other.tmp"]) {
    await writeFile(at(`bin/${name}`), "");
    await utimes(at(`bin/${name}`), old, old);
  }
  await placeBinary(at("source"), at("bin/memoir"), accept);
  expect((await readdir(at("bin"))).sort()).toEqual(["memoir", "memoir.txt", "other.tmp"]);
});

test("what cannot be replaced in one step is renamed away first", async () => {
  await mkdir(at("bin/memoir"), { recursive: true });
  await writeFile(at("bin/memoir/held"), "");
  expect(await placeBinary(at("source"), at("bin/memoir"), accept)).toBe("copied");
  expect(await readFile(at("bin/memoir"), "utf8")).toBe("the program");
  const left = (await readdir(at("bin"))).filter((name) => name !== "memoir");
  expect(left).toEqual([expect.stringMatching(/^memoir\.[\w-]+\.old$/)]);
});

test.each<[string, string, number, "current" | "copied"]>([
  ["the same", "the program", 0o755, "current"],
  ["as long and not the same", "the progRam", 0o755, "copied"],
  ["longer", "the program!", 0o755, "copied"],
  ["one that may not be run", "the program", 0o644, "copied"],
])("over %s it is %p %o: %s", async (_, text, mode, done) => {
  await mkdir(at("bin"));
  await writeFile(at("bin/memoir"), text, { mode });
  expect(await placeBinary(at("source"), at("bin/memoir"), accept)).toBe(done);
  expect(await readFile(at("bin/memoir"), "utf8")).toBe("the program");
  expect((await stat(at("bin/memoir"))).mode & 0o777).toBe(0o755);
});

test("a large program that differs in its last byte is another one", async () => {
  const bytes = new Uint8Array(3 * (1 << 20) + 5);
  await writeFile(at("source"), bytes);
  await placeBinary(at("source"), at("bin/memoir"), accept);
  expect(await placeBinary(at("source"), at("bin/memoir"), accept)).toBe("current");
  bytes[bytes.length - 1] = 1;
  await writeFile(at("source"), bytes);
  expect(await placeBinary(at("source"), at("bin/memoir"), accept)).toBe("copied");
});

test("a copy that is refused leaves what was there, and nothing of itself", async () => {
  await placeBinary(at("source"), at("bin/memoir"), accept);
  await writeFile(at("source"), "another program");
  const seen: string[] = [];
  const refuse = async (copy: string) => {
    seen.push(await readFile(copy, "utf8"), String(((await stat(copy)).mode & 0o777).toString(8)));
    throw new Error("no memoir");
  };
  await expect(placeBinary(at("source"), at("bin/memoir"), refuse)).rejects.toThrow("no memoir");
  expect(seen).toEqual(["another program", "755"]);
  expect(await readFile(at("bin/memoir"), "utf8")).toBe("the program");
  expect(await readdir(at("bin"))).toEqual(["memoir"]);
});
