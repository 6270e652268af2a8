// What `plugin dev` replays: the sample, a transcript, and the journal's newest session.
import { expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { journalEvents, sampleEvents, transcriptEvents } from "../../../../src/cli/plugins/dev.ts";
import { memoirPaths } from "../../../../src/home/paths.ts";
import { openDatabase } from "../../../../src/host/sqlite.ts";
import { inFolder } from "../../../support/in-folder.ts";
import { busySession, recordedSession } from "../../../support/recorded-session.ts";

const noon = Date.UTC(2026, 10, 20, 12);

test("the sample is one session in a repository of its own, in its order, and ends with what templates look for", () =>
  inFolder(async (folder) => {
    const { events, from } = await sampleEvents(folder, noon);
    expect(from).toBe("memoir's sample session");
    expect(new Set(events.map(({ session }) => session)).size).toBe(1);
    expect(events.map(({ time }) => time)).toEqual(events.map((_, at) => noon + at));
    const names = events.slice(-5).map((event) => event.name);
    expect(names).toEqual(["UserPromptSubmit", "PostToolUse", "PostToolUse", "Stop", "SessionEnd"]);
    const [ask, edit, ship, stop] = events.slice(-5);
    expect(ask).toMatchObject({ prompt: "Ship project-x to staging." });
    expect(edit).toMatchObject({ toolName: "Edit", toolUseId: "sample-edit" });
    expect(ship).toMatchObject({
      toolInput: { command: "docker compose up --detach --build" },
      toolResponse: { stdout: expect.stringMatching(/^Container shop-web-1 {2}Started\n/) },
    });
    expect(stop).toMatchObject({ lastAssistantMessage: expect.stringContaining("Node 24") });
    expect(await readFile(join(folder, "shop/.git/HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
    expect(await readFile(join(folder, "shop/.git/config"), "utf8")).toMatch(
      /^\[remote "origin"\]\n\turl = \S+\n$/,
    );
    expect(JSON.stringify(events)).not.toContain("$PROJECT");
  }));

test("a transcript gives its events as if they happened now, under the session that its name says", () =>
  inFolder(async (folder) => {
    const path = await busySession("one", "/gone/shop", noon, 1).write(folder);
    const { events, from } = await transcriptEvents(path, "/");
    expect(from).toBe(path);
    expect(events.length).toBeGreaterThan(2);
    expect(new Set(events.map(({ session }) => session))).toEqual(new Set(["one"]));
    expect(events.some((event) => "recovered" in event)).toBe(false);
    expect(events.map((event) => event.name)).toContain("Stop");
    const short = path.slice(folder.length + 1);
    expect((await transcriptEvents(short, folder)).events).toHaveLength(events.length);
  }));

test("of a long transcript there are the first thousand events", () =>
  inFolder(async (folder) => {
    const long = recordedSession("long", "/gone/shop");
    for (let at = 0; at < 600; at++) {
      long.prompt(`Ask ${at}`, noon + at * 10);
      long.say("Done.", noon + at * 10 + 5);
    }
    const { events } = await transcriptEvents(await long.write(folder), "/");
    expect(events).toHaveLength(1_000);
    expect(events.find((event) => "prompt" in event)).toMatchObject({ prompt: "Ask 0" });
  }));

test("no file, a folder and a file without events are refused by name", () =>
  inFolder(async (folder) => {
    const why = (path: string) => transcriptEvents(path, folder).then(() => "", String);
    expect(await why("none.jsonl")).toContain(`There is no file ${join(folder, "none.jsonl")}.`);
    await mkdir(join(folder, "sub"));
    expect(await why("sub")).toContain("There is no file");
    await writeFile(join(folder, "empty.jsonl"), "");
    expect(await why("empty.jsonl")).toContain("empty.jsonl holds no events.");
  }));

test("of the journal there is the session whose tool use is the newest, from its beginning", () =>
  inFolder(async (home) => {
    const paths = memoirPaths(home);
    const nothing = { code: "record_not_found" };
    await expect(journalEvents(paths)).rejects.toMatchObject(nothing);
    const db = await openDatabase(paths.journal);
    db.exec("CREATE TABLE events (seq INTEGER PRIMARY KEY, session TEXT, tool_use TEXT)");
    db.exec("CREATE TABLE payloads (seq INTEGER PRIMARY KEY, json TEXT)");
    await expect(journalEvents(paths)).rejects.toMatchObject(nothing);
    const add = (seq: number, session: string, tool: string | null) => {
      db.prepare("INSERT INTO events VALUES (?, ?, ?)").run([seq, session, tool]);
      const json = JSON.stringify({ session, seq });
      db.prepare("INSERT INTO payloads VALUES (?, ?)").run([seq, json]);
    };
    add(1, "old", "t1");
    add(4, "new", "t3");
    add(2, "new", null);
    add(3, "old", "t2");
    add(5, "talk", null);
    const { events, from } = await journalEvents(paths);
    expect([from, events as unknown[]]).toEqual([
      "session new in the journal",
      [
        { session: "new", seq: 2 },
        { session: "new", seq: 4 },
      ],
    ]);
    db.close();
  }));
