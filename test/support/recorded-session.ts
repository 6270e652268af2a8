// Writes sessions as the client records them, a line at a time, for tests that read transcripts.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

type Line = Record<string, unknown>;

export interface RecordedLines {
  /** One JSON object a line. */
  lines: Line[];
  /** A prompt, at `time` (epoch ms). */
  prompt(text: string, time: number, more?: Line): void;
  /** Thinking and an edit of `file`, made and answered. */
  edit(file: string, from: string, to: string, time: number, more?: Line): string;
  /** A command and what it printed. */
  run(command: string, output: string, time: number, failed?: boolean): string;
  /** What the assistant said. */
  say(text: string, time: number): void;
  /** Writes the file and gives its path. */
  write(folder: string): Promise<string>;
}

/** A session's own file; with `agent`, that of one of its subagents. */
export function recordedSession(session: string, cwd: string, agent?: string): RecordedLines {
  const lines: Line[] = [];
  let made = 0;
  const add = (type: string, time: number, fields: Line) => {
    made++;
    const uuid = `${session}-${agent ?? "main"}-${made}`;
    lines.push({
      type,
      uuid,
      parentUuid: lines.at(-1)?.uuid ?? null,
      sessionId: session,
      timestamp: new Date(time).toISOString(),
      cwd,
      gitBranch: "then",
      version: "2.1.0",
      isSidechain: agent !== undefined,
      ...(agent !== undefined && { agentId: agent }),
      ...fields,
    });
  };
  const assistant = (time: number, content: unknown[]) =>
    add("assistant", time, {
      message: {
        id: `msg-${session}-${agent ?? "main"}-${made}`,
        role: "assistant",
        model: "claude-test",
        content,
        usage: {
          input_tokens: 10,
          output_tokens: 40,
          cache_read_input_tokens: 1_000,
          cache_creation_input_tokens: 50,
        },
      },
    });
  const tool = (name: string, input: Line, time: number, result: Line, structured: unknown) => {
    const id = `toolu_${session}_${agent ?? "main"}_${made}`;
    assistant(time, [
      { type: "thinking", thinking: `Now I use ${name}.` },
      { type: "tool_use", id, name, input },
    ]);
    add("user", time + 500, {
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, ...result }] },
      toolUseResult: structured,
    });
    return id;
  };
  return {
    lines,
    prompt(text, time, more = {}) {
      add("user", time, { message: { role: "user", content: text }, ...more });
    },
    edit(file, from, to, time) {
      const filePath = join(cwd, file);
      const structured = {
        filePath,
        oldString: from,
        newString: to,
        originalFile: from,
        structuredPatch: [
          { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [`-${from}`, `+${to}`] },
        ],
        userModified: false,
        replaceAll: false,
      };
      const input = { file_path: filePath, old_string: from, new_string: to };
      return tool("Edit", input, time, { content: "The file was updated." }, structured);
    },
    run(command, output, time, failed = false) {
      const result = { content: output, ...(failed && { is_error: true }) };
      const structured = failed
        ? `Error: ${output}`
        : { stdout: output, stderr: "", interrupted: false, isImage: false };
      return tool("Bash", { command }, time, result, structured);
    },
    say(text, time) {
      assistant(time, [{ type: "text", text }]);
    },
    async write(folder) {
      const name = cwd.replace(/[/.]/g, "-");
      const path =
        agent === undefined
          ? join(folder, name, `${session}.jsonl`)
          : join(folder, name, session, "subagents", `agent-${agent}.jsonl`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return path;
    },
  };
}

/** A session in which each prompt changes a file, sees a test fail and fixes it. */
export function busySession(
  session: string,
  cwd: string,
  start: number,
  prompts: number,
): RecordedLines {
  const recorded = recordedSession(session, cwd);
  for (let at = 0; at < prompts; at++) {
    const time = start + at * 60_000;
    const file = `src/part-${session}-${at}.ts`;
    recorded.prompt(`Make the ${session} exporter number ${at} write headers`, time);
    recorded.edit(file, `const old${at} = 1;`, `export function header${at}() {}`, time + 1_000);
    recorded.run("bun test", `1 fail\n(fail) header ${at} is written`, time + 3_000, true);
    recorded.edit(file, `header${at}() {}`, `header${at}() { return 1; }`, time + 5_000);
    recorded.run("bun test", "3 pass\n0 fail", time + 7_000);
    recorded.say(
      `The ${session} exporter ${at} writes headers now, and its test passes.`,
      time + 9_000,
    );
  }
  return recorded;
}
