// One plugin per kind of failure: what it does, and what the user is told of it.

/** One kind. `body` is what follows the plugin's name, description and sdk in its object. */
export interface Kind {
  name: string;
  /** Lines before the default export. */
  before?: string;
  body: string;
  /** More config than naming it as a listener. */
  config?: object;
  /** Where config names it; default `listeners`. */
  slot?: string;
  /** Words that `memoir status` shows. Absent: the plugin did nothing that has to be told. */
  told?: RegExp;
  /** Words that the log has, with plugin and place. */
  logged?: RegExp;
  /** The part that is paused in the end. */
  paused?: string;
  /** It fails before it runs: no call ever reaches it. */
  neverRuns?: boolean;
  /** Text is withheld, since redaction may not have happened. */
  withheld?: boolean;
}

/** Long enough for a busy machine: these fail otherwise than by being late. */
const onTool = (code: string) =>
  `hooks: { PostToolUse: { deadlineMs: 30_000, async handler(input, ctx) { ${code} } } }`;
const lateOnTool = (code: string) =>
  `hooks: { PostToolUse: { deadlineMs: 150, async handler(input, ctx) { ${code} } } }`;

const late = /did not answer PostToolUse within 150 ms \(\S+torture\.ts:\d+\)/;

export const kinds: readonly Kind[] = [
  // First: with every kind before it storage holds more, and its searches take longer.
  {
    name: "a listener that never lets go of storage",
    body: "hooks: { stored: { deadlineMs: 500, handler: (notice, ctx) => { for (let i = 0; i < 5_000; i++) void ctx.storage.search({ text: 'route', limit: 50 }); } } }",
  },
  { name: "endless loop", body: lateOnTool("for (;;);"), told: late, paused: "PostToolUse" },
  {
    name: "endless loop in a regular expression",
    body: lateOnTool('/^(a+)+$/.test("a".repeat(60) + "b");'),
    told: late,
    paused: "PostToolUse",
  },
  {
    name: "a promise without end",
    body: lateOnTool("await new Promise(() => {});"),
    told: late,
    paused: "PostToolUse",
  },
  {
    name: "a throw",
    body: onTool('throw new Error("boom");'),
    told: /failed in PostToolUse: boom \(\S+torture\.ts:\d+:\d+\)/,
    paused: "PostToolUse",
  },
  {
    name: "a throw of no error",
    body: onTool("throw { toString() { throw 1; } };"),
    told: /failed in PostToolUse: it threw something that cannot be read/,
    paused: "PostToolUse",
  },
  {
    name: "a late rejection",
    body: lateOnTool('await new Promise((_, no) => setTimeout(() => no(new Error("late")), 300));'),
    told: late,
    paused: "PostToolUse",
  },
  {
    name: "process.exit in a handler",
    body: onTool("process.exit(3);"),
    told: /failed in PostToolUse: it ended its worker with exit\(3\) \(\S+torture\.ts:\d+:\d+\)/,
    paused: "PostToolUse",
  },
  {
    name: "process.exit at import",
    before: "process.exit(0);",
    body: onTool(""),
    told: /cannot be loaded: it ended its worker with exit\(0\) \(\S+torture\.ts:\d+:\d+\)/,
    neverRuns: true,
  },
  {
    name: "process.exit in start",
    body: `start() { process.exit(1); }, ${onTool("")}`,
    told: /it ended its worker with exit\(1\) \(\S+torture\.ts:\d+:\d+\)/,
    neverRuns: true,
  },
  {
    name: "a throw in a timer",
    body: onTool('setTimeout(() => { throw new Error("from a timer"); }, 1);'),
    logged: /an error that nobody caught.*from a timer.*torture\.ts:\d+/,
    told: /torture: \d+ errors that it caught nowhere; the last: from a timer \(\S+torture\.ts:\d+:\d+\)/,
  },
  {
    name: "a rejection that nobody handles",
    body: onTool('void Promise.reject(new Error("left alone"));'),
    logged: /an error that nobody caught.*left alone.*torture\.ts:\d+/,
  },
  {
    name: "a flood of errors that nobody catches",
    body: `start() { setInterval(() => { for (let i = 0; i < 500; i++) void Promise.reject(new Error("left alone")); }, 1); }, ${onTool("return {};")}`,
    told: /torture: \d+ errors that it caught nowhere; the last: left alone/,
  },
  {
    name: "a flood of log lines",
    body: onTool('for (let i = 0; i < 20_000; i++) ctx.log.warn("x".repeat(500), { i });'),
    logged: /droppedBefore/,
  },
  {
    name: "a flood on the raw port",
    before: 'import { parentPort } from "node:worker_threads";',
    body: onTool("for (;;) parentPort.postMessage({ junk: 'x'.repeat(100) });"),
    told: /failed in PostToolUse: it flooded the server with messages of its own/,
    paused: "PostToolUse",
  },
  {
    name: "a memory balloon in a loop",
    before: "const kept = [];",
    body: "hooks: { PostToolUse: { deadlineMs: 30_000, handler() { for (;;) kept.push(new Array(10_000).fill(kept.length)); } } }",
    config: { isolation: { memoryMb: 128 } },
    told: /failed in PostToolUse: it held \d+ MB, more than it may/,
    paused: "PostToolUse",
  },
  {
    name: "a memory balloon, step by step",
    before: "const kept = [];",
    body: "hooks: { PostToolUse: { deadlineMs: 30_000, async handler() { for (;;) { kept.push(new Uint8Array(1_000_000).fill(1)); await new Promise((go) => setTimeout(go, 0)); } } } }",
    config: { isolation: { memoryMb: 128 } },
    told: /failed in PostToolUse: it held \d+ MB, more than it may/,
    paused: "PostToolUse",
  },
  {
    name: "an answer that cannot be cloned",
    body: onTool("return { context: 'x', later: () => 1 };"),
    told: /failed in PostToolUse: it answered a function at later, which cannot be sent/,
    paused: "PostToolUse",
  },
  {
    name: "a huge answer",
    body: onTool("return { context: 'x'.repeat(50_000_000) };"),
    told: /failed in PostToolUse: it answered more than the 8 MB that one answer may hold/,
    paused: "PostToolUse",
  },
  {
    name: "an answer of the wrong type",
    body: onTool("return 'context';"),
    told: /failed in PostToolUse: it answered a string where an object is wanted/,
    paused: "PostToolUse",
  },
  {
    name: "an input that is written to",
    body: onTool(
      "input.toolResponse.file.content = 'changed'; delete input.toolInput.file_path; input.toolName = 'Mine';",
    ),
    told: /failed in PostToolUse: .*(read.?only|readonly).*torture\.ts/i,
    paused: "PostToolUse",
  },
  {
    name: "a polluted prototype",
    body: onTool(
      "Object.prototype.drop = 'polluted'; Array.prototype.includes = () => { throw new Error('mine'); }; return JSON.parse('{\"__proto__\": {\"drop\": \"x\"}}');",
    ),
  },
  {
    name: "promises broken",
    body: onTool("Promise.prototype.then = () => { throw new Error('mine'); };"),
    told: /torture failed in PostToolUse: mine \(\S+torture\.ts:\d+:\d+\)/,
    paused: "PostToolUse",
  },
  {
    name: "globals replaced",
    before:
      "Date.now = () => 0; globalThis.fetch = () => { throw new Error('mine'); }; JSON.stringify = () => 'mine'; globalThis.setTimeout = () => 0;",
    body: onTool("return {};"),
  },
  {
    name: "stdin and stdout closed",
    before: 'import fs from "node:fs";',
    body: onTool(
      "process.stdout.write('noise'); console.log('noise'); process.stdout.end(); process.stdin.destroy?.(); for (const fd of [0, 1, 2]) fs.closeSync(fd); return {};",
    ),
    logged: /noise/,
  },
  {
    name: "a folder and a mask of the process",
    body: onTool("process.chdir('/');"),
    told: /failed in PostToolUse: process\.chdir concerns the whole server/,
    paused: "PostToolUse",
  },
  {
    name: "an import that hangs",
    before: "await new Promise(() => {});",
    body: onTool(""),
    config: { isolation: { loadSeconds: 1 } },
    told: /torture\.ts was not loaded within 1000 ms/,
    neverRuns: true,
  },
  {
    name: "an endless loop at import",
    before: "for (;;);",
    body: onTool(""),
    config: { isolation: { loadSeconds: 1 } },
    told: /torture\.ts was not loaded within 1000 ms/,
    neverRuns: true,
  },
  {
    name: "a syntax error",
    body: "hooks: { ;",
    told: /torture\.ts cannot be loaded: .*torture\.ts:\d+:\d+/,
    neverRuns: true,
  },
  {
    name: "a dependency that is missing",
    before: 'import nothing from "no-such-package";',
    body: onTool("nothing();"),
    told: /torture\.ts cannot be loaded: .*no-such-package/,
    neverRuns: true,
  },
  {
    name: "a worker that closes itself",
    body: onTool("globalThis.close();"),
    told: /failed in PostToolUse: it ended its worker with exit\(0\)/,
    paused: "PostToolUse",
  },
  {
    name: "a kill of its own process",
    body: onTool("process.kill(process.pid, 'SIGKILL');"),
    told: /failed in PostToolUse: process\.kill of the server itself concerns the whole server/,
    paused: "PostToolUse",
  },
  {
    name: "children without end",
    before: 'import { spawn } from "node:child_process";\nlet n = 0;',
    body: onTool("if (n++ < 5) spawn('sleep', ['1']); return {};"),
  },
  {
    name: "a redactor that fails",
    slot: "capture",
    body: 'slot: "capture", hooks: { capture: { deadlineMs: 30_000, handler() { throw new Error("no redaction"); } } }',
    told: /failed in capture: no redaction \(\S+torture\.ts:\d+:\d+\)/,
    paused: "capture",
    withheld: true,
  },
  {
    name: "an observer that answers nonsense",
    slot: "observation",
    body: 'slot: "observation", hooks: { observe: () => ({ nonsense: true }) }',
    config: { worker: { retrySeconds: [0, 0, 0, 0, 0, 0] } },
    told: /failed in observe: .*has no list of observations/,
    paused: "observation",
  },
  {
    name: "an observer that hangs",
    slot: "observation",
    body: 'slot: "observation", hooks: { observe: { deadlineMs: 100, handler() { for (;;); } } }',
    config: { worker: { retrySeconds: [0, 0, 0, 0, 0, 0] } },
    told: /did not answer observe within 100 ms/,
    paused: "observation",
  },
];

/** The text of the plugin's file. */
export function source({ before = "", body }: Kind): string {
  return `${before}\nexport default {\n  name: "torture",\n  description: "Fails on purpose.",\n  sdk: 1,\n  ${body},\n};\n`;
}
