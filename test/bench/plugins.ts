// What ten plugins with a command, a route, a tool, a panel, a schedule and data cost, beside none, in one run: absolute times mean little on a busy machine.
import { withPluginServer } from "../support/plugin-server.ts";
import { type Figure, median } from "./figures.ts";
import { memoryMb } from "./process-cost.ts";
import { binary } from "./served-home.ts";

const part = "plugins";
const all = (name: string) => `import { definePlugin, operation } from "memoir/sdk";
export default definePlugin({ name: "${name}", description: "Brings all there is.", sdk: 1, hooks: {},
  data: { migrations: ["CREATE TABLE seen (at INTEGER)"] },
  operations: { count: operation({ does: "Count", for: ["command", "route", "tool", "panel"], run: (_, ctx) => ctx.data.all("SELECT * FROM seen").length }) },
  panels: { main: { title: "Count", html: "<p>here</p>" } },
  schedules: { daily: { every: "1 day", run: () => {} } },
  routes: () => new Response("here"),
});
`;

interface Measured {
  startMs: number;
  memory: number;
  hookMs: number;
}

function measured(count: number): Promise<Measured> {
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`plugins/all-${at}.ts`, all(`all-${at}`)]),
  );
  return withPluginServer(
    files,
    async (server) => {
      // Writes what plugins import, and what they say of themselves.
      await server.command("plugin", "list");
      // The first start makes their databases.
      await server.start();
      await server.stop();
      const begun = performance.now();
      const pid = await server.start();
      const startMs = performance.now() - begun;
      const times: number[] = [];
      for (let n = 0; n < 300; n++) {
        const event = {
          ...{ session_id: "s1", cwd: server.home, hook_event_name: "PostToolUse" },
          ...{ tool_name: "Bash", tool_use_id: `t${n}`, tool_input: { command: "make" } },
          tool_response: { stdout: `run ${n}` },
        };
        times.push((await server.hook(JSON.stringify(event))).ms);
      }
      return { startMs, memory: memoryMb(pid, "VmRSS") ?? 0, hookMs: median(times) };
    },
    [binary],
  );
}

/** Each with and without, in turn. */
export async function benchPlugins(): Promise<Figure[]> {
  const rounds: Array<[none: Measured, ten: Measured]> = [];
  for (let round = 0; round < 3; round++) rounds.push([await measured(0), await measured(10)]);
  const ratio = (of: (one: Measured) => number) =>
    median(rounds.map(([none, ten]) => of(ten) / of(none)));
  const figure = (name: string, value: number, limit: number): Figure => ({
    ...{ part, name: `${name}, ten plugins beside none`, value, unit: "×" },
    target: { limit, better: "lower" },
  });
  return [
    figure(
      "a hook's answer",
      ratio(({ hookMs }) => hookMs),
      1.2,
    ),
    figure(
      "the server's start",
      ratio(({ startMs }) => startMs),
      1.5,
    ),
    figure(
      "its memory",
      ratio(({ memory }) => memory),
      1.5,
    ),
  ];
}
