// The README keeps its word: its plugins run, its commands exist, and every config key stands in it with its default.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { allCommands, declareProgram } from "../src/cli/program.ts";
import { nextSessionStart, recordedSession } from "../src/cli/setup/demo/recording.ts";
import { configJsonSchema, type JsonSchema } from "../src/runtime/config/json-schema.ts";
import { plainTerminal } from "./support/plain-terminal.ts";
import { entry, runMemoir } from "./support/run-memoir.ts";

const readme = await readFile(resolve(import.meta.dir, "../README.md"), "utf8");
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(
    ([, text]) => text ?? "",
  );

describe("the README's plugins", () => {
  let root: string;
  let home: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "memoir-readme-"));
    home = join(root, ".memoir");
    await mkdir(join(home, "plugins"), { recursive: true });
    await mkdir(join(root, "bin"));
    await writeFile(
      join(root, "bin/memoir"),
      `#!/bin/sh\nexec "${process.execPath}" "${entry}" "$@"\n`,
    );
    await chmod(join(root, "bin/memoir"), 0o755);
    env = { HOME: root, CLAUDE_CONFIG_DIR: join(root, "claude") };
    for (const source of blocks("ts")) {
      const [, name = ""] = /^\/\/ ~\/\.memoir\/plugins\/(\S+)/.exec(source) ?? [];
      await writeFile(join(home, "plugins", name), source);
    }
  });
  afterAll(async () => {
    await runMemoir(["stop"], env, root);
    await rm(root, { recursive: true, force: true });
  });

  test("do what the text around them says, by the commands it gives", async () => {
    const commands = blocks("sh").find((block) => block.includes("plugin disable notebook")) ?? "";
    const shell = Bun.spawn(["/bin/sh", "-e", "-c", commands], {
      env: { ...env, PATH: `${join(root, "bin")}:/usr/bin:/bin` },
      cwd: root,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([
      new Response(shell.stdout).text(),
      new Response(shell.stderr).text(),
    ]);
    expect([await shell.exited, err]).toEqual([0, ""]);
    expect(out).toContain("● notebook  listener");
    expect(out).toContain("● house-rules  context-injection");
    expect(out).toContain("notebook is on.");

    const place = { project: join(root, "shop"), client: join(root, "client") };
    await mkdir(place.project);
    const hook = async (payload: object) => {
      const child = Bun.spawn([process.execPath, entry, "hook", "claude-code"], {
        env,
        stdin: new Blob([JSON.stringify(payload)]),
        stdout: "pipe",
      });
      return new Response(child.stdout).text();
    };
    const session = crypto.randomUUID();
    for (const payload of recordedSession(place, session)) await hook(payload);
    const next = JSON.parse(await hook(nextSessionStart(place, crypto.randomUUID())));
    const { additionalContext } = next.hookSpecificOutput;
    expect(additionalContext).toStartWith(
      "<memoir-context>\nHouse rule: every bug fix comes with a test.",
    );
    expect(additionalContext).toContain("token.ts");
    const notebook = await readFile(join(home, "notebook.md"), "utf8");
    expect(notebook).toMatch(/^## .+ \(bugfix, .+\)\n- /m);
    const search = await runMemoir(["search", "MemoryStore", "Redis", "--json"], env, root);
    const types = JSON.parse(search.out).results.map(({ type }: { type: string }) => type);
    expect([types[0], types.length > 2]).toEqual(["decision", true]);
    const status = await runMemoir(["status"], env, root);
    expect(status.out).not.toContain("failed");
  });
});

describe("the README's words", () => {
  test("name every config key, with its default", async () => {
    const keys = leaves(await configJsonSchema(), "").filter(
      ([key]) => key !== "$schema" && !/^plugins\.[^.]+\.enabled$/.test(key),
    );
    expect(keys.length).toBeGreaterThan(20);
    const rows = readme.split("\n").map((line) => line.replace(/ +/g, " "));
    for (const [key, fallback] of keys) {
      const row = rows.find((line) => line.startsWith(`| \`${key}\` |`));
      expect(row ?? key).toContain("|");
      if (fallback !== undefined) {
        const shown = JSON.stringify(fallback).replaceAll(",", ", ");
        expect(row).toContain(`| \`${shown}\` |`);
      }
    }
  });

  test("give only commands and options that exist", () => {
    const program = declareProgram(plainTerminal(), async () => {});
    const known = new Map(allCommands(program).map((command) => [nameOf(command), command]));
    const lines = blocks("sh")
      .flatMap((block) => block.split("\n"))
      .map((line) =>
        line
          .replace(/\s#.*$/, "")
          .replace(/"[^"]*"|'[^']*'/g, "word")
          .trim(),
      )
      .filter((line) => /^(?:dist\/)?memoir /.test(line));
    expect(lines.length).toBeGreaterThan(15);
    for (const line of lines) {
      const [, one = "", two = ""] = line.split(/\s+/);
      const command = known.get(`${one} ${two}`) ?? known.get(one);
      expect(command ?? line).toBe(command as never);
      for (const option of line.match(/--[a-z-]+/g) ?? [])
        expect(`${line}: ${command?.options.some(({ long }) => long === option)}`).toBe(
          `${line}: true`,
        );
    }
  });
});

interface Named {
  name(): string;
  parent: Named | null;
}

function nameOf(command: Named): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** Dotted paths of everything that can be set, with defaults. */
function leaves(schema: JsonSchema, prefix: string): Array<[string, unknown]> {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = prefix ? `${prefix}.${name}` : name;
    return inner.properties ? leaves(inner, key) : [[key, inner.default] as [string, unknown]];
  });
}
