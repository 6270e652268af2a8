// `memoir server start`, `stop`, `status` and `retry` as typed: which server they find, what they ask of it, and what they print.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { version } from "../../../src/home/version.ts";
import { knownSchemas as schemas } from "../../../src/stored/schemas.ts";
import { ownHome } from "../../support/own-home.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
});
afterEach(() => place.end());
const status = (more: object = {}) => ({ "/api/status": { ...quietStatus, version, ...more } });

describe("start", () => {
  test("finds one of this version at work, and leaves a newer one alone", async () => {
    const { code, out, asked } = await typed(["server", "start"], status());
    expect([code, out]).toEqual([0, [`memoir ${version} already running (pid 7).`]]);
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/status"]);
    const newer = await typed(["server", "start"], status({ version: "999.0.0" }));
    expect([newer.code, newer.out]).toEqual([0, ["memoir 999.0.0 already running (pid 7)."]]);
  });

  test("as JSON says what it did and where the server is, and nothing more", async () => {
    const { out } = await typed(["server", "start", "--json"], status());
    expect(JSON.parse(out.join(""))).toEqual({
      ...{ outcome: "already running", pid: 7, port: 4_000, socket: "/h/memoir.sock" },
      ...{ version, startedAt: 0 },
    });
  });
});

describe("stop", () => {
  test("where nobody ever served says so", async () => {
    const { code, out } = await typed(["server", "stop"]);
    expect([code, out]).toEqual([0, ["No memoir server was running."]]);
    expect((await typed(["server", "stop", "--json"])).out).toEqual([
      '{"stopped":false,"hung":false,"gatewaySessions":0,"standsIn":false}',
    ]);
  });
});

describe("status", () => {
  test("says before the first use what to do", async () => {
    expect((await typed(["status"])).out.slice(2, 3)).toEqual([
      "  Nothing is set up yet: `memoir install` connects your coding agents.",
    ]);
  });

  test("counts the events that wait while no server runs, and names the home", async () => {
    const spool = join(place.home, "spool");
    await mkdir(spool, { recursive: true });
    const waiting = async () => (await typed(["status"])).out.slice(0, 3);
    const head = ["memoir  not running", `  home  ${place.home}`];
    const hint = "  It starts by itself when needed, or run `memoir server start`.";
    expect(await waiting()).toEqual([...head, hint]);
    await writeFile(join(spool, "1000-a.json"), "{}");
    expect(await waiting()).toEqual([...head, "  spool  1 event waits for the server"]);
    await writeFile(join(spool, "1001-b.json"), "{}");
    const { code, out } = await typed(["status"]);
    expect([code, out.slice(2, 4)]).toEqual([3, ["  spool  2 events wait for the server", hint]]);
    const json = await typed(["status", "--json"]);
    expect(JSON.parse(json.out.join(""))).toMatchObject({
      ...{ running: false, home: place.home, version, spool: { waiting: 2 } },
    });
    expect(json.code).toBe(3);
  });

  test("of a server that runs adds what the home takes; as JSON it is one line", async () => {
    await mkdir(place.home);
    const { code, out } = await typed(["status"], status());
    expect([code, out[0]]).toEqual([0, expect.stringContaining(`memoir ${version}  running`)]);
    expect(out.filter((line) => line.startsWith("  sizes")).length).toBeLessThanOrEqual(1);
    const json = await typed(["status", "--json"], status());
    expect(json.out).toHaveLength(1);
    expect(JSON.parse(json.out.join(""))).toMatchObject({
      running: true,
      pid: 7,
      sizes: expect.any(Array),
    });
  });
});

describe("retry", () => {
  const retry = (words: string[], retried: number) =>
    typed(["server", "retry", ...words], { "/api/retry": { retried } });

  test("puts all of it back to work, or what is named", async () => {
    const all = await retry([], 2);
    expect([all.code, all.asked.map(({ body }) => body)]).toEqual([0, [{}]]);
    const some = await retry(["7", "12"], 1);
    expect(some.asked.map(({ body }) => body)).toEqual([{ ids: [7, 12] }]);
    expect([all.out, some.out].map((lines) => lines[0])).toEqual([
      expect.stringContaining("2 pieces"),
      expect.stringContaining("1 piece "),
    ]);
    expect((await retry(["--json"], 0)).out).toEqual(['{"retried":0}']);
    expect((await retry([], 0)).out).toEqual(["Nothing to retry."]);
    const unknown = await retry(["7", "9"], 0);
    expect([unknown.code, unknown.out, unknown.err[0]]).toEqual([
      ...[1, [], "error: No failed work has the id 7, 9."],
    ]);
  });

  test("takes no id that is none, wherever it stands", async () => {
    for (const wrong of ["o7", "-1", "1.5", "1".repeat(16)]) {
      const { code, err, asked } = await retry(["--", "1", wrong], 1);
      expect([code, err[0], asked]).toEqual([
        ...[2, `error: “${wrong}” is not the id of failed work.`, []],
      ]);
    }
    const { err } = await retry(["x".repeat(90)], 1);
    expect(err[0]).toBe(`error: “${"x".repeat(40)}” is not the id of failed work.`);
  });
});

test("version as a line and as JSON", async () => {
  expect((await typed(["version"])).out).toEqual([`memoir ${version}`]);
  expect((await typed(["version", "--json"])).out).toEqual([JSON.stringify({ version, schemas })]);
});
