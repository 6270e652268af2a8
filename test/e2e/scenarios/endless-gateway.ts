// Endless Mode on the wire: what the API is sent while the gateway clears, puts in and passes on, and what the client makes of it.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Kept } from "../../../src/sdk/endless.ts";
import { freePort } from "../../support/free-port.ts";
import { assertUnharmed } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { WireBlock, WireMessage, WireRequest } from "../messages-api.ts";
import type { Scenario } from "../scenario.ts";
import { after, type Block, failing, think, turn, use } from "../script.ts";
import { texts } from "../wire.ts";
import type { World } from "../world.ts";

const page = (name: string) =>
  Array.from(
    { length: 120 },
    (_, at) => `export const ${name}${at} = "${name} number ${at}";`,
  ).join("\n");

const config = (port: number) => ({
  endless: { everywhere: ["gateway"], gateway: { port } },
});

/** Leads the client through the gateway to the scripted API. */
function leadThrough(memoir: Memoir): (api: string) => Promise<void> {
  return async (api) => {
    await memoir.json("config", "set", "endless.gateway.upstream", api);
    await memoir.json("endless", "gateway", "on");
  };
}

const idOf = (block: Block): string => (block.type === "tool_use" ? block.id : "");

function blocks({ content }: WireMessage): WireBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function inputOf(request: WireRequest | undefined, block: Block): unknown {
  return request?.body.messages.flatMap(blocks).find(({ id }) => id === idOf(block))?.input;
}

/** As the API caches it: the breakpoint moves on with each request and is no part of it. */
function plain(message: WireMessage): string {
  const kept = blocks(message).map((block) => ({ ...block, cache_control: undefined }));
  return JSON.stringify([message.role, kept]);
}

/** Each request begins with what the one before began with, up to its last message of the user. */
function assertPrefix(requests: readonly WireRequest[]): void {
  for (const [at, request] of requests.entries()) {
    const before = requests[at - 1]?.body.messages ?? [];
    const end = Math.max(
      0,
      before.findLastIndex(({ role }) => role === "user"),
    );
    const [was, is] = [before.slice(0, end), request.body.messages.slice(0, end)];
    assert.deepEqual(is.map(plain), was.map(plain), `request ${at} begins otherwise`);
  }
}

function cleared(block: Block): unknown {
  if (block.type !== "tool_use") return undefined;
  const tokens = Math.ceil(JSON.stringify(block.input).length / 4);
  const message = `[Input removed to save ~${tokens} tokens; ~/.memoir/bin/memoir recall ${block.id}]`;
  return { _cleared: true, message };
}

export const endlessGatewayScenarios: Scenario[] = [
  {
    name: "endless gateway: inputs are cleared and observations put in, live, and each request begins as the one before",
    async run(world) {
      const memoir = await world.install({ config: config(await freePort()) });
      const shop = await world.project("shop", { "README.md": "# Shop\n" });
      const write = (name: string) =>
        use("Write", { file_path: shop.path(`src/${name}.ts`), content: page(name) });
      const [first, second, third] = [write("first"), write("second"), write("third")];
      const small = use("Bash", { command: "echo small" });
      const signed = write("signed");
      const session = await shop.session({
        prompts: ["Write two files", "Now the third", "And look"],
        prepare: leadThrough(memoir),
        script: {
          main: [
            turn("One.", first),
            turn(second, small),
            turn("Two files."),
            async () => {
              await memoir.settle();
              return turn(third);
            },
            turn("Three files."),
            turn(think("A signed thought."), signed),
            turn("All seen: Grüße 🙂."),
          ],
        },
      });
      assertUnharmed(session);
      assert.deepEqual(session.results, ["Two files.", "Three files.", "All seen: Grüße 🙂."]);
      const { main } = session;
      assertPrefix(main);
      const last = main.at(-1);
      for (const block of [first, second, third]) {
        assert.deepEqual(inputOf(last, block), cleared(block));
        const seen = main
          .map((request) => inputOf(request, block))
          .filter((input) => input !== undefined);
        assert.equal(
          new Set(seen.map((input) => JSON.stringify(input))).size,
          1,
          "sent in several forms",
        );
        const kept = await memoir.json<Kept>("recall", idOf(block), "--part", "input");
        assert.deepEqual(kept.value, block.type === "tool_use" ? block.input : undefined);
      }
      for (const block of [small, signed])
        assert.deepEqual(inputOf(last, block), block.type === "tool_use" ? block.input : undefined);
      const told = texts(last as WireRequest).filter(
        (text) => text.includes("<memoir-context") && text.includes("Changed:"),
      );
      assert.ok(
        told.some((text) => text.includes("first.ts")),
        "nothing was put in about the first file",
      );
      const status = await memoir.json<{
        requests: number;
        rewritten: number;
        unsure: number;
        failed: number;
      }>("endless", "gateway", "status");
      assert.ok(status.rewritten >= 6, JSON.stringify(status));
      assert.deepEqual([status.unsure, status.failed], [0, 0]);
      for (const [file, text] of await memoir.files())
        assert.ok(!text.includes("dummy-test-key"), `${file} holds the key`);
    },
  },
  {
    name: "endless gateway: errors of the API pass, and a server that is killed is back for the next request",
    async run(world) {
      const memoir = await world.install({ config: config(await freePort()) });
      const shop = await world.project("shop", { "README.md": "# Shop\n" });
      const write = use("Write", { file_path: shop.path("a.ts"), content: page("a") });
      const kill = use("Bash", {
        command: `kill -9 $(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' ~/.memoir/server.json)`,
      });
      const session = await shop.session({
        prompts: ["Write", "Then fail"],
        prepare: leadThrough(memoir),
        script: {
          main: [
            turn(write),
            failing(529, "overloaded_error"),
            turn(kill),
            turn("Still here."),
            // The client tries again with altered requests, a few times.
            ...Array.from({ length: 12 }, () => failing(400, "invalid_request_error")),
          ],
        },
      });
      assert.equal(session.exitCode === 0 || session.exitCode === 1, true, session.stderr);
      assert.equal(session.results[0], "Still here.");
      assert.match(session.results[1] ?? "", /400|scripted invalid_request_error/);
      const { main } = session;
      const before400 = main.slice(0, 5);
      assertPrefix(before400);
      // The overloaded request was sent once more as it was.
      assert.deepEqual(main[2]?.body, main[1]?.body);
      assert.deepEqual(inputOf(main[3], write), cleared(write));
      assert.deepEqual(inputOf(main[4], write), cleared(write));
    },
  },
  {
    name: "endless gateway: subagents go through it too, and off gives the client's settings back byte for byte",
    async run(world) {
      const memoir = await world.install({ config: config(await freePort()) });
      const shop = await world.project("shop", { "README.md": "# Shop\n" });
      const settings = join(world.claude, "settings.json");
      const before = await readFile(settings, "utf8");
      const write = use("Write", { file_path: shop.path("b.ts"), content: page("b") });
      const agent = use("Agent", {
        description: "Write",
        prompt: "Write b.ts",
        subagent_type: "general-purpose",
      });
      let leading = leadThrough(memoir);
      const options = () => ({
        prompts: ["Let somebody write"],
        prepare: (api: string) => leading(api),
        script: {
          main: [turn(agent), turn("Done by another.")],
          agent: [turn(write), turn("Written.")],
        },
      });
      const through = await shop.session(options());
      assertUnharmed(through);
      const agents = through.requests.filter(({ lane }) => lane === "agent");
      assert.deepEqual(inputOf(agents.at(-1), write), cleared(write));
      assertPrefix(agents);
      const { requests } = await memoir.json<{ requests: number }>("endless", "gateway", "status");
      assert.ok(requests >= through.requests.length);

      await memoir.json("endless", "gateway", "off");
      assert.equal(await readFile(settings, "utf8"), before);
      leading = async () => undefined;
      await writeFile(shop.path("b.ts"), "");
      const past = await shop.session({ ...options(), script: { main: [turn("Past it.")] } });
      assertUnharmed(past);
      assert.equal(past.results[0], "Past it.");
      const after = await memoir.json<{ requests: number }>("endless", "gateway", "status");
      assert.equal(after.requests, requests, "a request went through the gateway");
    },
  },
  ...underAnOpenSession(),
];

/** What is done to memoir in the middle of a session whose own address of the API became the gateway's upstream. */
function underAnOpenSession(): Scenario[] {
  const memoirIn = (world: World) => join(world.home, ".memoir", "bin", "memoir");
  const inAShell: Array<[name: string, command: (memoir: string) => string]> = [
    ["switched off", (memoir) => `${memoir} endless gateway off`],
    ["stopped", (memoir) => `${memoir} stop`],
    [
      "switched off and killed",
      (memoir) =>
        `${memoir} endless gateway off && kill -9 $(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' ~/.memoir/server.json)`,
    ],
    ["uninstalled", (memoir) => `${memoir} uninstall --yes`],
  ];
  const scenarios = inAShell.map(
    ([name, command]): Scenario => ({
      name: `endless gateway: ${name} under an open session with an address of its own, which goes on`,
      async run(world) {
        const memoir = await world.install({ config: config(await freePort()) });
        const shop = await world.project("shop", { "README.md": "# Shop\n" });
        const session = await shop.session({
          prompts: ["Do it", "Still there?", "And now?"],
          prepare: ownAddress(world, memoir),
          script: {
            main: [
              turn(use("Bash", { command: command(memoirIn(world)) })),
              turn("It is done."),
              turn(use("Bash", { command: "echo here" })),
              turn("Still there."),
              turn("And now, too."),
            ],
          },
        });
        assert.equal(session.exitCode, 0, session.stderr);
        assert.deepEqual(session.results, ["It is done.", "Still there.", "And now, too."]);
        // Nothing was tried again: each request found the API at once.
        assert.equal(session.main.length, 5);
        assertPrefix(session.main);
        if (name !== "uninstalled") return;
        assert.ok(existsSync(join(memoir.home, "gateway-stand-in.json")), "nothing stands in");
        const { sessions } = JSON.parse(
          await readFile(join(memoir.home, "gateway-sessions.json"), "utf8"),
        );
        assert.deepEqual(Object.keys(sessions), session.ids);
      },
    }),
  );
  return [
    ...scenarios,
    {
      name: "endless gateway: stopped while an answer is under way, which arrives whole",
      async run(world) {
        const memoir = await world.install({ config: config(await freePort()) });
        const shop = await world.project("shop", { "README.md": "# Shop\n" });
        let stopping: Promise<unknown> | undefined;
        const session = await shop.session({
          prompts: ["Talk", "Still there?"],
          prepare: ownAddress(world, memoir),
          script: {
            main: [
              after(async () => {
                stopping = memoir.json("server", "stop");
                await Bun.sleep(1_000);
              }, turn("A long answer.")),
              turn("Still there."),
            ],
          },
        });
        await stopping;
        assert.equal(session.exitCode, 0, session.stderr);
        assert.deepEqual(session.results, ["A long answer.", "Still there."]);
        assert.equal(session.main.length, 2);
      },
    },
  ];
}

/** The user's settings name the API; the gateway takes that for its upstream. */
function ownAddress(world: World, memoir: Memoir): (api: string) => Promise<void> {
  return async (api) => {
    const path = join(world.claude, "settings.json");
    const settings = JSON.parse(await readFile(path, "utf8")) as { env?: object };
    const env = { ...settings.env, ANTHROPIC_BASE_URL: api };
    await writeFile(path, JSON.stringify({ ...settings, env }));
    await memoir.json("endless", "gateway", "on");
  };
}
