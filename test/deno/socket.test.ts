// Under Deno, too, the server's socket is its owner's only.
import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { inFolder } from "../support/in-folder.ts";
import { deno, denoEnv } from "./deno.ts";

const root = resolve(import.meta.dirname, "../..");

test(
  "a socket is made for its owner alone",
  () =>
    inFolder(async (folder) => {
      const script = `
      import { stat } from "node:fs/promises";
      import { denoHost } from ${JSON.stringify(join(root, "src/host/deno.ts"))};
      const host = denoHost();
      const socket = ${JSON.stringify(join(folder, "socket"))};
      const server = await host.listen({ unix: socket }, async () => new Response("here"));
      const mode = (await stat(socket)).mode & 0o777;
      const answer = await host.fetchUnix(socket, "http://memoir/", {});
      console.log(mode.toString(8), await answer.text());
      await server.stop(1_000);
      Deno.exit();
    `;
      const run = Bun.spawn([deno, "run", "-A", "--no-prompt", "--ext", "ts", "-"], {
        cwd: root,
        env: denoEnv(folder),
        stdin: new Blob([script]),
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err] = await Promise.all([
        new Response(run.stdout).text(),
        new Response(run.stderr).text(),
      ]);
      expect({ code: await run.exited, out, err }).toMatchObject({ code: 0, out: "600 here\n" });
    }),
  180_000,
);
