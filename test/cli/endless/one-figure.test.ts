// What Endless Mode gained is one figure: the books', the replay's over the same transcripts, the API's, each command's and the page's.
import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gainedWords } from "../../../src/page/views/savings/plots.ts";
import { addGains, gainOf, type Moved, sumGains } from "../../../src/runtime/endless/gain.ts";
import type { EndlessMetrics } from "../../../src/runtime/endless/metrics.ts";
import { createApp } from "../../../src/server/app.ts";
import { readThreads } from "../../replay/endless-threads.ts";
import { appOptions } from "../../server/app-options.ts";
import { clientEvent } from "../../support/client-events.ts";
import { type EndlessRoom, keepRequest, openEndlessRoom } from "../../support/endless-room.ts";
import { ownHome } from "../../support/own-home.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import { type RecordedLines, recordedSession } from "../../support/recorded-session.ts";
import { typed } from "../../support/typed.ts";

const start = Date.parse("2026-11-21T10:00:00");
const minute = 60_000;

/** A session in which a context grows with each of ten requests, a minute apart from `start` on. */
function session(id: string, model: string, agent?: string): RecordedLines {
  const recorded = recordedSession(id, "/shop", agent);
  recorded.prompt("Find the fault", start);
  for (let at = 1; at <= 10; at++)
    recorded.run(`make part-${at}`, "y".repeat(8_000), start + at * minute);
  let context = 20_000;
  for (const { message } of recorded.lines) {
    const answer = message as { role: string; model: string; usage: object };
    if (answer.role !== "assistant") continue;
    answer.model = model;
    answer.usage = {
      ...{ input_tokens: 5, output_tokens: 40 },
      ...{ cache_read_input_tokens: context, cache_creation_input_tokens: 2_000 },
    };
    context += 2_000;
  }
  return recorded;
}

/** What left or came back, so many minutes after `start`, as it was asked of the room. */
interface Happening {
  at: number;
  session: string;
  agent?: string;
  strategy: "live" | "gateway";
  tokens: number;
}

const happenings: Happening[] = [
  { at: 1.5, session: "shop-1", strategy: "live", tokens: 9_000 },
  { at: 2.5, session: "shop-1", agent: "a", strategy: "live", tokens: 6_000 },
  { at: 4.5, session: "shop-1", strategy: "gateway", tokens: 5_000 },
  { at: 6.5, session: "shop-1", agent: "a", strategy: "live", tokens: -1_000 },
  { at: 7.5, session: "shop-2", strategy: "live", tokens: 4_000 },
];

async function happen({ endless }: EndlessRoom, one: Happening, at: number): Promise<void> {
  const { session, agent, strategy, tokens } = one;
  const about = { session, ...(agent && { agent }) };
  const client = endless.client(strategy);
  if (tokens < 0) await client.note({ ...about, kind: "injected", characters: -tokens * 4 });
  else {
    const after = "z".repeat(400);
    const before = "z".repeat(400 + tokens * 4);
    await client.keep(keepRequest({ ...about, toolUseId: `toolu_${at}`, before, after }));
  }
}

async function measured(room: EndlessRoom): Promise<EndlessMetrics> {
  const { endless, folder, configure, pass } = room;
  configure({ everywhere: ["live", "gateway"] });
  const own = [session("shop-1", "claude-opus-4-5"), session("shop-2", "claude-sonnet-4-5")];
  const paths = await Promise.all(own.map((one) => one.write(folder)));
  const agents = join(dirname(paths[0] ?? ""), "shop-1", "subagents");
  await mkdir(agents, { recursive: true });
  const lines = session("shop-1", "claude-haiku-4-5", "a").lines.map((one) => JSON.stringify(one));
  await writeFile(join(agents, "agent-a.jsonl"), `${lines.join("\n")}\n`);
  let passed = 0;
  for (const [index, one] of happenings.entries()) {
    pass((one.at - passed) * minute);
    passed = one.at;
    await happen(room, one, index);
  }
  for (const [index, transcriptPath] of paths.entries())
    endless.answered(clientEvent("Stop", { session: `shop-${index + 1}`, transcriptPath }), false);
  return (await room.again()).metrics({ since: 0 });
}

/** The same figure by another way: the transcripts read as recordings are, and what is known to have happened. */
async function replayed(folder: string) {
  const threads = await readThreads(folder);
  const gains = [...Map.groupBy(threads, (thread) => thread.session)].map(([session, own]) =>
    sumGains(
      own.map(({ agent, requests }) => {
        const moved = happenings
          .filter((one) => one.session === session && one.agent === agent)
          .map(({ at, tokens, strategy }): Moved => {
            return { at: start + at * minute, tokens, wasSent: strategy === "gateway" };
          });
        return gainOf(
          requests.flatMap(({ usage, ...more }) => (usage ? [{ ...more, usage }] : [])),
          moved,
        );
      }),
    ),
  );
  return addGains(gains);
}

test("the books, a replay, the API, the commands and the page say the same", async () => {
  const room = await openEndlessRoom();
  const place = await ownHome();
  try {
    const metrics = await measured(room);
    const { gained } = metrics;
    expect(gained).toMatchObject({ sessions: 2, tokens: 23_000, requests: 9 + 8 + 3 });
    const { cost, saved, ...counted } = await replayed(room.folder);
    expect(gained).toMatchObject(counted);
    expect([gained.cost, gained.saved].map((one) => one?.toFixed(9))).toEqual(
      [cost, saved].map((one) => one?.toFixed(9)),
    );

    const options = appOptions();
    options.runtime.endless.metrics = async () => metrics;
    const url = "http://localhost/api/endless/metrics";
    const answer = await createApp(options).handle(new Request(url));
    const body = (await answer.json()) as EndlessMetrics;
    expect(body.gained).toEqual(gained);

    await mkdir(place.home);
    await writeFile(
      join(place.home, "config.json"),
      JSON.stringify({ endless: { everywhere: ["live"] } }),
    );
    const gateway = { enabled: true, listening: true, port: 1, upstream: "https://example.com" };
    const answers = {
      "/api/status": { ...quietStatus, gateway },
      "/api/plugins": { plugins: [], subscriptions: [] },
      "/api/endless/metrics": body,
    };
    for (const command of [["status"], ["metrics"], ["gateway", "status"]])
      expect((await typed(["endless", ...command], answers)).out.join("\n")).toContain(
        gained.words,
      );
    expect(gainedWords({ endless: body })).toBe(`Endless Mode: ${gained.words}`);
  } finally {
    await room.close();
    await place.end();
  }
});

test("the page says nothing where it was on in no session", () => {
  const gained = addGains([]);
  expect(gainedWords({ endless: { gained } as EndlessMetrics })).toBeUndefined();
});
