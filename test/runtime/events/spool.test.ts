// The spool: durable files in, committed events out, nothing lost and nothing twice.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../../src/home/log.ts";
import { redactEvent } from "../../../src/runtime/events/redact-event.ts";
import {
  drainSpool,
  isAnySpooled,
  spooledFiles,
  writeSpool,
} from "../../../src/runtime/events/spool.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "memoir-spool-")), "spool");
});
afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }));

function stopEvent(time: number): ClientEvent {
  return {
    name: "Stop",
    id: `id-${time}`,
    key: `key-${time}`,
    client: "claude-code",
    session: "s",
    time,
    cwd: "/p",
    stopHookActive: false,
  };
}

describe("drainSpool", () => {
  test("hands events on oldest first and removes their files", async () => {
    for (const time of [1_000_000, 999, 5_000]) await writeSpool(folder, stopEvent(time));
    const seen: ClientEvent[] = [];
    const result = await drainSpool(folder, async (event) => seen.push(event), silentLog);
    expect(seen).toEqual([stopEvent(999), stopEvent(5_000), stopEvent(1_000_000)]);
    expect(result).toEqual({ drained: 3, rejected: 0, failed: 0 });
    expect(await spooledFiles(folder)).toEqual([]);
  });

  test("files are private", async () => {
    const path = await writeSpool(folder, stopEvent(1));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test("a file stays until its event is committed", async () => {
    await writeSpool(folder, stopEvent(1));
    await writeSpool(folder, stopEvent(2));
    const first = await drainSpool(
      folder,
      async (event) => {
        if (event.time === 1) throw new Error("disk full");
      },
      silentLog,
    );
    expect(first).toEqual({ drained: 1, rejected: 0, failed: 1 });
    const seen: ClientEvent[] = [];
    await drainSpool(folder, async (event) => seen.push(event), silentLog);
    expect(seen).toEqual([stopEvent(1)]);
  });

  test("gives a pass up when nothing can be taken", async () => {
    for (let time = 1; time <= 20; time += 1) await writeSpool(folder, stopEvent(time));
    let calls = 0;
    const result = await drainSpool(
      folder,
      async () => {
        calls += 1;
        throw new Error("disk full");
      },
      silentLog,
    );
    expect(calls).toBe(5);
    expect(result.failed).toBe(5);
    expect(await spooledFiles(folder)).toHaveLength(20);
  });

  test("what is no event is kept aside, and the rest goes on", async () => {
    await mkdir(folder, { recursive: true });
    const junk: Record<string, string> = {
      "000-a.json": '{"name": "St',
      "001-b.json": "[]",
      "002-c.json": JSON.stringify({ ...stopEvent(1), name: "Nonsense" }),
      "003-d.json": JSON.stringify({ ...stopEvent(1), session: undefined }),
      "004-e.json": JSON.stringify(stopEvent(8.64e15 + 1)),
    };
    for (const [name, text] of Object.entries(junk)) await writeFile(join(folder, name), text);
    await writeSpool(folder, stopEvent(9));
    const seen: ClientEvent[] = [];
    const result = await drainSpool(folder, async (event) => seen.push(event), silentLog);
    expect(result).toEqual({ drained: 1, rejected: 5, failed: 0 });
    expect(seen).toEqual([stopEvent(9)]);
    for (const [name, text] of Object.entries(junk)) {
      expect(await readFile(join(folder, "rejected", name), "utf8")).toBe(text);
    }
  });

  test("an event with other bytes behind it is taken, what its texts hold notwithstanding", async () => {
    const event = { ...stopEvent(7), lastAssistantMessage: 'it said "}" and \\ {' };
    const path = await writeSpool(folder, event);
    await appendFile(path, '\0\u{fffd}}{"name": "Stop"');
    const seen: ClientEvent[] = [];
    const result = await drainSpool(folder, async (one) => seen.push(one), silentLog);
    expect([result.drained, seen]).toEqual([1, [event]]);
  });

  test("an event that the runtime calls invalid is kept aside too", async () => {
    await writeSpool(folder, stopEvent(1));
    const refuse = async () => {
      throw new MemoirError("payload_invalid", "no");
    };
    const told: string[] = [];
    const note = (name: string) => void told.push(name);
    expect(await drainSpool(folder, refuse, silentLog, note)).toMatchObject({ rejected: 1 });
    expect(told).toEqual(await readdir(join(folder, "rejected")));
    expect(await readdir(join(folder, "rejected"))).toHaveLength(1);
  });

  test("drafts of a writer that died are no events", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "0001-x.json.1234.tmp"), "{");
    expect(await drainSpool(folder, async () => {}, silentLog)).toEqual({
      drained: 0,
      rejected: 0,
      failed: 0,
    });
  });

  test("a file where the home should be is told as that", async () => {
    const file = join(folder, "..", "file");
    await writeFile(file, "");
    await expect(spooledFiles(join(file, "spool"))).rejects.toMatchObject({
      code: "home_unusable",
    });
  });

  test("no folder is an empty spool", async () => {
    expect(await spooledFiles(join(folder, "none"))).toEqual([]);
  });

  test("whether an event waits is told without drafts and what was kept aside; what cannot be read may hold some", async () => {
    expect(isAnySpooled(folder)).toBe(false);
    await mkdir(join(folder, "rejected"), { recursive: true });
    await writeFile(join(folder, "0001-x.json.1234.tmp"), "{");
    expect(isAnySpooled(folder)).toBe(false);
    const path = await writeSpool(folder, stopEvent(1));
    expect(isAnySpooled(folder)).toBe(true);
    expect(isAnySpooled(path)).toBe(true);
    await rm(path);
    expect(isAnySpooled(folder)).toBe(false);
  });
});

describe("redactEvent", () => {
  const fakeKey = `sk-ant-${"api03"}-${"Ab1".repeat(30)}`;
  const edit: ClientEvent = {
    ...stopEvent(1),
    name: "PostToolUse",
    key: "claude-code:s:PostToolUse:toolu_01AbCdEfGhIjKlMnOpQrStUv",
    toolName: "Write",
    toolUseId: "toolu_01AbCdEfGhIjKlMnOpQrStUv",
    toolInput: {
      file_path: "/p/a.ts",
      content: `const key = "${fakeKey}"; <private>diary</private> end`,
    },
    toolResponse: { type: "create", filePath: "/p/a.ts" },
    extra: { env: { token: fakeKey } },
  };

  test("takes secrets and private parts out, and leaves the frame", async () => {
    const clean = await redactEvent(edit);
    const text = JSON.stringify(clean);
    expect(text).not.toContain(fakeKey);
    expect(text).not.toContain("diary");
    expect(clean).toMatchObject({
      key: edit.key,
      session: "s",
      toolUseId: "toolu_01AbCdEfGhIjKlMnOpQrStUv",
      toolInput: { file_path: "/p/a.ts" },
    });
    expect(clean).not.toHaveProperty("withheld");
  });

  test("every call of a batch keeps its ids", async () => {
    const call = { toolName: "Bash", toolUseId: "toolu_01AbCdEfGhIjKlMnOpQrStUv" };
    const batch: ClientEvent = {
      ...stopEvent(1),
      name: "PostToolBatch",
      toolCalls: [
        { ...call, toolInput: { command: `export API_KEY=${fakeKey}` }, toolResponse: "" },
      ],
    };
    const clean = await redactEvent(batch);
    expect(JSON.stringify(clean)).not.toContain(fakeKey);
    expect(clean).toMatchObject({ toolCalls: [call] });
  });

  test("withholds every text when redaction fails", async () => {
    const trap = {
      get content(): string {
        throw new Error("redaction fails");
      },
    };
    const clean = await redactEvent({ ...edit, toolInput: trap } as ClientEvent);
    expect(clean).toMatchObject({ withheld: true, toolUseId: edit.toolUseId, session: "s" });
    expect(JSON.stringify(clean)).not.toContain(fakeKey);
  });
});
