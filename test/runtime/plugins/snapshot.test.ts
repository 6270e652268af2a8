// A project's plugins as they are at one moment: what is looked at is what is kept, and nothing that leads elsewhere or has no end.
import { expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { limits, takeSnapshot } from "../../../src/runtime/plugins/project-plugins.ts";
import { inFolder } from "../../support/in-folder.ts";

const files = async (folder: string) => {
  const { files: found } = await takeSnapshot(folder);
  return Object.fromEntries(
    [...found].map(([path, content]) => [path, Buffer.from(content).toString()]),
  );
};

test("every file below it, links as what they lead to; another word after any change", () =>
  inFolder(async (folder) => {
    const plugins = join(folder, "plugins");
    await mkdir(join(plugins, "inner"), { recursive: true });
    await writeFile(join(plugins, "a.ts"), "one");
    await writeFile(join(plugins, "inner", "b.ts"), "two");
    await writeFile(join(folder, "shared.ts"), "three");
    await symlink(join(folder, "shared.ts"), join(plugins, "c.ts"));
    expect(await files(plugins)).toEqual({ "a.ts": "one", "inner/b.ts": "two", "c.ts": "three" });
    const { hash } = await takeSnapshot(plugins);
    expect((await takeSnapshot(plugins)).hash).toBe(hash);
    await writeFile(join(folder, "shared.ts"), "3");
    const changed = await takeSnapshot(plugins);
    expect(changed.hash).not.toBe(hash);
    await writeFile(join(plugins, "a.tson"), "e");
    expect((await takeSnapshot(plugins)).hash).not.toBe(changed.hash);
  }));

test("a folder that leads back into itself is refused, and so is what is no file", () =>
  inFolder(async (folder) => {
    await symlink(folder, join(folder, "again"));
    await expect(takeSnapshot(folder)).rejects.toMatchObject({
      code: "plugin_trust",
      message: expect.stringContaining("leads back into itself"),
    });
  }));

test("a file's end does not pass for another's beginning", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "a"), "1b2");
    const { hash } = await takeSnapshot(folder);
    await writeFile(join(folder, "a"), "1");
    await writeFile(join(folder, "b"), "2");
    expect((await takeSnapshot(folder)).hash).not.toBe(hash);
  }));

test("more bytes than anybody writes are refused", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "large.bin"), "x".repeat(limits.bytes + 1));
    await expect(takeSnapshot(folder)).rejects.toMatchObject({ code: "plugin_trust" });
  }));

test("more files than anybody writes are refused", () =>
  inFolder(async (folder) => {
    for (let at = 0; at <= limits.files; at++) await writeFile(join(folder, `${at}.ts`), "");
    await expect(takeSnapshot(folder)).rejects.toThrow(`more than ${limits.files} files`);
  }));
