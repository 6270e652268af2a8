// At the right moment: a failure that an earlier session repaired is told with its repair in the next request, and the agent acts on it.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "../../../src/sdk/model.ts";
import type { Answer } from "../../../src/server/route-types.ts";
import { assertUnharmed } from "../expect.ts";
import type { WireRequest } from "../messages-api.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { contexts } from "../wire.ts";
import { fixSession, shopFiles } from "./shop.ts";

const runTests = () => use("Bash", { command: "node --test test/discount.test.js" });

/** What the agent was told about a failure up to here. */
const hints = (request: WireRequest | undefined) =>
  contexts(request).filter((context) => context.startsWith('<memoir-context source="failure"'));

export const momentScenarios: Scenario[] = [
  {
    name: "moments: a failure that an earlier session repaired comes with its repair, once, and the agent acts on it; where nobody uses that it is shown less",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      const first = await fixSession(shop);
      assertUnharmed(first);
      assert.deepEqual(hints(first.main.at(-1)), [], "a first failure was seen nowhere");
      await memoir.settle();

      // Somebody brings the fault back.
      await writeFile(shop.path("src/discount.js"), shopFiles["src/discount.js"] ?? "");
      const second = await shop.session({
        prompts: ["Run the tests before the release"],
        script: ({ requests }) => ({
          main: [
            turn(runTests()),
            // All that the agent knows of the repair stands in the hint.
            () => {
              const [hint = ""] = hints(requests.findLast(({ lane }) => lane === "main"));
              const [, file = "no file"] = /It passed after (\S+) changed\./.exec(hint) ?? [];
              const [, show = "false"] = /`([^`]+ show t\d+)` shows how/.exec(hint) ?? [];
              return turn(
                "This was seen before.",
                use("Bash", { command: show, description: "Look the repair up" }),
                use("Read", { file_path: shop.path(file) }),
              );
            },
            turn(runTests()),
            turn(
              use("Edit", {
                file_path: shop.path("src/discount.js"),
                old_string: "price - off - off",
                new_string: "price - off",
              }),
            ),
            turn(runTests()),
            turn("Mended as it was before."),
          ],
        }),
      });
      assertUnharmed(second);
      const [, afterFailure, afterLook, , , last] = second.main;
      const [hint = "", ...more] = hints(afterFailure);
      assert.deepEqual(more, []);
      assert.match(hint, /^Seen before \(t1 · \d{4}-\d\d-\d\d\): `node --test/m);
      assert.match(hint, /^It passed after src\/discount\.js changed\./m);
      assert.ok(afterLook);
      const looked = JSON.stringify(afterLook.body.messages);
      assert.match(looked, /subtracted the discount twice/, "what it looked up tells the repair");
      assert.equal(hints(last).length, 1, "the same failure is told once in a session");

      const { moments } = await memoir.json<Answer<"/api/stats">>("stats");
      assert.deepEqual(
        moments.find(({ kind }) => kind === "failure"),
        { kind: "failure", told: 1, lookedUp: 1, actedOn: 1, keptBack: 0 },
      );

      // As if nine sessions had been shown either repair, and none had used it.
      await memoir.settle();
      const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
      const records = await Promise.all(sessions.map(({ id }) => memoir.records(id)));
      const ids = records.flatMap(({ turns }) => turns.map(({ id }) => id));
      await memoir.run("server", "stop");
      const kept = join(memoir.home, "moments.json");
      const told: Array<{ kind: string }> = JSON.parse(await readFile(kept, "utf8"));
      const one = told.find(({ kind }) => kind === "failure");
      const unused = Array.from({ length: 9 }, (_, at) => {
        return { ...one, ids, session: `unused-${at}`, lookedUp: false, actedOn: false, used: [] };
      });
      await writeFile(kept, JSON.stringify(unused));
      await writeFile(shop.path("src/discount.js"), shopFiles["src/discount.js"] ?? "");
      const third = await shop.session({
        prompts: ["Run the tests once more"],
        script: () => ({ main: [turn(runTests()), turn("They fail.")] }),
      });
      assertUnharmed(third);
      assert.deepEqual(hints(third.main.at(-1)), []);
      const after = await memoir.json<Answer<"/api/stats">>("stats");
      assert.equal(after.moments.find(({ kind }) => kind === "failure")?.keptBack, 1);
      assert.match(
        (await memoir.run("status")).stdout,
        /failure: shown less in shop, nobody used them/,
      );
    },
  },
];
