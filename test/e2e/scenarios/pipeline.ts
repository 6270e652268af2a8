// One piece of work over several sessions: a plan made and begun, changed by a refusal, finished. Each next session is told what is true then.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { assertUnharmed } from "../expect.ts";
import { inWindow } from "../interactive.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { contexts } from "../wire.ts";
import type { Project } from "../world.ts";

const files = {
  "package.json": '{ "name": "till", "type": "module" }\n',
  "src/tax.js": "export const rate = 19;\n",
  "src/checkout.js":
    'import { rate } from "./tax.js";\nexport const total = (net) => net + net * rate;\n',
  "test/table.test.js": `import assert from "node:assert";
import test from "node:test";
import { rates } from "../src/tax-table.js";
test("Germany pays 19 percent", () => assert.strictEqual(rates.de, 19));
`,
};

const steps =
  "Three steps: the rates go into src/tax-table.js, src/checkout.js reads them there, src/tax.js is deleted.";
const untouched = "Nothing is changed so far.";
const begun =
  "The first step is there: src/tax-table.js holds the rates. Still open: src/checkout.js reads the old file, and test/table.test.js fails.";
const reason = "Keep src/tax.js: the till in France imports it";
const changed =
  "src/checkout.js reads src/tax-table.js now, and src/tax.js stays for the till in France. Still open: test/table.test.js fails.";
const finished =
  "The rates are percentages now and test/table.test.js passes: the move is finished.";

const testCommand = "node --test test/table.test.js";
const runTest = () => use("Bash", { command: testCommand, description: "Run the table's test" });
const read = (till: Project, file: string) => use("Read", { file_path: till.path(file) });
const edit = (till: Project, file: string, from: string, to: string) =>
  use("Edit", { file_path: till.path(file), old_string: from, new_string: to });

/** All of these are told. */
function assertTells(context: string, ...facts: Array<string | RegExp>): void {
  for (const fact of facts) {
    const found = typeof fact === "string" ? context.includes(fact) : fact.test(context);
    assert.ok(found, `not told: ${fact}\n${context}`);
  }
}

/** What was said once and is true no longer is not told, or as history, behind what stands now. */
function assertOvertaken(context: string, now: string, ...before: string[]): void {
  for (const fact of before) {
    const at = context.indexOf(fact);
    assert.ok(
      at < 0 || at > context.indexOf(now),
      `told as if it still stood: ${fact}\n${context}`,
    );
  }
}

export const pipelineScenarios: Scenario[] = [
  {
    name: "pipeline: a plan begun, changed by a refusal and finished, each session told what is true then",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const till = await world.project("till", files);

      const prompts = ["Plan the move of the tax rates into a table", "Begin with the first step"];
      const table = { file_path: till.path("src/tax-table.js") };
      const first = await till.session({
        prompts,
        script: {
          main: [
            turn(read(till, "src/tax.js"), read(till, "src/checkout.js")),
            turn(`${steps} ${untouched}`),
            turn(use("Write", { ...table, content: "export const rates = { de: 0.19 };\n" })),
            turn(runTest()),
            turn(begun),
          ],
        },
      });
      assertUnharmed(first);
      await memoir.settle();
      const { turns } = await memoir.records(first.ids[0] ?? "");
      const asked = turns.map(({ pieces }) =>
        pieces.filter(({ kind }) => kind === "prompt" || kind === "typed").map(({ text }) => text),
      );
      // The client queues the second before it is one of its own.
      assert.deepEqual(asked.flat().toSorted(), prompts.toSorted());

      const script = {
        main: [
          turn(read(till, "src/checkout.js")),
          turn(
            edit(
              till,
              "src/checkout.js",
              '{ rate } from "./tax.js"',
              '{ rates } from "./tax-table.js"',
            ),
          ),
          turn(
            "Now the old file.",
            use("Bash", { command: "rm src/tax.js", description: "Delete it" }),
          ),
          turn(runTest()),
          turn(changed),
        ],
      };
      const args = ["--allowedTools", "Read", "Edit", `Bash(${testCommand})`];
      const afterPlan = await inWindow(world, till, { script, args }, async (window) => {
        await window.send("Go on with the plan");
        await window.refuse(reason);
        await window.shows("stays for the till in France");
        await window.exit();
        return contexts(window.main()[0]).join("\n");
      });
      assertTells(afterPlan, begun, steps, testCommand);
      assertOvertaken(afterPlan, begun, untouched);
      assert.ok(existsSync(till.path("src/tax.js")), "a refused deletion deletes nothing");

      const third = await till.session({
        prompts: ["Finish the move of the tax rates"],
        script: {
          main: [
            turn(read(till, "src/tax-table.js")),
            turn(edit(till, "src/tax-table.js", "0.19", "19")),
            turn(runTest()),
            turn(finished),
          ],
        },
      });
      assertUnharmed(third);
      const afterRefusal = contexts(third.main[0]).join("\n");
      assertTells(afterRefusal, changed, reason, "rm src/tax.js", testCommand);
      assertOvertaken(afterRefusal, changed, begun, steps);

      const last = await till.session({
        prompts: ["What is left to do?"],
        script: { main: [turn("Nothing.")] },
      });
      const afterAll = contexts(last.main[0]).join("\n");
      assertTells(afterAll, finished, reason);
      assertOvertaken(afterAll, finished, changed, begun, steps);
      assert.doesNotMatch(afterAll, /(?:failing|still fails|open)\b.*table\.test/i);
      await memoir.settle();
    },
  },
];
