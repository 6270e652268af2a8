// The list of sessions that ended: kept until they are done, across restarts, whatever happens while one is looked at.
import { expect, test } from "bun:test";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createEnded, type Ended } from "../../../plugins/endless-transcript/index.ts";
import { inFolder } from "../../support/in-folder.ts";

const ended = (at: number): Ended => ({ path: "/p/s1.jsonl", at });
const pathIn = (folder: string) => join(folder, "endless", "ended.json");
const kept = async (folder: string) => JSON.parse(await readFile(pathIn(folder), "utf8"));

test("a session that ends again while its first end is looked at stays on the list", () =>
  inFolder(async (folder) => {
    const lookedTwice = Promise.withResolvers<void>();
    const seen: number[] = [];
    const list = createEnded(
      pathIn(folder),
      async (session, { at }) => {
        seen.push(at);
        if (at === 2) lookedTwice.resolve();
        else await list.add(session, ended(2));
        return at === 2 ? "later" : "done";
      },
      () => 0,
    );
    await list.add("s1", ended(1));
    await lookedTwice.promise;
    await list.stop();
    expect(seen).toEqual([1, 2]);
    expect(await kept(folder)).toEqual({ s1: ended(2) });
  }));

test("what an earlier process left is looked at; what is done or too old goes, the rest stays", () =>
  inFolder(async (folder) => {
    const week = 7 * 86_400_000;
    const left = { old: ended(0), done: ended(week), open: ended(week) };
    await mkdir(dirname(pathIn(folder)));
    await writeFile(pathIn(folder), JSON.stringify(left));
    const looked = Promise.withResolvers<void>();
    const seen: string[] = [];
    const list = createEnded(
      pathIn(folder),
      async (session) => {
        seen.push(session);
        if (session === "open") looked.resolve();
        return session === "open" ? "later" : "done";
      },
      () => week + 1,
    );
    await list.start();
    await looked.promise;
    await list.stop();
    expect(seen).toEqual(["done", "open"]);
    expect(await kept(folder)).toEqual({ open: ended(week) });
  }));

test("a session that goes on is taken off at once; a list that cannot be read counts as empty", () =>
  inFolder(async (folder) => {
    await mkdir(dirname(pathIn(folder)));
    await writeFile(pathIn(folder), '{"s1": {"path"');
    const list = createEnded(
      pathIn(folder),
      async () => "later",
      () => 0,
    );
    await list.start();
    await list.add("s2", ended(1));
    await list.add("s3", ended(1));
    await list.drop("s2");
    expect(await kept(folder)).toEqual({ s3: ended(1) });
    await list.stop();
  }));

test("what ended in this process counts before what an earlier one wrote, for its owner alone", () =>
  inFolder(async (folder) => {
    await mkdir(dirname(pathIn(folder)));
    await writeFile(pathIn(folder), JSON.stringify({ s1: ended(1) }));
    const list = createEnded(
      pathIn(folder),
      async () => "later",
      () => 0,
    );
    await rm(pathIn(folder));
    await list.add("s1", ended(2));
    await writeFile(pathIn(folder), JSON.stringify({ s1: ended(1), s2: ended(1) }));
    await list.start();
    await list.add("s3", ended(3));
    expect(await kept(folder)).toEqual({ s1: ended(2), s2: ended(1), s3: ended(3) });
    expect((await stat(pathIn(folder))).mode & 0o777).toBe(0o600);
    await list.stop();
  }));

test("once it is stopped no further session is looked at", () =>
  inFolder(async (folder) => {
    const looking = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const seen: string[] = [];
    const list = createEnded(
      pathIn(folder),
      async (session) => {
        seen.push(session);
        looking.resolve();
        await goOn.promise;
        return "later";
      },
      () => 0,
    );
    await list.add("s1", ended(1));
    await list.add("s2", ended(1));
    await looking.promise;
    const stopped = list.stop();
    goOn.resolve();
    await stopped;
    expect(seen).toEqual(["s1"]);
  }));
