// A report holds what a fault needs, and nothing that was typed, said or remembered.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bundleOf, figuresOf, giveBundle } from "../../../../src/cli/setup/doctor.ts";
import { named, ok } from "../../../../src/health/check.ts";
import { memoirPaths } from "../../../../src/home/paths.ts";
import type { ServerStatus } from "../../../../src/server/schemas/status.ts";
import { fake } from "../../../privacy/corpus/fake.ts";
import { ownHome } from "../../../support/own-home.ts";
import { plainTerminal } from "../../../support/plain-terminal.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
afterEach(() => place.end());

const { secrets } = fake("«{a24}» «{x6}{d3}»", "bundle");
const [token = "", password = ""] = secrets;
const prompt = "why does rosebud melt";

/** A home and a server in which secrets and words of a person stand wherever they could. */
async function planted() {
  const paths = memoirPaths(place.home);
  const config = {
    plugins: { "semantic-search": { baseURL: `https://ada:${password}@host/v1`, apiKey: token } },
    privacy: { redact: { allow: [token] } },
  };
  const lines = [
    {
      time: "2026-01-02T03:04:05Z",
      level: "error",
      scope: "worker",
      message: "a hook failed",
      plugin: "memory-files",
      ms: 12,
      error: { code: "hook_failed", message: `cannot read "${prompt}"` },
    },
    {
      time: "2026-01-02T03:04:06Z",
      level: "warn",
      message: `odd: ${prompt}`,
      text: prompt,
      path: `${place.home}/x`,
    },
  ];
  await mkdir(dirname(paths.log), { recursive: true });
  await mkdir(join(place.home, "memory"), { recursive: true });
  await writeFile(paths.config, JSON.stringify(config));
  await writeFile(
    paths.log,
    `${lines.map((line) => JSON.stringify(line)).join("\n")}\n${prompt}\n`,
  );
  await writeFile(paths.memory, prompt);
  await writeFile(join(place.home, "memory", "rosebud.json"), prompt);
  const status = {
    version: "1.2.3",
    pid: 7,
    token,
    storage: { turns: 5, projects: [{ name: "rosebud", sessions: 1 }] },
    journal: { parked: [{ kind: "turn", session: "rosebud", reason: prompt }] },
  } as unknown as ServerStatus;
  const said: Array<[string, string]> = [
    ["home", `${place.home}, yours alone`],
    ["last", prompt],
    ["x", `address https://ada:${password}@host`],
    ["plugins", `plugin shy failed in Stop: no ${prompt} (/x/shy.ts:2:106) (1 of 3 calls)`],
    ["plugins", `shy: /x/shy.ts cannot be loaded: no ${prompt}`],
    ["journal", `1 piece of work was given up; the last: plugin shy failed in observe: ${prompt}`],
  ];
  const checks = said.flatMap(([name, message]) => named(name, ok(message)));
  const terminal = plainTerminal({
    cwd: place.root,
    env: { HOME: place.root, MEMOIR_HOME: place.home },
  });
  return { bundle: await bundleOf(paths, checks, status, terminal), terminal };
}

describe("a report", () => {
  test("holds no secret, no prompt, no memory, no name of a project and no path of a person", async () => {
    const text = JSON.stringify((await planted()).bundle);
    for (const planted of [token, password, "rosebud", "melt", place.root])
      expect([planted, text.includes(planted)]).toEqual([planted, false]);
  });

  test("holds versions, settings, checks, figures, sizes and what the log says happened", async () => {
    const { bundle } = await planted();
    expect(bundle).toMatchObject({
      memoir: expect.any(String),
      config: {
        plugins: { "semantic-search": { baseURL: "https://ada:[redacted:password]@host/v1" } },
      },
      status: {
        version: "1.2.3",
        pid: 7,
        storage: { turns: 5 },
        journal: { parked: [{ kind: "turn" }] },
      },
      files: { "memory.db": prompt.length, "memory/": prompt.length },
    });
    const [failed] = bundle.log as unknown[];
    expect(failed).toEqual({
      time: "2026-01-02T03:04:05Z",
      level: "error",
      scope: "worker",
      message: "a hook failed",
      plugin: "memory-files",
      ms: 12,
      error: { code: "hook_failed", message: expect.stringContaining("characters]") },
    });
    const checks = JSON.stringify(bundle.checks);
    expect(checks).toContain("<home>, yours alone");
    expect(checks).toContain(
      "plugin shy failed in Stop: [24 characters] (/x/shy.ts:2:106) (1 of 3 calls)",
    );
    expect(checks).toContain("/x/shy.ts cannot be loaded: [24 characters]");
  });

  test("says that rules of redaction are left out, and nothing where there are none", async () => {
    const paths = memoirPaths(place.home);
    const terminal = plainTerminal({ env: { HOME: place.root, MEMOIR_HOME: place.home } });
    const config = async (text: string) => {
      await writeFile(paths.config, text);
      return (await bundleOf(paths, [], undefined, terminal)).config;
    };
    const rules = { privacy: { redact: { allow: ["rosebud"] } } };
    expect(await config(JSON.stringify(rules))).toEqual({ privacy: "[left out]" });
    expect(await config('{"log":{"level":"debug"}}')).toEqual({ log: { level: "debug" } });
  });

  test("is printed, and written only where a file is named, over nothing that is there", async () => {
    const { bundle, terminal } = await planted();
    expect(await giveBundle(bundle, undefined, terminal)).toBe(0);
    expect(JSON.parse(terminal.out[0] ?? "")).toEqual(JSON.parse(JSON.stringify(bundle)));
    await giveBundle(bundle, "report.json", terminal);
    expect(JSON.parse(await readFile(join(place.root, "report.json"), "utf8"))).toEqual(bundle);
    await expect(giveBundle(bundle, "report.json", terminal)).rejects.toThrow("EEXIST");
  });

  test("is shown before anybody is asked whether to write it, and no is no", async () => {
    const { bundle } = await planted();
    const asked: string[] = [];
    const terminal = plainTerminal({ cwd: place.root, interactive: true });
    terminal.confirm = async (question) => {
      asked.push(question, String(terminal.out.length));
      return false;
    };
    expect(await giveBundle(bundle, "no.json", terminal)).toBe(0);
    expect(asked).toEqual(["Write this to no.json?", "1"]);
    expect(await Bun.file(join(place.root, "no.json")).exists()).toBe(false);
  });
});

test("strings are told by their length, but for names of things", () => {
  expect(
    figuresOf({ n: 1, text: "abc", kind: "turn", plugin: "two words", message: 'a "b"' }),
  ).toEqual({
    n: 1,
    text: "[3 characters]",
    kind: "turn",
    plugin: "[9 characters]",
    message: "[5 characters]",
  });
});
