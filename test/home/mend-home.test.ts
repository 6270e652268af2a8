// What memoir writes for itself and finds senseless at a start is set aside and said; what is a user's is left alone.
import { expect, test } from "bun:test";
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { readFindings } from "../../src/home/findings.ts";
import { mendKinds, mendLock, mendTexts } from "../../src/home/make-home.ts";
import { memoirPaths, type Paths } from "../../src/home/paths.ts";
import { inFolder } from "../support/in-folder.ts";

const inHome = (work: (paths: Paths) => Promise<void>) =>
  inFolder((home) => work(memoirPaths(home)));
/** `file: what happened`, and the name it has now. */
const said = ({ home }: Paths) =>
  readFindings(home)
    .map(({ file, what, aside, time }) => [`${file} ${what}`, aside, time])
    .sort();

test("a folder in a file's place, a file in a folder's and a link to nothing get another name", () =>
  inHome(async (paths) => {
    await mkdir(join(paths.serverInfo, "inner"), { recursive: true });
    await writeFile(paths.spool, "events");
    await symlink(join(paths.home, "nowhere"), paths.token);
    await mkdir(`${paths.home}/server.starting.lock`);
    await mendKinds(paths, 7);
    expect(said(paths)).toEqual(
      [
        ["server.json was a folder, where a file belongs", `${paths.serverInfo}.damaged-7`, 7],
        ["spool was a file, where a folder belongs", `${paths.spool}.damaged-7`, 7],
        ["token was a link to nothing", `${paths.token}.damaged-7`, 7],
        [
          "server.starting.lock was a folder, where a file belongs",
          `${paths.home}/server.starting.lock.damaged-7`,
          7,
        ],
      ].sort(),
    );
    expect(await readdir(`${paths.serverInfo}.damaged-7`)).toEqual(["inner"]);
    expect(await readFile(`${paths.spool}.damaged-7`, "utf8")).toBe("events");
    for (const path of [paths.serverInfo, paths.spool, paths.token])
      expect(await lstat(path).catch(() => "gone")).toBe("gone");
  }));

test("what tells of damage, and what is asked before a database is opened, are mended too, a pipe among them", () =>
  inHome(async (paths) => {
    const { home } = paths;
    const pipe = (path: string) => expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
    await mkdir(join(home, "findings.jsonl"));
    for (const name of ["databases.json", "rebuild.jsonl", "forgotten", "in-flight"])
      pipe(join(home, name));
    pipe(paths.spool);
    await mkdir(paths.unkept);
    await mkdir(join(home, "checked.json"));
    await mendKinds(paths, 7);
    const stood = "was a pipe, a socket or a device, where memoir's own belongs";
    const isFolder = "was a folder, where a file belongs";
    expect(said(paths).map(([words]) => words)).toEqual(
      [
        ...["databases.json", "forgotten", "in-flight", "rebuild.jsonl", "spool"].map(
          (name) => `${name} ${stood}`,
        ),
        ...["checked.json", "findings.jsonl", "unkept"].map((name) => `${name} ${isFolder}`),
      ].sort(),
    );
    // It bears the word that something is to be made again.
    await rm(join(home, "rebuild.jsonl"), { force: true });
    await mkdir(join(home, "rebuild.jsonl"));
    await mendKinds(paths, 8);
    expect((await stat(join(home, "rebuild.jsonl"))).isDirectory()).toBe(true);
  }));

test("a file in the place of the memory files' folder or of the backups' is set aside; a link of the user's to a disk that is away stays", () =>
  inHome(async (paths) => {
    const at = (name: string) => join(paths.home, name);
    await writeFile(at("memory"), "x");
    await symlink("/nonexistent/disk", at("backups"));
    await mendKinds(paths, 7);
    expect(said(paths).map(([words]) => words)).toEqual([
      "memory was a file, where a folder belongs",
    ]);
    expect(await readlink(at("backups"))).toBe("/nonexistent/disk");
  }));

test("what is as it should be stays, links to it too, and a second look has nothing to say", () =>
  inHome(async (paths) => {
    const elsewhere = join(paths.home, "elsewhere");
    await mkdir(elsewhere);
    await symlink(elsewhere, paths.logs);
    await writeFile(join(elsewhere, "real.json"), "{}");
    await symlink(join(elsewhere, "real.json"), paths.serverInfo);
    await mkdir(paths.spool);
    await writeFile(paths.token, "x");
    // A user's own: whatever stands there, they put it there.
    await mkdir(paths.config);
    await mendKinds(paths, 7);
    await mendKinds(paths, 8);
    expect(said(paths)).toEqual([]);
    expect(await readlink(paths.logs)).toBe(elsewhere);
    expect((await stat(paths.config)).isDirectory()).toBe(true);
  }));

test.each<[keyof Paths, string, boolean]>([
  ["serverInfo", '{"pid": 1}', true],
  ["serverInfo", "[1]", false],
  ["serverInfo", "null", false],
  ["serverInfo", "7", false],
  ["serverInfo", "{ torn", false],
  ["serverInfo", "", true],
  ["serverInfo", " \n", true],
  ["hookDeadlines", "garbage", false],
  ["hookDeadlines", "{}", true],
  ["pauses", "garbage", false],
  ["pauses", "{}", true],
  ["token", `${"0af9".repeat(16)}\n`, true],
  ["token", "0af9".repeat(15), false],
  ["token", `x${"0af9".repeat(16)}`, false],
  ["token", `${"0af9".repeat(16)} and more`, false],
])("of a server's own %s with the text %j staying is %p", (name, text, stays) =>
  inHome(async (paths) => {
    const path = paths[name];
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    await mendTexts(paths, 9);
    const aside = `${path}.damaged-9`;
    const there = await Promise.all([path, aside].map((one) => Bun.file(one).exists()));
    expect(there).toEqual([stays, !stays]);
    const finding = [`${path.split("/").at(-1)} held nothing that memoir writes`, aside, 9];
    expect<unknown>(said(paths)).toEqual(stays ? [] : [finding]);
    if (!stays) expect(await readFile(aside, "utf8")).toBe(text);
  }),
);

test("a lock file that holds something is emptied in its place, and what it held is kept", () =>
  inHome(async (paths) => {
    const path = paths.serverLock;
    await writeFile(path, "");
    await mendLock(path, 3);
    expect(said(paths)).toEqual([]);
    await writeFile(path, "someone's notes");
    const { ino } = await stat(path);
    await mendLock(path, 4);
    expect([(await stat(path)).ino, (await stat(path)).size]).toEqual([ino, 0]);
    expect(await readFile(`${path}.damaged-4`, "utf8")).toBe("someone's notes");
    expect(said(paths)).toEqual([
      ["server.lock held something else than memoir's lock", `${path}.damaged-4`, 4],
    ]);
  }));
