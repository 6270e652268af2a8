// What tools really print, under Endless Mode, on the wire: of each result the model gets what an engineer needs, at a fraction of the bytes.
import assert from "node:assert/strict";
import { basename } from "node:path";
import process from "node:process";
import { type EndlessCase, readEndlessCases, says } from "../../quality/endless/cases.ts";
import { assertUnharmed } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { toolServer } from "../tool-server.ts";
import { resultOf } from "../wire.ts";

const config = {
  slots: { "endless-mode": ["live"] },
  endless: { everywhere: ["live"] },
  plugins: { live: { early: "all" } },
};

/** One of each kind of output or more, in six languages; what a shell prints is printed by a script, so that no command tells what it is. */
const chosen = [
  "jest-german-titles",
  "tape-behind-run-tests-russian",
  "terraform-plan-many-new-one-destroyed",
  "tsc-zh",
  "loguru-french-failover",
  "kubectl-pods-one-oomkilled",
  "tree-japanese-names",
  "read-csv-one-odd-row",
  "mcp-issues-one-blocker",
  "env-path-one-odd-entry",
] as const;

const cases = (): EndlessCase[] => {
  const all = new Map(readEndlessCases().map((one) => [one.id, one]));
  return chosen.map((id) => {
    const one = all.get(id);
    assert.ok(one && !one.aside, `no case of development is ${id}`);
    // The client takes empty lines off both ends.
    return { ...one, output: one.output.replaceAll(/^(?:\s*\n)+|\s+$/g, "") };
  });
};

const bytes = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Numbers that the client puts before the lines of a file that was read. */
const lineNumbers = /^ *\d+[\t→]/gm;

export const endlessCorpusScenarios: Scenario[] = [
  {
    name: "endless live: of ten tools' results the model gets what is needed, honest marks, and the whole where it asks",
    async run(world) {
      await world.install({ config });
      const ten = cases();
      const shop = await world.project("shop", {
        "print.sh": 'cat "printed/$1"\n',
        ...Object.fromEntries(ten.map((one) => [placeOf(one), `${one.output}\n`])),
        "tracker.mjs": toolServer(
          "list_issues",
          ten.filter(isOfServer).map((one) => one.output),
        ),
      });
      const settings = shop.path("mcp.json");
      const tracker = { command: process.execPath, args: [shop.path("tracker.mjs")] };
      await Bun.write(settings, JSON.stringify({ mcpServers: { tracker } }));
      const uses = ten.map((one): [EndlessCase, ReturnType<typeof use>] => {
        if (isOfServer(one)) return [one, use(one.tool, one.input)];
        if (one.tool === "Read") return [one, use("Read", { file_path: shop.path(placeOf(one)) })];
        return [one, use("Bash", { command: `sh print.sh ${one.id}` })];
      });
      const asked = uses[1];
      assert.ok(asked);
      const back = use("Bash", { command: `~/.memoir/bin/memoir recall ${asked[1].id}` });
      const session = await shop.session({
        prompts: ["See whether the shop is well"],
        args: ["--mcp-config", settings, "--strict-mcp-config"],
        script: {
          main: [
            turn(use("ToolSearch", { query: "select:mcp__tracker__list_issues" })),
            turn(...uses.map(([, block]) => block)),
            turn(back),
            turn("It is not."),
          ],
        },
      });
      assertUnharmed(session);
      const results = uses.map(([one, { id }]) => {
        const result = resultOf(session.main, id);
        const text = one.tool === "Read" ? result.replaceAll(lineNumbers, "") : result;
        for (const needle of one.needles)
          assert.ok(says(text, needle), `${one.id} lost ${needle}:\n${text}`);
        assert.ok(text.length < one.output.length * 0.5, `${one.id}: ${text.length} characters`);
        assert.ok(text.includes(` recall ${id} (`), `${one.id} names no recall:\n${text}`);
        assertHonest(one, text);
        return result;
      });
      const whole = bytes(ten.map(({ output }) => output));
      assert.ok(bytes(results) < whole / 4, `${bytes(results)} of ${whole} bytes`);
      assert.equal(resultOf(session.main, back.id), asked[0].output);
    },
  },
];

/** Where the shop has it; what is read keeps its name. */
const placeOf = ({ id, tool, input }: EndlessCase): string =>
  tool === "Read" ? `data/${basename(String(input.file_path))}` : `printed/${id}`;

const isOfServer = ({ tool }: EndlessCase): boolean => tool.startsWith("mcp__");

/** Of an output of lines each is there or its number is named; of another output something says what is gone. */
function assertHonest({ id, output }: EndlessCase, text: string): void {
  const gaps = [...text.matchAll(/(?:… |\[)lines? (\d+)(?:[–-](\d+))?/g)].map(([, from, to]) => ({
    from: Number(from),
    to: Number(to ?? from),
  }));
  assert.match(text, gaps.length > 0 ? / left out \d+ of \d+ lines/ : / left out (?!0 )/, id);
  if (gaps.length === 0) return;
  const shown = new Set(text.split("\n").map((line) => line.trim()));
  for (const [at, line] of output.split("\n").entries()) {
    const isNamed = gaps.some(({ from, to }) => from <= at + 1 && at + 1 <= to);
    const isThere = isNamed || line.trim() === "" || shown.has(line.trim());
    assert.ok(isThere, `${id}: line ${at + 1} went without a word: ${line}\n${text}`);
  }
}
