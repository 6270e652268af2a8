// A project's plugins run after the user allowed them, as they were then, for that project alone.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import { startGenerations } from "../../../src/runtime/plugins/generations.ts";
import {
  copyOf,
  findLocal,
  localStates,
  ownerOf,
  readLocal,
  readTrust,
  takeSnapshot,
  trustSnapshot,
  untrust,
} from "../../../src/runtime/plugins/project-plugins.ts";
import type { StoredNotice } from "../../../src/sdk/hooks.ts";
import { memoryLog } from "../../support/hooks.ts";

let room: string;
let home: string;
let folder: string;
beforeEach(async () => {
  room = await realpath(await mkdtemp(join(tmpdir(), "memoir-trust-")));
  home = join(room, "home");
  folder = join(room, "shop/.memoir/plugins");
  await mkdir(home);
});
afterEach(() => rm(room, { recursive: true, force: true }));

async function put(path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
const trust = async (project = "shop") =>
  trustSnapshot(home, folder, await takeSnapshot(folder), { project, now: 1 });
const states = async () => (await readLocal(home)).states.map(({ state }) => state);

/** Leaves a file behind when it is imported, and one line for each notice it hears. */
const marking = (at: string) => `
import { appendFileSync } from "node:fs";
appendFileSync(${JSON.stringify(at)}, "loaded\\n");
export default { name: "marks", description: "d", sdk: 1, hooks: {
  stored: ({ project }) => appendFileSync(${JSON.stringify(at)}, project + "\\n"),
} };`;

describe("trust", () => {
  test("is kept for its owner alone, and ends with any change, and with an untrust", async () => {
    await put("a.ts", "export default 1");
    expect(await states()).toEqual([]);
    await trust();
    expect(await states()).toEqual(["trusted"]);
    expect((await stat(join(home, "trust.json"))).mode & 0o777).toBe(0o600);
    await appendFile(join(folder, "a.ts"), " ");
    expect(await states()).toEqual(["changed"]);
    await trust();
    expect(await untrust(home, folder)).toBe(true);
    expect(await states()).toEqual([]);
    expect(await untrust(home, folder)).toBe(false);
  });

  test("that ends for one folder leaves the copy to another with the same content", async () => {
    await put("a.ts", "export default 1");
    await trust();
    const { hash } = await takeSnapshot(folder);
    const copied = () => readFile(join(copyOf(home, hash), "a.ts"), "utf8").catch(() => undefined);
    const second = join(room, "blog/.memoir/plugins");
    await trustSnapshot(home, second, await takeSnapshot(folder), { project: "blog", now: 1 });
    await untrust(home, folder);
    expect(await copied()).toBe("export default 1");
    await untrust(home, second);
    expect(await copied()).toBeUndefined();
  });

  test("a copy that somebody changed is made anew from what was allowed", async () => {
    await put("a.ts", "export default 1");
    await trust();
    const { hash } = await takeSnapshot(folder);
    await writeFile(join(copyOf(home, hash), "a.ts"), "evil()");
    const { plugins } = await readLocal(home);
    expect(plugins.map(({ name }) => name)).toEqual(["a"]);
    expect(await readFile(plugins[0]?.path ?? "", "utf8")).toBe("export default 1");
  });

  test("a file that memoir did not write allows nothing, and is left as it is", async () => {
    await put("a.ts", "");
    await trust();
    await writeFile(join(home, "trust.json"), '{"folders": true}');
    expect(await states()).toEqual(["unreadable"]);
    expect(trust()).rejects.toMatchObject({ code: "plugin_trust" });
    expect(readTrust(home)).rejects.toMatchObject({ code: "plugin_trust" });
    expect(await readFile(join(home, "trust.json"), "utf8")).toBe('{"folders": true}');
  });

  test("a folder that cannot be read runs no more", async () => {
    await put("a.ts", "");
    await trust();
    await rm(folder, { recursive: true });
    expect(await states()).toEqual(["unreadable"]);
  });
});

describe("a project's plugins", () => {
  test("are those of the repository that a folder is in, not of one around it", async () => {
    await put("a.ts", "");
    await mkdir(join(room, "shop/vendor/.git"), { recursive: true });
    await mkdir(join(room, "shop/vendor/src"));
    expect(await findLocal(join(room, "shop/vendor/src"), memoirPaths(home), "")).toBeUndefined();
    await mkdir(join(room, "blog/.memoir"), { recursive: true });
    await symlink(folder, join(room, "blog/.memoir/plugins"));
    expect(ownerOf((await findLocal(join(room, "blog"), memoirPaths(home), "")) ?? "")).toBe(
      join(room, "blog"),
    );
  });

  test("with the same content in two projects run for both", async () => {
    await put("a.ts", "export default 1");
    const second = join(room, "blog/.memoir/plugins");
    await mkdir(second, { recursive: true });
    await writeFile(join(second, "a.ts"), "export default 1");
    await trust("shop");
    const content = await takeSnapshot(second);
    await trustSnapshot(home, second, content, { project: "blog", now: 1 });
    const { plugins } = await readLocal(home);
    expect(plugins.map(({ projects }) => projects)).toEqual([["shop", "blog"]]);
  });

  test("may have one name in two projects, and never take yours", async () => {
    const mark = (name: string) => join(room, `${name}.txt`);
    await put("marks.ts", marking(mark("shop")));
    await trust("shop");
    const second = join(room, "blog/.memoir/plugins");
    await mkdir(second, { recursive: true });
    await writeFile(join(second, "marks.ts"), marking(mark("blog")));
    await trustSnapshot(home, second, await takeSnapshot(second), { project: "blog", now: 1 });
    const generations = await startGenerations({
      ...{ home, userHome: room, log: memoryLog(), now: () => 0, builtins: {} },
    });
    const notice = { session: "s", observations: [], summaries: [] };
    const heard = async (name: string) =>
      (await readFile(mark(name), "utf8").catch(() => "")).match(/^(shop|blog)$/gm) ?? [];
    try {
      for (const project of ["shop", "blog"])
        await generations.hooks.parallel("stored", { ...notice, project });
      expect([await heard("shop"), await heard("blog")]).toEqual([["shop"], ["blog"]]);

      await mkdir(join(home, "plugins"), { recursive: true });
      await writeFile(join(home, "plugins/marks.ts"), marking(mark("mine")));
      await generations.reloadFiles();
      await generations.hooks.parallel("stored", { ...notice, project: "shop" });
      expect([await heard("mine"), await heard("shop")]).toEqual([["shop"], ["shop"]]);
      const { infos } = generations.current().registry;
      const failed = infos.filter(({ name, state }) => name === "marks" && state === "failed");
      expect(failed.map(({ error }) => error?.includes("one of your own plugins"))).toEqual([
        true,
        true,
      ]);
    } finally {
      await generations.stop();
    }
  });

  test("are found from any folder below; memoir's own homes are no project's", async () => {
    await put("a.ts", "");
    await mkdir(join(room, "shop/src/deep"), { recursive: true });
    expect(await findLocal(join(room, "shop/src/deep"), memoirPaths(home), "/nowhere")).toBe(
      folder,
    );
    expect(
      await findLocal(join(room, "shop"), memoirPaths(home), join(room, "shop")),
    ).toBeUndefined();
    expect(
      await findLocal(join(room, "shop"), memoirPaths(join(room, "shop/.memoir")), ""),
    ).toBeUndefined();
    expect(await findLocal(home, memoirPaths(home), "")).toBeUndefined();
  });

  test("are not even loaded before they are allowed; then for that project's events only; never after a change", async () => {
    const mark = join(room, "mark.txt");
    const marks = async () =>
      (await readFile(mark, "utf8").catch(() => ""))
        .trim()
        .split("\n")
        .filter((line) => line !== "loaded" && line !== "");
    await put("marks.ts", marking(mark));
    const log = memoryLog();
    const generations = await startGenerations({
      ...{ home, userHome: room, log, now: () => 0, builtins: {} },
    });
    const tell = (project: string) =>
      generations.hooks.parallel("stored", {
        session: "s",
        project,
        observations: [],
        summaries: [],
      } satisfies StoredNotice);
    try {
      expect((await localStates(home, join(room, "shop"), "")).map(({ state }) => state)).toEqual([
        "untrusted",
      ]);
      await generations.reload();
      await tell("shop");
      expect(await stat(mark).catch(() => "not there")).toBe("not there");

      await trust("shop");
      await generations.reload();
      await tell("blog");
      await tell("shop");
      expect(await marks()).toEqual(["shop"]);
      const [info] = generations.current().registry.infos;
      expect(info).toMatchObject({ name: "marks", state: "running", projects: ["shop"] });

      await appendFile(join(folder, "marks.ts"), "\n// changed");
      await generations.reloadFiles();
      await tell("shop");
      expect(await marks()).toEqual(["shop"]);
      expect(generations.current().local).toMatchObject([{ state: "changed" }]);
    } finally {
      await generations.stop();
    }
  });
});
