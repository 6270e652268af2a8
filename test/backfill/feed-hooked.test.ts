// Sessions that hooks told of too: nothing is doubled, and both ways give the same.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { feedSession } from "../../src/backfill/feed-session.ts";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import { memoryContent } from "../support/memory-content.ts";
import { busySession, recordedSession } from "../support/recorded-session.ts";
import {
  closeRoom,
  eventfulSession,
  feed,
  home,
  live,
  openRoom,
  projects,
  root,
  runtime,
  start,
  stored,
  turns,
} from "./feed-room.ts";

beforeEach(openRoom);
afterEach(closeRoom);

describe("turns", () => {
  test("are the same whether hooks told of a session or its transcript afterwards", async () => {
    const recorded = eventfulSession();
    const path = await recorded.write(projects);
    await live(recorded, 0, recorded.lines.length, path);
    const told = await turns(runtime);
    const other = await createRuntime({ home: join(root, "other"), log: silentLog });
    try {
      const { sessions } = await discoverTranscripts(projects);
      for (const files of sessions)
        await feedSession(files, {
          runtime: other.transcripts,
          reader: "backfill",
          modelFree: true,
          now: Date.now,
          home: join(root, "other"),
        });
      const recovered = await turns(other);
      expect(recovered.map(({ promptNumber, end, gaps }) => [promptNumber, end, gaps])).toEqual([
        [1, "closed", undefined],
        [2, "interrupted", undefined],
        [3, "closed", undefined],
      ]);
      expect(
        recovered[0]?.pieces.map(({ kind, about, text }) => `${kind}|${about ?? ""}|${text}`),
      ).toEqual([
        "prompt||Make the exporter write headers",
        "failure|npm test|Exit code 1\n1 fail",
        "repair|npm test|Exit code 1\n1 fail\n\n→ src/a.ts",
        "passed|npm test|3 pass",
        "refusal|npm install|use npm ci",
        "commit|1a2b3c4 (main)|Write headers",
        'passed|git commit -m "…"|[main 1a2b3c4] Write headers',
        "closing||Headers are written, with `npm ci`.",
        "compaction||The conversation is summarized below:\nHeaders.",
      ]);
      expect(told).toEqual(recovered);
    } finally {
      await other.stop();
    }
  });

  test("read again after their texts left the journal stay as they are", async () => {
    await eventfulSession().write(projects);
    await feed();
    const before = await turns(runtime);
    runtime.transcripts.mark("backfill", []);
    await feed();
    expect(await turns(runtime)).toEqual(before);
    expect(before).toHaveLength(3);
  });
});

describe("a session that hooks told of", () => {
  test("is not doubled", async () => {
    const recorded = busySession("s1", "/gone/shop", start, 2);
    await live(recorded);
    const before = memoryContent(home);
    await recorded.write(projects);
    const [counts] = await feed();
    expect(counts).toMatchObject({ committed: 0, delivered: 11, recovered: 0 });
    expect(memoryContent(home)).toEqual(before);
  });

  test("from its second prompt on gets its first, and no prompt twice", async () => {
    const recorded = busySession("s1", "/gone/shop", start, 3);
    const second = recorded.lines.findIndex(({ uuid }) => uuid === "s1-main-11");
    await live(recorded, second);
    expect((await stored()).prompts).toHaveLength(2);
    await recorded.write(projects);
    await feed();
    const { prompts, observations } = await stored();
    expect(prompts.map(({ time }) => Math.floor((time - start) / 60_000)).sort()).toEqual([
      0, 1, 2,
    ]);
    const uses = observations.flatMap(({ toolUseIds }) => toolUseIds);
    expect(new Set(uses).size).toBe(uses.length);
  });

  test("goes on with its own prompt number while its past is read", async () => {
    const recorded = busySession("s1", "/gone/shop", start, 2);
    const second = recorded.lines.findIndex(({ uuid }) => uuid === "s1-main-11");
    await live(recorded, second, second + 3);
    await recorded.write(projects);
    await feed(projects, { now: start + 61_000 });
    await live(recorded, second + 3);
    const { prompts, observations } = await stored();
    expect(prompts).toHaveLength(2);
    const late = observations.filter(({ time }) => time >= start + 60_000);
    const own = prompts.find(({ time }) => time >= start + 60_000)?.promptNumber;
    expect(late.length).toBeGreaterThan(0);
    expect(new Set(late.map(({ promptNumber }) => promptNumber))).toEqual(new Set([own ?? 0]));
  });

  test("and was resumed under a new id, whose file begins with a copy, is not doubled", async () => {
    const recorded = busySession("s1", "/gone/shop", start, 1);
    await recorded.write(projects);
    const copy = recordedSession("s2", "/gone/shop");
    copy.lines.push(...recorded.lines.map((line) => ({ ...line, sessionId: "s2" })));
    copy.prompt("Now the footers of the exporter", start + 600_000);
    copy.say("Footers are written as well.", start + 601_000);
    await copy.write(projects);
    await feed();
    const { prompts, observations } = await stored();
    expect(prompts).toHaveLength(2);
    const uses = observations.flatMap(({ toolUseIds }) => toolUseIds);
    expect(new Set(uses).size).toBe(uses.length);
  });
});
