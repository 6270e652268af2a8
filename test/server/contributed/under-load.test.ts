// While one plugin's parts loop, exit, flood and never answer, events come in whole, and before those end; another plugin answers.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { expectNothingLost, sessionOf, underLoad } from "../../support/load.ts";
import { withPluginServer } from "../../support/plugin-server.ts";

const hostile = `import { definePlugin, operation } from "memoir/sdk";
const of = (run) => operation({ does: "Break", for: ["route"], deadlineMs: 300, run });
export default definePlugin({ name: "hostile", description: "d", sdk: 1, hooks: {},
  operations: {
    spin: of(() => { for (;;); }), leave: of(() => process.exit(1)), never: of(() => new Promise(() => {})),
    huge: of(() => "x".repeat(20_000_000)), deep: of(() => { let all = []; for (let n = 0; n < 1e5; n++) all = [all]; return all; }),
    throws: of(() => { throw null; }), later: of(() => { setTimeout(() => { throw new Error("stray"); }); return 1; }),
    self: of(() => { const all = {}; all.all = all; return all; }),
  },
  routes: (request) => request.url.endsWith("flood") ? new Response(new ReadableStream({ pull(one) { one.enqueue(new Uint8Array(1_000_000)); } })) : new Promise(() => {}),
});
`;
const calm = `import { definePlugin, operation } from "memoir/sdk";
export default definePlugin({ name: "calm", description: "d", sdk: 1, hooks: {}, operations: { ask: operation({ does: "Answer", for: ["route"], run: () => 1 }) } });
`;
const parts = ["spin", "leave", "never", "huge", "deep", "throws", "later", "self", "x", "flood"];

test("hooks and other plugins do not notice", async () => {
  const files = { "plugins/hostile.ts": hostile, "plugins/calm.ts": calm };
  await withPluginServer(files, async (server) => {
    await server.command("plugin", "list");
    await server.start();
    const get = (path: string) =>
      fetch(`http://localhost${path}`, {
        unix: join(server.home, "memoir.sock"),
        signal: AbortSignal.timeout(2_000),
      });
    let isOver = false;
    const breaking = parts.map(async (part) => {
      while (!isOver) {
        await get(`/plugins/hostile/${part}`)
          .then((answer) => answer.body?.cancel())
          .catch(() => undefined);
        await Bun.sleep(20);
      }
    });
    const load = await underLoad(server, () => Bun.sleep(3_000), 0);
    expect(await server.ask<number>("/plugins/calm/ask")).toBe(1);
    isOver = true;
    await Promise.all(breaking);
    await expectNothingLost(server, load);
    expect(await server.log()).toContain("operations.spin");
  });
}, 180_000);

// With ten minutes to answer, what loops and what never answers are under way all the time: whoever waited for them would not end.
const endless = `import { definePlugin, operation } from "memoir/sdk";
const of = (run) => operation({ does: "Break", for: ["route"], deadlineMs: 600_000, run });
export default definePlugin({ name: "NAME", description: "d", sdk: 1, hooks: {},
  operations: { part: of(() => BODY) },
});
`;
const bodies = { spin: "{ for (;;); }", never: "new Promise(() => {})" };

test("hooks are answered, and another plugin, while a call loops and one never ends", async () => {
  const files = Object.entries(bodies).map(([name, body]) => [
    `plugins/${name}.ts`,
    endless.replace("NAME", name).replace("BODY", body),
  ]);
  await withPluginServer(
    { ...Object.fromEntries(files), "plugins/calm.ts": calm },
    async (server) => {
      await server.command("plugin", "list");
      await server.start();
      const unix = join(server.home, "memoir.sock");
      const leaving = new AbortController();
      const ended: string[] = [];
      for (const name of Object.keys(bodies))
        void fetch(`http://localhost/plugins/${name}/part`, { unix, signal: leaving.signal })
          .then(async (answer) => ended.push(`${name}: ${await answer.text()}`))
          .catch((error) => leaving.signal.aborted || ended.push(`${name}: ${error}`));
      const called = async () => {
        const { contributions } = await server.ask<{ contributions: Called[] }>("/api/plugins");
        return contributions.filter(({ part }) => part === "operations.part");
      };
      const { send, sent } = sessionOf(server);
      for (let n = 0; n < 50; n++) await send();
      expect(await server.ask<number>("/plugins/calm/ask")).toBe(1);
      expect(ended).toEqual([]);
      expect((await called()).map(({ plugin }) => plugin).toSorted()).toEqual(["never", "spin"]);
      await expectNothingLost(server, { sent: sent(), meanwhile: sent() });
      leaving.abort();
    },
  );
}, 180_000);

interface Called {
  plugin: string;
  part: string;
}
