// Reads under Endless Mode, on the wire: a second read tells only what changed, with the file's own line numbers; a third comes whole.
import assert from "node:assert/strict";
import { assertUnharmed } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { type Block, turn, use } from "../script.ts";
import { toolResults } from "../wire.ts";

const config = {
  slots: { "endless-mode": ["live"] },
  endless: { everywhere: ["live"] },
  plugins: { live: { early: "all" } },
};

const rates = Array.from({ length: 80 }, (_, at) => `export const rateOfGroup${at} = ${at} / 100;`);

export const endlessReadScenarios: Scenario[] = [
  {
    name: "endless live: a file that is read again tells what changed, and asked for once more comes whole",
    async run(world) {
      const memoir = await world.install({ config });
      const shop = await world.project("shop", { "src/rates.ts": `${rates.join("\n")}\n` });
      const path = shop.path("src/rates.ts");
      const read = (): Block => use("Read", { file_path: path });
      const reads = [read(), read(), read()] as const;
      const edit = (group: number): Block =>
        use("Edit", {
          file_path: path,
          old_string: `rateOfGroup${group} = ${group} / 100`,
          new_string: `rateOfGroup${group} = ${group} / 50`,
        });
      const edits = [edit(60), edit(70)] as const;
      const session = await shop.session({
        prompts: ["Halve two of them"],
        script: {
          main: [
            turn(reads[0]),
            turn(edits[0]),
            turn(reads[1]),
            turn(edits[1]),
            turn(reads[2]),
            turn("Done."),
          ],
        },
      });
      assertUnharmed(session);
      const seen = (block: Block): string => {
        const id = block.type === "tool_use" ? block.id : "";
        const texts = session.main.map((request) => toolResults(request).get(id));
        return texts.findLast((text) => text !== undefined) ?? "";
      };
      const [first, second, third] = [seen(reads[0]), seen(reads[1]), seen(reads[2])];
      assert.match(first, /^ *80[\t→]export const rateOfGroup79/m);
      assert.ok(!first.includes("memoir left out"));
      // What stands behind a gap at the beginning has the number that it has in the file.
      assert.match(second, /^ *61[\t→]export const rateOfGroup60 = 60 \/ 50;/m);
      assert.match(second, /\[lines 1-\d+ left out, as you read or wrote them before\]/);
      assert.ok(second.length < first.length / 2, second);
      for (const block of edits) assert.match(seen(block), /has been updated/);
      assert.match(third, /^ *71[\t→]export const rateOfGroup70 = 70 \/ 50;/m);
      assert.ok(!third.includes("memoir left out"), third);
      const id = reads[1].type === "tool_use" ? reads[1].id : "";
      const whole = await memoir.run("recall", id);
      assert.match(whole.stdout, /rateOfGroup79/);
    },
  },
];
