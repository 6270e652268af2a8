// What stands in for a server: it waits for the port, passes on what comes, and leaves it to whoever is to have it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Host, Listener } from "../../../src/host/host.ts";
import {
  openSessionsFile,
  relieved,
  silentMs,
  standIn,
  standInFile,
  standInListens,
} from "../../../src/server/gateway/open-sessions.ts";
import { keptLog } from "../../support/kept-log.ts";
import { type RawUpstream, rawUpstream, whole } from "../../support/raw-upstream.ts";

type Handler = Parameters<Host["listen"]>[1];

let home: string;
let upstream: RawUpstream;
let now: number;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-stand-in-"));
  const json = { "content-type": "application/json" };
  upstream = await rawUpstream((socket) => void socket.end(whole("200 OK", json, "upstream")));
  now = 1_000_000;
});
afterEach(async () => {
  await upstream.stop();
  await rm(home, { recursive: true, force: true });
});

const leaving = () => join(home, "gateway-stand-in.leave");
const mark = () => readFile(standInFile(home), "utf8").catch(() => "");
const until = async (is: () => boolean | Promise<boolean>) => {
  while (!(await is())) await Bun.sleep(5);
};
/** Sessions that are open, by the port that they know. */
const open = (ports: Record<string, number>) =>
  writeFile(
    openSessionsFile(home),
    JSON.stringify({
      last: null,
      sessions: Object.fromEntries(
        Object.entries(ports).map(([session, port]) => [
          session,
          { port, upstream: upstream.url, at: now, asked: true },
        ]),
      ),
    }),
  );
const ask = (handler: Handler, session: string) =>
  Promise.resolve(
    handler(
      new Request("http://127.0.0.1:1/v1/messages", {
        method: "POST",
        headers: { host: "127.0.0.1:1", "x-claude-code-session-id": session },
        body: '{"messages":[]}',
      }),
    ),
  ).then((answer) => answer.text());

/** A host whose ports are taken as long as `taken` says; what was asked of it. */
function fakeHost(taken: () => boolean = () => false, stopping: () => unknown = () => undefined) {
  const listens: Array<{ address: unknown; handler: Handler; mark: string }> = [];
  const stops: number[] = [];
  let tries = 0;
  const listen: Host["listen"] = async (address, handler) => {
    tries++;
    if (taken()) throw new Error("EADDRINUSE");
    listens.push({ address, handler, mark: await mark() });
    return {
      port: (address as { port: number }).port,
      async stop(graceMs) {
        await stopping();
        stops.push(graceMs);
      },
    };
  };
  return { host: { name: "bun", listen } as Host, listens, stops, tries: () => tries };
}
const stands = (host: Host) => standIn({ home, host, log: keptLog(), now: () => now });

describe("a stand-in", () => {
  test("ends at once where no session is open, and leaves nothing behind", async () => {
    const { host, tries } = fakeHost();
    await stands(host);
    await open({});
    await stands(host);
    expect([tries(), existsSync(standInFile(home))]).toEqual([0, false]);
  });

  test("listens at every port that is still asked, and sends each session where it was led", async () => {
    await open({ a: 4_001, b: 4_002 });
    // Left from another time: it asks nobody now.
    await writeFile(leaving(), "");
    const { host, listens, stops } = fakeHost();
    const standing = stands(host);
    await until(() => standInListens(home));
    expect(listens.map(({ address }) => address)).toEqual([
      { hostname: "127.0.0.1", port: 4_001 },
      { hostname: "127.0.0.1", port: 4_002 },
    ]);
    // Before it has them it says that it is there, and not that it listens.
    expect(listens.map(({ mark: before }) => JSON.parse(before))).toEqual([
      { pid: process.pid, listening: false },
      { pid: process.pid, listening: false },
    ]);
    const [first, second] = listens.map(({ handler }) => handler);
    if (first && second)
      expect([await ask(first, "a"), await ask(second, "b")]).toEqual(["upstream", "upstream"]);
    await writeFile(leaving(), "");
    await standing;
    // What is being answered goes on.
    expect(stops).toEqual([600_000, 600_000]);
    expect(existsSync(standInFile(home))).toBe(false);
  });

  test("waits for a port that is taken", async () => {
    await open({ a: 4_001 });
    let isTaken = true;
    const { host, listens, tries } = fakeHost(() => isTaken);
    const standing = stands(host);
    await until(() => tries() > 1);
    expect([listens.length, await standInListens(home)]).toEqual([0, false]);
    isTaken = false;
    await until(() => standInListens(home));
    expect(listens).toHaveLength(1);
    await writeFile(leaving(), "");
    await standing;
  });

  test("does not wait for a port that somebody else is to have", async () => {
    await open({ a: 4_001 });
    const { host, listens, tries } = fakeHost(() => true);
    const standing = stands(host);
    await until(() => tries() > 0);
    await writeFile(leaving(), "");
    await standing;
    expect([listens.length, existsSync(standInFile(home))]).toEqual([0, false]);
  });

  test("ends when every session was silent for long", async () => {
    await open({ a: 4_001 });
    const { host, stops } = fakeHost();
    const standing = stands(host);
    await until(() => standInListens(home));
    now += silentMs + 1;
    await standing;
    expect(stops).toHaveLength(1);
  });

  test("has what it knows of sessions on disk before it ends", async () => {
    await open({ a: 4_001 });
    const { host, listens } = fakeHost(undefined, () => {
      now += 3_600_000;
      const [{ handler } = { handler: async () => new Response() }] = listens;
      // What comes at the last moment is noted at once, and written behind.
      const headers = { host: "127.0.0.1:1", "x-claude-code-session-id": "a" };
      void handler(new Request("http://127.0.0.1:1/v1/models", { headers }));
    });
    const standing = stands(host);
    await until(() => standInListens(home));
    await writeFile(leaving(), "");
    await standing;
    const { sessions } = JSON.parse(await readFile(openSessionsFile(home), "utf8"));
    expect(sessions.a.at).toBe(now);
  });

  test("does not bring back what an uninstall took along", async () => {
    await open({ a: 4_001 });
    const { host, listens } = fakeHost(undefined, async () => {
      await rm(openSessionsFile(home));
      now += 3_600_000;
      const [{ handler } = { handler: async () => new Response() }] = listens;
      await ask(handler, "a");
    });
    const standing = stands(host);
    await until(() => standInListens(home));
    await writeFile(leaving(), "");
    await standing;
    expect(existsSync(openSessionsFile(home))).toBe(false);
  });

  test("says nothing where its mark was taken away before it had the port", async () => {
    await open({ a: 4_001 });
    let isTaken = true;
    const marks: string[] = [];
    const { host, tries } = fakeHost(
      () => isTaken,
      async () => marks.push(await mark()),
    );
    const standing = stands(host);
    await until(() => tries() > 0);
    await rm(standInFile(home));
    isTaken = false;
    now += silentMs + 1;
    await standing;
    expect([marks, existsSync(standInFile(home))]).toEqual([[""], false]);
  });

  test("leaves the mark of another one alone", async () => {
    await open({ a: 4_001 });
    const { host } = fakeHost();
    const standing = stands(host);
    await until(() => standInListens(home));
    const another = `{"pid":${process.pid + 1},"listening":false}\n`;
    await writeFile(standInFile(home), another);
    await writeFile(leaving(), "");
    await standing;
    expect(await mark()).toBe(another);
  });
});

describe("a server that wants the port", () => {
  const listener: Listener = { port: 1, stop: async () => undefined };
  const taken = new Error("the port is taken");

  test("has it at once where it is free", async () => {
    expect(await relieved(home, async () => listener)).toBe(listener);
    expect(existsSync(leaving())).toBe(false);
  });

  test("is told that it is taken where nobody stands in", async () => {
    let tries = 0;
    const listen = () => {
      tries++;
      return Promise.reject(taken);
    };
    await expect(relieved(home, listen)).rejects.toBe(taken);
    expect([tries, existsSync(leaving())]).toEqual([1, false]);
  });

  test("asks who stands in to leave, and takes away the mark of one that was killed", async () => {
    await writeFile(standInFile(home), '{"pid":1,"listening":true}\n');
    let tries = 0;
    const asked: boolean[] = [];
    const listen = async () => {
      asked.push(existsSync(leaving()));
      if (++tries < 3) throw taken;
      return listener;
    };
    expect(await relieved(home, listen)).toBe(listener);
    expect(asked).toEqual([false, true, true]);
    expect([existsSync(leaving()), existsSync(standInFile(home))]).toEqual([false, false]);
  });

  test("is told that it is taken where it stays so, and asks no longer", async () => {
    await writeFile(standInFile(home), '{"pid":1,"listening":true}\n');
    await expect(relieved(home, () => Promise.reject(taken))).rejects.toBe(taken);
    expect(existsSync(leaving())).toBe(false);
  });
});
