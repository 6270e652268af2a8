// What a folder laid out like the client's `projects` is found to hold.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { discoverTranscripts, findAgentFile } from "../../src/transcript/discover.ts";

let root = "";
const line = (sessionId: string) => `${JSON.stringify({ type: "user", sessionId })}\n`;

async function put(name: string, text: string, seconds = 1_000): Promise<void> {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await utimes(path, seconds, seconds);
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-discover-"));
  await put("p/-home-kim-shop/s1.jsonl", line("s1"), 2_000);
  await put("p/-home-kim-shop/s1/subagents/agent-a1.jsonl", "x", 9_000);
  await put("p/-home-kim-shop/s1/subagents/agent-a1.meta.json", '{"agentType":"Explore","n":1}');
  await put("p/-home-kim-shop/s1/subagents/workflows/wf_1/agent-a2.jsonl", "xx");
  await put("p/-home-kim-shop/s1/tool-results/big.txt", "not a transcript");
  await put("p/-home-kim-shop/s2.jsonl", line("s2"), 5_000);
  await put("p/-home-kim-shop/agent-old.jsonl", line("s2"), 1_000);
  await put("p/-home-kim-shop/agent-strange.jsonl", line("../../../etc/x"));
  await put("p/-home-kim-shop/agent-torn.jsonl", '{"sessionId":"s');
  await put("p/-home-kim-shop/gone/subagents/agent-a3.jsonl", "x");
  await put("p/-home-kim-shop/gone/subagents/agent-a3.meta.json", "{torn");
  await put("p/-home-kim-notes/s3.jsonl", "");
  await put("elsewhere/s4.jsonl", line("s4"));
  await symlink(join(root, "elsewhere"), join(root, "p/linked"));
  await symlink(join(root, "elsewhere/s4.jsonl"), join(root, "p/-home-kim-notes/s4.jsonl"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const told = async (path: string) =>
  (await discoverTranscripts(path)).sessions.map(
    ({ folder, session, main, agents, bytes }) =>
      `${folder}/${session} ${main ? main.bytes : "-"} [${agents.map((agent) => agent.agentId)}] ${bytes}`,
  );

describe("discoverTranscripts", () => {
  test("finds sessions and their subagents, old layout and new, newest change first", async () => {
    const sessions = await told(join(root, "p"));
    expect(sessions.slice(0, 2)).toEqual([
      "-home-kim-shop/s1 33 [a1,a2] 36",
      "-home-kim-shop/s2 33 [old] 66",
    ]);
    expect(sessions.slice(2).sort()).toEqual([
      "-home-kim-notes/s3 0 [] 0",
      "-home-kim-shop/gone - [a3] 1",
    ]);
  });

  test("reads what the client notes of a subagent, and nothing it cannot read", async () => {
    const { sessions } = await discoverTranscripts(join(root, "p"));
    const metas = sessions.flatMap(({ agents }) =>
      agents.map(({ agentId, meta }) => [agentId, meta]),
    );
    expect(Object.fromEntries(metas)).toEqual({
      a1: { agentType: "Explore" },
      a2: undefined,
      old: undefined,
      a3: undefined,
    });
  });

  test("takes one project, one file, and a link to the whole folder", async () => {
    expect((await told(join(root, "p/-home-kim-notes"))).length).toBe(1);
    expect(await told(join(root, "p/-home-kim-shop/s1.jsonl"))).toEqual([
      "-home-kim-shop/s1 33 [a1,a2] 36",
    ]);
    expect(await told(join(root, "p/linked"))).toEqual(["elsewhere/s4 33 [] 33"]);
  });

  test("answers for what is missing or closed, without rejecting", async () => {
    expect(await discoverTranscripts(join(root, "nowhere"))).toEqual({
      sessions: [],
      unreadable: [],
    });
    if (process.getuid?.() === 0) return;
    const closed = join(root, "closed");
    await mkdir(closed);
    await chmod(closed, 0);
    expect((await discoverTranscripts(closed)).unreadable).toEqual([closed]);
    await chmod(closed, 0o700);
  });
});

describe("findAgentFile", () => {
  test("finds an agent's file by id and leaves the session's folder for none", async () => {
    const session = join(root, "p/-home-kim-shop/s1.jsonl");
    const folder = join(root, "p/-home-kim-shop/s1/subagents");
    expect(await findAgentFile(session, "a1")).toBe(join(folder, "agent-a1.jsonl"));
    expect(await findAgentFile(session, "a2")).toBe(join(folder, "workflows/wf_1/agent-a2.jsonl"));
    expect(await findAgentFile(session, "a9")).toBeUndefined();
    expect(await findAgentFile(session, "../../s2/../agent-old")).toBeUndefined();
    expect(await findAgentFile(join(root, "p/-home-kim-shop/s2.jsonl"), "a1")).toBeUndefined();
  });
});
