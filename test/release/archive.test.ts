// A tarball is read by tar, and the same bytes whenever it is made.
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tar, tarball } from "../../src/release/package-managers.ts";

const entries = [
  { path: "package/package.json", content: "{}" },
  { path: "package/bin/memoir", content: new Uint8Array(512).fill(65), isProgram: true },
  { path: "package/empty", content: "" },
];

test("tar unpacks it with modes and dates", async () => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-tar-"));
  try {
    await writeFile(join(folder, "x.tgz"), tarball(entries, 86_400));
    const child = Bun.spawnSync(["tar", "-xzf", "x.tgz"], { cwd: folder });
    expect(child.stderr.toString()).toBe("");
    expect(await readFile(join(folder, "package/bin/memoir"), "utf8")).toBe("A".repeat(512));
    const { mode, mtimeMs } = await stat(join(folder, "package/bin/memoir"));
    expect([mode & 0o777, mtimeMs]).toEqual([0o755, 86_400_000]);
    expect((await stat(join(folder, "package/package.json"))).mode & 0o777).toBe(0o644);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("it says nothing of when and where it was made", () => {
  expect(Buffer.compare(tarball(entries, 5), tarball(entries, 5))).toBe(0);
  // The fifth to tenth byte of gzip are a date, a level and a system.
  expect([...tarball(entries, 5).slice(4, 10)]).toEqual([0, 0, 0, 0, 2, 255]);
  expect(() => tar([{ path: "x".repeat(101), content: "" }], 0)).toThrow("too long for a tar");
});
