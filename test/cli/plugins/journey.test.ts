// As a new author would: from `plugin new` to seeing an own observation in `search`, then an own storage, by real processes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runMemoir } from "../../support/run-memoir.ts";

let room: string;
let env: Record<string, string>;
let shop: string;
beforeAll(async () => {
  room = await realpath(await mkdtemp(join(tmpdir(), "memoir-author-")));
  shop = join(room, "shop");
  await mkdir(join(shop, ".git"), { recursive: true });
  await writeFile(join(shop, ".git/HEAD"), "ref: refs/heads/main\n");
  env = { HOME: room, MEMOIR_HOME: join(room, "home"), CLAUDE_CONFIG_DIR: join(room, "client") };
});
afterAll(async () => {
  await runMemoir(["server", "stop"], env, room);
  await rm(room, { recursive: true, force: true });
});

const memoir = (...args: string[]) => runMemoir(args, env, shop);

/** One event as the client would tell it; gives the reply. */
async function hook(session: string, fields: object): Promise<Record<string, unknown>> {
  const payload = {
    ...{ session_id: session, transcript_path: join(room, `${session}.jsonl`), cwd: shop },
    ...fields,
  };
  const hook = ["hook", "claude-code"];
  const { out: text } = await runMemoir(hook, env, shop, JSON.stringify(payload));
  return text.trim() === "" ? {} : JSON.parse(text);
}

async function work(session: string, command: string): Promise<void> {
  await hook(session, {
    hook_event_name: "UserPromptSubmit",
    prompt: "Roll the cluster out, please.",
  });
  await hook(session, {
    ...{ hook_event_name: "PostToolUse", tool_name: "Bash", tool_use_id: `use-${session}` },
    tool_input: { command },
    tool_response: { stdout: "done", stderr: "", interrupted: false, isImage: false },
  });
  await hook(session, { hook_event_name: "Stop", stop_hook_active: false });
}

/** Titles that a search finds, as soon as there are any. */
async function found(words: string): Promise<string[]> {
  for (;;) {
    const { out } = await memoir("search", words, "--level", "titles", "--json");
    const { results } = JSON.parse(out) as { results: Array<{ title: string }> };
    if (results.length > 0) return results.map(({ title }) => title);
  }
}

test("an observation of one's own is found", async () => {
  expect((await memoir("plugin", "new", "observation", "infra")).out).toContain(
    "plugin test infra",
  );
  expect((await memoir("plugin", "list")).out).toContain(
    "memoir config set slots.observation infra",
  );
  expect(await memoir("config", "set", "slots.observation", "infra")).toMatchObject({ code: 0 });
  await work("one", "terraform apply -auto-approve");
  expect(await found("terraform")).toEqual(["Infrastructure: terraform apply succeeded"]);
}, 180_000);

test("a saved change is in force without a command; a broken one is told and changes nothing", async () => {
  const path = join(room, "home/plugins/infra/index.ts");
  const text = await readFile(path, "utf8");
  const infra = async () => {
    const { plugins } = JSON.parse((await memoir("plugin", "list", "--json")).out);
    return plugins.find(({ name }: { name: string }) => name === "infra");
  };
  await writeFile(path, text.replace("export default", "export defaul"));
  while ((await infra()).error === undefined);
  expect(await infra()).toMatchObject({ state: "running", fills: ["observation"] });
  expect((await infra()).error).toMatch(/infra\/index\.ts:\d+:\d+/);
  expect((await memoir("status")).out).toContain("its change is not in effect");
  await writeFile(path, text.replace("`Infrastructure: ", "`Servers: "));
  while ((await infra()).error !== undefined);
  await work("two", "kubectl apply -f web.yaml");
  expect(await found("kubectl")).toEqual(["Servers: kubectl apply succeeded"]);
}, 180_000);

test("a storage of one's own keeps what comes from now on", async () => {
  await memoir("plugin", "new", "storage", "vault");
  expect(await memoir("config", "set", "slots.storage", "vault")).toMatchObject({ code: 0 });
  await work("three", "helm upgrade web");
  expect(await found("helm")).toEqual(["Servers: helm upgrade succeeded"]);
  expect(await readFile(join(room, "home/vault.jsonl"), "utf8")).toContain("helm upgrade");
}, 180_000);

test("dropped into the folder, a plugin is on at the next look; gone, it is off", async () => {
  const names = async () =>
    JSON.parse((await memoir("plugin", "list", "--json")).out).plugins.map(
      ({ name }: { name: string }) => name,
    );
  const path = join(room, "home/plugins/rules.ts");
  await writeFile(
    path,
    'export default { name: "rules", description: "d", sdk: 1, slot: "context-injection", hooks: { SessionStart: () => ({ context: "Be kind." }) } };',
  );
  while (!(await names()).includes("rules"));
  const reply = await hook("four", { hook_event_name: "SessionStart", source: "startup" });
  expect(JSON.stringify(reply)).toContain("Be kind.");
  await rm(path);
  while ((await names()).includes("rules"));
}, 180_000);

test("a project's plugin runs once it is trusted, and stops with a change", async () => {
  const folder = join(shop, ".memoir/plugins");
  await mkdir(folder, { recursive: true });
  const text = (rule: string) =>
    `export default { name: "local-rules", description: "d", sdk: 1, slot: "context-injection", hooks: { SessionStart: () => ({ context: "${rule}" }) } };`;
  await writeFile(join(folder, "local-rules.ts"), text("Local rule."));
  const start = async (session: string) =>
    JSON.stringify(await hook(session, { hook_event_name: "SessionStart", source: "startup" }));
  const first = await start("five");
  expect([first.includes("Local rule."), first.includes("memoir plugin trust")]).toEqual([
    false,
    true,
  ]);
  expect(await memoir("plugin", "trust")).toMatchObject({ code: 2 });
  expect(await memoir("plugin", "trust", "--yes")).toMatchObject({ code: 0 });
  expect(await start("six")).toContain("Local rule.");
  await writeFile(join(folder, "local-rules.ts"), text("Another rule."));
  const changed = await start("seven");
  expect([changed.includes("rule."), changed.includes("changed since")]).toEqual([false, true]);
  expect((await memoir("plugin", "list")).out).toContain("changed, not run");
  // What it is now nobody has allowed yet.
  expect(await memoir("plugin", "trust")).toMatchObject({ code: 2 });
  expect((await memoir("plugin", "trust", "--revoke")).out).toContain("trusted no longer");
}, 180_000);

test("a package with a dependency of its own is added, and taken out without a trace in config", async () => {
  const dependency = join(room, "words");
  const folder = join(room, "shout");
  await mkdir(dependency);
  await mkdir(folder);
  const put = (path: string, value: object | string) =>
    writeFile(path, typeof value === "string" ? value : JSON.stringify(value));
  await put(join(dependency, "package.json"), {
    name: "shout-words",
    version: "1.0.0",
    main: "i.js",
  });
  await put(join(dependency, "i.js"), "exports.shout = (text) => text.toUpperCase();");
  await put(join(folder, "package.json"), {
    ...{ name: "memoir-plugin-shout", version: "1.0.0", main: "index.ts" },
    dependencies: { "shout-words": `file:${dependency}` },
  });
  await put(
    join(folder, "index.ts"),
    'import { shout } from "shout-words";\nexport default { name: "shout", description: "d", sdk: 1, slot: "context-injection", hooks: { SessionStart: () => ({ context: shout("hello") }), PreCompact: () => ({}) } };',
  );
  const before = await readFile(join(room, "home/config.json"), "utf8");
  expect(await memoir("plugin", "add", folder)).toMatchObject({ code: 2 });
  expect(await readFile(join(room, "home/config.json"), "utf8")).toBe(before);
  const added = await memoir("plugin", "add", folder, "--yes");
  expect([added.code, added.out.includes("PreCompact")]).toEqual([0, true]);
  // It is in config by its name: a second time is refused, and takes nothing away.
  expect(await memoir("plugin", "add", folder)).toMatchObject({ code: 1 });
  const reply = await hook("eight", { hook_event_name: "SessionStart", source: "startup" });
  expect(JSON.stringify(reply)).toContain("HELLO");
  expect(await memoir("plugin", "remove", "shout")).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(join(room, "home/config.json"), "utf8"))).toEqual(
    JSON.parse(before),
  );
  expect((await memoir("plugin", "remove", "infra")).out).toContain("Its file stays");
  expect(await memoir("plugin", "remove", "infra")).toMatchObject({ code: 2 });
  expect(await readFile(join(room, "home/plugins/infra/index.ts"), "utf8")).toContain("Servers");
}, 180_000);

test("dev shows the difference, and info everything about one", async () => {
  const { out } = await memoir("plugin", "dev", "infra", "--json");
  const { diff, failed, calls } = JSON.parse(out);
  expect(diff).toContain("+   feature: Servers: docker compose succeeded");
  expect([failed, calls[0].hook]).toEqual([[], "observe"]);
  const recorded = JSON.parse((await memoir("plugin", "dev", "infra", "--recorded", "--json")).out);
  expect(recorded.from).toContain("in the journal");
  const info = JSON.parse((await memoir("plugin", "info", "context-handover", "--json")).out);
  expect(info.plugin).toMatchObject({ name: "context-handover", state: "running" });
  expect(info.options.length).toBeGreaterThan(0);
  await memoir("plugin", "new", "listener", "notes");
  await memoir("config", "set", "plugins.notes.file", "x.md");
  const { options } = JSON.parse((await memoir("plugin", "info", "notes", "--json")).out);
  expect(options).toEqual([{ key: "file", description: "", default: "notes.md", set: "x.md" }]);
}, 180_000);
