// A release can be checked by building it again: one commit gives one binary, wherever it is built.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { Scenario } from "../scenario.ts";

const root = resolve(import.meta.dir, "../../..");

export const sameBytesScenarios: Scenario[] = [
  {
    name: "build: a second checkout elsewhere gives the same binary, byte for byte",
    async run() {
      const room = await mkdtemp(join(tmpdir(), "memoir-again-"));
      const checkout = join(room, "another checkout");
      try {
        // Uncommitted changes and all, so that it holds while somebody works on it.
        const git = (...args: string[]) => Bun.spawnSync(["git", ...args], { cwd: root });
        const listed = git("ls-files", "-z").stdout.toString();
        for (const file of listed.split("\0").filter(Boolean))
          await cp(join(root, file), join(checkout, file)).catch(() => undefined);
        const gitFolder = git("rev-parse", "--absolute-git-dir").stdout.toString();
        await writeFile(join(checkout, ".git"), `gitdir: ${gitFolder}`);
        Bun.spawnSync(["cp", "-al", join(root, "node_modules"), join(checkout, "node_modules")]);
        const outdir = join(room, "out");
        const command = [process.execPath, "src/release/build.ts", "--outdir", outdir];
        const child = Bun.spawn(command, { cwd: checkout, stdout: "pipe", stderr: "pipe" });
        assert.equal(await child.exited, 0, await new Response(child.stderr).text());
        const [first, second] = await Promise.all(
          [join(root, "dist"), outdir].map(async (folder) => {
            const bytes = await readFile(join(folder, "memoir"));
            return createHash("sha256").update(bytes).digest("hex");
          }),
        );
        assert.equal(second, first, "dist/memoir differs; was it built of these sources?");
      } finally {
        await rm(room, { recursive: true, force: true });
      }
    },
  },
];
