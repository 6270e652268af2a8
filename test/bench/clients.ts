// What a hook of each client costs beside one of Claude Code's, with the server up: pairs by turns, so that only their ratio counts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clientNamed } from "../../src/clients/index.ts";
import { type Figure, median } from "./figures.ts";
import { type Cost, interleaved, type Program } from "./process-cost.ts";
import { binary, type ServedHome, withHome } from "./served-home.ts";

const part = "clients";
const pairs = 60;
const warmUp = 300;

/** The payload of each client's tests that tells of a command; Antigravity's hooks tell of none, so its turn's end. */
const told = {
  codex: "command-that-prints-an-exit-code",
  copilot: "command-passed",
  cursor: "command-passed",
  gemini: "command-passed",
  opencode: "after-bash",
  qwen: "command-passed",
  droid: "command-passed",
  pi: "command-that-prints-an-exit",
  antigravity: "stop",
};

const command = {
  session_id: "aaaaaaaa-2222-4333-8444-555555555556",
  transcript_path: "/home/ada/.claude/projects/-home-ada-shop/aaaaaaaa-2222-4333.jsonl",
  cwd: "/home/ada/shop",
  permission_mode: "default",
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_input: { command: "npm test", description: "Run the tests" },
  tool_response: { stdout: "12 passing", stderr: "", interrupted: false },
  tool_use_id: "toolu_bench",
};

const ids = new Set(["tool_use_id", "tool_call_id", "toolCallId", "callID"]);

/** The payload as that of another tool use each time: one told again costs less. */
function another(payload: unknown, serial: number): string {
  return JSON.stringify(payload, (key, value) => {
    if (ids.has(key)) return `${value}_${serial}`;
    return key === "timestamp" && typeof value === "number" ? value + serial : value;
  });
}

/** A client's hook, each time with a payload of its own. */
interface Caller {
  program: Program;
  next(): string;
}

function caller(name: string, payload: unknown, env: ServedHome["env"]): Caller {
  let serial = 0;
  const next = () => another(payload, serial++);
  const program = {
    ...{ command: [binary, "hook", name], env },
    get stdin() {
      return new TextEncoder().encode(next());
    },
  };
  return { program, next };
}

function figures(title: string, { a: claude, b: own }: { a: Cost[]; b: Cost[] }): Figure[] {
  const ratio = (of: keyof Cost) =>
    median(own.map((cost) => cost[of])) / median(claude.map((cost) => cost[of]));
  return [
    { part, name: `${title}: wall ÷ Claude Code's`, value: ratio("wallMs"), unit: "×" },
    { part, name: `${title}: CPU ÷ Claude Code's`, value: ratio("cpuMs"), unit: "×" },
  ];
}

/** Each client's ratio; first Claude Code's to itself, which says how far chance goes. */
export async function benchClients(): Promise<Figure[]> {
  const folder = join(import.meta.dirname, "../clients");
  const payloads = Object.entries(told).map(([name, file]): [string, unknown] => [
    name,
    JSON.parse(readFileSync(join(folder, name, "fixtures", `${file}.json`), "utf8")),
  ]);
  return withHome(async (home) => {
    await home.start();
    const callers = [["claude-code", command] as const, ...payloads].map(
      ([name, payload]) => [name, caller(name, payload, home.env)] as const,
    );
    for (const [name, { next }] of callers)
      for (let i = 0; i < warmUp; i++) await home.ask(`/hook/${name}`, next());
    const claude = caller("claude-code", { ...command, session_id: "beside" }, home.env);
    return callers.flatMap(([name, { program }]) =>
      figures(clientNamed(name).title, interleaved(claude.program, program, pairs)),
    );
  });
}
