// How many files a reader opens who follows one event, or one search, through the server. The numbers only go down.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { withPluginServer } from "../support/plugin-server.ts";

const budgets = { "tool use": 42, "tool use to record": 88, "session start": 54, search: 33 };

const main = resolve(import.meta.dir, "../../src/cli/main.ts");
const trace = join(import.meta.dir, "trace.ts");

/** How long what an event sets off may take, in ms; timers that run meanwhile count too, as a reader meets them. */
const settling = 2500;

/** Resolves once no work is open and, where a kind is named, some of it was done: on a busy machine that takes longer than it may. */
async function workIsOver(path: string, kind?: string): Promise<void> {
  const journal = new Database(path, { readonly: true });
  const ask = journal.query<{ open: number; done: number }, [string]>(
    `SELECT count(*) FILTER (WHERE state IN ('pending', 'leased')) AS open,
       count(*) FILTER (WHERE state = 'done' AND kind = ?) AS done FROM work`,
  );
  for (;;) {
    const { open, done } = ask.get(kind ?? "") ?? { open: 1, done: 0 };
    if (open === 0 && (kind === undefined || done > 0)) break;
    await Bun.sleep(50);
  }
  journal.close();
}

test("an event passes no more files than it must", async () => {
  const room = await mkdtemp(join(tmpdir(), "memoir-flow-"));
  const out = join(room, "trace");
  const command = [process.execPath, "--preload", trace, main];
  const passed = await withPluginServer(
    {},
    async (server) => {
      const pid = await server.start();
      await Bun.sleep(settling);
      const transcript_path = join(room, "s1.jsonl");
      const about = { session_id: "s1", cwd: room, transcript_path };
      const say = (hook_event_name: string, more: object) =>
        server.hook(JSON.stringify({ ...about, hook_event_name, ...more }));
      const write = (type: string, uuid: string, content: unknown) =>
        appendFile(
          transcript_path,
          `${JSON.stringify({ sessionId: "s1", type, uuid, cwd: room, message: { role: type, content } })}\n`,
        );
      /** The files whose functions ran since it was last asked. */
      async function files(): Promise<string[]> {
        await Bun.sleep(settling);
        await workIsOver(join(server.home, "journal.db"));
        process.kill(pid, "SIGUSR2");
        while (!existsSync(out)) await Bun.sleep(20);
        const text = await readFile(out, "utf8");
        await rm(out);
        return text.split("\n").filter(Boolean);
      }
      await say("SessionStart", { source: "startup" });
      await write("user", "u1", "Fix the parser in src/a.ts");
      await say("UserPromptSubmit", { prompt: "Fix the parser in src/a.ts" });
      await files();
      const edit = { file_path: join(room, "src/a.ts"), old_string: "a(x)", new_string: "a(x, 1)" };
      await say("PostToolUse", {
        tool_name: "Edit",
        tool_use_id: "t1",
        tool_input: edit,
        tool_response: { filePath: edit.file_path },
      });
      const use = await files();
      const answer = "I fixed the parser: it now takes a base. Tests pass.";
      await write("assistant", "a1", [{ type: "text", text: answer }]);
      await say("Stop", { last_assistant_message: answer });
      await workIsOver(join(server.home, "journal.db"), "summarize-prompt");
      const stop = await files();
      // What it wrote is counted a while later.
      await Bun.sleep(settling);
      stop.push(...(await files()));
      await server.ask("/api/search?text=parser");
      const search = await files();
      await say("SessionStart", { source: "startup", session_id: "s2" });
      const start = await files();
      return {
        "tool use": use,
        "tool use to record": [...new Set([...use, ...stop])],
        "session start": start,
        search,
      };
    },
    command,
    { MEMOIR_TRACE: out },
  );
  await rm(room, { recursive: true, force: true });
  const over = Object.entries(passed)
    .filter(([flow, files]) => files.length > budgets[flow as keyof typeof budgets])
    .map(([flow, files]) => `${flow}: ${files.length} files\n  ${files.join("\n  ")}`);
  expect(over).toEqual([]);
  // What was traced is the way itself, not an empty list.
  expect(passed["tool use"]).toContain("src/clients/index.ts");
}, 180_000);
