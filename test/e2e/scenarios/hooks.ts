// The hook command in the client's own hands: every event it is given, how it ends, and the same as a plugin of the client.
import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { assertUnharmed } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { turn } from "../script.ts";
import { contexts } from "../wire.ts";
import type { World } from "../world.ts";
import { fixPrompt, fixScript, shopFiles } from "./shop.ts";

interface Recorded {
  event: string;
  code: string;
  stdout: string;
  stderr: string;
}

/** Puts a recorder in the installed binary's place that runs the binary; the client does not report SessionEnd hooks itself. */
async function recordHooks(world: World, memoir: Memoir): Promise<() => Promise<Recorded[]>> {
  const folder = join(world.dir, "hooks");
  const real = join(world.dir, "memoir-real");
  const installed = join(memoir.home, "bin", "memoir");
  await mkdir(folder);
  await rename(installed, real);
  await writeFile(
    installed,
    `#!/bin/sh
[ "$1" = hook ] || exec '${real}' "$@"
f='${folder}'/$$
cat > "$f.in"
'${real}' "$@" < "$f.in" > "$f.out" 2> "$f.err"
code=$?
echo $code > "$f.code"
cat "$f.out"
exit $code
`,
  );
  await chmod(installed, 0o755);
  return async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".in"));
    return Promise.all(names.map((name) => recorded(join(folder, name.slice(0, -3)))));
  };
}

async function recorded(path: string): Promise<Recorded> {
  const [input = "", stdout = "", stderr = "", code = ""] = await Promise.all(
    ["in", "out", "err", "code"].map((end) => readFile(`${path}.${end}`, "utf8")),
  );
  const payload: { hook_event_name: string } = JSON.parse(input);
  return { event: payload.hook_event_name, code: code.trim(), stdout, stderr };
}

/** The repository itself is the plugin. */
const pluginFolder = resolve(import.meta.dirname, "../../../hooks");

export const hookScenarios: Scenario[] = [
  {
    name: "hooks: each event ends with exit 0 and prints one JSON object or nothing",
    async run(world) {
      const memoir = await world.install();
      const read = await recordHooks(world, memoir);
      const shop = await world.project("shop", shopFiles);
      for (let i = 0; i < 2; i++) {
        const script = fixScript(shop, "background");
        assertUnharmed(await shop.session({ prompts: [fixPrompt], script }));
        await memoir.settle();
      }
      const runs = await read();
      const events = new Set(runs.map(({ event }) => event));
      const expected = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"];
      for (const event of [...expected, "Stop", "SubagentStop", "SessionEnd"]) {
        assert.ok(events.has(event), `no ${event} among ${[...events].join(", ")}`);
      }
      for (const { event, code, stdout, stderr } of runs) {
        assert.equal(code, "0", event);
        assert.equal(stderr, "", event);
        if (stdout === "") continue;
        const output: Record<string, unknown> = JSON.parse(stdout);
        assert.deepEqual(Object.keys(output), ["hookSpecificOutput"], event);
      }
      assert.ok(runs.some(({ stdout }) => stdout !== ""));
    },
  },
  {
    name: "hooks: added as a plugin of the client, it does the main job too",
    async run(world) {
      const memoir = await world.install({ binaryOnly: true });
      const shop = await world.project("shop", shopFiles);
      const args = ["--plugin-dir", pluginFolder];
      const script = fixScript(shop, "background");
      assertUnharmed(await shop.session({ prompts: [fixPrompt], script, args }));
      await memoir.settle();
      const next = await shop.session({
        prompts: ["Go on"],
        script: { main: [turn("Yes.")] },
        args,
      });
      assertUnharmed(next);
      assert.match(contexts(next.main[0]).join("\n"), /discount/);
    },
  },
  {
    name: "hooks: as a plugin without the binary it keeps still",
    async run(world) {
      const shop = await world.project("shop", shopFiles);
      const session = await shop.session({
        prompts: ["Go on"],
        script: { main: [turn("Yes.")] },
        args: ["--plugin-dir", pluginFolder],
      });
      assertUnharmed(session);
      assert.ok(session.hooks.every(({ stdout }) => stdout === ""));
    },
  },
];
