// Two sessions that outgrow their model's window, the same but for Endless Mode: when each is compacted, what it sent, and what came back.
import assert from "node:assert/strict";
import type { EndlessMetrics } from "../../../src/runtime/endless/metrics.ts";
import { assertUnharmed } from "../expect.ts";
import type { Script, WireRequest, WireUsage } from "../messages-api.ts";
import type { Scenario } from "../scenario.ts";
import { type Said, turn, use } from "../script.ts";
import { texts } from "../wire.ts";

const runs = 36;
/** Of the runs, one after which the agent has all of a log back. */
const recalledAfter = 10;

const log = (run: number): string =>
  Array.from({ length: 220 + ((run * 37) % 200) }, (_, at) =>
    at === 111
      ? `10:01 ERROR could not replay order ${run * 1_000 + at}: price missing in data/${run}.json`
      : `10:00 INFO replayed order ${run * 1_000 + at} of run ${run}`,
  ).join("\n");

/** A source that the agent may edit next, so that it comes whole. */
const source = (run: number): string =>
  Array.from(
    { length: 70 },
    (_, at) =>
      `export function price${run}x${at}(cents: number) {\n  return Math.round(cents * ${at + run} + 0.5);\n}\n`,
  ).join("\n");

/** As an API with a prompt cache counts: what the request before began with is read, the rest written. */
function counting(): (request: WireRequest) => WireUsage {
  let known = 0;
  return ({ lane, body }) => {
    const tokens = Math.round(JSON.stringify([body.system, body.tools, body.messages]).length / 4);
    if (lane !== "main")
      return { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const read = Math.min(known, tokens);
    known = tokens;
    return {
      input_tokens: 3,
      cache_creation_input_tokens: tokens - read,
      cache_read_input_tokens: read,
    };
  };
}

/** The client asks for a summary, in the main conversation's own lane. */
const isSummary = (request: WireRequest): boolean =>
  /detailed summary/i.test(texts(request).slice(-3).join("\n").slice(-20_000)) &&
  !request.body.messages.at(-1)?.content.toString().includes("replayed");

/** The runs; with Endless Mode the agent has one log back. */
function script(withRecall: boolean, path: (file: string) => string): Script {
  const all = Array.from({ length: runs }, (_, run) => ({
    print: use("Bash", { command: `bash print.sh ${run}` }),
    read: use("Read", { file_path: path(`src/${run}.ts`) }),
  }));
  const main: Said[] = all.map(({ print, read }) => turn(print, read));
  const command = `~/.memoir/bin/memoir recall ${all[recalledAfter]?.print.id}`;
  if (withRecall) main.splice(recalledAfter + 1, 0, turn(use("Bash", { command })));
  const compacted = turn(
    "<summary>Logs are read run by run; each has an order that failed.</summary>",
  );
  return {
    main,
    known: (one) => (isSummary(one) ? compacted : undefined),
    usage: counting(),
  };
}

export const endlessLongScenarios: Scenario[] = [
  {
    name: "endless long: past its window a session with Endless Mode goes on for longer before it is compacted, and says by how much",
    async run(world) {
      const memoir = await world.install();
      // Half of the model's own window: a session of a minute outgrows it.
      world.env.CLAUDE_CODE_AUTO_COMPACT_WINDOW = "100000";
      const files = Object.fromEntries(
        Array.from({ length: runs }, (_, run) => [
          [`printed/${run}.log`, `${log(run)}\n`],
          [`src/${run}.ts`, source(run)],
        ]).flat(),
      );
      const shop = await world.project("shop", { "print.sh": 'cat "printed/$1.log"\n', ...files });
      const session = async (withEndless: boolean) => {
        const said = await shop.session({
          prompts: ["Look through all the runs"],
          // Its window is the smaller one.
          model: "claude-opus-4-5",
          script: script(withEndless, shop.path),
        });
        assertUnharmed(said);
        const main = said.main.filter((one) => !isSummary(one));
        const sizes = main.map(({ body }) => JSON.stringify(body.messages).length);
        const at = sizes.findIndex((size, index) => size < (sizes[index - 1] ?? 0) / 2);
        return {
          id: said.ids[0] ?? "",
          requests: said.requests.length,
          beforeCompaction: at,
          compactions: sizes.filter((size, index) => size < (sizes[index - 1] ?? 0) / 2).length,
          megabytes: sizes.reduce((sum, size) => sum + size, 0) / 1e6,
        };
      };
      const without = await session(false);
      assert.equal((await memoir.run("endless", "on", "--everywhere")).code, 0);
      const own = await session(true);
      const metrics = await memoir.json<EndlessMetrics>("endless", "metrics", "--session", own.id);
      const { gained, tools } = metrics;
      console.log(JSON.stringify({ without, with: own, gained: gained.words }));
      assert.ok(
        without.beforeCompaction > 0,
        "the session without Endless Mode outgrows its window",
      );
      assert.ok(own.beforeCompaction > 0, "so does the one with it");
      assert.ok(own.beforeCompaction > without.beforeCompaction * 1.2);
      assert.equal(
        tools.reduce((sum, one) => sum + one.fetchedBack, 0),
        1,
      );
      assert.ok(gained.more > 0, gained.words);
      assert.ok(gained.tokens > 10_000 && (gained.saved ?? 0) > 0, gained.words);
    },
  },
];
