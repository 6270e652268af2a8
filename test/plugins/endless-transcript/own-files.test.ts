// Which files may be rewritten: the session's own and its subagents', and nothing that a payload or a link leads to.
import { expect, test } from "bun:test";
import { link, mkdir, realpath, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownFiles } from "../../../plugins/endless-transcript/rewrite.ts";
import { inFolder } from "../../support/in-folder.ts";

/** A folder with session `s1`, its subagents `a1` and `a2`, and what else may lie there. */
function withSession(work: (folder: string, path: string) => Promise<void>): Promise<void> {
  return inFolder(async (made) => {
    const folder = await realpath(made);
    const agents = join(folder, "s1", "subagents");
    await mkdir(agents, { recursive: true });
    for (const name of ["agent-a2.jsonl", "agent-a1.jsonl", "notes.jsonl", "agent-a1.jsonl.tmp"])
      await writeFile(join(agents, name), "{}\n");
    const path = join(folder, "s1.jsonl");
    await writeFile(path, "{}\n");
    await work(folder, path);
  });
}
const named = async (path: string, session = "s1") =>
  (await ownFiles(path, session)).map(({ path: found, agent }) => [found.split("/").at(-1), agent]);
const whole = [
  ["s1.jsonl", undefined],
  ["agent-a1.jsonl", "a1"],
  ["agent-a2.jsonl", "a2"],
];

test("the session's own file, then its subagents' by name; nothing else that lies there", () =>
  withSession(async (_, path) => {
    expect(await named(path)).toEqual(whole);
  }));

test("none where the path is not absolute, not the session's, or leads nowhere", () =>
  withSession(async (folder, path) => {
    expect(await named("s1.jsonl")).toEqual([]);
    expect(await named(path, "s2")).toEqual([]);
    expect(await named(join(folder, "gone", "s1.jsonl"))).toEqual([]);
    await writeFile(join(folder, "config.json"), "{}");
    expect(await named(join(folder, "config.json"))).toEqual([]);
  }));

test("none where the session's name is a link to another file, or one of two names of a file", () =>
  withSession(async (folder, path) => {
    await rename(path, join(folder, "other.txt"));
    await symlink(join(folder, "other.txt"), path);
    expect(await named(path)).toEqual([]);
  }).then(() =>
    withSession(async (folder, path) => {
      await link(path, join(folder, "second.jsonl"));
      expect(await named(path)).toEqual([]);
    }),
  ));

test("no subagent's file that is a link, has two names, or lies in a folder that is a link", () =>
  withSession(async (folder, path) => {
    const agents = join(folder, "s1", "subagents");
    await writeFile(join(folder, "precious.txt"), "precious");
    await symlink(join(folder, "precious.txt"), join(agents, "agent-a3.jsonl"));
    await link(join(folder, "precious.txt"), join(agents, "agent-a4.jsonl"));
    expect(await named(path)).toEqual(whole);
    await rename(agents, join(folder, "elsewhere"));
    await symlink(join(folder, "elsewhere"), agents);
    expect(await named(path)).toEqual([["s1.jsonl", undefined]]);
  }));
