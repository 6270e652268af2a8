// The project and the recorded work that scenarios share: a shop whose discount is wrong, found by a failing test and fixed.
import type { ClientSession } from "../client-session.ts";
import type { Script } from "../messages-api.ts";
import { think, turn, use } from "../script.ts";
import type { Project } from "../world.ts";

/** A small shop; `discounted` takes the percentage off twice. */
export const shopFiles: Record<string, string> = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/discount.js": `// Discounts for the checkout.
export function discounted(price, percent) {
  const off = (price * percent) / 100;
  return price - off - off;
}
`,
  "src/tax.js": `// Value-added tax, in percent.
export const taxRate = 19;
export const withTax = (price) => price * (1 + taxRate / 100);
`,
  "src/checkout.js": `import { discounted } from "./discount.js";
import { withTax } from "./tax.js";
export const total = (price, percent) => withTax(discounted(price, percent));
`,
  "test/discount.test.js": `import assert from "node:assert";
import test from "node:test";
import { discounted } from "../src/discount.js";
test("takes ten percent off", () => assert.strictEqual(discounted(100, 10), 90));
`,
};

const runTests = () =>
  use("Bash", {
    command: "node --test test/discount.test.js",
    description: "Run the discount test",
  });

/** What the user asks in the first session. */
export const fixPrompt = "The discount test fails, find out why and fix it";

/** What came of it, as the assistant says it. */
export const fixOutcome =
  "discounted() in src/discount.js subtracted the discount twice; it now subtracts it once and the discount test passes.";

/** What the assistant says when it is done. */
export const fixClosing = `Fixed: ${fixOutcome} Next: cover percentages over 100 in test/discount.test.js.`;

/**
 * The first session: a parallel batch of reads, a failing test, a subagent, the fix, the test passing. The client runs
 * subagents in the background unless told otherwise; in the foreground every run has the same order.
 */
export function fixScript(shop: Project, subagent: "background" | "foreground"): Script {
  return {
    main: [
      turn(
        think("Look at the code and its test first."),
        "Let me look at the code.",
        use("Read", { file_path: shop.path("src/discount.js") }),
        use("Read", { file_path: shop.path("test/discount.test.js") }),
        use("Read", { file_path: shop.path("src/checkout.js") }),
      ),
      turn("Now the test.", runTests()),
      turn(
        use("Agent", {
          description: "Find the tax rate",
          prompt: "Where is the tax rate defined and what is it?",
          subagent_type: "general-purpose",
          run_in_background: subagent === "background",
        }),
      ),
      turn(
        "The discount is subtracted twice.",
        use("Edit", {
          file_path: shop.path("src/discount.js"),
          old_string: "price - off - off",
          new_string: "price - off",
        }),
      ),
      turn(runTests()),
      turn(fixClosing),
      turn(fixClosing),
    ],
    agent: [
      turn(use("Read", { file_path: shop.path("src/tax.js") })),
      turn("The tax rate is 19 percent, defined as taxRate in src/tax.js."),
    ],
  };
}

/** Runs the first session, to its end. */
export function fixSession(shop: Project): Promise<ClientSession> {
  return shop.session({ prompts: [fixPrompt], script: fixScript(shop, "foreground") });
}
