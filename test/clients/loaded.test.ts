// A client that is not used costs nothing: its adapter is not loaded by a start, nor by another client's event.
import { expect, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";
import { clients } from "../../src/clients/index.ts";
import { staticImports } from "../support/static-imports.ts";

const root = join(import.meta.dirname, "../../");
const captured = [...clients.values()].filter(({ abilities }) => abilities.way === "hooks");
const adapter = /^src\/clients\/(?!normal\/)[\w-]+\/index\.ts$/;

const adaptersFrom = (file: string) =>
  [...staticImports(root, join(root, file))].filter((name) => adapter.test(name));

test("the server, the hook command and what they answer with load no adapter", () => {
  for (const file of ["src/cli/server/serve.ts", "src/cli/hook/hook.ts", "src/cli/hook/recover.ts"])
    expect([file, adaptersFrom(file)]).toEqual([file, []]);
});

test("an adapter loads no other", () => {
  for (const { name } of captured) {
    const own = `src/clients/${name}/index.ts`;
    expect(adaptersFrom(own)).toEqual([own]);
  }
});

test("an event loads its own client's adapter and no other", async () => {
  const program = join(import.meta.dirname, "loaded-adapters.ts");
  const child = Bun.spawn([process.execPath, program], { stdout: "pipe", stderr: "pipe" });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, errors]).toEqual([0, ""]);
  const after: Array<[client: string, loaded: string[]]> = JSON.parse(out);
  const names = after.map(([client]) => client).filter(Boolean);
  expect(names.toSorted()).toEqual(captured.map(({ name }) => name).toSorted());
  for (const [index, [client, loaded]] of after.entries())
    expect([client, loaded.toSorted()]).toEqual([client, names.slice(0, index).toSorted()]);
});
