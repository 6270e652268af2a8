// What a person reads who installs, looks, and uninstalls, from the first line to the last.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { doctor } from "../../../src/cli/setup/doctor.ts";
import { install } from "../../../src/cli/setup/install.ts";
import { uninstall } from "../../../src/cli/setup/uninstall.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { version } from "../../../src/home/version.ts";
import { expectGolden } from "../../support/golden.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { busySession } from "../../support/recorded-session.ts";

let root: string;
let binary: string;
let env: Record<string, string>;
let said: string[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "memoir-dialogs-")));
  binary = join(root, "memoir-linux-x64");
  said = [];
  env = { HOME: root, CLAUDE_CONFIG_DIR: join(root, "claude"), PATH: join(root, "nothing") };
  const script = `#!/bin/sh\n[ "$1" = version ] && echo '{"version":"${version}"}' || echo "memoir ${version} started (pid 1)."\n`;
  await writeFile(binary, script, { mode: 0o755 });
  // The commands under test find their server, which there is none of, by this.
  process.env.MEMOIR_HOME = join(root, ".memoir");
});
afterEach(async () => {
  delete process.env.MEMOIR_HOME;
  await rm(root, { recursive: true, force: true });
});

/** Runs a command; what is asked stands among what is printed, with the answer. */
async function step(
  title: string,
  command: (terminal: Terminal) => Promise<number>,
  { answers = [], ...more }: Partial<Terminal> & { answers?: Array<string | boolean> } = {},
): Promise<void> {
  const left = [...answers];
  const lines: string[] = [];
  const answer = async (question: string) => {
    const given = left.shift();
    if (given === undefined) throw new Error(`not foreseen: ${question}`);
    lines.push(`? ${question} ${given}`);
    return given as never;
  };
  const terminal = plainTerminal({
    ...{ env, cwd: root, now: () => Date.now(), interactive: answers.length > 0 },
    ...{ print: (text: string) => void lines.push(text) },
    ...{ warn: (text: string) => void lines.push(`! ${text}`) },
    ...{ confirm: answer, ask: answer, secret: answer },
    ...more,
  });
  const code = await command(terminal);
  expect(left, "every answer was asked for").toEqual([]);
  const text = lines.join("\n").replaceAll(root, "ROOT").replaceAll(version, "VERSION");
  said.push(`== ${title}: exit ${code}\n\n${text}\n`);
}
const into =
  (options: object = {}) =>
  (terminal: Terminal) =>
    install([], { scope: "user", binary, ...options }, terminal);
const out = (options: object) => (terminal: Terminal) => uninstall([], options, terminal);
const golden = (name: string) =>
  expectGolden(
    join(import.meta.dir, "dialogs", name),
    said
      .join("\n")
      .replace(/backups\/[^\s"]+/g, "backups/COPY")
      .replace(/\d+(?:\.\d+)? .?B free/g, "SOME free"),
  );

test("a person installs, twice, and uninstalls", async () => {
  await mkdir(join(root, "claude"));
  await writeFile(join(root, "claude/settings.json"), '{\n  "model": "opus"\n}\n');
  await step("dry run", into({ dryRun: true }));
  await step("dry run as JSON", into({ dryRun: true, json: true }));
  await step("no", into(), { answers: [false] });
  await step("yes, and no model", into(), { answers: [true, ""] });
  await step("again", into({ yes: true }));
  await step("as JSON", into({ json: true }));
  await step("doctor", (terminal) => doctor({}, terminal));
  await step("uninstall, dry run", out({ dryRun: true }));
  await step("uninstall, dry run with the memory", out({ dryRun: true, deleteMemory: true }));
  await step("uninstall, no", out({}), { answers: [false] });
  await step("uninstall, and the memory stays", out({}), { answers: [true, false] });
  await step("uninstall again", out({ yes: true }));
  await golden("install.txt");
});

test("for a project, past sessions offered, without allow rules; all of it goes again", async () => {
  const project = join(root, "shop");
  await mkdir(project);
  const past = busySession("past", "/gone/shop", Date.UTC(2026, 9, 1), 1);
  await past.write(join(root, "claude/projects"));
  const here = { cwd: project };
  await step("project, unread sessions", into({ scope: "project", yes: true }), here);
  await step("local, no rules", into({ scope: "local", yes: true, allowTools: false }), here);
  await step("sessions offered, no", into({ scope: "user" }), {
    ...here,
    answers: [true, "9", "1", false],
  });
  await step("uninstall all", out({ deleteMemory: true }), { ...here, answers: [true] });
  await golden("project.txt");
});

test("where the client's plugin brings the hooks", async () => {
  await mkdir(join(root, "claude"));
  const enabled = { enabledPlugins: { "memoir@acme": true } };
  await writeFile(join(root, "claude/settings.json"), JSON.stringify(enabled));
  await step("dry run", into({ dryRun: true }));
  await step("install", into({ yes: true }));
  await step("doctor", (terminal) => doctor({}, terminal));
  await step("uninstall, dry run", out({ dryRun: true }));
  await step("uninstall", out({ yes: true }));
  await golden("plugin.txt");
});
