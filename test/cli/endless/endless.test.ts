// `memoir endless` and `memoir recall` as a person and an agent meet them, against a real server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../../src/home/log.ts";
import { parseConfig } from "../../../src/runtime/config/config.ts";
import { createEndless } from "../../../src/runtime/endless/endless.ts";
import { keepRequest } from "../../support/endless-room.ts";
import { runMemoir } from "../../support/run-memoir.ts";

let root: string;
let home: string;
let shop: string;
const project = "example.com/acme/shop.web";
/** A session that nothing is remembered of yet. */
const open = "5e55a91c-0000-4000-8000-00000000000a";

const memoir = (...args: string[]) => runMemoir(args, { HOME: root, MEMOIR_HOME: home }, shop);
const config = async () => JSON.parse(await readFile(join(home, "config.json"), "utf8")).endless;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "memoir-cli-endless-")));
  home = join(root, "home");
  shop = join(root, "shop");
  await mkdir(join(shop, ".git"), { recursive: true });
  await writeFile(join(shop, ".git", "HEAD"), "ref: refs/heads/main\n");
  const remote = '[remote "origin"]\n\turl = https://example.com/acme/shop.web.git\n';
  await writeFile(join(shop, ".git", "config"), remote);
  await mkdir(home, { recursive: true, mode: 0o700 });
  // What a strategy kept in an earlier session.
  const endless = createEndless({
    path: join(home, "endless.db"),
    now: Date.now,
    log: silentLog,
    config: () => parseConfig("/c", "{}").config.endless,
    capture: async (event) => ({ event, failed: [] }),
    session: () => undefined,
    waitFor: async () => undefined,
    folders: [],
  });
  const value = { stdout: Array.from({ length: 9_000 }, (_, at) => `row ${at}`).join("\n") };
  const live = endless.client("live");
  await live.keep(keepRequest({ toolUseId: "toolu_long", value, before: value.stdout, after: "" }));
  await live.keep(
    keepRequest({ toolUseId: "toolu_odd", value: { stdout: "a\u001b[31mred\u0007" } }),
  );
  await endless.stop();
});
afterAll(async () => {
  await memoir("server", "stop");
  await rm(root, { recursive: true, force: true });
});

test("on and off: in this folder's project, in a session, everywhere; config holds only what differs", async () => {
  const off = await memoir("endless", "status");
  expect([off.code, off.err]).toEqual([3, ""]);
  expect(off.out).toContain("nowhere; `memoir endless on` enables it in this folder's project");

  const on = await memoir("endless", "on");
  expect([on.code, on.err]).toEqual([0, ""]);
  expect(on.out).toContain(`Endless Mode is on in shop.web (${project}): live.`);
  expect(on.out).toContain("memoir recall <id>");
  expect(on.out).toContain("Off again: `memoir endless off`.");
  expect(await config()).toEqual({ projects: { [project]: ["live"] } });

  await memoir("endless", "on", "transcript", "--json");
  expect(await config()).toEqual({ projects: { [project]: ["live", "transcript"] } });
  const less = await memoir("endless", "off", "live", "--json");
  expect(JSON.parse(less.out)).toMatchObject({
    scope: "project",
    project,
    strategies: ["transcript"],
  });

  expect((await memoir("endless", "on", "--everywhere")).out).toContain("is on everywhere: live.");
  const one = await memoir("endless", "off", "--session", open);
  expect(one.out).toContain(`Endless Mode is off in session ${open}.`);
  const slip = await memoir("endless", "off", "--session", "nope");
  expect([slip.code, slip.out]).toEqual([1, ""]);
  expect(slip.err).toContain('There is no session "nope".');
  const none = await memoir("endless", "on", "nope");
  expect([none.code, none.err]).toEqual([
    2,
    expect.stringContaining("There is no strategy nope.\nfix: There is live, transcript, gateway"),
  ]);
  expect(await config()).toEqual({
    everywhere: ["live"],
    projects: { [project]: ["transcript"] },
    sessions: { [open]: [] },
  });
  const status = await memoir("endless");
  expect(status.code).toBe(0);
  for (const line of ["everywhere: live", `project ${project}: transcript`, `session ${open}: off`])
    expect(status.out).toContain(line);

  await memoir("endless", "off");
  expect((await config()).projects).toEqual({ [project]: [] });
  await memoir("endless", "off", "--everywhere");
  await memoir("endless", "off");
  expect((await config()).everywhere).toBeUndefined();
}, 180_000);

test("a strategy that nobody has changes nothing", async () => {
  const before = await config();
  const { code, err } = await memoir("endless", "on", "lvie");
  expect(code).toBe(2);
  expect(err).toContain("lvie");
  expect(await config()).toEqual(before);
  expect((await memoir("endless", "on", "--session", "s", "--everywhere")).code).toBe(2);
  const off = await memoir("endless", "on", "off");
  expect([off.code, off.out]).toEqual([2, ""]);
  expect(off.err).toContain("memoir endless off");
  expect(await config()).toEqual(before);
  expect((await memoir("endless", "off", "lvie")).out).toContain("lvie: was not on in shop.web");
}, 180_000);

test("a session is named by the beginning of its id, a project by its name", async () => {
  const session = "3f2a91c0-0000-4000-8000-000000000001";
  const event = (name: string, more: object = {}) =>
    JSON.stringify({
      session_id: session,
      cwd: shop,
      transcript_path: join(root, "none.jsonl"),
      hook_event_name: name,
      ...more,
    });
  for (const body of [
    event("SessionStart", { source: "startup" }),
    event("UserPromptSubmit", { prompt: "Fix the rounding" }),
    event("SessionEnd", { reason: "other" }),
  ])
    await runMemoir(["hook", "claude-code"], { HOME: root, MEMOIR_HOME: home }, shop, body);
  await memoir("sessions");
  const on = await memoir("endless", "on", "--session", "3f2a");
  expect(on.out).toContain(`is on in session ${session}: live.`);
  expect((await config()).sessions).toMatchObject({ [session]: ["live"] });
  await memoir("endless", "off", "--session", "3f2a");
  const nothing = await memoir("endless", "metrics", "--session", "3f2a", "--project", "shop.web");
  expect(nothing.out).toContain(
    `did nothing in project ${project} in session ${session} in that time`,
  );
}, 180_000);

test("recall: pages below the client's limit, lines, a search, all of it, and plain errors", async () => {
  const first = await memoir("recall", "toolu_l");
  expect([first.code, first.err]).toEqual([0, ""]);
  expect(first.out.length).toBeLessThan(20_000);
  expect(first.out).toStartWith("row 0\nrow 1\n");
  expect(first.out.trimEnd().split("\n").at(-1)).toBe(
    "[memoir: page 1 of 5, 79,889 characters; next: memoir recall toolu_long --page 2]",
  );
  expect((await memoir("recall", "toolu_long", "--lines", "2-3")).out).toBe("row 1\nrow 2\n");
  expect((await memoir("recall", "toolu_long", "--grep", "w 4[12]$")).out).toBe(
    "42:row 41\n43:row 42\n",
  );
  const none = await memoir("recall", "toolu_long", "--grep", "column");
  expect([none.code, none.out]).toEqual([1, "No line matches.\n"]);
  const all = JSON.parse((await memoir("recall", "toolu_odd", "--json")).out);
  expect(all.value).toEqual({ stdout: "a\u001b[31mred\u0007" });
  const unknown = await memoir("recall", "toolu_x");
  expect([unknown.code, unknown.out]).toEqual([1, ""]);
  expect(unknown.err).toContain("Nothing is kept under toolu_x.");
  expect((await memoir("recall", "toolu_long", "--json", "--page", "2")).code).toBe(2);
  expect((await memoir("recall", "toolu_long", "--part", "input")).err).toContain(
    "Ask for its output.",
  );
}, 180_000);

test("status and metrics say what was left out and what came back", async () => {
  const status = await memoir("endless", "status");
  expect(status.out).toMatch(/in all .* characters, about .* tokens, 2 times/);
  expect(status.out).toContain("2 originals of");
  const { out, code } = await memoir("endless", "metrics", "--since", "1d");
  expect(code).toBe(0);
  expect(out).toMatch(/live +Bash +2 +/);
  const metrics = JSON.parse(
    (await memoir("endless", "metrics", "--json", "--session", "other")).out,
  );
  expect(metrics.tools).toEqual([]);
  expect(metrics.comparison.enough).toBe(false);
  expect((await memoir("endless", "metrics", "--since", "whenever")).code).toBe(2);
}, 180_000);
