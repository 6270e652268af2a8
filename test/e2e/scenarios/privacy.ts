// Secrets, `<private>` text and memoir's own context never reach the disk, whichever way an event takes.
import assert from "node:assert/strict";
import { assertUnharmed } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { contexts } from "../wire.ts";
import type { World } from "../world.ts";
import { fixSession, shopFiles } from "./shop.ts";

/** Secret-shaped values, put together here so that no file holds one. */
const secrets = {
  key: ["sk", "ant", "api03", "Zq8rT2vLx0PmW4nB7cJd1sKfGhYtR5uE"].join("-"),
  token: ["ghp", "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"].join("_"),
  password: ["correct", "horse", "battery", "staple"].join("7"),
  diary: "the merger with Initech is planned for May",
};

async function assertNowhere(memoir: Memoir, texts: readonly string[], when: string) {
  for (const [path, content] of await memoir.files()) {
    for (const text of texts) assert.ok(!content.includes(text), `${when}: "${text}" in ${path}`);
  }
}

/** A session that meets every secret in a prompt, a tool's input, its output and the assistant's words. */
async function meetSecrets(world: World): Promise<void> {
  const shop = await world.project("shop", {
    ...shopFiles,
    ".env": `API_TOKEN=${secrets.token}\nDATABASE_URL=postgres://app:${secrets.password}@db/shop\n`,
    "notes.md": `# Notes\n<private>${secrets.diary}</private>\n`,
  });
  const session = await shop.session({
    prompts: [
      `Use the key ${secrets.key}. <private>${secrets.diary}</private> Then read the notes.`,
    ],
    script: {
      main: [
        turn(
          use("Bash", { command: "cat .env", description: "Show the environment" }),
          use("Read", { file_path: shop.path("notes.md") }),
        ),
        turn(
          use("Bash", { command: `curl -s -H 'x-api-key: ${secrets.key}' localhost:1 || true` }),
        ),
        turn(
          use("Write", {
            file_path: shop.path("deploy.sh"),
            content: `export ANTHROPIC_API_KEY=${secrets.key}\n./deploy\n`,
          }),
        ),
        turn(`I used ${secrets.key} and wrote deploy.sh.`),
      ],
    },
  });
  assertUnharmed(session);
}

export const privacyScenarios: Scenario[] = [
  {
    name: "privacy: no secret and no private text reaches the disk",
    async run(world) {
      const memoir = await world.install();
      await meetSecrets(world);
      await assertNowhere(memoir, Object.values(secrets), "captured");
      await memoir.settle();
      await assertNowhere(memoir, Object.values(secrets), "settled");
      const { prompts } = await onlySession(memoir);
      assert.match(prompts[0]?.text ?? "", /read the notes/, "the rest of the prompt is kept");
    },
  },
  {
    name: "privacy: nor by way of the spool",
    async run(world) {
      const memoir = await world.install();
      await memoir.signal("SIGSTOP");
      await meetSecrets(world);
      assert.ok((await memoir.spooled()).length >= 5, "the events went to the spool");
      await assertNowhere(memoir, Object.values(secrets), "spooled");
      await memoir.signal("SIGCONT");
      await memoir.settle();
      await assertNowhere(memoir, Object.values(secrets), "drained");
      const { prompts } = await onlySession(memoir);
      assert.equal(prompts.length, 1);
    },
  },
  {
    name: "privacy: memoir's own context is never captured",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      await fixSession(shop);
      await memoir.settle();
      const echo = shop.path("context.txt");
      const quoting = await shop.session({
        prompts: ["Quote what you were told"],
        script: ({ requests }) => ({
          main: [
            turn("I look.", use("Bash", { command: "ls src" })),
            // Filled in when the client asks: the context is known only then.
            () => {
              const told = contexts(requests.at(-1)).join("\n");
              assert.ok(told.length > 0);
              return turn(`I was told ${told}`, use("Write", { file_path: echo, content: told }));
            },
            () => turn(`It says: ${contexts(requests.at(-1)).join("\n")}`),
          ],
        }),
      });
      assertUnharmed(quoting);
      await memoir.settle();
      await assertNowhere(memoir, ["<memoir-context", "</memoir-context"], "after quoting");
    },
  },
];

async function onlySession(memoir: Memoir) {
  const { sessions } = await memoir.ask<{ sessions: Array<{ id: string }> }>("/api/sessions");
  assert.equal(sessions.length, 1);
  return memoir.records(sessions[0]?.id ?? "");
}
