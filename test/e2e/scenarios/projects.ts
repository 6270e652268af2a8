// Two projects at once, with the same folder name: nothing of one is ever told to the other.
import assert from "node:assert/strict";
import type { SearchResult } from "../../../src/sdk/storage.ts";
import { assertUnharmed } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { contexts } from "../wire.ts";
import { fixSession, shopFiles } from "./shop.ts";

const mailFiles = { "src/mail.js": 'export const sender = "shop@example.org";\n' };

export const projectScenarios: Scenario[] = [
  {
    name: "projects: two sessions at once keep their memories apart",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("one/app", shopFiles);
      const mail = await world.project("two/app", mailFiles);
      const rename = use("Edit", {
        file_path: mail.path("src/mail.js"),
        old_string: "shop@example.org",
        new_string: "orders@example.org",
      });
      const sessions = await Promise.all([
        fixSession(shop),
        mail.session({
          prompts: ["Send mail from the orders address"],
          script: {
            main: [
              turn(use("Read", { file_path: mail.path("src/mail.js") })),
              turn(rename),
              turn("Mail is sent from orders@example.org now."),
            ],
          },
        }),
      ]);
      sessions.forEach(assertUnharmed);
      await memoir.settle();

      const nextShop = await shop.session({ prompts: ["Go on"], script: { main: [turn("Yes.")] } });
      const nextMail = await mail.session({ prompts: ["Go on"], script: { main: [turn("Yes.")] } });
      const toldShop = contexts(nextShop.main[0]).join("\n");
      const toldMail = contexts(nextMail.main[0]).join("\n");
      assert.match(toldShop, /discount/);
      assert.doesNotMatch(toldShop, /mail|orders@/i);
      assert.match(toldMail, /Mail is sent from orders@/);
      assert.doesNotMatch(toldMail, /discount/);

      const search = ["search", "discount mail", "--project", mail.root];
      const { results } = await memoir.json<{ results: SearchResult[] }>(...search);
      assert.ok(results.length > 0);
      assert.ok(results.every(({ project }) => project === mail.root));
    },
  },
];
