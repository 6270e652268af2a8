// The plugins page keeps its word: its three plugins run, by the commands that it gives.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nextSessionStart, recordedSession } from "../../src/cli/setup/demo.ts";
import { codeBlocks, readPage } from "../support/pages.ts";
import { entry, runMemoir } from "../support/run-memoir.ts";

const page = await readPage("docs/developers/plugins.md");

describe("the plugins shown", () => {
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
    for (const source of codeBlocks(page, "ts")) {
      const [, name = ""] = /^\/\/ ~\/\.memoir\/plugins\/(\S+)/.exec(source) ?? [];
      await writeFile(join(home, "plugins", name), source);
    }
  });
  afterAll(async () => {
    await runMemoir(["server", "stop"], env, root);
    await rm(root, { recursive: true, force: true });
  });

  test("do what the text around them says, by the commands it gives", async () => {
    const commands =
      codeBlocks(page, "sh").find((block) => block.includes("plugin disable notebook")) ?? "";
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
    expect(types.length).toBeGreaterThan(2);
    const status = await runMemoir(["status"], env, root);
    expect(status.out).not.toContain("failed");
  });
});
