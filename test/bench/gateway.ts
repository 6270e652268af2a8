// The gateway: how much later the first byte of an answer comes with it than without it, for small and large requests.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Figure, median, quantile } from "./figures.ts";
import { withHome } from "./served-home.ts";

const part = "gateway";
const rounds = 150;
/** How long the API itself takes to begin, in ms: much shorter than any model. */
const thinking = 20;

const encoder = new TextEncoder();
const event = (type: string, rest: object) =>
  encoder.encode(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);

/** Answers like the API: a stream that begins after a while. */
function startApi(): { url: string; stop(): void } {
  const usage = { input_tokens: 3, cache_read_input_tokens: 10_000, output_tokens: 1 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      await request.arrayBuffer();
      const stream = new ReadableStream<Uint8Array>({
        async start(controller) {
          await Bun.sleep(thinking);
          controller.enqueue(event("message_start", { message: { model: "claude-x", usage } }));
          controller.enqueue(event("message_delta", { usage: { output_tokens: 20 } }));
          controller.enqueue(event("message_stop", {}));
          controller.close();
        },
      });
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => void server.stop(true) };
}

/** A conversation of tool uses that weighs about so many bytes as JSON, and grows by one use a round. */
function conversation(bytes: number): (round: number) => string {
  const each = 4_000;
  const exchange = (serial: number) => [
    {
      role: "assistant",
      content: [
        {
          type: "tool_use",
          id: `toolu_${bytes}_${serial}`,
          name: "Write",
          input: { content: "x".repeat(each / 2) },
        },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: `toolu_${bytes}_${serial}`,
          content: "y".repeat(each / 2),
        },
      ],
    },
  ];
  const first = { role: "user", content: "Begin." };
  const begin = Array.from({ length: Math.max(1, Math.round(bytes / each)) }, (_, at) =>
    exchange(at),
  ).flat();
  return (round) => {
    const messages = [first, ...begin, ...exchange(1_000_000 + round)];
    return JSON.stringify({ model: "claude-x", stream: true, messages });
  };
}

/** Ms from the request to the first byte of its answer. */
async function firstByte(url: string, session: string, body: string): Promise<number> {
  const headers = { "content-type": "application/json", "x-claude-code-session-id": session };
  const begin = performance.now();
  const response = await fetch(`${url}/v1/messages`, { method: "POST", headers, body });
  const reader = response.body?.getReader();
  await reader?.read();
  const took = performance.now() - begin;
  while (reader && !(await reader.read()).done);
  return took;
}

/** All figures of the gateway. */
export async function benchGateway(): Promise<Figure[]> {
  return withHome(async ({ home, start, ask }) => {
    const api = startApi();
    const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    const port = probe.port ?? 0;
    await probe.stop(true);
    const gateway = { enabled: true, port, upstream: api.url };
    const config = { endless: { sessions: { on: ["gateway"] }, gateway } };
    await writeFile(join(home, "config.json"), JSON.stringify(config));
    await start();
    const figures: Figure[] = [];
    try {
      for (const [size, bytes] of [
        ["10 KB", 10_000],
        ["1 MB", 1_000_000],
      ] as const) {
        const body = conversation(bytes);
        const through = `http://127.0.0.1:${port}`;
        const ways = { direct: api.url, passed: through, rewritten: through };
        const times = { direct: [] as number[], passed: [] as number[], rewritten: [] as number[] };
        // By turns, so that whatever else the machine does meets all three alike.
        for (let round = -10; round < rounds; round++)
          for (const way of ["direct", "passed", "rewritten"] as const) {
            const took = await firstByte(
              ways[way],
              way === "rewritten" ? "on" : "off",
              body(round),
            );
            if (round >= 0) times[way].push(took);
          }
        const direct = median(times.direct);
        for (const way of ["passed", "rewritten"] as const) {
          const more = median(times[way]) - median(times.direct);
          const late = quantile(times[way], 0.99) - quantile(times.direct, 0.99);
          const name = `first byte later, ${size} ${way === "passed" ? "passed on" : "rewritten"}`;
          figures.push(
            { part, name: `${name}: median`, value: more, unit: "ms" },
            { part, name: `${name}: p99`, value: late, unit: "ms" },
            {
              part,
              name: `${name}: over without, where the API takes ${thinking} ms`,
              value: (direct + more) / direct,
              unit: "×",
            },
          );
        }
      }
      const { gateway: told } = JSON.parse(await ask("/api/status")) as {
        gateway: { rewritten: number; failed: number };
      };
      if (told.rewritten < rounds || told.failed > 0) throw new Error(JSON.stringify(told));
      return figures;
    } finally {
      api.stop();
    }
  });
}
