// Endless Mode at arrival: what the model saw is the reduced result, word for word, and the whole is one command away.
import assert from "node:assert/strict";
import process from "node:process";
import { decide } from "../../../plugins/endless-live/index.ts";
import { createSeen } from "../../../plugins/endless-live/seen.ts";
import type { EndlessMetrics } from "../../../src/runtime/endless/metrics.ts";
import type { Kept } from "../../../src/sdk/endless.ts";
import { defaultPolicy } from "../../plugins/endless-live/cases.ts";
import { assertUnharmed } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { WireRequest } from "../messages-api.ts";
import type { Scenario } from "../scenario.ts";
import { type Block, turn, use } from "../script.ts";
import { toolServer } from "../tool-server.ts";
import { resultOf } from "../wire.ts";

/** Strategies that work everywhere, as `memoir endless on --everywhere` writes them. */
const config = {
  slots: { "endless-mode": ["live"] },
  endless: { everywhere: ["live"] },
  plugins: { live: { early: "all" } },
};

const log = [
  ...Array.from({ length: 150 }, (_, at) => `10:00 INFO replayed order ${at}`),
  "10:01 ERROR could not replay order 150: price missing in data/150.json",
  ...Array.from({ length: 150 }, (_, at) => `10:02 INFO replayed order ${151 + at}`),
].join("\n");

/** A source of 60 functions, longer than anybody asked for. */
const store = Array.from(
  { length: 60 },
  (_, at) => `/** Adds item ${at}. */
export function addItem${at}(items: number[], price: number): number {
  const rounded = Math.round(price * ${at + 1});
  if (rounded < 0) {
    throw new RangeError("item ${at} has no price");
  }
  for (const item of items) {
    if (item === rounded) {
      return item;
    }
  }
  items.push(rounded);
  return items.reduce((sum, item) => sum + item, 0);
}
`,
).join("\n");

const names = Array.from({ length: 80 }, (_, at) => `src/components/forms/field-number-${at}.ts`);

/** What the payment tool gives: two blocks. */
const payments = [
  Array.from({ length: 301 }, (_, at) =>
    at === 150 ? "10:00 ERROR refused by the bank" : `10:00 booked payment ${at}`,
  ).join("\n"),
  "end of log",
];

const files: Record<string, string> = {
  "replay.log": `${log}\n`,
  // Prints the log without being a command that prints files.
  "replay.sh": 'while IFS= read -r line; do printf "%s\\n" "$line"; done < replay.log\n',
  "src/store.ts": store,
  ...Object.fromEntries(names.map((name, at) => [name, `export const total${at} = ${at};\n`])),
};

const replay = (): Block => use("Bash", { command: "sh replay.sh", description: "Replay" });
const idOf = (block: Block): string => (block.type === "tool_use" ? block.id : "");
const lastLine = (recall: string) => ` recall ${recall} (a part: --lines A-B or --grep WORD)]`;

const seenBy = (requests: readonly WireRequest[], block: Block): string =>
  resultOf(requests, idOf(block));

const kept = (memoir: Memoir, block: Block): Promise<Kept> =>
  memoir.json<Kept>("recall", idOf(block));

/** What the strategy makes of what was kept: it must be what the model saw. */
async function assertReduced(
  memoir: Memoir,
  requests: readonly WireRequest[],
  block: Block,
  said?: string,
): Promise<string> {
  const id = idOf(block);
  const text = seenBy(requests, block);
  assert.ok(text.includes(lastLine(id)), `not reduced: …${text.slice(-400)}`);
  // The line promises the original from the moment that the model reads it.
  const { value: response, tool } = await kept(memoir, block);
  const input = block.type === "tool_use" ? block.input : {};
  const recall = `~/.memoir/bin/memoir recall ${id}`;
  const arrived = { id, tool, input, response, said, recall };
  const reduced = decide(arrived, createSeen().of("s", undefined), defaultPolicy);
  assert.ok(reduced, `${tool} was not reduced`);
  assert.ok(text.length < reduced.before.length * 0.8, `${tool}: ${text.length} characters`);
  // The client numbers the lines of a read file by itself.
  const plain = tool === "Read" ? text.replaceAll(/^ *\d+[\t→]/gm, "") : text;
  const wanted = tool === "Read" ? reduced.after.replaceAll(/^ *\d+[\t→]/gm, "") : reduced.after;
  assert.ok(plain.includes(wanted), text);
  return text;
}

/**
 * A hook that is late on a busy machine leaves its result whole, and nothing of it is kept: then the work is done once more,
 * three times at most.
 */
async function tryUntilInTime<
  Tried extends { session: { main: readonly WireRequest[] }; reduced: readonly Block[] },
>(memoir: Memoir, work: () => Promise<Tried>): Promise<Tried> {
  for (let tries = 1; ; tries++) {
    const tried = await work();
    const late = tried.reduced.filter(
      (block) => !seenBy(tried.session.main, block).includes(lastLine(idOf(block))),
    );
    for (const block of late)
      assert.ok(!seenBy(tried.session.main, block).includes("memoir left out"));
    assert.deepEqual(await keptIds(memoir, late), []);
    if (late.length === 0 || tries === 3) return tried;
  }
}

export const endlessLiveScenarios: Scenario[] = [
  {
    name: "endless live: a parallel batch is reduced as it arrives, and an edit of what was read succeeds",
    async run(world) {
      const memoir = await world.install({ config });
      const shop = await world.project("shop", files);
      const { batch, edit, session } = await tryUntilInTime(memoir, async () => {
        await Bun.write(shop.path("src/store.ts"), store);
        const batch = {
          bash: replay(),
          small: use("Bash", { command: "echo fine" }),
          read: use("Read", { file_path: shop.path("src/store.ts") }),
          find: use("Bash", { command: `find ${shop.path("src/components")} -type f` }),
          grep: use("Bash", { command: `grep -rn 'total[0-9]' ${shop.path("src/components")}` }),
        };
        const edit = use("Edit", {
          file_path: shop.path("src/store.ts"),
          old_string: "  const rounded = Math.round(price * 50);\n",
          new_string: "  const rounded = Math.floor(price * 50);\n",
        });
        const session = await shop.session({
          prompts: ["Look around and fix the rounding"],
          script: { main: [turn(...Object.values(batch)), turn(edit), turn("Fixed.")] },
        });
        assertUnharmed(session);
        return { batch, edit, session, reduced: [batch.bash, batch.find, batch.grep] };
      });
      assert.match(
        await assertReduced(memoir, session.main, batch.bash),
        /ERROR could not replay order 150/,
      );
      // Who goes on to edit gets the source whole.
      const source = seenBy(session.main, batch.read);
      assert.equal(source.split("items.push(rounded);").length - 1, 60);
      assert.ok(!source.includes("memoir left out"), source.slice(-300));
      assert.match(
        await assertReduced(memoir, session.main, batch.grep),
        /components\/forms\/field-number-\d+\.ts:/,
      );
      const found = await assertReduced(memoir, session.main, batch.find);
      // As many as there is room for, and how many more there are.
      assert.match(found, /src\/components\/forms\/: (?:field-number-\d+\.ts ){10,}… and \d+ more/);
      assert.equal(seenBy(session.main, batch.small), "fine");
      assert.match(seenBy(session.main, edit), /has been updated/);
      assert.match(await Bun.file(shop.path("src/store.ts")).text(), /Math\.floor\(price \* 50\)/);
    },
  },
  {
    name: "endless live: recall gives the original exactly, is not reduced, and counts where the agent asks",
    async run(world) {
      const memoir = await world.install({ config: { plugins: config.plugins } });
      assert.equal((await memoir.run("endless", "on", "--everywhere")).code, 0);
      const shop = await world.project("shop", files);
      const bash = replay();
      const said = "I see whether order 237 was replayed.";
      const command = `~/.memoir/bin/memoir recall ${idOf(bash)}`;
      const whole = use("Bash", { command });
      const part = use("Bash", { command: `${command} --lines 151-151` });
      const session = await shop.session({
        prompts: ["Replay, then look at all of it"],
        script: { main: [turn(said, bash), turn(whole, part), turn("Seen.")] },
      });
      assertUnharmed(session);
      // This looks at what was kept, as a person does.
      const seen = await assertReduced(memoir, session.main, bash, said);
      // What the agent said before the call is in the transcript by the time of the hook.
      assert.match(seen, /^10:02 INFO replayed order 237$/m);
      const { tools } = await memoir.json<EndlessMetrics>("endless", "metrics", "--since", "1d");
      assert.deepEqual(
        tools.map(({ tool, reduced, fetchedBack, judged }) => [tool, reduced, fetchedBack, judged]),
        [["Bash", 1, 2, false]],
      );
      assert.equal(seenBy(session.main, whole), log);
      assert.match(seenBy(session.main, part), /ERROR could not replay order 150/);
      assert.deepEqual(await keptIds(memoir, [bash, whole, part]), [idOf(bash)]);
    },
  },
  {
    name: "endless live: a subagent's results are reduced, and its report arrives whole",
    async run(world) {
      const memoir = await world.install({ config });
      const shop = await world.project("shop", files);
      const inside = [replay(), replay()];
      const report = `Order 150 fails. ${"It has no price. ".repeat(300)}`;
      const agent = use("Agent", {
        description: "Replay",
        prompt: "Replay twice and tell what fails",
        subagent_type: "general-purpose",
        run_in_background: false,
      });
      const session = await shop.session({
        prompts: ["Let somebody replay"],
        script: { main: [turn(agent), turn("Done.")], agent: [turn(...inside), turn(report)] },
      });
      assertUnharmed(session);
      const theirs = session.requests.filter(({ lane }) => lane === "agent");
      for (const block of inside) await assertReduced(memoir, theirs, block);
      assert.ok(seenBy(session.main, agent).includes(report.trim()));
    },
  },
  {
    name: "endless live: failures, secrets and small things stay as they are",
    async run(world) {
      const memoir = await world.install({ config });
      const secret = ["ghp", "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"].join("_");
      const shop = await world.project("shop", { ...files, ".token": `${secret}\n` });
      const fails = use("Bash", { command: "sh replay.sh; exit 3" });
      const tells = use("Bash", { command: "sh replay.sh; read t < .token; echo token $t" });
      const session = await shop.session({
        prompts: ["Try both"],
        script: { main: [turn(fails, tells), turn("Tried.")] },
      });
      assertUnharmed(session);
      assert.ok(seenBy(session.main, fails).includes(log));
      assert.equal(seenBy(session.main, tells), `${log}\ntoken ${secret}`);
      assert.deepEqual(await keptIds(memoir, [fails, tells]), []);
    },
  },
  {
    name: "endless live: what an MCP tool gives is reduced block by block",
    async run(world) {
      const memoir = await world.install({ config });
      const shop = await world.project("shop", {
        ...files,
        "mcp.mjs": toolServer("tail", payments),
      });
      const servers = { shop: { command: process.execPath, args: [shop.path("mcp.mjs")] } };
      const settings = shop.path("mcp.json");
      await Bun.write(settings, JSON.stringify({ mcpServers: servers }));
      const tail = use("mcp__shop__tail", {});
      const session = await shop.session({
        prompts: ["Look at the log"],
        args: ["--mcp-config", settings, "--strict-mcp-config"],
        script: {
          main: [
            turn(use("ToolSearch", { query: "select:mcp__shop__tail" })),
            turn(tail),
            turn("Seen."),
          ],
        },
      });
      assertUnharmed(session);
      const text = await assertReduced(memoir, session.main, tail);
      assert.match(text, /refused by the bank/);
    },
  },
  {
    name: "endless live: switched off, nothing is touched",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const bash = replay();
      const session = await shop.session({
        prompts: ["Replay"],
        script: { main: [turn(bash), turn("Done.")] },
      });
      assertUnharmed(session);
      assert.equal(seenBy(session.main, bash), log);
      assert.deepEqual(await keptIds(memoir, [bash]), []);
    },
  },
];

/** Those of the tool uses of which anything was kept. */
async function keptIds(memoir: Memoir, blocks: readonly Block[]): Promise<string[]> {
  const found: string[] = [];
  for (const block of blocks)
    if ((await memoir.run("recall", idOf(block), "--json")).code === 0) found.push(idOf(block));
  return found;
}
