// What the commands about transcripts show people, in this process.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { transcriptContext } from "../../../src/cli/history/transcript/context.ts";
import { dumpTranscript } from "../../../src/cli/history/transcript/dump.ts";
import { listTranscripts } from "../../../src/cli/history/transcript/list.ts";
import { transcriptStats, validateTranscripts } from "../../../src/cli/history/transcript/stats.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { inFolder } from "../../support/in-folder.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { recordedSession } from "../../support/recorded-session.ts";

const start = Date.parse("2026-01-01T10:00:00Z");
let own: Awaited<ReturnType<typeof ownHome>>;
let folder: string;
let path: string;

beforeAll(async () => {
  own = await ownHome();
  folder = own.root;
  const session = recordedSession("shown", "/gone/shop");
  session.prompt("Why does the export fail?", start);
  session.run("bun test", "1 fail", start + 1_000, true);
  session.run("bun test", "2 pass", start + 3_000);
  session.edit("src/export.ts", "a", "b", start + 5_000);
  session.say("It is mended.", start + 7_000);
  path = await session.write(folder);
});
afterAll(() => own.end());

type Command = (which: string, options: object, terminal: Terminal) => Promise<number>;
async function shown(command: Command, which = path, options: object = {}) {
  const terminal = plainTerminal({ env: { HOME: folder }, cwd: folder });
  const code = await command(which, options, terminal);
  return { code, out: terminal.out.join("\n") };
}

describe("stats", () => {
  test("add up files, entries, tools and tokens, the most frequent first", async () => {
    const { code, out } = await shown(transcriptStats);
    expect(code).toBe(0);
    expect(out).toMatch(/^1 file, .*8 lines, 1 prompt, 4 messages/);
    expect(out).toMatch(/Entries\n {2}user +4\n {2}assistant +4/);
    expect(out).toMatch(/Tools\n {2}Bash +2 +1 failed\n {2}Edit +1\s*\n/);
    expect(out).toMatch(/claude-test +40 input +160 output +4,000 from cache +200 to cache/);
    expect(out).toContain("94.3 % of what was sent came from the cache");
  });

  test("say when the first and the last entry was made", async () => {
    const { out } = await shown(transcriptStats);
    expect(out).toMatch(/^2026-01-01 \d\d:00(:00)? to 2026-01-01 \d\d:00/m);
  });

  test("have no cost for a model whose price nobody knows", async () => {
    expect((await shown(transcriptStats)).out).toContain("price not known");
  });
});

describe("list", () => {
  test("keeps to the screen: of a long folder its end is shown", () =>
    inFolder(async (root) => {
      const long = `/gone/${"deep/".repeat(20)}shop`;
      const session = recordedSession("s-long", long);
      session.prompt("Go on", start);
      await session.write(join(root, "-gone"));
      const shownAt = async (width: number | undefined) => {
        const terminal = plainTerminal({ env: {}, cwd: root, width });
        expect(await listTranscripts(root, { limit: 5 }, terminal)).toBe(0);
        return terminal.out.join("\n");
      };
      expect(await shownAt(undefined)).toEndWith(long);
      const narrow = await shownAt(60);
      expect(narrow).toMatch(/^s-long .* …(\/deep)+\/shop$/);
      expect(narrow.length).toBeLessThanOrEqual(60);
    }));
});

describe("validate", () => {
  test("says how many lines are broken and how many tool uses have no result", async () => {
    expect(await shown(validateTranscripts)).toEqual({
      code: 0,
      out: "valid: 1 file, 8 lines, 0 broken lines, 0 tool uses without a result",
    });
    const cut = join(folder, "cut.jsonl");
    const lines = recordedSession("cut", "/gone/shop");
    lines.run("bun test", "2 pass", start);
    await writeFile(cut, `${JSON.stringify(lines.lines[0])}\n`);
    const open = await shown(validateTranscripts, cut);
    expect(open).toMatchObject({ code: 0, out: expect.stringContaining("1 tool use without") });
    await appendFile(cut, "{broken\n".repeat(60));
    const { code, out } = await shown(validateTranscripts, cut);
    expect(code).toBe(1);
    expect(out).toStartWith("broken: 1 file, 61 lines, 60 broken lines");
    expect(out.match(/malformed/g)).toHaveLength(50);
    expect(out).toEndWith("  and 10 more");
  });
});

describe("context", () => {
  test("is the last tool use's, or that of the one that is named", async () => {
    expect((await shown(transcriptContext)).out).toStartWith("# Edit toolu_shown_main_");
    const { out } = await shown(transcriptContext, path, { tool: "toolu_shown_main_1" });
    expect(out).toStartWith("# Bash toolu_shown_main_1\n");
    expect(out).toContain("## Asked\n\n> Why does the export fail?");
    expect(out).toContain("## Reasoning\n\n> Now I use Bash.");
    expect(out).toContain("## Result\n\n> 1 fail");
  });

  test("tells the facts of the message, and none that are not known", async () => {
    const { out } = await shown(transcriptContext);
    const facts = out.split("\n").filter((line) => line.startsWith("- "));
    expect(facts).toEqual([
      expect.stringMatching(/^- time: 2026-01-01 10:00:0\d/),
      "- folder: /gone/shop",
      "- branch: then",
      "- client: 2.1.0",
      "- model: claude-test",
      expect.stringContaining("(10 input, 40 output, 1000 from cache, 50 to cache)"),
    ]);
  });
});

describe("dump", () => {
  test("tells tools by what they were called with, and says of a failed one that it failed", async () => {
    const { out } = await shown(dumpTranscript);
    expect(out).toContain("- **Bash** `bun test`\n\n```\nfailed: 1 fail\n```");
    expect(out).toContain("- **Bash** `bun test`\n\n```\n2 pass\n```");
    expect(out).toContain("- **Edit** `/gone/shop/src/export.ts`");
    expect(out).toContain("· assistant\n\nIt is mended.");
    expect(out).not.toContain("Now I use");
  });

  test("shortens a long result, and says that one is not there", async () => {
    const lines = recordedSession("long", "/gone/shop");
    lines.run("cat a.txt", Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n"), start);
    lines.run("sleep 9", "", start + 1_000);
    lines.lines.pop();
    const { out } = await shown(dumpTranscript, await lines.write(folder));
    expect(out).toMatch(/line 11\n… \d+ characters more\n```/);
    expect(out).not.toContain("line 12");
    expect(out).toContain("- **Bash** `sleep 9`\n\n```\n(no result)\n```");
  });
});
