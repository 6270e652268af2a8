// Endless Mode in the transcript, with the real client: what a resumed session sends, and that no entry is ever lost.
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { assertUnharmed } from "../expect.ts";
import type { WireBlock, WireRequest } from "../messages-api.ts";
import type { Scenario } from "../scenario.ts";
import { after, think, turn, use } from "../script.ts";
import { contexts, toolResults } from "../wire.ts";
import type { Project, World } from "../world.ts";

const fetchTool = "mcp__memoir__get";

function config(transcript: object): { config: object } {
  return { config: { endless: { everywhere: ["transcript"] }, plugins: { transcript } } };
}

/** A module of some size, so that writing it is worth clearing. */
function moduleText(name: string): string {
  const lines = Array.from({ length: 60 }, (_, n) => `export const ${name}${n} = ${n} * 2;`);
  return `${lines.join("\n")}\n`;
}

function write(project: Project, name: string) {
  return use("Write", {
    file_path: project.path(`src/${name}.js`),
    content: moduleText(name),
  });
}

/** All tool uses in a request's messages. */
function usesIn(request: WireRequest | undefined): WireBlock[] {
  return (request?.body.messages ?? [])
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .filter(({ type }) => type === "tool_use");
}

/** Every transcript of the world, newest last. */
async function transcripts(world: World): Promise<string[]> {
  const root = join(world.claude, "projects");
  const names = await readdir(root, { recursive: true });
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(root, name));
}

async function transcriptOf(world: World, session: string): Promise<string> {
  const path = (await transcripts(world)).find((one) => one.endsWith(`/${session}.jsonl`));
  assert.ok(path, `no transcript of ${session}`);
  return path;
}

/** Looks again and again, for 20 seconds at most. */
async function until(what: string, test: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 400; looks++) {
    if (await test()) return;
    await Bun.sleep(50);
  }
  assert.fail(`waited 20 s in vain until ${what}`);
}

async function untilCleared(path: string): Promise<void> {
  await until(`${path} is rewritten`, async () =>
    (await readFile(path, "utf8")).includes('"_cleared":true'),
  );
}

/** A session of two turns; the first writes a large file, so it can be cleared once the session is closed. */
async function twoTurns(shop: Project, file = "prices") {
  const written = write(shop, file);
  const session = await shop.session({
    prompts: [`Write the ${file} module`, "Thanks. What is next?"],
    script: {
      main: [
        turn(think("One file will do."), written),
        turn("The module is written."),
        turn("Nothing more."),
      ],
    },
  });
  assertUnharmed(session);
  const id = written.type === "tool_use" ? written.id : "";
  return { session, id: session.ids[0] ?? "", toolUse: id };
}

/** What a request must hold of a cleared tool use and what was observed about it. */
function assertCleared(request: WireRequest | undefined, toolUse: string): void {
  const uses = usesIn(request);
  const cleared = uses.find(({ id }) => id === toolUse);
  const input = (cleared?.input ?? {}) as { _cleared?: boolean; message?: string };
  assert.equal(input._cleared, true, JSON.stringify(cleared));
  assert.match(input.message ?? "", new RegExp(`memoir recall ${toolUse}`));
  const fetch = uses.find(({ name }) => name === fetchTool);
  assert.ok(fetch?.id, `no fetch among ${uses.map(({ name }) => name).join(", ")}`);
  const told = request && toolResults(request).get(fetch.id);
  assert.match(told ?? "", /prices/i);
}

/** What a request holds: texts of the model, and tool uses with their results, by id. */
function entriesIn(request: WireRequest | undefined): Set<string> {
  const found = new Set<string>();
  for (const { role, content } of request?.body.messages ?? []) {
    if (typeof content === "string") continue;
    for (const block of content) {
      if (block.id) found.add(`use ${block.id}`);
      if (block.tool_use_id) found.add(`result ${block.tool_use_id}`);
      if (role === "assistant" && block.text) found.add(`text ${block.text}`);
    }
  }
  return found;
}

const inSuite = 2;
const atOnce = 2;
const perScenario = 4;
const asked = Number(process.env.ENDLESS_SESSIONS ?? inSuite);

/** Turns of parallel tools, so that the client buffers while its file is rewritten. */
async function busySession(world: World, name: string, live: boolean): Promise<void> {
  const project = await world.project(name, { "package.json": "{}" });
  const rounds = ["one", "two", "three"];
  const seen = { cleared: false };
  const look = async () => {
    const [path] = (await transcripts(world)).filter((one) => one.includes(`-${name}/`));
    if (path) seen.cleared ||= (await readFile(path, "utf8")).includes('"_cleared":true');
  };
  const session = await project.session({
    prompts: rounds.map((round) => `Write the files of round ${round}`),
    script: {
      main: rounds.flatMap((round) => [
        turn(think(`Round ${round}.`), write(project, `${round}A`), write(project, `${round}B`)),
        turn(
          use("Read", { file_path: project.path(`src/${round}A.js`) }),
          write(project, `${round}C`),
        ),
        after(look, turn(`Round ${round} is done.`)),
      ]),
    },
  });
  assertUnharmed(session);
  const id = session.ids[0] ?? "";
  const path = await transcriptOf(world, id);
  if (live) assert.ok(seen.cleared, "nothing was rewritten at tool time");
  await untilCleared(path);
  await untilRested(world, id);
  const again = await project.session({
    prompts: ["Anything left?"],
    script: { main: [turn("Nothing is left.")] },
    args: ["--resume", id],
  });
  assertUnharmed(again);
  const had = entriesIn(session.main.at(-1));
  const has = entriesIn(again.main[0]);
  assert.ok(had.size > 20, `only ${had.size} entries in ${name}`);
  const lost = [...had].filter((entry) => !has.has(entry));
  assert.deepEqual(lost, [], `${name} lost ${lost.length} of ${had.size} entries`);
  assert.ok(has.has("text Round three is done."), "the last answer is lost");
}

/** No session waits to be rewritten any more, and nothing of a rewrite lies about. */
async function untilRested(world: World, session: string): Promise<void> {
  await until("the rewrite is over", async () => {
    const list = await readFile(join(world.home, ".memoir/endless/ended.json"), "utf8");
    const names = await readdir(join(world.claude, "projects"), { recursive: true });
    return !list.includes(session) && !names.some((name) => name.includes(".memoir-"));
  });
}

/** Scenarios of a few sessions each, so that each ends in time. */
function lossless(mode: "closed" | "live"): Scenario[] {
  const options = mode === "live" ? { rewrite: "live", keepTurns: 0 } : {};
  return Array.from({ length: Math.ceil(asked / perScenario) }, (_, group) => {
    const count = Math.min(perScenario, asked - group * perScenario);
    return {
      name: `endless transcript: ${count} sessions rewritten ${mode === "live" ? "at tool time" : "when closed"} lose no entry (${group + 1})`,
      async run(world: World) {
        await world.install(config(options));
        const names = Array.from({ length: count }, (_, n) => `${mode}${group}x${n}`).values();
        const lane = async () => {
          for (const name of names) await busySession(world, name, mode === "live");
        };
        await Promise.all(Array.from({ length: atOnce }, lane));
      },
    };
  });
}

/** An observation strategy that never answers. */
async function silentObserver(world: World): Promise<string> {
  const plugin = join(world.dir, "silent.ts");
  await writeFile(
    plugin,
    `export default {
  name: "silent",
  description: "Never answers.",
  sdk: 1,
  slot: "observation",
  hooks: { observe: { deadlineMs: 60_000, handler: () => new Promise(() => {}) } },
};
`,
  );
  return plugin;
}

export const endlessTranscriptScenarios: Scenario[] = [
  {
    name: "endless transcript: after --resume and --continue the model sees cleared inputs and what was observed",
    async run(world) {
      const memoir = await world.install(config({}));
      const shop = await world.project("shop", { "package.json": "{}" });
      const { id, toolUse, session } = await twoTurns(shop);
      const path = await transcriptOf(world, id);
      await untilCleared(path);
      await untilRested(world, id);
      const whole = usesIn(session.main.at(-1)).find((one) => one.id === toolUse)?.input;
      for (const args of [["--resume", id], ["--continue"]]) {
        const again = await shop.session({
          prompts: ["Go on"],
          script: { main: [turn("Going on.")] },
          args,
        });
        assertUnharmed(again);
        assert.deepEqual(again.ids, [id], args.join(" "));
        assertCleared(again.main[0], toolUse);
        await untilRested(world, id);
      }
      const recalled = await memoir.run("recall", toolUse, "--part", "input", "--json");
      assert.deepEqual(JSON.parse(recalled.stdout).value ?? JSON.parse(recalled.stdout), whole);
    },
  },
  {
    name: "endless transcript: a rewritten file is given back, but not while a client has it open",
    async run(world) {
      const memoir = await world.install(config({}));
      const shop = await world.project("shop", { "package.json": "{}" });
      const { id, toolUse } = await twoTurns(shop);
      const path = await transcriptOf(world, id);
      await untilCleared(path);
      await untilRested(world, id);
      const open = { code: 0, stderr: "" };
      const again = await shop.session({
        prompts: ["Go on"],
        script: {
          main: [
            after(async () => {
              Object.assign(open, await memoir.run("endless", "restore", id));
            }, turn("Going on.")),
          ],
        },
        args: ["--resume", id],
      });
      assertUnharmed(again);
      assert.equal(open.code, 1);
      assert.match(open.stderr, /has session .* open/);
      await untilRested(world, id);
      await memoir.run("endless", "off", "--everywhere");
      const { code, stderr } = await memoir.run("endless", "restore", id);
      assert.equal(code, 0, stderr);
      assert.ok(!(await readFile(path, "utf8")).includes("_cleared"));
      const last = await shop.session({
        prompts: ["And now?"],
        script: { main: [turn("Now it is whole.")] },
        args: ["--resume", id],
      });
      assertUnharmed(last);
      const input = usesIn(last.main[0]).find((one) => one.id === toolUse)?.input as {
        content?: string;
      };
      assert.equal(input.content, moduleText("prices"));
      assert.ok(entriesIn(last.main[0]).has("text Going on."));
    },
  },
  {
    name: "endless transcript: told to wait, the observation reaches the model in the same session",
    async run(world) {
      await world.install(config({ wait: true, waitSeconds: 20 }));
      const shop = await world.project("shop", { "package.json": "{}" });
      const { session, toolUse } = await twoTurns(shop);
      const told = contexts(session.main[1]).find((text) => text.includes(`"${toolUse}"`));
      assert.match(told ?? JSON.stringify(contexts(session.main[1])), /prices/i);
    },
  },
  {
    name: "endless transcript: an observation that does not come in time is not waited for",
    async run(world) {
      const observer = await silentObserver(world);
      const { config: base } = config({ wait: true, waitSeconds: 2 });
      const memoir = await world.install({
        config: { ...base, slots: { observation: [observer] } },
      });
      const shop = await world.project("shop", { "package.json": "{}" });
      const { session } = await twoTurns(shop);
      assert.equal(session.results.at(-1), "Nothing more.");
      const metrics = await memoir.run("endless", "metrics", "--json");
      assert.match(metrics.stdout, /"timed-out"/, metrics.stdout);
    },
  },
  {
    name: "endless transcript: a subagent's file is rewritten too",
    async run(world) {
      await world.install(config({}));
      const shop = await world.project("shop", { "package.json": "{}" });
      const session = await shop.session({
        prompts: ["Let somebody write the prices"],
        script: {
          main: [
            turn(
              use("Agent", {
                description: "Write the prices",
                prompt: "Write src/prices.js",
                subagent_type: "general-purpose",
                run_in_background: false,
              }),
            ),
            turn("They are written."),
          ],
          agent: [turn(write(shop, "prices")), turn("Written: src/prices.js.")],
        },
      });
      assertUnharmed(session);
      const id = session.ids[0] ?? "";
      const agent = (await transcripts(world)).find((path) => path.includes("/subagents/agent-"));
      assert.ok(agent, "no subagent's transcript");
      await untilCleared(agent);
      await untilRested(world, id);
      const again = await shop.session({
        prompts: ["Go on"],
        script: { main: [turn("Going on.")] },
        args: ["--resume", id],
      });
      assertUnharmed(again);
      const lost = [...entriesIn(session.main.at(-1))].filter(
        (entry) => !entriesIn(again.main[0]).has(entry),
      );
      assert.deepEqual(lost, []);
    },
  },
  ...lossless("closed"),
  ...lossless("live"),
];
