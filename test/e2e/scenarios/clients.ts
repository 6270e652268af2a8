// Each client beside Claude Code: what one session does is remembered, the next is told it, and an uninstall gives every file back.
import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { clientNamed } from "../../../src/clients/index.ts";
import type { Session } from "../../../src/sdk/model.ts";
import { type ChatApi, startChatApi, textOfRequest } from "../clients/chat-api.ts";
import { otherClients, toolsClients } from "../clients/index.ts";
import {
  fetchClient,
  type OtherClient,
  scenarioName,
  type ToolsClient,
} from "../clients/other-client.ts";
import { assertUnharmed } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { contexts } from "../wire.ts";
import type { Project, World } from "../world.ts";

const files = {
  "package.json": '{ "name": "till", "type": "module" }\n',
  "src/total.js": "export const total = (price, tax) => price - tax;\n",
  "test.js":
    'import { total } from "./src/total.js";\nif (total(100, 20) !== 120) {\n  console.error("TotalMismatch: expected 120, got " + total(100, 20));\n  process.exit(3);\n}\nconsole.log("1 passing");\n',
};

/** A client in a world: its settings as they were, and how one session of it is run. */
export interface Room {
  api: ChatApi;
  memoir: Memoir;
  project: Project;
  /** Runs one session, with these arguments of the client's before; answers what the client printed. */
  session(prompt: string, ...more: string[]): Promise<string>;
  /** Runs the client with these arguments. */
  run(args: readonly string[]): Promise<string>;
  settings: Record<string, string>;
}

/** `beside`: a room that is there, in whose project this client works too. */
export async function open(
  client: ToolsClient,
  world: World,
  config?: object,
  beside?: Pick<Room, "memoir" | "project">,
): Promise<Room> {
  const fetched = await fetchClient(client);
  assert.ok("folder" in fetched, "missing" in fetched ? fetched.missing : "");
  const api = startChatApi();
  const settings = client.settings(api.url);
  for (const [path, text] of Object.entries(settings)) {
    await mkdir(dirname(join(world.home, path)), { recursive: true });
    await writeFile(join(world.home, path), text);
  }
  for (const [path, target] of Object.entries(client.links ?? {}))
    await symlink(join(fetched.folder, target), join(world.home, path));
  const memoir = beside?.memoir ?? (await world.install(config ? { config } : {}));
  const installed = await memoir.run("install", client.name, "--yes");
  assert.equal(installed.code, 0, installed.stderr + installed.stdout);
  const project = beside?.project ?? (await world.project("till", files));
  const run = async (args: readonly string[]) => {
    const child = Bun.spawn([...client.command(fetched.folder), ...args], {
      cwd: project.root,
      env: { ...world.env, ...client.env(api.url) },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    assert.equal(await child.exited, 0, err + out);
    return out;
  };
  return {
    ...{ api, memoir, project, settings, run },
    session: (prompt, ...more) => run([...more, ...client.ask(prompt)]),
  };
}

function remembered(client: OtherClient): Scenario {
  return {
    name: scenarioName(client, "what it did is remembered and told to its next session"),
    client: client.name,
    async run(world) {
      const { api, memoir, project, session, settings } = await open(client, world);
      const { read, edit, run, search } = client.tools;
      const file = project.path("src/total.js");
      api.say([
        ["I look at it.", read(file)],
        [run("node test.js")],
        [edit(file, "price - tax", "price + tax")],
        [run("node test.js")],
        ["The tax was taken off; now it is added."],
      ]);
      await session("Find out why the total leaves out the tax, and mend it.");
      await memoir.settle();

      const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
      const own = sessions.find((one) => one.client === client.name);
      assert.ok(own, `no session of ${client.name}: ${JSON.stringify(sessions)}`);
      const records = await memoir.records(own.id);
      assert.deepEqual(
        records.prompts.map(({ text }) => text),
        ["Find out why the total leaves out the tax, and mend it."],
      );
      const told = JSON.stringify(records.turns);
      for (const word of ["TotalMismatch", "src/total.js", "The tax was taken off"])
        assert.ok(told.includes(word), `the turn does not tell ${word}: ${told}`);
      const kinds = records.turns.flatMap(({ pieces }) => pieces.map(({ kind }) => kind));
      for (const kind of ["failure", "repair"] as const)
        assert.ok(kinds.includes(kind), `no ${kind} in ${kinds.join(", ")}`);
      const pieces = records.turns.flatMap((one) => one.pieces);
      const runs = pieces.filter(
        ({ kind, about = "" }) => kind !== "repair" && about.includes("node test.js"),
      );
      const kept = runs.map(({ kind, about }) => `${kind} ${about}`).join("; ");
      assert.equal(runs.length, 2, `two runs of the test, each once: ${kept}`);

      const before = api.main().length;
      api.say([["I look it up.", search("total tax")], ["Known."]]);
      await session("What was wrong with the total?");
      const first = api.main()[before];
      assert.ok(first, "the second session asked nothing");
      const context = textOfRequest(first);
      for (const word of ["memoir-context", "src/total.js", "node test.js", "now it is added"])
        assert.ok(context.includes(word), `the first request does not tell ${word}: ${context}`);
      // Clients list tools of servers by name only, and load them when one is called.
      const results = api.main()[before + 1]?.messages.filter(({ role }) => role === "tool") ?? [];
      const found = JSON.stringify(results);
      assert.ok(found.includes("total.js"), `memoir's search answered: ${found}`);

      await memoir.settle();
      const { sessions: later } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
      for (const one of later) {
        const kept = JSON.stringify(await memoir.records(one.id));
        assert.ok(!kept.includes("memoir-context"), "memoir's own context was captured");
      }
      const gone = await memoir.run("uninstall", "--yes");
      assert.equal(gone.code, 0, gone.stderr);
      for (const [path, text] of Object.entries(settings))
        assert.equal(await readFile(join(world.home, path), "utf8"), text, path);
      await api.stop();
    },
  };
}

function inTurn(client: OtherClient): Scenario {
  return {
    name: scenarioName(client, "in turn with Claude Code, each is told what the other did"),
    client: client.name,
    async run(world) {
      const { api, memoir, project, session } = await open(client, world);
      const file = project.path("src/total.js");
      const first = await project.session({
        prompts: ["Why does the test fail?"],
        script: {
          main: [turn(use("Read", { file_path: file })), turn("The sign of tax is wrong.")],
        },
      });
      assertUnharmed(first);
      await memoir.settle();
      api.say([
        [client.tools.edit(file, "price - tax", "price + tax")],
        ["The sign is turned round."],
      ]);
      await session("Mend what was found.");
      const asked = api.main()[0];
      assert.ok(asked && textOfRequest(asked).includes("The sign of tax is wrong."));
      await memoir.settle();
      const last = await project.session({
        prompts: ["Is it mended?"],
        script: { main: [turn("Yes.")] },
      });
      assertUnharmed(last);
      assert.ok(contexts(last.main[0]).join("\n").includes("The sign is turned round."));
      await memoir.settle();
      const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
      const whose = sessions.map((one) => one.client).toSorted();
      assert.deepEqual(whose, ["claude-code", "claude-code", client.name].toSorted());
      assert.equal(new Set(sessions.map((one) => one.project.id)).size, 1);
      await api.stop();
    },
  };
}

function withoutServer(client: OtherClient): Scenario {
  return {
    name: scenarioName(client, "a session goes on without a server, and is remembered later"),
    client: client.name,
    async run(world) {
      const { api, memoir, project, session } = await open(client, world);
      api.say([[client.tools.read(project.path("test.js"))], ["It fails on purpose."]]);
      await memoir.signal("SIGSTOP");
      try {
        await session("Say what the test does.");
      } finally {
        await memoir.signal("SIGCONT");
      }
      await memoir.settle();
      const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
      assert.deepEqual(
        sessions.map((one) => one.client),
        [client.name],
      );
      assert.equal(clientNamed(client.name).name, client.name);
      await api.stop();
    },
  };
}

/** A client that tells nothing: its agent asks, and finds what Claude Code did. */
function asks(client: ToolsClient): Scenario {
  return {
    name: scenarioName(client, "it lists and calls memoir's tools, and is told when to"),
    client: client.name,
    async run(world) {
      const { api, memoir, project, session, settings } = await open(client, world);
      const first = await project.session({
        prompts: ["Why does the test fail?"],
        script: {
          main: [
            turn(use("Read", { file_path: project.path("src/total.js") })),
            turn("The sign of tax is wrong."),
          ],
        },
      });
      assertUnharmed(first);
      await memoir.settle();
      api.say([["I look it up.", client.tools.search("total tax sign")], ["It is known."]]);
      await session("Why did the test fail?");
      const [asked, answered] = api.main();
      assert.ok(asked && answered, "it asked its model twice at least");
      assert.ok(asked.tools.includes(client.tools.search("").tool), asked.tools.join(" "));
      assert.ok(textOfRequest(asked).includes("Memory of earlier sessions (memoir)"));
      const results = JSON.stringify(answered.messages.filter(({ role }) => role === "tool"));
      assert.ok(results.includes("sign of tax is wrong"), results);
      const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
      assert.deepEqual(
        sessions.map((one) => one.client),
        ["claude-code"],
      );
      const gone = await memoir.run("uninstall", client.name, "--yes");
      assert.equal(gone.code, 0, gone.stderr);
      for (const [path, text] of Object.entries(settings))
        if (!client.writes?.includes(path))
          assert.equal(await readFile(join(world.home, path), "utf8"), text, path);
      await api.stop();
    },
  };
}

export const clientScenarios: Scenario[] = [
  ...otherClients.flatMap((client) => [remembered(client), inTurn(client), withoutServer(client)]),
  ...toolsClients.map(asks),
];
