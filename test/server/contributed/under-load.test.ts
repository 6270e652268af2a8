// While one plugin's parts loop, exit, flood and never answer, events come in whole and in time, and another plugin answers.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { expectNothingLost, underLoad } from "../../support/load.ts";
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
    expect(await (await get("/plugins/calm/ask")).text()).toBe("1");
    isOver = true;
    await Promise.all(breaking);
    await expectNothingLost(server, load);
    expect(await server.log()).toContain("operations.spin");
  });
}, 180_000);
